import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";

/**
 * The start of the current day in a time zone, and the start of the next one, epoch ms. Days have 23 or 25 hours when
 * the clocks change.
 */
export function dayBounds(now: number, timeZone: string): { start: number; end: number } {
  const start = midnight(now, timeZone);
  // Half a day past the shortest day is always within the next day.
  return { start, end: midnight(start + 1.5 * DAY_MS, timeZone) };
}

/** The first instant of the day of `at`. */
function midnight(at: number, timeZone: string): number {
  const wall = wallTime(at, timeZone);
  const wanted = Math.floor(wall / DAY_MS) * DAY_MS;
  let found = at - (wall - wanted);
  // The offset at midnight may be another one than at `at`.
  found += wanted - wallTime(found, timeZone);
  return Math.round(found / MINUTE_MS) * MINUTE_MS;
}

/** What the clocks of the time zone show at an instant, as if it were UTC. */
function wallTime(at: number, timeZone: string): number {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat("en-US", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<string, number>;
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
