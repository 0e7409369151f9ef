import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** An organisation has another owner. Sent to both. */
export const ownershipChangedSchema = z.object({
  /** The reader is the new owner. */
  isHeir: z.boolean(),
  /** Empty while it has none. */
  organisationName: z.string(),
  formerName: z.string(),
  heirName: z.string(),
  heirEmail: z.string(),
  changedAt: z.number(),
  timeZone: z.string(),
  settingsUrl: z.url(),
  contactUrl: z.url(),
});

export function ownershipChanged(data: z.infer<typeof ownershipChangedSchema>): MailContent {
  const { isHeir, formerName, heirName, heirEmail } = data;
  const whose = data.organisationName === "" ? "the organisation" : data.organisationName;
  const facts: [string, string][] = [["Changed", formatMoment(data.changedAt, data.timeZone)]];
  if (isHeir)
    return {
      subject: "You are the owner now",
      heading: "You are the owner now",
      paragraphs: [
        `${formerName} handed ${whose} over to you. You may do everything in it: invite people and change their rights, connect and remove accounts, and decide about plans and payments.`,
        `Plans, cards and invoices stay as they are, and invoices are sent to you from now on. ${formerName} is still a member. You can change their rights among the users.`,
      ],
      facts,
      action: { label: "Open the settings", url: data.settingsUrl },
      reason: "You receive this e-mail because you became the owner of an organisation.",
    };
  return {
    subject: "You handed the ownership over",
    heading: "You handed the ownership over",
    paragraphs: [
      `${heirName} (${heirEmail}) is the owner of ${whose} now. Plans, cards and invoices are theirs to decide about.`,
      "You are still a member, with full rights on every platform until the new owner changes them.",
      "If it was not you, write to us at once, and choose a new password.",
    ],
    facts,
    action: { label: "Write to us", url: data.contactUrl },
    reason: "You receive this e-mail because it concerns the security of your account.",
  };
}
