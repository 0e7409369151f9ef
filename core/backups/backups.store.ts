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
 * that two ticks that saw the same item queue one run, and the schedule only ever moves forward; an item that was
 * removed meanwhile stays removed. Ids and numbers are our own and are written as literals: bound JSON would cost
 * one read row each. So would moving many items by one statement: an update by key reads its row and nothing else.
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
  const statements: D1PreparedStatement[] = [];
  for (let at = 0; at < runs.length; at += RUNS_PER_STATEMENT) {
    const rows = runs.slice(at, at + RUNS_PER_STATEMENT).join(",");
    statements.push(
      statement(
        ledger,
        `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, status, epoch,
           lease_until, created_at) VALUES ${rows} ON CONFLICT (id) DO NOTHING`,
      ),
    );
  }
  for (const { row, nextDueAt } of moves) {
    const dueAt = Math.floor(nextDueAt);
    const move = "UPDATE schedule SET due_at = ?1 WHERE item_id = ?2 AND due_at < ?1";
    statements.push(statement(ledger, move, dueAt, row.itemId));
  }
  await commitTogether(ledger, statements);
}

/** A statement may have 100 KB of text; a row of ours has at most 400 bytes. */
const RUNS_PER_STATEMENT = 200;

/** Queues one run by a user if the item is idle and its window is open: the second lock beside the actor's. */
export async function queueUserBackup(
  ledger: LedgerDatabase,
  order: { run: NewRun; opensAt: number; now: number },
): Promise<boolean> {
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
       WHERE id = ?1 AND EXISTS (SELECT 1 FROM run WHERE run.id = ?3) RETURNING id`,
      row.itemId,
      opensAt,
      row.id,
    ),
  ]);
  return (results.at(-1)?.results.length ?? 0) > 0;
}
