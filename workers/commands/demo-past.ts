import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";

/** Days between two versions that the seeding took within minutes of each other. */
const DAYS_APART = 7;
/** Every second, third and fourth week of the demo's past ends within the trial's retention of 30 days. */
const MOST_APART = 4;

/** Versions by age: 0 is the newest of its item. `daysBack` moves it into the past. */
const AGED = `SELECT id, run_id, item_id, taken_at, expires_at,
    min(row_number() OVER (PARTITION BY item_id ORDER BY taken_at DESC, id DESC) - 1, ${MOST_APART}) * ${DAYS_APART} AS daysBack
  FROM snapshot`;

/** A version, the time of the next one, and each whole day in between. */
const DAYS_BETWEEN = `WITH RECURSIVE
  day (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM day WHERE k < ${DAYS_APART}),
  span AS (SELECT *, lead(taken_at) OVER (PARTITION BY item_id ORDER BY taken_at, id) AS next_at FROM snapshot
    WHERE item_id IN (SELECT id FROM item WHERE is_daily = 1)),
  copy AS (SELECT span.*, k, k * ${DAY_MS} AS later FROM span JOIN day ON taken_at + (k + 0.5) * ${DAY_MS} < next_at)`;

const shifted = (columns: readonly string[]) =>
  columns.map((column) => `${column} = ${column} - daysBack * ${DAY_MS}`).join(", ");

/**
 * SQL that spreads the demo's versions over weeks, for a ledger whose versions were all taken just now: the product
 * cannot wait a month for its schedule. The newest version of an item stays, each earlier one moves a week back with
 * its run and check, and on each day in between the schedule found nothing new: a version that shares the manifest of
 * the one before, and holds the facts of its run. The tallies of the dashboard follow. Nothing else in the ledger knows
 * the time of a version.
 */
export function pastStatements(): string[] {
  return [
    `UPDATE run SET ${shifted(["created_at", "started_at", "began_at", "advanced_at", "finished_at"])}
     FROM (${AGED}) aged WHERE run.id = aged.run_id OR (run.kind = 'verify' AND run.snapshot_id = aged.id)`,
    `UPDATE snapshot SET taken_at = snapshot.taken_at - daysBack * ${DAY_MS},
       verified_at = verified_at - daysBack * ${DAY_MS}, expires_at = snapshot.expires_at - daysBack * ${DAY_MS},
       ${shifted(["run_created_at", "run_started_at", "run_finished_at"])}
     FROM (${AGED}) aged WHERE snapshot.id = aged.id`,
    `UPDATE item SET created_at = min(created_at,
       coalesce((SELECT min(taken_at) FROM snapshot WHERE snapshot.item_id = item.id), created_at) - ${HOUR_MS})`,
    `${DAYS_BETWEEN} INSERT INTO snapshot (id, organisation_id, item_id, run_id, taken_at, manifest_id, size_bytes,
       new_bytes, skipped_count, verify_state, verified_at, verify_text, expires_at, run_trigger, run_attempts,
       run_created_at, run_started_at, run_finished_at)
     SELECT copy.id || '_' || k, copy.organisation_id, copy.item_id, run_id || '_' || k, taken_at + later, manifest_id,
       size_bytes, 0, skipped_count, verify_state, verified_at + later, verify_text, expires_at + later, 'schedule', 1,
       coalesce(run_created_at, created_at) + later, coalesce(run_started_at, started_at) + later,
       coalesce(run_finished_at, finished_at) + later
     FROM copy LEFT JOIN run ON run.id = copy.run_id`,
    "DELETE FROM backup_tally",
    `INSERT INTO backup_tally (organisation_id, connection_id, hour, succeeded, failed, broke, recovered)
     SELECT snapshot.organisation_id, item.connection_id, snapshot.taken_at / ${HOUR_MS}, count(*), 0, 0, 0
     FROM snapshot JOIN item ON item.id = snapshot.item_id GROUP BY 1, 2, 3`,
    "DELETE FROM storage_tally",
    `INSERT INTO storage_tally (organisation_id, hour, bytes)
     SELECT object.organisation_id, coalesce(run.created_at, object.created_at) / ${HOUR_MS}, sum(object.stored_bytes)
     FROM object LEFT JOIN run ON run.id = object.run_id WHERE object.status <> 'reserved' GROUP BY 1, 2`,
  ];
}
