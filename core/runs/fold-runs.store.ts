import { isHere } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

/**
 * SQL: a successful run of one of these items that can be folded, unless the migration has set a later time. Parameters: 1 and 2 items, 3 latest end, 4 now.
 */
const IS_FOLDABLE = (run: string) =>
  `${run}.item_id > ?1 AND ${run}.item_id <= ?2 AND ${run}.kind = 'backup' AND ${run}.status = 'succeeded'
   AND ${run}.finished_at < ?3 AND ${isHere(`${run}.organisation_id`)}
   AND NOT EXISTS (SELECT 1 FROM duty_start WHERE duty = 'fold-runs' AND not_before > ?4)`;

/**
 * What is known of the run that took a version, and not of the version itself. One with a folded run has it in columns of
 * its own (`run_trigger` …). The view `known_run` reads them.
 */
export const FOLDED_FACTS = [
  "trigger",
  "created_by",
  "created_at",
  "started_at",
  "finished_at",
  "attempts",
  "bytes_read",
] as const;

/**
 * Statement that ends a run whose version is unchanged and has its facts already: the row goes. Put it last in its batch,
 * like `succeedRun`.
 */
export function foldRun(
  ledger: LedgerDatabase,
  { runId, epoch, snapshotId }: { runId: string; epoch: number; snapshotId: string },
): D1PreparedStatement {
  return statement(
    ledger,
    `DELETE FROM run WHERE id = ?1 AND epoch = ?2 AND status = 'running'
       AND EXISTS (SELECT 1 FROM snapshot WHERE id = ?3 AND run_id = ?1 AND run_created_at IS NOT NULL) RETURNING id`,
    runId,
    epoch,
    snapshotId,
  );
}

/**
 * Folds the runs of these items that ended before a time: the version keeps what is known of its run, and the run's row
 * goes. Those of unchanged versions were folded by their commit. Restores, failures and tombstones of erased versions keep theirs. A walk over all items calls it, because an index
 * of what is not folded yet would cost every backup a row.
 */
export async function foldRuns(
  ledger: LedgerDatabase,
  { from, to }: { from: string; to: string },
  { before, now }: { before: number; now: number },
): Promise<void> {
  const values = [from, to, before, now] as const;
  await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE snapshot SET ${FOLDED_FACTS.map((fact) => `run_${fact} = old.${fact}`).join(", ")}
       FROM run old INDEXED BY run_item WHERE snapshot.id = old.snapshot_id AND snapshot.run_id = old.id
         AND ${IS_FOLDABLE("old")}`,
      ...values,
    ),
    statement(
      ledger,
      `DELETE FROM run INDEXED BY run_item WHERE ${IS_FOLDABLE("run")} AND EXISTS (SELECT 1 FROM snapshot
         WHERE snapshot.id = run.snapshot_id AND snapshot.run_id = run.id AND run_created_at IS NOT NULL)`,
      ...values,
    ),
  ]);
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
