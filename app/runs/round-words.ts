import { runsCopy as copy } from "#app/copy/runs.ts";
import { momentText } from "#app/format/dates.ts";
import { aboutText } from "#app/format/duration.ts";
import { runPercent } from "#app/live/running-jobs.ts";
import type { OpenRun, Round, RoundCell, RoundCounts, RunsView } from "#core/rounds/views.ts";

/** How the reader sees times and platforms. */
export type Reading = { now: number; timeZone: string; labelOf: (platform: string) => string };

/** The items of the round by what the headline says about them. They add up: `ended + running + toCome = total`. */
export function roundSums(counts: RoundCounts) {
  const ended = counts.good + counts.retried + counts.failed;
  const running = counts.running + counts.waiting;
  const toCome = counts.queued + counts.due;
  return {
    ended,
    running,
    toCome,
    failed: counts.failed,
    waiting: counts.waiting,
    total: ended + running + toCome,
  };
}

/** What runs, waits and is still to come, as the parts of a sentence. Parts with the number 0 are left out. */
export function roundSentence(
  { round, running: runs }: Pick<RunsView, "round" | "running">,
  reading: Reading,
): string[] {
  const { running, waiting, toCome } = roundSums(round.counts);
  const { now, timeZone, labelOf } = reading;
  const waited = runs.filter((run) => run.progress.kind === "backup" && isWaiting(run, now));
  const labels = [...new Set(waited.map(({ platform }) => labelOf(platform)))];
  const last = round.lastDueAt === null ? null : momentText(round.lastDueAt, timeZone, now);
  return [
    running > 0 && copy.running(running, waiting, labels.length === 0 ? [copy.provider] : labels),
    toCome > 0 && copy.toCome(toCome, last),
  ].filter((part) => part !== false);
}

/** True while the provider has asked the run to wait. */
export function isWaiting({ progress }: Pick<OpenRun, "progress">, now: number): boolean {
  return progress.status === "queued" && progress.waitingUntil !== null && progress.waitingUntil > now;
}

/** How far a running cell is filled, per cent; null = not known. */
export function cellPercent(cell: RoundCell, runs: readonly OpenRun[], now: number): number | null {
  const run = runs.find(({ progress }) => progress.runId === cell.runId);
  return run === undefined ? null : runPercent(run.progress, now);
}

/** A cell in words: the item, and what became of it. */
export function cellText(cell: RoundCell, runs: readonly OpenRun[], reading: Reading): string {
  const { now, timeZone, labelOf } = reading;
  const time = momentText(cell.at, timeZone, now);
  const run = runs.find(({ progress }) => progress.runId === cell.runId)?.progress;
  return `${cell.name}: ${words()}`;

  function words(): string {
    switch (cell.state) {
      case "running": {
        const percent = run === undefined ? null : runPercent(run, now);
        const left = (run?.expectedEndAt ?? 0) - now;
        return percent === null || left <= 0
          ? copy.cells.running(time)
          : copy.cells.runningPart(percent, aboutText(left));
      }
      case "waiting": {
        const until = run?.waitingUntil ?? null;
        return copy.cells.waiting(
          labelOf(cell.platform),
          until === null ? null : momentText(until, timeZone, now),
        );
      }
      case "failed":
        return copy.cells.failed(time, cell.errorText);
      default:
        return copy.cells[cell.state](time);
    }
  }
}

/** The whole round in one line, for screen readers. */
export function roundSummary({ counts }: Pick<Round, "counts">): string {
  const { toCome } = roundSums(counts);
  const { good, retried, failed, running, waiting } = counts;
  return Object.entries({ good, retried, failed, running, waiting, toCome })
    .flatMap(([state, count]) =>
      count === 0 ? [] : [copy.summary[state as keyof typeof copy.summary](count)],
    )
    .join(", ");
}
