import { isHere } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

/** SQL: a run that nothing shows once it has ended. The text of the index `run_unshown`. */
const IS_UNSHOWN = `status IN ('succeeded', 'superseded') AND (kind IN ('verify', 'delete', 'repack', 'replicate')
        OR status = 'superseded')`;

/** How many rows a pass deleted, per statement. */
export type Forgotten = { runs: number; journal: number };

/**
 * Deletes ended runs that nothing shows, and what restores have recorded for their own repetition, up to `limit` rows
 * each. A removed item's successful backups go with the run that deleted its bytes: their versions are gone. Failed runs,
 * restores, exports and backups with a version stay.
 */
export async function deleteUnshown(
  ledger: LedgerDatabase,
  { before, limit }: { before: number; limit: number },
): Promise<Forgotten> {
  const old = `SELECT id FROM run INDEXED BY run_unshown WHERE ${IS_UNSHOWN} AND created_at < ?1
         AND ${isHere("run.organisation_id")}
       ORDER BY created_at LIMIT ?2`;
  const [, runs, journal] = await commitTogether(ledger, [
    statement(
      ledger,
      `DELETE FROM run WHERE item_id IN (SELECT item_id FROM run WHERE id IN (${old}) AND kind = 'delete')
         AND kind = 'backup' AND status = 'succeeded' AND created_at < ?1 AND erased_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM snapshot WHERE snapshot.run_id = run.id)`,
      before,
      limit,
    ),
    statement(ledger, `DELETE FROM run WHERE id IN (${old}) RETURNING id`, before, limit),
    statement(
      ledger,
      `DELETE FROM restore_journal WHERE (run_id, key) IN (SELECT run_id, key FROM restore_journal
           INDEXED BY restore_journal_created WHERE created_at < ?1
           AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = run_id AND run.status IN ('queued', 'running'))
           AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = run_id AND NOT ${isHere("run.organisation_id")})
         ORDER BY created_at LIMIT ?2) RETURNING key`,
      before,
      limit,
    ),
  ]);
  return { runs: runs?.results.length ?? 0, journal: journal?.results.length ?? 0 };
}
