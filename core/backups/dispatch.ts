import { followingDue } from "#core/inventory/index.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import type { CoreServices } from "#core/services.ts";
import { type DueMove, listDue, moveDue } from "./backups.store.ts";
import { CLAIM_AT_ONCE, DISPATCH_MS, SEND_AT_ONCE } from "./limits.ts";

/**
 * Queues a backup for every item whose time has come, in every region, until none is left or the tick is over.
 * A tick only says "look now": missed, doubled or late ticks change nothing, because the due times are the truth.
 *
 * @returns How many runs were queued.
 */
export async function dispatchDue(s: CoreServices): Promise<number> {
  const startedAt = s.clock.now();
  let queued = 0;
  for (const region of REGIONS) {
    for (;;) {
      const count = await dispatchSome(s, region);
      queued += count;
      if (count < CLAIM_AT_ONCE || s.clock.now() - startedAt > DISPATCH_MS) break;
    }
  }
  return queued;
}

async function dispatchSome(s: CoreServices, region: Region): Promise<number> {
  const ledger = s.ledger(region);
  const now = s.clock.now();
  const due = await listDue(ledger, now, CLAIM_AT_ONCE);
  if (due.length === 0) return 0;
  const moves: DueMove[] = due.map((row) => ({
    row,
    runId: scheduledRunId(row.itemId, row.dueAt),
    nextDueAt: followingDue(row.dueAt, now, row.periodMs),
  }));
  await moveDue(ledger, moves, now);
  for (let at = 0; at < moves.length; at += SEND_AT_ONCE) {
    const messages = moves
      .slice(at, at + SEND_AT_ONCE)
      .map(({ runId }): JobMessage => ({ job: "back-up-item", payload: { region, runId, epoch: 0 } }));
    await s.queue.send(messages);
  }
  return due.length;
}

/** The one run of an item and a due time, whoever queues it. */
export function scheduledRunId(itemId: string, dueAt: number): string {
  return `run_${itemId.slice(itemId.indexOf("_") + 1)}${dueAt.toString(36)}`;
}
