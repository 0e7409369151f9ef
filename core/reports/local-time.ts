import { HOUR_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** A day of the calendar, e.g. `2026-11-20`. */
export type LocalDate = string;

export const WEEKDAYS = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Longest name in the database of time zones, with room. */
const ZONE_MAX_LENGTH = 64;
/** Names as the database writes them; bare offsets such as `+01:00` know no summer time and are not names. */
const ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** True for a time zone that the runtime knows by this name. */
export function isTimeZone(text: string): boolean {
  if (text.length > ZONE_MAX_LENGTH || !ZONE.test(text)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

/** Date and hour (0-23) that a clock on the wall shows there. */
export function localMoment(at: number, timeZone: string): { date: LocalDate; hour: number } {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) parts[type] = value;
  return { date: `${parts.year}-${parts.month}-${parts.day}`, hour: Number(parts.hour) };
}

/**
 * The first moment of a day there, in epoch ms. It is searched and not reckoned, as a day may begin at one o'clock
 * (clocks go forward at midnight) and have 23 or 25 hours. A day that a zone skipped begins with the next.
 */
export function startOfDay(date: LocalDate, timeZone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // Zones lie between 12 hours behind UTC and 14 before.
  let before = midnight - 15 * HOUR_MS;
  let reached = midnight + 13 * HOUR_MS;
  while (reached - before > SECOND_MS) {
    const middle = before + Math.floor((reached - before) / 2 / SECOND_MS) * SECOND_MS;
    if (localMoment(middle, timeZone).date >= date) reached = middle;
    else before = middle;
  }
  return reached;
}

/** The day so many days later; earlier with a negative number. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}

export function weekdayOf(date: LocalDate): Weekday {
  return WEEKDAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]!;
}

/** Making one is dear; there are as many as time zones. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      calendar: "iso8601",
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
    });
    formats.set(timeZone, format);
  }
  return format;
}
