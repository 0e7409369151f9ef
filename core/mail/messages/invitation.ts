import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/** An invitation to join. `url` is the page with address and code already filled in. */
export const invitationSchema = z.object({
  organisationName: z.string(),
  inviterName: z.string(),
  url: z.url(),
  code: z.string().min(1),
  /** How long the invitation is valid, in days. */
  days: z.number().int().positive(),
});

export function invitation(data: z.infer<typeof invitationSchema>): MailContent {
  return {
    subject: `${data.inviterName} invites you to ${data.organisationName} on Holdfast`,
    preview: "Set up your account to see and restore the backups.",
    heading: `Join ${data.organisationName}`,
    paragraphs: [
      `${data.inviterName} invites you to ${data.organisationName} on Holdfast, where the organisation keeps the backups of its work tools.`,
      "Set up your account with this confirmation code; the button fills it in.",
    ],
    code: data.code,
    action: { label: "Set up my account", url: data.url },
    after: [`The invitation counts for ${data.days} days.`],
    reason:
      "You receive this e-mail because somebody entered this address in an invitation. If you do not know them, do nothing.",
  };
}
