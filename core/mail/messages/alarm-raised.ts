import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/** Backups of one or more items need a person's attention. */
export const alarmRaisedSchema = z.object({
  platformLabel: z.string(),
  items: z.array(z.object({ name: z.string(), sentences: z.array(z.string()).min(1), url: z.url() })).min(1),
  /** Number of items that are not listed. */
  more: z.number().int().min(0),
});

export function alarmRaised({ platformLabel, items, more }: z.infer<typeof alarmRaisedSchema>): MailContent {
  const [first] = items;
  const isOne = items.length === 1 && more === 0;
  return {
    subject: isOne
      ? `${platformLabel}: please look at the backups of ${first!.name}`
      : `${platformLabel}: please look at the backups of ${items.length + more} items`,
    heading: "Please have a look",
    paragraphs: [
      ...items.map(({ name, sentences }) => `${name}: ${sentences.join(" ")}`),
      ...(more === 0 ? [] : [`The same is true of ${more} more.`]),
      "The last version before a change is kept until somebody acknowledges this, however old it becomes. Every version can be opened, compared and restored.",
    ],
    action: { label: isOne ? "See the versions" : `See the versions of ${first!.name}`, url: first!.url },
    reason: "You receive this e-mail because you own the account whose items are backed up.",
  };
}
