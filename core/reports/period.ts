import { addDays, type LocalDate, localMoment, startOfDay, weekdayOf } from "./local-time.ts";
import type { Preference } from "./preference.ts";

/** Local hour at which reports are written. Missed reports are made up for until midnight. */
const REPORT_HOUR = 8;

/** The period of a report: whole local days, `from` inclusive, `to` exclusive, in epoch ms. */
export type Period = {
  /** Permanent name of the period, e.g. `daily:2026-11-20`. */
  name: string;
  firstDate: LocalDate;
  lastDate: LocalDate;
  from: number;
  to: number;
};

/**
 * Returns the period reported on a day: the day before, or, on the chosen weekday, the seven days before. Null = no
 * report that day.
 */
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

/** Returns the local day whose report is due by now. Null before the hour and on days without a report. */
export function dayToReport(preference: Preference, now: number): LocalDate | null {
  const { date, hour } = localMoment(now, preference.timeZone);
  if (!preference.isActive || preference.reportType === null || hour < REPORT_HOUR) return null;
  const isToday = preference.frequency === "daily" || weekdayOf(date) === (preference.reportDay ?? "monday");
  return isToday ? date : null;
}

/** Occasion of a report in the outbox: one per person and period. */
export function reportOccasion(userId: string, periodName: string): string {
  return `report:${userId}:${periodName}`;
}

/** Returns the name of the period reported on a day, without computing its bounds. */
export function periodNameOn(preference: Preference, date: LocalDate): string {
  return `${preference.frequency}:${addDays(date, preference.frequency === "weekly" ? -7 : -1)}`;
}

/** Formats the period for people: `Friday 20 November 2026` or `13 – 19 November 2026`. */
export function periodLabel({ firstDate, lastDate }: Pick<Period, "firstDate" | "lastDate">): string {
  const [first, last] = [firstDate, lastDate].map((date) => new Date(`${date}T12:00:00Z`));
  if (firstDate === lastDate) {
    return new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" }).format(first);
  }
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" }).formatRange(first!, last!);
}
