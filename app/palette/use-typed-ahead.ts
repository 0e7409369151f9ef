import { useCallback, useEffect, useRef } from "react";

/**
 * Keeps what is typed between the key that opens the palette and its field, which may still be loading, so that no letter
 * is lost or acts on the page. Returns a function that returns the text so far.
 */
export function useTypedAhead(isOpen: boolean): () => string {
  const typed = useRef("");
  useEffect(() => {
    if (!isOpen) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target instanceof Element && target.closest("[role=dialog]")) return;
      if (key.length === 1) typed.current += key;
      else if (key === "Backspace") typed.current = typed.current.slice(0, -1);
      else return;
      // It must not scroll the page or be typed into a field of it.
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("keydown", onKey);
      typed.current = "";
    };
  }, [isOpen]);
  return useCallback(() => typed.current, []);
}
