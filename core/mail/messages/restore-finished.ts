import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** A restore has ended. Lists name what came back in another form or not at all. */
export const restoreFinishedSchema = z.object({
  itemName: z.string(),
  takenAt: z.number(),
  /** What was created; null when the restore failed. */
  restored: z.object({ name: z.string(), url: z.url() }).nullable(),
  errorText: z.string().nullable(),
  changedCount: z.number(),
  impossibleCount: z.number(),
  historyUrl: z.url(),
  timeZone: z.string(),
});

export function restoreFinished(data: z.infer<typeof restoreFinishedSchema>): MailContent {
  const version: [string, string] = ["Version of", formatMoment(data.takenAt, data.timeZone)];
  const reason = "You receive this e-mail because your address was given when the restore was started.";
  if (!data.restored) {
    return {
      subject: `The restore of ${data.itemName} failed`,
      heading: "The restore failed",
      paragraphs: [
        `${data.itemName} could not be restored. The original and its versions were not touched.`,
        ...(data.errorText ? [data.errorText] : []),
      ],
      facts: [version],
      action: { label: "Open the history", url: data.historyUrl },
      reason,
    };
  }
  return {
    subject: `${data.itemName} was restored as ${data.restored.name}`,
    heading: "The restore is complete",
    paragraphs: [`${data.itemName} was restored as ${data.restored.name}. The original was not touched.`],
    facts: [
      version,
      ...(data.changedCount > 0 ? [["Came back in another form", String(data.changedCount)] as const] : []),
      ...(data.impossibleCount > 0 ? [["Could not come back", String(data.impossibleCount)] as const] : []),
    ],
    action: { label: "Open what was restored", url: data.restored.url },
    reason,
  };
}
