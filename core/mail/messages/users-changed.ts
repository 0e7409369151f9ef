import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** A subscription per user is about to be renewed for another number of users than was paid for. */
export const usersChangedSchema = z.object({
  platformLabel: z.string(),
  /** The users of the account, and those that were paid for. */
  users: z.int(),
  paid: z.int(),
  /** The users of the next period, and what they cost in it, in cents before tax. */
  renewed: z.int(),
  cents: z.int(),
  renewsAt: z.number(),
  timeZone: z.string(),
  subscriptionUrl: z.url(),
});

export function usersChanged(data: z.infer<typeof usersChangedSchema>): MailContent {
  const { platformLabel, users, paid, renewed, cents } = data;
  const number = (count: number) => count.toLocaleString("en-US");
  const sum = (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
  return {
    subject: `Your subscription of ${platformLabel} backups is recalculated on renewal`,
    heading: `The user count on your account ${users > paid ? "increased" : "decreased"}`,
    paragraphs: [
      `Your ${platformLabel} account has ${number(users)} users, and you paid for ${number(paid)}. On ${formatMoment(data.renewsAt, data.timeZone)} your subscription renews for ${number(renewed)}: ${sum} for the next period, before tax. Until then nothing changes.`,
      ...(users > renewed
        ? [`More than ${number(renewed)} users are on request. Write to us, and we agree on a price.`]
        : []),
    ],
    action: { label: "See the subscription", url: data.subscriptionUrl },
    reason: "You receive this e-mail because you own the organisation that pays for Holdfast.",
  };
}
