import { z } from "zod";
import type { MailContent } from "../mail-content.ts";

/** Results of one platform. Partial = a version was made or restored, but something was left out. */
const tallySchema = z.object({ succeeded: z.number(), partial: z.number(), failed: z.number() });

const eventSchema = z.object({
  platformLabel: z.string(),
  kind: z.enum(["backup", "restore"]),
  itemName: z.string(),
  /** Occurrences within the period. */
  count: z.number().int().positive(),
  /** The reason, as shown in the history. */
  text: z.string(),
  url: z.url(),
});

/** Backups and restores of a day or a week. Sentences and dates are formatted for the reader. */
export const reportSchema = z.object({
  frequency: z.enum(["daily", "weekly"]),
  /** e.g. `Friday 20 November 2026` or `13 – 19 November 2026`. */
  periodLabel: z.string(),
  timeZone: z.string(),
  shows: z.enum(["all", "succeeded", "failed"]),
  platforms: z.array(z.object({ label: z.string(), backups: tallySchema, restores: tallySchema })),
  failures: z.array(eventSchema),
  partials: z.array(eventSchema),
  /** Number of failed or partial items that are not listed. */
  unlistedCount: z.number().int().nonnegative(),
  /** Backups that started before the end of the period and had not ended when the report was written. */
  unfinishedCount: z.number().int().nonnegative(),
  overviewUrl: z.url(),
  preferencesUrl: z.url(),
  unsubscribeUrl: z.url(),
  oneClickUrl: z.url(),
});
export type ReportData = z.infer<typeof reportSchema>;

export function report(data: ReportData): MailContent {
  const word = data.frequency === "daily" ? "Daily" : "Weekly";
  const summary = summarise(data);
  return {
    subject: `${word} backup report: ${summary}`,
    preview: `${data.periodLabel}: ${summary}.`,
    heading: `${word} report`,
    paragraphs: [
      `${data.periodLabel} (${data.timeZone})`,
      ...(data.unfinishedCount > 0
        ? [
            `${counted(data.unfinishedCount, "backup")} of that time ${data.unfinishedCount === 1 ? "has" : "have"} not ended yet. We keep trying.`,
          ]
        : []),
    ],
    facts: data.platforms.flatMap(({ label, backups, restores }) => [
      [`${label} backups`, tallyText(backups, data.shows)] as const,
      ...(sum(restores) > 0 ? [[`${label} restores`, tallyText(restores, data.shows)] as const] : []),
    ]),
    lists: [
      ...(data.failures.length > 0 ? [{ title: "Failed", entries: data.failures.map(entryOf) }] : []),
      ...(data.partials.length > 0 ? [{ title: "Partly done", entries: data.partials.map(entryOf) }] : []),
    ],
    action: { label: "Open the overview", url: data.overviewUrl },
    after: data.unlistedCount > 0 ? [`${data.unlistedCount} more are listed in the history.`] : [],
    reason: "You receive this e-mail because reports are switched on in your settings.",
    unsubscribe: {
      settingsUrl: data.preferencesUrl,
      pageUrl: data.unsubscribeUrl,
      oneClickUrl: data.oneClickUrl,
    },
  };
}

type Tally = z.infer<typeof tallySchema>;

const sum = (tally: Tally) => tally.succeeded + tally.partial + tally.failed;

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

function tallyText({ succeeded, partial, failed }: Tally, shows: ReportData["shows"]): string {
  return [
    ...(shows === "failed" ? [] : [`${succeeded} succeeded`]),
    // A partial result is neither a success nor a failure, so every report shows it.
    ...(partial > 0 ? [`${partial} partly`] : []),
    ...(shows === "succeeded" ? [] : [`${failed} failed`]),
  ].join(", ");
}

function summarise({ platforms, shows, unfinishedCount }: ReportData): string {
  const tallies = platforms.flatMap(({ backups, restores }) => [backups, restores]);
  const total = tallies.reduce(
    (all, each) => ({
      succeeded: all.succeeded + each.succeeded,
      partial: all.partial + each.partial,
      failed: all.failed + each.failed,
    }),
    { succeeded: 0, partial: 0, failed: 0 },
  );
  if (sum(total) === 0) return `${counted(unfinishedCount, "backup")} under way`;
  return tallyText(total, shows);
}

function entryOf(event: z.infer<typeof eventSchema>) {
  const what = event.kind === "restore" ? "restore" : "backup";
  const times = event.count > 1 ? `, ${event.count} times` : "";
  return {
    text: `${event.itemName} (${event.platformLabel} ${what}${times})`,
    detail: event.text,
    url: event.url,
  };
}
