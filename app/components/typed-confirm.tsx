import { useId, useState } from "react";

/** A field in which the user types an exact text to confirm. Compare with `isConfirmed`. */
export function TypedConfirm({
  expected,
  value,
  onChange,
}: {
  expected: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        <span>
          Type <span className="mono">{expected}</span> to confirm
        </span>
      </label>
      <span className="text-field">
        <input
          id={id}
          value={value}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
        />
      </span>
    </div>
  );
}

/** The typed text and its setter. Whatever closes the dialog clears the text, so that it never opens confirmed. */
export function useTyped(isOpen: boolean) {
  const [typed, setTyped] = useState("");
  if (!isOpen && typed !== "") setTyped("");
  return [typed, setTyped] as const;
}

/** True when the typed text is exactly the expected one (spec P-280, P-281). No trimming, no case folding. */
export function isConfirmed(expected: string, typed: string): boolean {
  return typed === expected;
}
