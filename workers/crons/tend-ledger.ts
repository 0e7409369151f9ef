import { watchStaleness } from "#core/alarms/index.ts";
import { carryOutRequests, dispatchDue } from "#core/backups/index.ts";
import type { Shard } from "#core/database/shards.ts";
import type { JobPayload } from "#core/jobs/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import { catchUpReplicas } from "#core/replicas/index.ts";
import { forgetRuns, sweepLostRuns } from "#core/runs/index.ts";
import type { Look } from "#core/services.ts";
import { checkAgain, expire, prune, queueRepacks } from "#core/upkeep/index.ts";
import type { Services } from "#workers/services.ts";

const log = logger("crons");

type Duty = JobPayload<"tend-ledger">["duty"];

/** The core function of each duty. It may run repeatedly, late, or not at all. */
const RULES: Record<Duty, (services: Services, shard: Shard) => Promise<Look>> = {
  schedule: dispatchDue,
  requests: carryOutRequests,
  sweep: sweepLostRuns,
  copies: catchUpReplicas,
  expire,
  prune,
  "check-again": checkAgain,
  repack: queueRepacks,
  silence: watchStaleness,
  "forget-runs": forgetRuns,
};

/** After this time, a duty that still has work is logged, and the rest is left to a later tick. */
export const BEHIND_AFTER_MS = HOUR_MS;

/**
 * Runs one duty on one ledger. When work is left, the next run is queued at once, in its own invocation, so that
 * throughput grows with the work. A duty that cannot keep up is logged every hour. A failed duty is logged and runs
 * again at the next tick.
 */
export async function tendLedger(services: Services, payload: JobPayload<"tend-ledger">): Promise<void> {
  const { duty, region, shard = region } = payload;
  const since = payload.since ?? services.clock.now();
  try {
    const { hasMore } = await RULES[duty](services, shard);
    if (!hasMore) return;
    if (services.clock.now() - since < BEHIND_AFTER_MS)
      await services.queue.send([{ job: "tend-ledger", payload: { ...payload, since } }]);
    else log.error("{duty} has fallen behind in the ledger {shard}", { duty, shard, since });
  } catch (cause) {
    log.error("{duty} failed in the ledger {shard} and is tried again at the next tick", {
      duty,
      shard,
      cause,
    });
  }
}
