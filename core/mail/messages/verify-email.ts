import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/** Somebody signed up with this address and must show that it is theirs. */
export const verifyEmailSchema = z.object({ url: z.url() });

export function verifyEmail({ url }: z.infer<typeof verifyEmailSchema>): MailContent {
  return {
    subject: "Confirm your email address",
    preview: "One click, and your Holdfast account is ready.",
    heading: "Confirm your email address",
    paragraphs: ["Please confirm that this address is yours. Your Holdfast account is ready right after."],
    action: { label: "Confirm my address", url },
    after: ["The link works once. If it has expired, sign in and ask for a new one."],
    reason:
      "You receive this e-mail because somebody signed up to Holdfast with this address. If it was not you, do nothing: without the confirmation nobody can use the account.",
  };
}
