import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";

/** Delay after the last keystroke before a search runs, in milliseconds (spec P-045). */
export const SEARCH_DEBOUNCE_MS = 1000;

/**
 * Search box. Calls back with the text one second after the last keystroke, or at once on Enter or Clear. `value` is
 * the current search; outside changes (Back, Clear search) update the box.
 */
export function SearchField({
  value,
  label,
  onSearch,
  className = "search-field",
  delayMs = SEARCH_DEBOUNCE_MS,
  name,
}: {
  value: string;
  label: string;
  onSearch: (text: string) => void;
  className?: string;
  /** Delay after the last keystroke. A list that is searched in the browser needs none. */
  delayMs?: number;
  /** Its name in the form around it, which searches without scripts. */
  name?: string;
}) {
  const [text, setText] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const sent = useRef(value);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);

  function search(next: string) {
    clearTimeout(timer.current);
    if (next === sent.current) return;
    sent.current = next;
    onSearch(next);
  }

  return (
    <search className={`text-field ${className}`}>
      <Search aria-hidden />
      <input
        type="text"
        name={name}
        inputMode="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={label}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          const next = event.target.value;
          setText(next);
          clearTimeout(timer.current);
          timer.current = setTimeout(() => search(next.trim()), delayMs);
        }}
        onKeyDown={(event) => {
          // Read the box, not the state: keystrokes may be faster than rendering.
          if (event.key === "Enter") search(event.currentTarget.value.trim());
        }}
      />
      {text !== "" && (
        <button
          type="button"
          className="icon-btn end"
          aria-label="Clear search"
          onClick={(event) => {
            /* This button disappears, so move the focus to the input first. */
            event.currentTarget.parentElement?.querySelector("input")?.focus();
            setText("");
            search("");
          }}
        >
          <X aria-hidden />
        </button>
      )}
    </search>
  );
}
