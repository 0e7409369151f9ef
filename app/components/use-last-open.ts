import { useRef } from "react";

/**
 * What a dialog is about, and while it closes, what it was about: that is then gone from its parent, but the dialog is
 * still drawn, and would ask for nothing that exists.
 */
export function useLastOpen<Subject>(isOpen: boolean, subject: Subject): Subject {
  const last = useRef(subject);
  if (isOpen) last.current = subject;
  return last.current;
}
