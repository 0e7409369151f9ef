import { runsCopy } from "#app/copy/runs.ts";
import { momentText } from "#app/format/dates.ts";
import type { OpenRun } from "#core/rounds/views.ts";
import type { Reading } from "./round-words.ts";

const copy = runsCopy.queue;

/** Why a run is in the queue. */
export function queueReason(run: OpenRun, { now, timeZone }: Pick<Reading, "now" | "timeZone">): string {
  const { reasons } = copy;
  if (run.retry !== null) return reasons.retry(run.retry.next, run.retry.most);
  if (run.progress.kind !== "backup") return reasons[run.progress.kind];
  if (run.isFirst) return reasons.first;
  if (run.trigger === "schedule") return reasons.schedule;
  if (run.trigger === "system") return reasons.followUp;
  const time = momentText(run.createdAt, timeZone, now);
  return run.isOwn ? reasons.own(time) : reasons.asked(time);
}

/** When a queued run starts, as far as that is known, and whether it is an estimate. */
export type QueueTime = { text: string; isEstimate: boolean };

/**
 * When each queued run starts. Known are the time before which a retry does not begin, and, for a run whose account has
 * no free place, the end that the runs at work are expected to have. No other times are shown.
 */
export function queueTimes(
  queue: readonly OpenRun[],
  running: readonly OpenRun[],
  { now, timeZone }: Pick<Reading, "now" | "timeZone">,
): QueueTime[] {
  const before = new Map<string, string>();
  return queue.map((run) => {
    const { waitingUntil, kind } = run.progress;
    const plain = (text: string) => ({ text, isEstimate: false });
    if (waitingUntil !== null && waitingUntil > now) {
      return plain(copy.when.notBefore(momentText(waitingUntil, timeZone, now)));
    }
    if (kind !== "backup" || !run.waitsTurn) return plain(copy.when.starts);
    const previous = before.get(run.connectionId);
    before.set(run.connectionId, run.name);
    if (previous !== undefined) return plain(copy.when.after(previous));
    const free = placeFreeAt(running.filter(({ connectionId }) => connectionId === run.connectionId));
    if (free === null || free <= now) return plain(copy.when.next);
    return { text: copy.when.nextAbout(momentText(free, timeZone, now)), isEstimate: true };
  });
}

/** When the first of an account's backups is expected to end; null = not known of each. */
function placeFreeAt(running: readonly OpenRun[]): number | null {
  const backups = running.filter(({ progress }) => progress.kind === "backup");
  const ends = backups.map(({ progress }) => progress.expectedEndAt);
  const known = ends.filter((end) => end !== null);
  return known.length === 0 || known.length < ends.length ? null : Math.min(...known);
}
