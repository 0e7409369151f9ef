import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

/** Hint and error below a field; the field names them by `ID-hint` and `ID-error`. */
export function FieldNotes({
  id,
  hint,
  error,
}: {
  id: string;
  hint?: ReactNode;
  error?: string | undefined;
}) {
  return (
    <>
      {hint && (
        <span className="field__hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error && (
        <span className="field__error" id={`${id}-error`}>
          <CircleAlert className="icon-s" aria-hidden />
          <span>{error}</span>
        </span>
      )}
    </>
  );
}
