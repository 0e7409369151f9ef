import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/**
 * Somebody signed up with the address of a person. The page they did it on says nothing of it, so this e-mail brings the
 * sentence to the one it concerns.
 */
export const accountExistsSchema = z.object({
  /** Where the person signs in, and where a forgotten password is replaced. */
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
