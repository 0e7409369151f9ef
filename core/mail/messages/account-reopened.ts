import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** A closed account was opened again by its owner's sign-in. */
export const accountReopenedSchema = z.object({ at: z.number(), timeZone: z.string(), url: z.url() });

export function accountReopened(data: z.infer<typeof accountReopenedSchema>): MailContent {
  return {
    subject: "Your account is open again",
    heading: "Your account is open again",
    paragraphs: [
      "You signed in to your closed account, so it is open again. Nothing will be removed, and everybody in it has access as before. People who were invited and had not joined have to be invited anew.",
      "The subscriptions ended when the account was closed. Backups go on once there is a plan.",
    ],
    facts: [["Opened", formatMoment(data.at, data.timeZone)]],
    action: { label: "Open Holdfast", url: data.url },
    reason: "You receive this e-mail because you own the account.",
  };
}
