import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** An existing account was opened through another sign-in service for the first time. Times in epoch ms. */
export const identityLinkedSchema = z.object({
  /** e.g. "Google". */
  providerLabel: z.string(),
  linkedAt: z.number(),
  timeZone: z.string(),
  /** URL for choosing a new password, if it was not the reader who signed in. */
  recoverUrl: z.url(),
});

export function identityLinked(data: z.infer<typeof identityLinkedSchema>): MailContent {
  return {
    subject: "There is a new way to sign in to your account",
    heading: "A new way to sign in",
    paragraphs: [
      `Somebody signed in to your Holdfast account through ${data.providerLabel} for the first time. From now on it opens your account too.`,
      "If it was you, nothing is left to do. If it was not, choose a new password at once and answer this e-mail.",
    ],
    facts: [
      ["Service", data.providerLabel],
      ["First used", formatMoment(data.linkedAt, data.timeZone)],
    ],
    action: { label: "Choose a new password", url: data.recoverUrl },
    reason: "You receive this e-mail because it concerns the security of your account.",
  };
}
