import { isHere } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

/** SQL: a run that nothing shows once it has ended. The text of the index `run_unneeded`. */
const IS_UNNEEDED = `status IN ('succeeded', 'superseded') AND (kind IN ('verify', 'replicate')
        OR status = 'superseded')`;
/** SQL: a run that something else looks for once it has ended. The text of the index `run_needed`. */
const IS_NEEDED = "kind IN ('delete', 'repack') AND status = 'succeeded'";

/** How many rows a pass deleted, per statement. */
export type Forgotten = { runs: number; needed: number; journal: number };

/**
 * Deletes ended runs that nothing shows, and what restores have recorded for their own repetition, up to `limit` rows
 * each. A removed item's successful backups go with the run that deleted its bytes: their versions are gone. Failed runs,
 * restores, exports and backups with a version stay.
 *
 * @param needed End of repacks, deletions and what restores have recorded, epoch ms. `before` is that of the other runs.
 */
export async function deleteUnshown(
  ledger: LedgerDatabase,
  { before, needed, limit }: { before: number; needed: number; limit: number },
): Promise<Forgotten> {
  const old = (index: string, condition: string) =>
    `SELECT id FROM run INDEXED BY ${index} WHERE ${condition} AND created_at < ?1
         AND ${isHere("run.organisation_id")}
       ORDER BY created_at LIMIT ?2`;
  const unneeded = old("run_unneeded", IS_UNNEEDED);
  const noLongerNeeded = old("run_needed", IS_NEEDED);
  const [, runs, needless, journal] = await commitTogether(ledger, [
    statement(
      ledger,
      `DELETE FROM run WHERE item_id IN (SELECT item_id FROM run WHERE id IN (${noLongerNeeded}) AND kind = 'delete')
         AND kind = 'backup' AND status = 'succeeded' AND created_at < ?1 AND erased_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM snapshot WHERE snapshot.id = run.snapshot_id)`,
      needed,
      limit,
    ),
    statement(ledger, `DELETE FROM run WHERE id IN (${unneeded}) RETURNING id`, before, limit),
    statement(ledger, `DELETE FROM run WHERE id IN (${noLongerNeeded}) RETURNING id`, needed, limit),
    statement(
      ledger,
      `DELETE FROM restore_journal WHERE (run_id, key) IN (SELECT run_id, key FROM restore_journal
           INDEXED BY restore_journal_created WHERE created_at < ?1
           AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = run_id AND run.finished_at IS NULL)
           AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = run_id AND NOT ${isHere("run.organisation_id")})
         ORDER BY created_at LIMIT ?2) RETURNING key`,
      needed,
      limit,
    ),
  ]);
  const count = (result: D1Result<unknown> | undefined) => result?.results.length ?? 0;
  return { runs: count(runs), needed: count(needless), journal: count(journal) };
}
