import { z } from "zod";

/** What a restore of one issue finds in the target before it writes anything, and how it knows its own issue again. */
export const issueIntentSchema = z.object({
  /** The end of the issue's first text, which no page shows. */
  mark: z.string(),
  /** Issues that were changed since then are looked through for the mark, ISO 8601. */
  since: z.string(),
  /** Labels that the target has not. */
  newLabels: z.array(z.string()),
  /** The target's milestone of the same title, as its API names it. */
  milestone: z.int().nullable(),
});
export type IssueIntent = z.output<typeof issueIntentSchema>;

/** A new mark: an HTML comment with a UUID. */
export const newMark = () => `<!-- Restored by Holdfast: ${crypto.randomUUID()} -->`;
