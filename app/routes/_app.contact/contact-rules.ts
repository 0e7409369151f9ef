import { contactErrors } from "#app/copy/contact.ts";
import { contactSchema } from "#core/contact/contact.schema.ts";

/** The fields in the form's order. */
export const CONTACT_FIELDS = ["firstName", "lastName", "company", "email", "question"] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
export type ContactForm = Record<ContactField, string>;

/** Longest question (spec B-223). */
export const QUESTION_MAX = 1000;

/** What is wrong with each field, for people; an empty object means that the form may be sent (spec B-105). */
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

/** The form as the call spells it (spec part 3 section 3). */
export function contactBody({ firstName, lastName, company, email, question }: ContactForm) {
  return { first_name: firstName, last_name: lastName, company, email, question };
}
