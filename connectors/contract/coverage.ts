/**
 * What becomes of every field of a platform's API, for each thing that a version holds, and for things next to them that
 * it does not hold. Screens show it as "What is covered"; a test compares it with the platform's published schemas.
 */
export type Coverage = readonly CoveredThing[];

export type CoveredThing = {
  /** Its name on screens, e.g. "Pull requests". */
  name: string;
  /** Its schema, by the name in the committed list of fields. */
  schema: string;
  /** Fields that a restore brings back, as they were or as a line of text. Names with spaces between them. */
  restored?: string;
  /** Fields that a version keeps and a restore does not bring back. */
  kept?: readonly FieldGroup[];
  /** Fields that a version does not hold. */
  left?: readonly FieldGroup[];
};

/** Fields with a common reason, which is a sentence. */
export type FieldGroup = { fields: string; because: string };

/** The names in a list of fields. */
export function fieldNames(fields: string): string[] {
  return fields.split(/\s+/).filter((name) => name !== "");
}
