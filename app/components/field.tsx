import { type ComponentPropsWithoutRef, type ReactNode, useId } from "react";
import { FieldNotes } from "./field-notes.tsx";

/** Label, input, hint and error, associated for screen readers. */
export function Field({
  label,
  aside,
  hint,
  errors,
  end,
  isLarge,
  ...input
}: ComponentPropsWithoutRef<"input"> & {
  label: ReactNode;
  /** Next to the label, e.g. a link. */
  aside?: ReactNode;
  hint?: ReactNode;
  errors?: readonly string[];
  /** Inside the field, at its end. */
  end?: ReactNode;
  isLarge?: boolean;
}) {
  const ownId = useId();
  const id = input.id ?? ownId;
  const error = errors?.[0];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <span className="field__label">
        <label htmlFor={id}>{label}</label>
        {aside}
      </span>
      <span className={isLarge ? "text-field text-field-l" : "text-field"}>
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={described === "" ? undefined : described}
        />
        {end}
      </span>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  );
}
