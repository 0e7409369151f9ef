import { and, desc, eq, isNull } from "drizzle-orm";
import { alarm } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

export type AlarmRow = typeof alarm.$inferSelect;

/** Writes alarms; one that was raised by the same cause before is left as it is. Returns those that are new. */
export async function insertAlarms(
  ledger: LedgerDatabase,
  rows: readonly (typeof alarm.$inferInsert)[],
): Promise<AlarmRow[]> {
  if (rows.length === 0) return [];
  const made: AlarmRow[] = [];
  for (const row of rows)
    made.push(...(await ledger.insert(alarm).values(row).onConflictDoNothing().returning()));
  return made;
}

/** Alarms of an item that nobody has acknowledged, newest first. */
export async function listOpenAlarms(
  ledger: LedgerDatabase,
  key: { organisationId: string; itemId: string },
): Promise<AlarmRow[]> {
  return ledger
    .select()
    .from(alarm)
    .where(
      and(
        eq(alarm.organisationId, key.organisationId),
        eq(alarm.itemId, key.itemId),
        isNull(alarm.acknowledgedAt),
      ),
    )
    .orderBy(desc(alarm.createdAt))
    .limit(20);
}

/** Acknowledges every open alarm of an item. @returns How many there were. */
export async function acknowledgeAll(
  ledger: LedgerDatabase,
  key: { organisationId: string; itemId: string },
  by: { userId: string; at: number },
): Promise<number> {
  const rows = await ledger
    .update(alarm)
    .set({ acknowledgedAt: by.at, acknowledgedBy: by.userId })
    .where(
      and(
        eq(alarm.organisationId, key.organisationId),
        eq(alarm.itemId, key.itemId),
        isNull(alarm.acknowledgedAt),
      ),
    )
    .returning({ id: alarm.id });
  return rows.length;
}

/** A daily item whose last good version is too old, and that has not been told of since that version. */
export type StaleItem = {
  id: string;
  organisationId: string;
  platform: string;
  name: string;
  lastSnapshotId: string;
  lastBackupAt: number;
};

/** Items that have become stale; those of which an alarm of the same incident tells already are left out. */
export async function listNewlyStale(
  ledger: LedgerDatabase,
  before: number,
  limit: number,
): Promise<StaleItem[]> {
  const [found] = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT item.id, item.organisation_id, item.platform, item.name, item.last_snapshot_id, item.last_backup_at
       FROM item JOIN schedule ON schedule.item_id = item.id
       WHERE item.status = 'backuped' AND item.is_daily = 1 AND item.last_backup_at < ?1
         AND item.last_snapshot_id IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM alarm WHERE alarm.item_id = item.id AND alarm.kind = 'stale'
           AND alarm.snapshot_id = item.last_snapshot_id)
       ORDER BY item.organisation_id, item.platform LIMIT ?2`,
      before,
      limit,
    ),
  ]);
  return (found?.results ?? []).map((row) => ({
    id: String(row.id),
    organisationId: String(row.organisation_id),
    platform: String(row.platform),
    name: String(row.name),
    lastSnapshotId: String(row.last_snapshot_id),
    lastBackupAt: Number(row.last_backup_at),
  }));
}
