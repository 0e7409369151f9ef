import { accountCopy } from "#app/copy/accounts.ts";

const { form: copy } = accountCopy;
/** Shortest name of an account (spec P-267, P-270). */
const SHORTEST = 2;

/** A typed account name without its spaces (spec P-268). */
export const withoutSpaces = (typed: string) => typed.replace(/\s+/g, "");

/** What is wrong with a name, or null (spec P-266, P-267, P-269, P-270). */
export function nameFault(name: string): string | null {
  if (name === "") return copy.required;
  return name.length < SHORTEST ? copy.short : null;
}

/** What the form knows when it decides on Save. */
type FormState = {
  name: string;
  /** The connected account; null = none yet. */
  present: string | null;
  /** What was typed to confirm that the present account's backups go. */
  typed: string;
  isSubmitting: boolean;
};

/**
 * Save is open only for a valid name that is another one, and while nothing is being saved (spec P-271 to P-273). A
 * change has to be confirmed by typing the name of the account whose backups it deletes (spec P-231).
 */
export function canSave({ name, present, typed, isSubmitting }: FormState): boolean {
  const isChanged = present === null || name.toLowerCase() !== present.toLowerCase();
  const isAgreed = present === null || typed === present;
  return nameFault(name) === null && isChanged && isAgreed && !isSubmitting;
}
