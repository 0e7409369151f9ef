import { watchStaleness } from "#core/alarms/index.ts";
import {
  carryOutRequests,
  checkAgain,
  dispatchDue,
  expire,
  prune,
  queueRepacks,
} from "#core/backups/index.ts";
import type { JobPayload } from "#core/jobs/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { catchUpReplicas } from "#core/replicas/index.ts";
import { sweepLostRuns } from "#core/runs/index.ts";
import type { Look } from "#core/services.ts";
import type { Services } from "#workers/services.ts";

const log = logger("crons");

type Duty = JobPayload<"tend-ledger">["duty"];

/** The rule of each duty. It may be repeated, skipped or late. */
const RULES: Record<Duty, (services: Services, region: Region) => Promise<Look>> = {
  schedule: dispatchDue,
  requests: carryOutRequests,
  sweep: sweepLostRuns,
  copies: catchUpReplicas,
  expire,
  prune,
  "check-again": checkAgain,
  repack: queueRepacks,
  silence: watchStaleness,
};

/** A chain of looks that has more to do after this is reported, and leaves the rest to a later tick's. */
export const BEHIND_AFTER_MS = HOUR_MS;

/**
 * Looks at one ledger for one duty. What a look leaves gets the next one at once, in an invocation of its own, so that
 * what is done grows with what there is; a duty that cannot keep up is reported each hour. A look that fails is reported,
 * and tried again at the next tick.
 */
export async function tendLedger(services: Services, payload: JobPayload<"tend-ledger">): Promise<void> {
  const { region, duty } = payload;
  const since = payload.since ?? services.clock.now();
  try {
    const { hasMore } = await RULES[duty](services, region);
    if (!hasMore) return;
    if (services.clock.now() - since < BEHIND_AFTER_MS)
      await services.queue.send([{ job: "tend-ledger", payload: { region, duty, since } }]);
    else log.error("{duty} has fallen behind in the ledger of {region}", { duty, region, since });
  } catch (cause) {
    log.error("{duty} failed in the ledger of {region} and is tried again at the next tick", {
      duty,
      region,
      cause,
    });
  }
}
