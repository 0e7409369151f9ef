import { and, asc, eq, gte, sql } from "drizzle-orm";
import { isHere, item, schedule } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { insertRuns, type NewRun, QUEUE_PATIENCE_MS, RUN_IS_MINE } from "#core/runs/index.ts";

export type ScheduleRow = typeof schedule.$inferSelect;

/** Due items, the longest overdue first. Reads one row per item, however many items there are. */
export async function listDue(ledger: LedgerDatabase, now: number, limit: number): Promise<ScheduleRow[]> {
  return ledger
    .select()
    .from(schedule)
    .where(sql`${schedule.dueAt} <= ${now} AND ${sql.raw(isHere("schedule.organisation_id"))}`)
    .orderBy(asc(schedule.dueAt))
    .limit(limit);
}

/** A due item with its run, if it gets one, its next due time, and the period from now on. */
export type DueMove = { row: ScheduleRow; runId: string | null; nextDueAt: number; periodMs: number };

/**
 * Moves each due item to its next due time and queues its run, if it gets one, in one batch. An item is moved only if
 * its due time has not changed since it was read, and a run is queued only for an item that was moved. So of two ticks
 * that read the same item, one queues a run, and an item that was paused or deleted meanwhile gets none. An item whose
 * backup is still open gets no second one. Uses pairs of small statements: an update by key reads only its row, while
 * one statement over many items reads three rows for each. The number of changes shows which runs were queued:
 * `SELECT` and `RETURNING` would each read one more row for each run, because SQLite copies what a statement selects for
 * a table with triggers, and what it returns.
 *
 * @returns the runs that were queued
 */
export async function moveDue(
  ledger: LedgerDatabase,
  moves: readonly DueMove[],
  now: number,
): Promise<string[]> {
  const steps = moves.flatMap(({ row, runId, nextDueAt, periodMs }) => {
    const move = statement(
      ledger,
      "UPDATE schedule SET due_at = ?1, period_ms = ?4 WHERE item_id = ?2 AND due_at = ?3",
      Math.floor(nextDueAt),
      row.itemId,
      row.dueAt,
      periodMs,
    );
    if (runId === null) return [{ runId, step: move }];
    // `changes()` is the row count of the update before it. A row without an id is ignored, as one that is there already.
    const queue = statement(
      ledger,
      `INSERT OR IGNORE INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, status, epoch,
         lease_until, created_at)
       VALUES (iif(changes() > 0, ?1, NULL), ?2, ?3, ?4, ?5, 'backup', 'schedule', 'queued', 0, ?6, ?7)`,
      runId,
      row.organisationId,
      row.connectionId,
      row.itemId,
      row.platform,
      now + QUEUE_PATIENCE_MS,
      now,
    );
    return [
      { runId: null, step: move },
      { runId, step: queue },
    ];
  });
  const results = await commitTogether(
    ledger,
    steps.map(({ step }) => step),
  );
  return steps.flatMap(({ runId }, at) =>
    runId !== null && (results[at]?.meta.changes ?? 0) > 0 ? [runId] : [],
  );
}

/** A requested backup: the item's open run, and whether the request created it or joined it. */
export type QueuedBackup = { itemId: string; runId: string; isNew: boolean };

/**
 * Queues runs requested by a user, each if its item's window is open, and closes the windows. `alongside` goes into the
 * same batch. A request joins the backup that its item already has open. Items whose window is closed are absent from
 * the result.
 */
export async function queueUserBackups(
  ledger: LedgerDatabase,
  order: { runs: readonly NewRun[]; opensAt: number; now: number; alongside?: D1PreparedStatement[] },
): Promise<QueuedBackup[]> {
  const { runs, opensAt, now, alongside = [] } = order;
  const wanted = JSON.stringify(runs.map(({ id, itemId, organisationId }) => [id, itemId, organisationId]));
  const [, , used] = await commitTogether(ledger, [
    insertRuns(ledger, runs, now),
    // Windows are aligned, so two claims may end at the same time. The run itself must show which came first.
    statement(
      ledger,
      `DELETE FROM run WHERE id IN (SELECT value->>0 FROM json_each(?1) WHERE NOT EXISTS (SELECT 1 FROM item
         WHERE id = value->>1 AND organisation_id = value->>2
           AND (backup_now_opens_at IS NULL OR backup_now_opens_at <= ?2) AND status <> 'deleted'))`,
      wanted,
      now,
    ),
    statement(
      ledger,
      `UPDATE item SET backup_now_opens_at = ?2
       WHERE (id, organisation_id) IN (SELECT value->>1, value->>2 FROM json_each(?1))
         AND (backup_now_opens_at IS NULL OR backup_now_opens_at <= ?3)
         AND status <> 'deleted' AND ${OPEN_BACKUP} IS NOT NULL RETURNING id AS itemId, ${OPEN_BACKUP} AS runId`,
      wanted,
      opensAt,
      now,
    ),
    ...alongside,
  ]);
  const ours = new Set(runs.map(({ id }) => id));
  return ((used?.results ?? []) as { itemId: string; runId: string }[]).map((row) => ({
    ...row,
    isNew: ours.has(row.runId),
  }));
}

/**
 * The statement that queues another backup of a checked item, in the batch that ends the check. It queues none when
 * there is a newer version or another backup is open, because their own check covers the same. Returns the run's id.
 */
export function queueBackupAfter(
  ledger: LedgerDatabase,
  order: { hold: { runId: string; epoch: number }; snapshotId: string; runId: string; now: number },
): D1PreparedStatement {
  const { hold, snapshotId, runId, now } = order;
  return statement(
    ledger,
    `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, status, epoch,
       lease_until, created_at)
     SELECT ?1, organisation_id, connection_id, id, platform, 'backup', 'system', 'queued', 0, ?2, ?3
     FROM item WHERE last_snapshot_id = ?4 AND status <> 'deleted' AND ${RUN_IS_MINE("?5", "?6")}
       AND id = (SELECT item_id FROM run WHERE id = ?5)
     ON CONFLICT DO NOTHING RETURNING id`,
    runId,
    now + QUEUE_PATIENCE_MS,
    now,
    snapshotId,
    hold.runId,
    hold.epoch,
  );
}

/** SQL expression: the id of the item's open backup, or null. */
const OPEN_BACKUP = `(SELECT open.id FROM run open WHERE open.item_id = item.id AND open.kind = 'backup'
  AND open.finished_at IS NULL)`;

/** The number of items of an organisation whose last run failed at `since` or later, and that have no version. */
export async function countFailuresSince(
  ledger: LedgerDatabase,
  organisationId: string,
  since: number,
): Promise<number> {
  const rows = await ledger
    .select({ count: sql<number>`count(*)` })
    .from(item)
    .where(
      and(
        eq(item.organisationId, organisationId),
        gte(item.lastErrorAt, since),
        sql`${item.lastError} IS NOT NULL AND ${item.lastSnapshotId} IS NULL`,
      ),
    );
  return rows[0]?.count ?? 0;
}
