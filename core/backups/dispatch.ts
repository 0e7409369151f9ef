import { type PlanWatch, watchPlans } from "#core/billing/index.ts";
import { followingDue } from "#core/inventory/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { CoreServices, Look } from "#core/services.ts";
import { type DueMove, listDue, moveDue, type ScheduleRow } from "./backups.store.ts";
import { CLAIM_AT_ONCE, SEND_AT_ONCE } from "./limits.ts";

/**
 * Queues backups for the items of a region whose time has come, the longest overdue first.
 * A tick only says "look now": missed, doubled or late ticks change nothing, because the due times are the truth.
 * Items whose plan has ended rest (spec part 3: backups are paused during the grace period).
 *
 * @returns As `done`, how many runs were queued.
 */
export async function dispatchDue(s: CoreServices, region: Region): Promise<Look> {
  const ledger = s.ledger(region);
  const plans = watchPlans(s);
  const now = s.clock.now();
  const due = await listDue(ledger, now, CLAIM_AT_ONCE);
  if (due.length === 0) return { done: 0, hasMore: false };
  await plans.look(due.map((row) => row.organisationId));
  const moves = due.map((row) => planMove(row, plans, now));
  const messages = (await moveDue(ledger, moves, now)).map(
    (runId): JobMessage => ({ job: "back-up-item", payload: { region, runId, epoch: 0 } }),
  );
  for (let at = 0; at < messages.length; at += SEND_AT_ONCE) {
    await s.queue.send(messages.slice(at, at + SEND_AT_ONCE));
  }
  return { done: messages.length, hasMore: due.length === CLAIM_AT_ONCE };
}

/**
 * What becomes of a due item. Once its plan has ended it is looked at again a day later, at its time of day, and gets
 * no run, but for the first due time after the end: that run fails with the reason, so that the history tells why no
 * more versions come.
 */
function planMove(row: ScheduleRow, plans: PlanWatch, now: number): DueMove {
  const plan = plans.stateOf(row.organisationId, row.platform, now);
  const runId = scheduledRunId(row.itemId, row.dueAt);
  if (plan.isActive) return { row, runId, nextDueAt: followingDue(row.dueAt, now, row.periodMs) };
  if (plan.endedAt === null) return { row, runId: null, nextDueAt: followingDue(row.dueAt, now, DAY_MS) };
  const isFirst = row.dueAt - row.periodMs < plan.endedAt;
  // After a late tick the next look must lie a whole period behind the end, or it would pass for the first again.
  const seenAt = Math.max(now, plan.endedAt + row.periodMs);
  return {
    row,
    runId: isFirst ? runId : null,
    nextDueAt: followingDue(row.dueAt, isFirst ? seenAt : now, DAY_MS),
  };
}

/** The one run of an item and a due time, whoever queues it. */
export function scheduledRunId(itemId: string, dueAt: number): string {
  return `run_${itemId.slice(itemId.indexOf("_") + 1)}${dueAt.toString(36)}`;
}
