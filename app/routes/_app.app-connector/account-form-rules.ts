import { accountCopy } from "#app/copy/accounts.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";

const { form: copy } = accountCopy;
/** Minimum length of an account name (spec P-267, P-270). */
const SHORTEST = 2;

/** True when accounts of the platform have titles, such as the names of sites, which may contain spaces. */
export const hasTitles = (platform: string) =>
  descriptors.find(({ id }) => id === platform)?.accountNames === "titles";

/** The account name as typed. A login loses its spaces (spec P-268), a title keeps them. */
export const typedName = (platform: string, typed: string) =>
  hasTitles(platform) ? typed : typed.replace(/\s+/g, "");

/** What is wrong with a name; null when it is valid (spec P-266, P-267, P-269, P-270). */
export function nameFault(name: string): string | null {
  const { length } = name.trim();
  if (length === 0) return copy.required;
  return length < SHORTEST ? copy.short : null;
}

/** The form state that decides whether Save is enabled. */
type FormState = {
  name: string;
  /** The connected account; null = none yet. */
  present: string | null;
  /** The text typed to confirm that the current account's backups are deleted. */
  typed: string;
  isSubmitting: boolean;
};

/**
 * Save needs a valid new name, and no save in progress (spec P-271 to P-273). A change must be confirmed by typing the
 * name of the account whose backups it deletes (spec P-231).
 */
export function canSave({ name, present, typed, isSubmitting }: FormState): boolean {
  const isChanged = present === null || name.trim().toLowerCase() !== present.toLowerCase();
  const isAgreed = present === null || typed === present;
  return nameFault(name) === null && isChanged && isAgreed && !isSubmitting;
}
