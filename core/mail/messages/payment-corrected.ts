import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** A payment was refunded, disputed or credited. Sent once for each of them and for each of its states. */
export const paymentCorrectedSchema = z.object({
  kind: z.enum(["refunded", "refund-failed", "dispute-opened", "dispute-lost", "dispute-won", "credited"]),
  /** Whole cents of US dollars. */
  cents: z.int(),
  /** The platform that was paid for; null when it is not known. */
  platformLabel: z.string().nullable(),
  /** When backups stopped because all of the period's payment went back; epoch ms. */
  stoppedAt: z.number().nullable(),
  timeZone: z.string(),
  historyUrl: z.url(),
});

type Data = z.infer<typeof paymentCorrectedSchema>;

export function paymentCorrected(data: Data): MailContent {
  const sum = `$${(data.cents / 100).toFixed(2)}`;
  const what = data.platformLabel === null ? "your backups" : `${data.platformLabel} backups`;
  const { subject, heading, paragraphs } = wordsOf(data.kind, sum, what);
  const stopped =
    data.stoppedAt === null
      ? []
      : [
          `With this payment the right to ${what} ended on ${formatMoment(data.stoppedAt, data.timeZone)}. All versions are kept for 30 days and can be restored.`,
        ];
  return {
    ...{ subject, heading, paragraphs: [...paragraphs, ...stopped] },
    action: { label: "Payment history", url: data.historyUrl },
    reason: "You receive this e-mail because you own the organisation that pays for Holdfast.",
  };
}

function wordsOf(kind: Data["kind"], sum: string, what: string) {
  switch (kind) {
    case "refunded":
      return {
        subject: `${sum} for ${what} is given back`,
        heading: "A payment is given back",
        paragraphs: [
          `We gave back ${sum} of a payment for ${what}. It arrives on the card it was paid with, within ten days.`,
        ],
      };
    case "refund-failed":
      return {
        subject: `${sum} could not be given back`,
        heading: "A refund failed",
        paragraphs: [
          `Your bank did not accept the ${sum} that we gave back for ${what}. Please write to us, and we find another way.`,
        ],
      };
    case "dispute-opened":
      return {
        subject: `A payment of ${sum} for ${what} is disputed`,
        heading: "A payment is disputed",
        paragraphs: [
          `The holder of the card asked the bank to take back ${sum} for ${what}. The bank decides, which may take weeks; everything runs until then, and the plan cannot be changed.`,
          "If this is a mistake, please ask the bank to withdraw it. If something is wrong with the payment, write to us.",
        ],
      };
    case "dispute-lost":
      return {
        subject: `The bank took back ${sum} for ${what}`,
        heading: "The dispute is decided",
        paragraphs: [`The bank gave the disputed ${sum} for ${what} back to the holder of the card.`],
      };
    case "dispute-won":
      return {
        subject: `The dispute about ${sum} for ${what} is over`,
        heading: "The dispute is over",
        paragraphs: [`The payment of ${sum} for ${what} stands. Everything goes on as before.`],
      };
    case "credited":
      return {
        subject: `A credit note of ${sum} for ${what}`,
        heading: "A credit note was issued",
        paragraphs: [
          `We issued a credit note of ${sum} for ${what}. It lowers an open invoice, or counts for the next ones.`,
        ],
      };
  }
}
