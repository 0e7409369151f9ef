import { type PlanWatch, watchPlans } from "#core/billing/index.ts";
import { regionOf, type Shard } from "#core/database/shards.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { followingDue, longestWait } from "#core/schedules/index.ts";
import type { Look, Uses } from "#core/services.ts";
import { type DueMove, listDue, moveDue, type ScheduleRow } from "./backups.store.ts";
import { CLAIM_AT_ONCE, SEND_AT_ONCE } from "./limits.ts";

/**
 * Queues backups for the due items of a ledger, the longest overdue first. The due times decide, so missed, repeated or
 * late ticks change nothing. Items whose plan has ended get no backup (spec part 3: backups are paused during the grace
 * period).
 *
 * @returns `done`: how many runs were queued
 */
export async function dispatchDue(
  s: Uses<"clock" | "control" | "ledger" | "queue">,
  shard: Shard,
): Promise<Look> {
  const ledger = s.ledger(shard);
  const plans = watchPlans(s);
  const now = s.clock.now();
  const due = await listDue(ledger, now, CLAIM_AT_ONCE);
  if (due.length === 0) return { done: 0, hasMore: false };
  await plans.look(due.map((row) => row.organisationId));
  const moves = due.map((row) => planMove(row, plans, now));
  const owners = new Map(moves.map(({ runId, row }) => [runId, row.organisationId]));
  const region = regionOf(shard);
  const messages = (await moveDue(ledger, moves, now)).map(
    (runId): JobMessage => ({
      job: "back-up-item",
      payload: { region, organisationId: owners.get(runId) ?? "", runId, epoch: 0 },
    }),
  );
  for (let at = 0; at < messages.length; at += SEND_AT_ONCE) {
    await s.queue.send(messages.slice(at, at + SEND_AT_ONCE));
  }
  return { done: messages.length, hasMore: due.length === CLAIM_AT_ONCE };
}

/**
 * The next due time of a due item, and its run, if it gets one. An item whose plan has ended is moved by a day, at its
 * time of day, and gets no run, except at the first due time after the end: that run fails with the reason, so that the
 * history shows why no more versions come.
 */
function planMove(row: ScheduleRow, plans: PlanWatch, now: number): DueMove {
  const plan = plans.stateOf(row.organisationId, row.platform, now);
  const runId = scheduledRunId(row.itemId, row.dueAt);
  const { periodMs } = row;
  if (plan.isActive)
    // A change of plan changes the period at the next due time.
    return {
      row,
      runId,
      nextDueAt: followingDue(row.dueAt, now, plan.periodMs),
      periodMs: plan.periodMs,
    };
  if (plan.endedAt === null)
    return { row, runId: null, nextDueAt: followingDue(row.dueAt, now, DAY_MS), periodMs };
  const wait = longestWait(periodMs);
  const isFirst = row.dueAt - wait < plan.endedAt;
  // The next due time must be later than any first one, or it would count as the first again.
  const seenAt = Math.max(now, plan.endedAt + wait);
  return {
    row,
    runId: isFirst ? runId : null,
    nextDueAt: followingDue(row.dueAt, isFirst ? seenAt : now, DAY_MS),
    periodMs,
  };
}

/** The run id of an item and a due time; every caller derives the same one. */
export function scheduledRunId(itemId: string, dueAt: number): string {
  return `run_${itemId.slice(itemId.indexOf("_") + 1)}${dueAt.toString(36)}`;
}
