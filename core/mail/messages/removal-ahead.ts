import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";
import { buying } from "./buying.ts";

/** The grace period after the end of a plan is running out (spec B-111 to B-113). */
export const removalAheadSchema = z.object({
  platformLabel: z.string(),
  keptUntil: z.number(),
  timeZone: z.string(),
  /** Null where a marketplace sells. */
  checkoutUrl: z.url().nullable(),
});

export function removalAhead(data: z.infer<typeof removalAheadSchema>): MailContent {
  const until = formatMoment(data.keptUntil, data.timeZone);
  return {
    subject: `Your ${data.platformLabel} backups will be removed on ${until}`,
    heading: "Your backups will be removed",
    paragraphs: [
      `There is no plan for ${data.platformLabel}, so its backups are paused. Everything that is backed up is kept until ${until}; then it is removed, and nobody can bring it back.`,
      "Until then you can restore and download everything. With a plan it stays, and backups go on.",
      "Copies in your own storage stay where they are.",
    ],
    ...buying(data.checkoutUrl),
    reason: "You receive this e-mail because you own the organisation whose backups these are.",
  };
}
