import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { QUEUE_PATIENCE_MS } from "./limits.ts";

/**
 * Lets go of a run whose cursor is not understood, so that the next slice begins anew: what it had stored is prune's,
 * what it had counted is told from the beginning. It is no fault of the slice and no progress.
 */
export async function restartRun(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number },
  restart: { phase: string; now: number },
): Promise<boolean> {
  const [restarted] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE run SET status = 'queued', lease_until = ?3, waiting_until = NULL, attempts = attempts - 1,
         error_text = NULL, cursor = NULL, restarts = restarts + 1, phase = ?4, done = 0, total = NULL,
         expected_end_at = NULL
       WHERE id = ?1 AND epoch = ?2 AND status = 'running' RETURNING id`,
      hold.runId,
      hold.epoch,
      restart.now + QUEUE_PATIENCE_MS,
      restart.phase,
    ),
  ]);
  return (restarted?.results.length ?? 0) > 0;
}
