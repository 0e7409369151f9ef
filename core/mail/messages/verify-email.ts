import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/** Someone signed up with this address and must confirm that it is theirs. */
export const verifyEmailSchema = z.object({
  url: z.url(),
  /** True when they have forgotten the password of the sign-up; the link then lets them choose a new one. */
  isForgotten: z.boolean().optional(),
});

export function verifyEmail({ url, isForgotten }: z.infer<typeof verifyEmailSchema>): MailContent {
  return {
    subject: "Confirm your email address",
    preview: "One click, and your Holdfast account is ready.",
    heading: "Confirm your email address",
    paragraphs: [
      "Please confirm that this address is yours. Your Holdfast account is ready right after.",
      ...(isForgotten
        ? ["You asked for a code for a new password. The link needs none: it lets you choose one."]
        : []),
    ],
    action: { label: "Confirm my address", url },
    after: [
      "The link works once and for a day. If it has expired, sign in and ask for a new one.",
      "If you signed up in another browser, you are asked to choose your password there.",
    ],
    reason:
      "You receive this e-mail because somebody signed up to Holdfast with this address. If it was not you, do nothing: without the confirmation there is no account.",
  };
}
