import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** A renewal could not be charged. Sent for each attempt. */
export const paymentFailedSchema = z.object({
  platformLabel: z.string(),
  cardDigits: z.string().nullable(),
  /** When it is tried again; null when nobody tries again. */
  nextAttemptAt: z.number().nullable(),
  backupsStopAt: z.number(),
  timeZone: z.string(),
  payUrl: z.url(),
});

export function paymentFailed(data: z.infer<typeof paymentFailedSchema>): MailContent {
  const card = data.cardDigits === null ? "your card" : `your card ending in ${data.cardDigits}`;
  const next =
    data.nextAttemptAt === null
      ? "It is not tried again by itself."
      : `It is tried again on ${formatMoment(data.nextAttemptAt, data.timeZone)}.`;
  return {
    subject: `The payment for ${data.platformLabel} backups failed`,
    heading: "A payment failed",
    paragraphs: [
      `The renewal for ${data.platformLabel} could not be charged to ${card}. ${next}`,
      `Backups go on until ${formatMoment(data.backupsStopAt, data.timeZone)}. Pay with another card to keep them.`,
    ],
    action: { label: "Pay now", url: data.payUrl },
    reason: "You receive this e-mail because you own the organisation that pays for Holdfast.",
  };
}
