import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/** The card that renewals are paid with ends soon. */
export const cardExpiringSchema = z.object({
  brand: z.string(),
  digits: z.string(),
  month: z.number().int(),
  year: z.number().int(),
  changeUrl: z.url(),
});

export function cardExpiring(data: z.infer<typeof cardExpiringSchema>): MailContent {
  const end = `${String(data.month).padStart(2, "0")}/${data.year}`;
  return {
    subject: `Your card ending in ${data.digits} expires soon`,
    heading: "Your card expires soon",
    paragraphs: [
      `Your subscriptions are renewed with the ${data.brand} card ending in ${data.digits}, which expires at the end of ${end}. Save another one before that, so that no payment fails.`,
    ],
    action: { label: "Change the card", url: data.changeUrl },
    reason: "You receive this e-mail because you own the organisation that pays for Holdfast.",
  };
}
