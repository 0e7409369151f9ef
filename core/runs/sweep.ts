import { regionOf, type Shard } from "#core/database/shards.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import type { Look, Uses } from "#core/services.ts";
import { JOB_OF } from "./job-of.ts";
import { QUEUE_PATIENCE_MS } from "./limits.ts";
import { orderOf } from "./run-slice.ts";
import { listLostRuns, postponeRuns } from "./runs.store.ts";

const AT_ONCE = 500;

/**
 * Queues every open run of a ledger whose lease has expired: its consumer crashed, or its message was lost. Messages
 * are hints, so this alone would finish all work (invariant I9).
 *
 * @returns `done`: how many runs were queued.
 */
export async function sweepLostRuns(s: Uses<"clock" | "ledger" | "queue">, shard: Shard): Promise<Look> {
  const ledger = s.ledger(shard);
  const now = s.clock.now();
  const lost = await listLostRuns(ledger, now, AT_ONCE);
  if (lost.length === 0) return { done: 0, hasMore: false };
  await postponeRuns(
    ledger,
    lost.map((run) => run.id),
    now + QUEUE_PATIENCE_MS,
  );
  const messages = lost.map(
    (run) => ({ job: JOB_OF[run.kind], payload: orderOf(regionOf(shard), run) }) as JobMessage,
  );
  await s.queue.send(messages);
  return { done: lost.length, hasMore: lost.length === AT_ONCE };
}
