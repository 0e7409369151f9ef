import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** A message from the contact form, for our staff. Times in epoch ms. */
export const contactRequestSchema = z.object({
  firstName: z.string(),
  lastName: z.string(),
  company: z.string(),
  email: z.email(),
  question: z.string(),
  sentAt: z.number(),
  /** The person signed in when it was sent. Null = nobody, so the name is unverified. */
  signedInAs: z.object({ userId: z.string(), organisationId: z.string(), email: z.string() }).nullable(),
});

export function contactRequest(data: z.infer<typeof contactRequestSchema>): MailContent {
  const name = `${data.firstName} ${data.lastName}`;
  return {
    subject: `Question from ${name} (${data.company})`,
    heading: `Question from ${name}`,
    paragraphs: data.question.split(/\r?\n/).filter((line) => line.trim() !== ""),
    facts: [
      ["Company", data.company],
      ["E-mail", data.email],
      ["Sent", formatMoment(data.sentAt, "UTC")],
      [
        "Signed in as",
        data.signedInAs
          ? `${data.signedInAs.email} (${data.signedInAs.userId}, ${data.signedInAs.organisationId})`
          : "nobody: name and address are not verified",
      ],
    ],
    reason: "Sent by the contact form. Answering this e-mail answers the person.",
    replyTo: data.email,
  };
}
