import { useRef } from "react";

/**
 * Returns the subject of a dialog. While the dialog closes, returns the last one: the parent has none any more, but the
 * dialog is still drawn and would request something that does not exist.
 */
export function useLastOpen<Subject>(isOpen: boolean, subject: Subject): Subject {
  const last = useRef(subject);
  if (isOpen) last.current = subject;
  return last.current;
}
