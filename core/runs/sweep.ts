import type { JobMessage, JobName } from "#core/jobs/index.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { CoreServices } from "#core/services.ts";
import { QUEUE_PATIENCE_MS } from "./limits.ts";
import { listLostRuns, postponeRuns, type RunKind } from "./runs.store.ts";

/** Which job carries which kind of run. */
export const JOB_OF: Record<RunKind, JobName> = {
  backup: "back-up-item",
  restore: "restore-item",
  export: "build-export",
  verify: "verify-snapshot",
  delete: "delete-item",
  repack: "repack-item",
  replicate: "replicate-version",
};

const AT_ONCE = 100;

/**
 * Offers every open run again whose lease has passed: its consumer crashed, or its message was lost. Messages are
 * hints, so this alone would be enough to finish all work (invariant I9).
 *
 * @returns How many runs were offered.
 */
export async function sweepLostRuns(s: CoreServices): Promise<number> {
  let offered = 0;
  for (const region of REGIONS) {
    const ledger = s.ledger(region);
    const now = s.clock.now();
    const lost = await listLostRuns(ledger, now, AT_ONCE);
    if (lost.length === 0) continue;
    await postponeRuns(
      ledger,
      lost.map((run) => run.id),
      now + QUEUE_PATIENCE_MS,
    );
    const messages = lost.map(
      (run) =>
        ({ job: JOB_OF[run.kind], payload: { region, runId: run.id, epoch: run.epoch } }) as JobMessage,
    );
    await s.queue.send(messages);
    offered += lost.length;
  }
  return offered;
}
