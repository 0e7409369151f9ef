import type { JobMessage } from "#core/jobs/index.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Look, Uses } from "#core/services.ts";
import { JOB_OF } from "./job-of.ts";
import { QUEUE_PATIENCE_MS } from "./limits.ts";
import { listLostRuns, postponeRuns } from "./runs.store.ts";

const AT_ONCE = 500;

/**
 * Queues every open run of a region whose lease has expired: its consumer crashed, or its message was lost. Messages
 * are hints, so this alone would finish all work (invariant I9).
 *
 * @returns `done`: how many runs were queued.
 */
export async function sweepLostRuns(s: Uses<"clock" | "ledger" | "queue">, region: Region): Promise<Look> {
  const ledger = s.ledger(region);
  const now = s.clock.now();
  const lost = await listLostRuns(ledger, now, AT_ONCE);
  if (lost.length === 0) return { done: 0, hasMore: false };
  await postponeRuns(
    ledger,
    lost.map((run) => run.id),
    now + QUEUE_PATIENCE_MS,
  );
  const messages = lost.map(
    (run) => ({ job: JOB_OF[run.kind], payload: { region, runId: run.id, epoch: run.epoch } }) as JobMessage,
  );
  await s.queue.send(messages);
  return { done: lost.length, hasMore: lost.length === AT_ONCE };
}
