import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { QUEUE_PATIENCE_MS } from "./limits.ts";

/**
 * Releases a run whose cursor is unreadable, so that the next slice starts from the beginning. Prune removes what the
 * run had stored; its counts restart at 0. This counts neither as a failed attempt nor as progress.
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
