import { DAY_MS } from "#core/kernel/clock.ts";
import type { RunSummary } from "./item-runs.store.ts";
import type { RibbonDay } from "./views.ts";

/** What the ribbon of one item is drawn from. */
export type RibbonFacts = {
  createdAt: number;
  isDaily: boolean;
  isDeleted: boolean;
  /** Backups and restores, oldest first. */
  runs: readonly RunSummary[];
  /** Times of the versions that still exist. */
  versionTimes: readonly number[];
};

/**
 * The last `days` days of an item, oldest first, today last: one state a day. A day before the item was added is
 * empty, a day without a run is missed while daily backups were on, and paused once they are off.
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
  const lastRunDate = facts.runs.filter((run) => run.kind === "backup").at(-1);
  const lastDate = lastRunDate ? dateOf(lastRunDate.createdAt) : "";
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
      if (!facts.isDaily && date > lastDate) return "paused";
      return "missed";
    }
  });
}

/** Names the day of a time in a time zone, `YYYY-MM-DD`. */
function dayNamer(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return (time) => format.format(time);
}

/** Dates of the last days; noon steps keep clear of the hours that daylight saving inserts and removes. */
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
