import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/** The code that confirms an account connected by name. */
export const accountCodeSchema = z.object({
  code: z.string().min(1),
  minutes: z.number().int().positive(),
  platformLabel: z.string(),
  accountName: z.string(),
});

export function accountCode(data: z.infer<typeof accountCodeSchema>): MailContent {
  return {
    // The code is neither in the subject nor in the preview: both show on locked screens.
    subject: `Confirm the ${data.platformLabel} account ${data.accountName}`,
    preview: "Enter the code to begin protecting it.",
    heading: "Confirm the account",
    paragraphs: [
      `Enter this code in Holdfast to confirm that ${data.accountName} at ${data.platformLabel} is to be backed up.`,
    ],
    code: data.code,
    after: [
      `The code counts for ${data.minutes} minutes and only once. We never ask for it by telephone or e-mail.`,
    ],
    reason:
      "You receive this e-mail because this account was chosen in your organisation. If it was not meant to be, do not enter the code: nothing is read before.",
  };
}
