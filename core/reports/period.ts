import { addDays, type LocalDate, localMoment, startOfDay, weekdayOf } from "./local-time.ts";
import type { Preference } from "./preference.ts";

/** Reports are written when the reader's day begins; what was missed then is made up for until midnight. */
const REPORT_HOUR = 8;

/** What one report covers: whole local days, `from` inclusive, `to` exclusive, in epoch ms. */
export type Period = {
  /** Names it for the person for good, e.g. `daily:2026-11-20`. */
  name: string;
  firstDate: LocalDate;
  lastDate: LocalDate;
  from: number;
  to: number;
};

/** The report that a day brings: of the day before, or on the chosen weekday of the seven days before. */
export function periodReportedOn(preference: Preference, date: LocalDate): Period | null {
  const { frequency, reportDay, timeZone } = preference;
  if (frequency === "weekly" && weekdayOf(date) !== (reportDay ?? "monday")) return null;
  const firstDate = addDays(date, frequency === "weekly" ? -7 : -1);
  return {
    name: `${frequency}:${firstDate}`,
    firstDate,
    lastDate: addDays(date, -1),
    from: startOfDay(firstDate, timeZone),
    to: startOfDay(date, timeZone),
  };
}

/** The local day whose report should stand by now; null before the hour and without a report that day. */
export function dayToReport(preference: Preference, now: number): LocalDate | null {
  const { date, hour } = localMoment(now, preference.timeZone);
  if (!preference.isActive || preference.reportType === null || hour < REPORT_HOUR) return null;
  const isToday = preference.frequency === "daily" || weekdayOf(date) === (preference.reportDay ?? "monday");
  return isToday ? date : null;
}

/** The outbox's name for a report: one per person and period, whoever asks however often. */
export function reportOccasion(userId: string, periodName: string): string {
  return `report:${userId}:${periodName}`;
}

/** Name of the period that a day reports on, without reckoning its bounds. */
export function periodNameOn(preference: Preference, date: LocalDate): string {
  return `${preference.frequency}:${addDays(date, preference.frequency === "weekly" ? -7 : -1)}`;
}

/** The period as people write it: `Friday 20 November 2026` or `13 – 19 November 2026`. */
export function periodLabel({ firstDate, lastDate }: Pick<Period, "firstDate" | "lastDate">): string {
  const [first, last] = [firstDate, lastDate].map((date) => new Date(`${date}T12:00:00Z`));
  if (firstDate === lastDate) {
    return new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" }).format(first);
  }
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).formatRange(first!, last!);
}
