import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** A requested ZIP is ready for download. Times in epoch ms. */
export const zipReadySchema = z.object({
  itemName: z.string(),
  takenAt: z.number(),
  url: z.url(),
  expiresAt: z.number(),
  timeZone: z.string(),
});

export function zipReady(data: z.infer<typeof zipReadySchema>): MailContent {
  return {
    subject: `Your download of ${data.itemName} is ready`,
    heading: "Your download is ready",
    paragraphs: [`The ZIP of ${data.itemName} has been prepared.`],
    facts: [
      ["Version of", formatMoment(data.takenAt, data.timeZone)],
      ["Link works until", formatMoment(data.expiresAt, data.timeZone)],
    ],
    action: { label: "Download the ZIP", url: data.url },
    reason:
      "You receive this e-mail because this download was requested for your account. Do not pass the link on.",
  };
}
