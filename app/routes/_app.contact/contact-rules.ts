import { contactErrors } from "#app/copy/contact.ts";
import { contactSchema } from "#core/contact/contact.schema.ts";

/** The fields in display order. */
export const CONTACT_FIELDS = ["firstName", "lastName", "company", "email", "question"] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
export type ContactForm = Record<ContactField, string>;

/** Maximum length of a question (spec B-223). */
export const QUESTION_MAX = 1000;

/** User-facing errors by field. An empty object means that the form is valid (spec B-105). */
export function contactFaults(form: ContactForm): Partial<Record<ContactField, string>> {
  const checked = contactSchema.safeParse(form);
  if (checked.success) return {};
  const faults: Partial<Record<ContactField, string>> = {};
  for (const { path, message } of checked.error.issues) {
    const field = CONTACT_FIELDS.find((name) => name === path[0]);
    if (field) faults[field] ??= contactErrors[message] ?? message;
  }
  return faults;
}

/** The request body (spec part 3 section 3). */
export function contactBody({ firstName, lastName, company, email, question }: ContactForm) {
  return { first_name: firstName, last_name: lastName, company, email, question };
}
