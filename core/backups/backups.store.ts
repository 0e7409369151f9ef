import { asc, sql } from "drizzle-orm";
import { schedule } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { insertRuns, type NewRun, QUEUE_PATIENCE_MS, RUN_IS_MINE } from "#core/runs/index.ts";

export type ScheduleRow = typeof schedule.$inferSelect;

/** Items whose time has come, the longest overdue first: one row read for each, however many items there are. */
export async function listDue(ledger: LedgerDatabase, now: number, limit: number): Promise<ScheduleRow[]> {
  return ledger
    .select()
    .from(schedule)
    .where(sql`${schedule.dueAt} <= ${now}`)
    .orderBy(asc(schedule.dueAt))
    .limit(limit);
}

/** A due item with the run it gets, if it gets one, and the time it is due next. */
export type DueMove = { row: ScheduleRow; runId: string | null; nextDueAt: number };

/**
 * Moves each due item on and queues its run, if it gets one, in one batch. An item is moved only from the time at which it was seen,
 * and a run is queued only for an item that stands there: of two ticks that saw the same item one queues, and an item
 * that was paused or deleted since stays so. An item whose backup is still open gets no other: its due time has joined
 * that one. Two statements, however many items: D1 answers 1,000 in one invocation, and those of a batch count one by
 * one.
 *
 * @returns The runs that were queued.
 */
export async function moveDue(
  ledger: LedgerDatabase,
  moves: readonly DueMove[],
  now: number,
): Promise<string[]> {
  const rows = JSON.stringify(
    moves.map(({ row, runId, nextDueAt }) => [row.itemId, row.dueAt, Math.floor(nextDueAt), runId]),
  );
  // Runs first: they ask for the time that the second statement moves.
  const [queued] = await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, status, epoch,
         lease_until, created_at)
       SELECT value->>3, organisation_id, connection_id, item_id, platform, 'backup', 'schedule', 'queued', 0, ?2, ?3
       FROM json_each(?1) CROSS JOIN schedule ON item_id = value->>0 AND due_at = value->>1
       WHERE value->>3 IS NOT NULL
       ON CONFLICT DO NOTHING RETURNING id`,
      rows,
      now + QUEUE_PATIENCE_MS,
      now,
    ),
    statement(
      ledger,
      `UPDATE schedule SET due_at = value->>2 FROM json_each(?1)
       WHERE item_id = value->>0 AND due_at = value->>1`,
      rows,
    ),
  ]);
  return (queued?.results ?? []).map(({ id }) => String(id));
}

/**
 * Queues one run by a user if the item's window is open, the second lock beside the actor's, and uses the window. An
 * item whose backup is open gets no other: the request has joined that one.
 *
 * @returns The run that is open now; null when the window is closed.
 */
export async function queueUserBackup(
  ledger: LedgerDatabase,
  order: { run: NewRun; opensAt: number; now: number },
): Promise<string | null> {
  const { run: row, opensAt, now } = order;
  const results = await commitTogether(ledger, [
    insertRuns(ledger, [row], now),
    // Windows are aligned, so two claims may end at the same time: the run itself must tell which one came first.
    statement(
      ledger,
      `DELETE FROM run WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM item WHERE id = ?2 AND organisation_id = ?3
         AND (backup_now_opens_at IS NULL OR backup_now_opens_at <= ?4) AND status <> 'deleted')`,
      row.id,
      row.itemId,
      row.organisationId,
      now,
    ),
    statement(
      ledger,
      `UPDATE item SET backup_now_opens_at = ?2
       WHERE id = ?1 AND organisation_id = ?3 AND (backup_now_opens_at IS NULL OR backup_now_opens_at <= ?4)
         AND status <> 'deleted' AND ${OPEN_BACKUP} IS NOT NULL RETURNING ${OPEN_BACKUP} AS runId`,
      row.itemId,
      opensAt,
      row.organisationId,
      now,
    ),
  ]);
  const used = results.at(-1)?.results[0] as { runId: string } | undefined;
  return used?.runId ?? null;
}

/**
 * Statement that queues one more backup of a checked item, in the batch that ends the check. It queues none when a newer
 * version stands or another backup is on its way: their own check finds the same again. Its result tells the run.
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

/** SQL text: the one open backup of the row's item, or null. */
const OPEN_BACKUP = `(SELECT open.id FROM run open WHERE open.item_id = item.id AND open.kind = 'backup'
  AND open.status IN ('queued', 'running'))`;
