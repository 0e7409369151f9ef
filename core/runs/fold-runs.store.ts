import { isHere } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

/** SQL: a version's successful run that can be folded, because no list by organisation and time reads it any more. */
const IS_FOLDABLE = (run: string, before: string) =>
  `${run}.kind = 'backup' AND ${run}.status = 'succeeded' AND ${run}.finished_at < ${before}
   AND ${isHere(`${run}.organisation_id`)}`;

/** Columns of the version that take what pages show of the run. The view `known_run` reads them. */
const FACTS = ["trigger", "created_at", "started_at", "finished_at", "attempts"];

/**
 * Folds the runs of up to `limit` versions, the oldest first: the version keeps what pages show of its run, and the run's
 * row goes. Restores, failures and tombstones of erased versions keep theirs. Nothing is folded before the time that the
 * migration set.
 *
 * @returns How many rows went.
 */
export async function foldRuns(
  ledger: LedgerDatabase,
  { before, now, limit }: { before: number; now: number; limit: number },
): Promise<number> {
  const { results } = await statement(
    ledger,
    `SELECT snapshot.id FROM snapshot INDEXED BY snapshot_unfolded CROSS JOIN run ON run.id = snapshot.run_id
     WHERE snapshot.run_created_at IS NULL AND snapshot.taken_at < ?1 AND ${IS_FOLDABLE("run", "?1")}
     ORDER BY snapshot.taken_at
     LIMIT iif(EXISTS (SELECT 1 FROM duty_start WHERE duty = 'fold-runs' AND not_before > ?2), 0, ?3)`,
    before,
    now,
    limit,
  ).all<{ id: string }>();
  if (results.length === 0) return 0;
  const ids = JSON.stringify(results.map(({ id }) => id));
  // A version may have been erased or have expired since.
  const [, gone] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE snapshot SET ${FACTS.map((fact) => `run_${fact} = old.${fact}`).join(", ")}
       FROM run old WHERE snapshot.id IN (SELECT value FROM json_each(?2)) AND old.id = snapshot.run_id
         AND ${IS_FOLDABLE("old", "?1")}`,
      before,
      ids,
    ),
    statement(
      ledger,
      `DELETE FROM run WHERE id IN (SELECT run_id FROM snapshot WHERE id IN (SELECT value FROM json_each(?2))
         AND run_created_at IS NOT NULL) AND ${IS_FOLDABLE("run", "?1")} RETURNING id`,
      before,
      ids,
    ),
  ]);
  return gone?.results.length ?? 0;
}

/**
 * SQL of the starts and ends of an item's last successful runs of a kind, newest first. Runs with a row are newer than
 * those that are folded, which are read only if the former are too few. Tombstones of erased versions count last, because
 * they have a row at any age.
 */
export const LAST_SUCCESSES = (item: string, kind: string, limit: number) => {
  const rows = (which: string) => `SELECT done.started_at, done.finished_at FROM run done INDEXED BY run_item
    WHERE done.item_id = ${item} AND done.kind = ${kind} AND done.status = 'succeeded' AND done.erased_at ${which}
    ORDER BY done.created_at DESC LIMIT ${limit}`;
  const folded = `SELECT version.run_started_at, version.run_finished_at
    FROM snapshot version INDEXED BY snapshot_item
    WHERE version.item_id = ${item} AND ${kind} = 'backup' AND version.run_created_at IS NOT NULL
    ORDER BY version.taken_at DESC LIMIT ${limit}`;
  return `SELECT * FROM (${rows("IS NULL")}) UNION ALL SELECT * FROM (${folded})
    UNION ALL SELECT * FROM (${rows("IS NOT NULL")}) LIMIT ${limit}`;
};
