import type { BackupTallyRow } from "#core/database/ledger/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import type { OverviewDay } from "./views.ts";

/** Days of the dashboard. */
export const OVERVIEW_DAYS = 30;

/** A calendar day: its epoch hours from `from` until before `until`. */
export type DayHours = { date: string; from: number; until: number };

/** The last days in a time zone, today last. An hour belongs to the day in which it begins. */
export function dayHours(now: number, timeZone: string, days = OVERVIEW_DAYS): DayHours[] {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const last = Math.floor(now / HOUR_MS);
  const found: DayHours[] = [];
  for (let hour = last - (days + 1) * (DAY_MS / HOUR_MS); hour <= last; hour++) {
    const date = format.format(hour * HOUR_MS);
    const day = found.at(-1);
    if (day?.date === date) day.until = hour + 1;
    else found.push({ date, from: hour, until: hour + 1 });
  }
  return found.slice(-days);
}

/** What the tallies of one day add up to. */
export type DayTally = Pick<BackupTallyRow, "succeeded" | "failed" | "broke" | "recovered">;

export const NO_TALLY: DayTally = { succeeded: 0, failed: 0, broke: 0, recovered: 0 };

/**
 * The cells of a platform. How many items failed at the end of a day follows from how many fail now, going back.
 *
 * @param facts `failing`: items that fail now. `active`: items that are backed up daily. `sinceDate`: the day on which
 *   the first account was connected. `runsADay`: scheduled backups of an item in a day.
 */
export function dayCells(
  days: readonly DayHours[],
  tallies: ReadonlyMap<string, DayTally>,
  facts: { failing: number; active: number; sinceDate: string; runsADay: number },
): OverviewDay[] {
  const cells: OverviewDay[] = [];
  let failing = facts.failing;
  for (const { date } of days.toReversed()) {
    const tally = tallies.get(date) ?? NO_TALLY;
    const isToday = date === days.at(-1)?.date;
    const versions = tally.succeeded === 0 ? 0 : Math.min(2, facts.runsADay);
    const state = stateOf(tally, Math.max(0, failing), {
      isQuiet: isToday || facts.active === 0 || date < facts.sinceDate,
    });
    cells.push({
      date,
      state,
      versions,
      isRestored: false,
      succeeded: tally.succeeded,
      failing: Math.max(0, failing),
    });
    failing += tally.recovered - tally.broke;
  }
  return cells.reverse();
}

function stateOf(
  { succeeded, failed }: DayTally,
  failing: number,
  { isQuiet }: { isQuiet: boolean },
): OverviewDay["state"] {
  if (failing > 0 && succeeded + failed > 0) return "failed";
  if (succeeded > 0) return failed > 0 ? "retried" : "good";
  if (failed > 0) return "failed";
  return isQuiet ? "none" : "missed";
}
