import { ChevronDown } from "lucide-react";
import { type ComponentPropsWithoutRef, type ReactNode, useId } from "react";
import { FieldNotes } from "./field-notes.tsx";

/** Label, native select and error, associated for screen readers. */
export function SelectField({
  label,
  errors,
  hint,
  children,
  ...select
}: ComponentPropsWithoutRef<"select"> & {
  label: ReactNode;
  errors?: readonly string[];
  hint?: string;
}) {
  const ownId = useId();
  const id = select.id ?? ownId;
  const error = errors?.[0];
  return (
    <div className="field">
      <span className="field__label">
        <label htmlFor={id}>{label}</label>
      </span>
      <span className="text-field select-field">
        <select
          {...select}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : hint ? `${id}-hint` : undefined}
        >
          {children}
        </select>
        <ChevronDown aria-hidden />
      </span>
      <FieldNotes id={id} hint={error ? undefined : hint} error={error} />
    </div>
  );
}
