import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** A backup failed for good, after every retry. */
export const backupFailedSchema = z.object({
  platformLabel: z.string(),
  itemName: z.string(),
  failedAt: z.number(),
  errorText: z.string(),
  /** Null when the item never had a version. */
  lastGoodAt: z.number().nullable(),
  historyUrl: z.url(),
  timeZone: z.string(),
});

export function backupFailed(data: z.infer<typeof backupFailedSchema>): MailContent {
  return {
    subject: `The backup of ${data.itemName} failed`,
    heading: "A backup failed",
    paragraphs: [
      `${data.itemName} on ${data.platformLabel} could not be backed up. We will try again at its next time.`,
      data.errorText,
    ],
    facts: [
      ["Failed", formatMoment(data.failedAt, data.timeZone)],
      [
        "Last good version",
        data.lastGoodAt === null ? "none yet" : formatMoment(data.lastGoodAt, data.timeZone),
      ],
    ],
    action: { label: "Open the history", url: data.historyUrl },
    reason: "You receive this e-mail because you own the account that protects this item.",
  };
}
