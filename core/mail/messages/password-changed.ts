import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** The password was changed or recovered. Times in epoch ms. */
export const passwordChangedSchema = z.object({
  changedAt: z.number(),
  timeZone: z.string(),
  /** URL for choosing a new password, if it was not the reader who changed it. */
  recoverUrl: z.url(),
});

export function passwordChanged(data: z.infer<typeof passwordChangedSchema>): MailContent {
  return {
    subject: "Your password was changed",
    heading: "Your password was changed",
    paragraphs: [
      "The password of your Holdfast account was changed. All other sessions were signed out.",
      "If it was you, nothing is left to do. If it was not, choose a new password at once.",
    ],
    facts: [["Changed", formatMoment(data.changedAt, data.timeZone)]],
    action: { label: "Choose a new password", url: data.recoverUrl },
    reason: "You receive this e-mail because it concerns the security of your account.",
  };
}
