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
