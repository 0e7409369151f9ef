import { DAY_MS } from "#core/kernel/clock.ts";
import type { RunSummary } from "./item-runs.store.ts";
import type { RibbonDay } from "./views.ts";

/** The data for the ribbon of one item. */
export type RibbonFacts = {
  createdAt: number;
  isDaily: boolean;
  /** Times at which daily backups were switched, alternately off and on, oldest first. */
  dailyChanges: readonly number[];
  isDeleted: boolean;
  /** Backups and restores, oldest first. */
  runs: readonly RunSummary[];
  /** Times of existing versions. */
  versionTimes: readonly number[];
};

/**
 * Returns the last `days` days of an item, oldest first, today last, with one state per day. A day before the item was
 * added is empty. A day without a backup is paused when daily backups were off for any part of it, otherwise missed.
 */
export function ribbonOf(facts: RibbonFacts, now: number, days: number, timeZone: string): RibbonDay[] {
  const dateOf = dayNamer(timeZone);
  const added = dateOf(facts.createdAt);
  const today = dateOf(now);
  const versions = countBy(facts.versionTimes.map(dateOf));
  const runsOf = new Map<string, RunSummary[]>();
  for (const run of facts.runs) {
    const date = dateOf(run.createdAt);
    runsOf.set(date, [...(runsOf.get(date) ?? []), run]);
  }
  const pauses = pausesOf(facts, now).map(([from, to]) => [dateOf(from), dateOf(to)] as const);
  return lastDates(now, days, dateOf).map((date) => {
    const runs = runsOf.get(date) ?? [];
    const backups = runs.filter((run) => run.kind === "backup");
    const count = versions.get(date) ?? 0;
    return {
      date,
      state: stateOf(backups, count),
      versions: count,
      isRestored: runs.some((run) => run.kind === "restore" && run.status === "succeeded"),
    };

    function stateOf(ofDay: readonly RunSummary[], kept: number): RibbonDay["state"] {
      const good = ofDay.filter((run) => run.status === "succeeded");
      if (ofDay.some((run) => run.status === "queued" || run.status === "running")) return "running";
      if (good.length > 0) {
        if (kept === 0) return "expired";
        return good.some((run) => run.attempts > 1) || good.length < ofDay.length ? "retried" : "good";
      }
      if (ofDay.length > 0) return "failed";
      if (date < added || date === today || facts.isDeleted) return "none";
      return pauses.some(([from, to]) => from <= date && date <= to) ? "paused" : "missed";
    }
  });
}

/** Returns the periods in which daily backups were off. Counts from the end, where the current state is known. */
function pausesOf({ dailyChanges, isDaily }: RibbonFacts, now: number): [from: number, to: number][] {
  const ends = isDaily ? [...dailyChanges] : [...dailyChanges, now];
  const pauses: [number, number][] = [];
  for (let at = ends.length - 1; at > 0; at -= 2) pauses.push([ends[at - 1]!, ends[at]!]);
  return pauses;
}

/** Returns a function that formats the day of a time in a time zone, `YYYY-MM-DD`. */
function dayNamer(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return (time) => format.format(time);
}

/** Returns the dates of the last days. Half-day steps are safe across daylight saving changes. */
function lastDates(now: number, days: number, dateOf: (time: number) => string): string[] {
  const dates: string[] = [];
  for (let back = days * 2 + 2; back >= 0; back--) {
    const date = dateOf(now - (back * DAY_MS) / 2);
    if (dates.at(-1) !== date) dates.push(date);
  }
  return dates.slice(-days);
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
