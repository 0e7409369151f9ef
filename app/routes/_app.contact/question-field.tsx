import { CircleAlert } from "lucide-react";
import type { ComponentPropsWithoutRef } from "react";
import { contactCopy as copy } from "#app/copy/contact.ts";
import { QUESTION_MAX } from "./contact-rules.ts";

/** The question field. It grows with its text and shows how much of the limit is used. */
export function QuestionField({
  label,
  errors,
  id,
  ...input
}: ComponentPropsWithoutRef<"textarea"> & {
  id: string;
  label: string;
  value: string;
  errors?: readonly string[];
}) {
  const error = errors?.[0];
  const described = `${id}-count${error ? ` ${id}-error` : ""}`;
  return (
    <div className="field">
      <span className="field__label">
        <label htmlFor={id}>{label}</label>
        <span className="mono-meta" id={`${id}-count`}>
          {copy.counter(input.value.trim().length, QUESTION_MAX)}
        </span>
      </span>
      <span className="text-area">
        <textarea
          {...input}
          id={id}
          rows={7}
          aria-invalid={error ? true : undefined}
          aria-describedby={described}
        />
      </span>
      {error && (
        <span className="field__error" id={`${id}-error`}>
          <CircleAlert className="icon-s" aria-hidden />
          <span>{error}</span>
        </span>
      )}
    </div>
  );
}
