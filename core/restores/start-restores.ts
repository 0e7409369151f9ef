import { type AuditEntry, recordActions } from "#core/audit/index.ts";
import type { ConnectionRow } from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import type { JobMessage } from "#core/jobs/index.ts";
import { createRuns, type NewRun } from "#core/runs/index.ts";
import type { Uses } from "#core/services.ts";

/** Queues checked restores, writes them to the audit trail and notifies open screens. */
export async function startRestores(
  s: Uses<"clock" | "ids" | "control" | "queue" | "live">,
  { connection, ledger }: { connection: ConnectionRow; ledger: LedgerDatabase },
  { runs, entries }: { runs: NewRun[]; entries: readonly AuditEntry[] },
): Promise<void> {
  const now = s.clock.now();
  await createRuns(ledger, runs, now);
  await recordActions(s, entries);
  await s.queue.send(
    runs.map(
      (run): JobMessage => ({
        job: "restore-item",
        payload: { region: connection.region, organisationId: run.organisationId, runId: run.id, epoch: 0 },
      }),
    ),
  );
  await s.live.publish(
    connection.organisationId,
    runs.map((run) => ({
      method: "item-status" as const,
      platform: run.platform,
      id: run.itemId,
      type: "restore" as const,
      status: "queued" as const,
      date: now,
      data_size: 0,
      actionProcess: "restoring_process" as const,
      runId: run.id,
      errorText: null,
    })),
  );
}
