import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** An account was closed, or a closed one is about to be removed. */
export const accountClosedSchema = z.object({
  /** The removal is near, and this is the reminder of it. */
  isReminder: z.boolean(),
  removalAt: z.number(),
  timeZone: z.string(),
  signInUrl: z.url(),
});

export function accountClosed(data: z.infer<typeof accountClosedSchema>): MailContent {
  const until = formatMoment(data.removalAt, data.timeZone);
  const rest = {
    action: { label: "Sign in and keep the account", url: data.signInUrl },
    reason: "You receive this e-mail because you own the account.",
  };
  if (data.isReminder)
    return {
      subject: `Your account will be removed on ${until}`,
      heading: "Your account will be removed",
      paragraphs: [
        `You closed your Holdfast account. On ${until} its backups and everything about its people are removed, and nobody can bring them back.`,
        "If you want to keep it, sign in before. It is open again at once; a plan has to be bought anew. Otherwise there is nothing to do.",
      ],
      ...rest,
    };
  return {
    subject: "Your account is closed",
    heading: "Your account is closed",
    paragraphs: [
      `Nobody can use the account any more, no backups are made, and nothing is charged: subscriptions have ended, and what was not paid is not collected. Everything is kept until ${until}; then it is removed.`,
      "Did you change your mind? Sign in before that day, and the account is open again, with all of its backups and people. A plan has to be bought anew.",
      "Copies in your own storage stay where they are. If it was not you who closed the account, sign in and change your password.",
    ],
    ...rest,
  };
}
