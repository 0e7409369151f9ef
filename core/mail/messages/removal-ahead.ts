import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";

/** The grace period after the end of a plan is running out (spec B-111 to B-113). */
export const removalAheadSchema = z.object({
  platformLabel: z.string(),
  keptUntil: z.number(),
  timeZone: z.string(),
  checkoutUrl: z.url(),
});

export function removalAhead(data: z.infer<typeof removalAheadSchema>): MailContent {
  const until = formatMoment(data.keptUntil, data.timeZone);
  return {
    subject: `Your ${data.platformLabel} backups are kept only until ${until}`,
    heading: "Your backups may be removed",
    paragraphs: [
      `There is no plan for ${data.platformLabel}, so its backups are paused. What is backed up is kept until ${until}, and may be removed after that.`,
      "Until then you can restore and download everything. With a plan it stays, and backups go on.",
    ],
    action: { label: "Choose a plan", url: data.checkoutUrl },
    reason: "You receive this e-mail because you own the organisation whose backups these are.",
  };
}
