import { and, eq, ne } from "drizzle-orm";
import { item } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

/** Pauses the schedule of a lost connection: none of its items comes due until `resumeSchedules`. */
export async function pauseSchedules(
  ledger: LedgerDatabase,
  key: { id: string; organisationId: string },
): Promise<void> {
  await commitTogether(ledger, [
    statement(
      ledger,
      "DELETE FROM schedule WHERE connection_id = ?1 AND organisation_id = ?2",
      key.id,
      key.organisationId,
    ),
  ]);
}

/** Resumes the daily items of a connection, each at its own time of day. */
export async function resumeSchedules(
  ledger: LedgerDatabase,
  key: { id: string; organisationId: string },
  times: { dueAt: (itemId: string) => number; periodMs: number },
): Promise<void> {
  const rows = await ledger
    .select({ id: item.id })
    .from(item)
    .where(
      and(
        eq(item.connectionId, key.id),
        eq(item.organisationId, key.organisationId),
        eq(item.isDaily, true),
        ne(item.status, "deleted"),
      ),
    );
  if (rows.length === 0) return;
  await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
       SELECT item.id, value->>1, ?2, item.organisation_id, item.connection_id, item.platform
       FROM json_each(?1) JOIN item ON item.id = value->>0 WHERE item.is_daily = 1
       ON CONFLICT (item_id) DO NOTHING`,
      JSON.stringify(rows.map((row) => [row.id, times.dueAt(row.id)])),
      times.periodMs,
    ),
  ]);
}

/**
 * Makes an item due now, because something is known to have changed. Only in the second half of its period: so a busy item
 * is backed up at most twice as often as its plan says, and one that was just backed up waits.
 */
export async function hastenItem(
  ledger: LedgerDatabase,
  item: { organisationId: string; connectionId: string; externalId: string; now: number },
): Promise<void> {
  await statement(
    ledger,
    `UPDATE schedule SET due_at = ?4 WHERE due_at > ?4 AND due_at - ?4 <= period_ms / 2 AND item_id IN (
       SELECT id FROM item WHERE organisation_id = ?1 AND connection_id = ?2 AND external_id = ?3)`,
    item.organisationId,
    item.connectionId,
    item.externalId,
    item.now,
  ).run();
}
