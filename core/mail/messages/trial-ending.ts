import { z } from "zod";
import { formatMoment } from "../format-moment.ts";
import type { MailContent } from "../mail-content.ts";
import { buying } from "./buying.ts";

/** The free trial of a platform ends in three days, or today (spec part 3 section 1). */
export const trialEndingSchema = z.object({
  platformLabel: z.string(),
  isToday: z.boolean(),
  endsAt: z.number(),
  timeZone: z.string(),
  /** Null where a marketplace sells. */
  checkoutUrl: z.url().nullable(),
});

export function trialEnding(data: z.infer<typeof trialEndingSchema>): MailContent {
  const when = data.isToday ? "today" : "in three days";
  return {
    subject: `Your free trial of ${data.platformLabel} backups ends ${when}`,
    heading: `Your free trial ends ${when}`,
    paragraphs: [
      `Backups of ${data.platformLabel} stop on ${formatMoment(data.endsAt, data.timeZone)}. What is backed up by then stays, and can be restored and downloaded.`,
    ],
    ...buying(data.checkoutUrl),
    reason: "You receive this e-mail because you own the organisation that tries Holdfast.",
  };
}
