import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/** The code for replacing a forgotten password, and how many minutes it is valid. */
export const recoveryCodeSchema = z.object({ code: z.string().min(1), minutes: z.number().int().positive() });

export function recoveryCode({ code, minutes }: z.infer<typeof recoveryCodeSchema>): MailContent {
  return {
    // The code is neither in the subject nor in the preview: both show on locked screens.
    subject: "Your verification code",
    preview: "Use it to choose a new password.",
    heading: "Choose a new password",
    paragraphs: ["Enter this verification code where you asked for it, together with your new password."],
    code,
    after: [
      `The code counts for ${minutes} minutes and only once. We never ask for it by telephone or e-mail.`,
    ],
    reason:
      "You receive this e-mail because somebody asked for a new password for this address. If it was not you, do nothing: your password stays as it is.",
  };
}
