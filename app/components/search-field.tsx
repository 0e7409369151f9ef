import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";

/** Quiet time before a search runs, in milliseconds (spec P-045). */
export const SEARCH_DEBOUNCE_MS = 1000;

/**
 * Search box: tells the searched text one second after the last key, at once on Enter or Clear. `value` is what is
 * searched now; a change from outside (Back, Clear search) shows up in the box.
 */
export function SearchField({
  value,
  label,
  onSearch,
  className = "search-field",
}: {
  value: string;
  label: string;
  onSearch: (text: string) => void;
  className?: string;
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
          timer.current = setTimeout(() => search(next.trim()), SEARCH_DEBOUNCE_MS);
        }}
        onKeyDown={(event) => {
          // What stands in the box, not what was drawn last: keys may be faster than a busy machine draws.
          if (event.key === "Enter") search(event.currentTarget.value.trim());
        }}
      />
      {text !== "" && (
        <button
          type="button"
          className="icon-btn end"
          aria-label="Clear search"
          onClick={(event) => {
            /* The button goes, and the focus must not go with it. */
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
