import { asc, sql } from "drizzle-orm";
import { schedule } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { insertRuns, type NewRun } from "#core/runs/index.ts";

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

/** A due item with the run it gets and the time it is due next. */
export type DueMove = { row: ScheduleRow; runId: string; nextDueAt: number };

/**
 * Queues a run for each due item and moves the item on, in one batch. Run ids are drawn from item and due time, so
 * that two ticks that saw the same item queue one run, and the schedule only ever moves forward. Ids and numbers
 * are our own and are written as literals: bound JSON would cost one read row each.
 */
export async function moveDue(ledger: LedgerDatabase, moves: readonly DueMove[], now: number): Promise<void> {
  const text = (value: string) => {
    invariant(/^[\w.-]{1,64}$/.test(value), "an id of ours holds only plain characters");
    return `'${value}'`;
  };
  const runs = moves.map(
    ({ row, runId }) =>
      `(${text(runId)},${text(row.organisationId)},${text(row.connectionId)},${text(row.itemId)},${text(row.platform)},'backup','schedule','queued',0,${now + 60_000},${now})`,
  );
  const rows = moves.map(
    ({ row, nextDueAt }) =>
      `(${text(row.itemId)},${Math.floor(nextDueAt)},${row.periodMs},${text(row.organisationId)},${text(row.connectionId)},${text(row.platform)})`,
  );
  const statements: D1PreparedStatement[] = [];
  for (let at = 0; at < moves.length; at += MOVES_PER_STATEMENT) {
    const end = at + MOVES_PER_STATEMENT;
    statements.push(
      statement(
        ledger,
        `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, status, epoch,
           lease_until, created_at) VALUES ${runs.slice(at, end).join(",")} ON CONFLICT (id) DO NOTHING`,
      ),
      statement(
        ledger,
        `INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
         VALUES ${rows.slice(at, end).join(",")}
         ON CONFLICT (item_id) DO UPDATE SET due_at = excluded.due_at WHERE schedule.due_at < excluded.due_at`,
      ),
    );
  }
  await commitTogether(ledger, statements);
}

/** A statement may have 100 KB of text; a row of ours has at most 400 bytes. */
const MOVES_PER_STATEMENT = 200;

/** Queues one run by a user if the item is idle and its window is open: the second lock beside the actor's. */
export async function queueUserBackup(
  ledger: LedgerDatabase,
  order: { run: NewRun; opensAt: number; now: number },
): Promise<boolean> {
  const { run: row, opensAt, now } = order;
  const results = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE item SET backup_now_opens_at = ?3 WHERE id = ?1 AND organisation_id = ?2
         AND (backup_now_opens_at IS NULL OR backup_now_opens_at <= ?4) AND status <> 'deleted' RETURNING id`,
      row.itemId,
      row.organisationId,
      opensAt,
      now,
    ),
    insertRuns(ledger, [row], now),
    // The run stands only with the window it was claimed for.
    statement(
      ledger,
      `DELETE FROM run WHERE id = ?1 AND NOT EXISTS
         (SELECT 1 FROM item WHERE id = ?2 AND backup_now_opens_at = ?3) `,
      row.id,
      row.itemId,
      opensAt,
    ),
  ]);
  return (results[0]?.results.length ?? 0) > 0;
}
