import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/**
 * Sent when someone signs up with the address of an existing account. The sign-up page does not reveal that the account
 * exists; this e-mail tells its owner.
 */
export const accountExistsSchema = z.object({
  /** URLs of the sign-in page and of the page to replace a forgotten password. */
  signInUrl: z.url(),
  recoverUrl: z.url(),
});

export function accountExists({ signInUrl, recoverUrl }: z.infer<typeof accountExistsSchema>): MailContent {
  return {
    subject: "You already have a Holdfast account",
    preview: "Sign in with it, or choose a new password.",
    heading: "You already have an account",
    paragraphs: [
      "An account with this email already exists. Please sign in.",
      "Nothing was changed: your password and your backups are as they were.",
    ],
    action: { label: "Sign in", url: signInUrl },
    lists: [
      {
        title: "Other ways in",
        entries: [{ text: "I have forgotten my password: choose a new one", url: recoverUrl }],
      },
    ],
    reason:
      "You receive this e-mail because somebody signed up to Holdfast with this address. If it was not you, do nothing: it has opened nothing to them.",
  };
}
