import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** A cancelled subscription is about to end. */
export const subscriptionEndingSchema = z.object({
  platformLabel: z.string(),
  endsAt: z.number(),
  timeZone: z.string(),
  keepUrl: z.url(),
});

export function subscriptionEnding(data: z.infer<typeof subscriptionEndingSchema>): MailContent {
  const at = formatMoment(data.endsAt, data.timeZone);
  return {
    subject: `Your subscription of ${data.platformLabel} backups is about to end`,
    heading: "Your subscription is about to end",
    paragraphs: [
      `You cancelled the subscription for ${data.platformLabel}. Backups stop on ${at}. You can take the cancellation back until then.`,
    ],
    action: { label: "Keep the subscription", url: data.keepUrl },
    reason: "You receive this e-mail because you own the organisation that pays for Holdfast.",
  };
}
