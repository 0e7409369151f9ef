import { HOUR_MS, SECOND_MS } from "#core/kernel/clock.ts";

/** A calendar day, e.g. `2026-11-20`. */
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

/** Maximum length of a time zone name, with some reserve. */
const ZONE_MAX_LENGTH = 64;
/**
 * Names in the form of the time zone database. Offsets such as `+01:00` have no daylight saving time and are refused.
 */
const ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/;

/** True for a time zone name that the runtime knows. */
export function isTimeZone(text: string): boolean {
  if (text.length > ZONE_MAX_LENGTH || !ZONE.test(text)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

/** Returns the local date and hour (0-23). */
export function localMoment(at: number, timeZone: string): { date: LocalDate; hour: number } {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) parts[type] = value;
  return { date: `${parts.year}-${parts.month}-${parts.day}`, hour: Number(parts.hour) };
}

/**
 * Returns the first moment of a local day, in epoch ms. Uses a search instead of arithmetic, because a day may start at
 * one o'clock (clocks go forward at midnight) and last 23 or 25 hours. A day that a zone skipped starts with the next
 * one.
 */
export function startOfDay(date: LocalDate, timeZone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // Time zones range from 12 hours behind UTC to 14 hours ahead.
  let before = midnight - 15 * HOUR_MS;
  let reached = midnight + 13 * HOUR_MS;
  while (reached - before > SECOND_MS) {
    const middle = before + Math.floor((reached - before) / 2 / SECOND_MS) * SECOND_MS;
    if (localMoment(middle, timeZone).date >= date) reached = middle;
    else before = middle;
  }
  return reached;
}

/** Adds days to a date; negative numbers subtract. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}

export function weekdayOf(date: LocalDate): Weekday {
  return WEEKDAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7]!;
}

/** Cached because creating a format is expensive. At most one per time zone. */
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
