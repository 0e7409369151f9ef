import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/** An invitation to an address that already has an account, which can belong to one organisation only. */
export const invitationForExistingSchema = z.object({
  organisationName: z.string(),
  inviterName: z.string(),
  /** URL of the sign-in page. */
  url: z.url(),
});

export function invitationForExisting(data: z.infer<typeof invitationForExistingSchema>): MailContent {
  return {
    subject: `${data.inviterName} invites you to ${data.organisationName} on Holdfast`,
    preview: "This address already has a Holdfast account.",
    heading: "You already have an account",
    paragraphs: [
      `${data.inviterName} invites you to ${data.organisationName} on Holdfast. This address already has an account of its own, and an account belongs to one organisation.`,
      "To join, ask for an invitation to another address of yours. Your account stays as it is.",
    ],
    action: { label: "Sign in", url: data.url },
    reason: "You receive this e-mail because somebody entered your address in an invitation.",
  };
}
