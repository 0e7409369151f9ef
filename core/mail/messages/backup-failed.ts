import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** The first backup of an item failed for good, after every retry. */
export const backupFailedSchema = z.object({
  platformLabel: z.string(),
  itemName: z.string(),
  failedAt: z.number(),
  errorText: z.string(),
  isDaily: z.boolean(),
  historyUrl: z.url(),
  timeZone: z.string(),
});

export function backupFailed(data: z.infer<typeof backupFailedSchema>): MailContent {
  const again = data.isDaily
    ? "It is tried again at its next time."
    : "Daily backups are off for it, so it is tried again when somebody starts a backup.";
  return {
    subject: `The first backup of ${data.itemName} failed`,
    heading: "A first backup failed",
    paragraphs: [
      `${data.itemName} on ${data.platformLabel} could not be backed up, and has no version yet. ${again}`,
      data.errorText,
    ],
    facts: [["Failed", formatMoment(data.failedAt, data.timeZone)]],
    action: { label: "Open the history", url: data.historyUrl },
    reason: "You receive this e-mail because you own the account that protects this item.",
  };
}
