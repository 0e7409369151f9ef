import { and, desc, eq, isNull } from "drizzle-orm";
import { alarm, isHere, item } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";

export type AlarmRow = typeof alarm.$inferSelect;

/** An alarm to raise. */
export type NewAlarm = Omit<AlarmRow, "acknowledgedAt" | "acknowledgedBy">;

/** Inserts alarms. Skips deleted items and alarms already raised by the same cause. Returns the new ones. */
export async function insertAlarms(
  ledger: LedgerDatabase,
  alarms: readonly NewAlarm[],
): Promise<Pick<AlarmRow, "id" | "itemId" | "message">[]> {
  if (alarms.length === 0) return [];
  const [inserted] = await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO alarm (id, organisation_id, item_id, kind, snapshot_id, kept_snapshot_id, message, created_at)
       SELECT value->>'id', value->>'organisationId', value->>'itemId', value->>'kind', value->>'snapshotId',
         value->>'keptSnapshotId', value->>'message', value->>'createdAt' FROM json_each(?1)
       WHERE EXISTS (SELECT 1 FROM item WHERE item.id = value->>'itemId'
         AND item.organisation_id = value->>'organisationId')
       ON CONFLICT DO NOTHING RETURNING id, item_id, message`,
      JSON.stringify(alarms),
    ),
  ]);
  return (inserted?.results ?? []).map((row) => ({
    id: String(row.id),
    itemId: String(row.item_id),
    message: String(row.message),
  }));
}

/** Unacknowledged alarms of an item, newest first. */
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

/** Acknowledges every open alarm of an item. @returns how many there were */
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

/** Sets the loss that raises an alarm for an item. Null = the default. */
export async function updateAlarmLimits(
  ledger: LedgerDatabase,
  key: { organisationId: string; itemId: string },
  limits: { alarmLostPercent: number | null; alarmLostCount: number | null },
): Promise<void> {
  await ledger
    .update(item)
    .set(limits)
    .where(and(eq(item.organisationId, key.organisationId), eq(item.id, key.itemId)));
}

/** A daily item that has had no good version for too long, and has not raised an alarm since its last one. */
export type StaleItem = {
  id: string;
  organisationId: string;
  platform: string;
  name: string;
  /** Null when the item never had a version. */
  lastSnapshotId: string | null;
  /** When its last version began, or when the item was added; epoch ms. */
  silentSince: number;
};

/**
 * Newly stale items after `after`, the longest without a version first. Excludes incidents that already have an alarm.
 */
export async function listNewlyStale(
  ledger: LedgerDatabase,
  order: { before: number; after: Pick<StaleItem, "silentSince" | "id"> | null; limit: number },
): Promise<StaleItem[]> {
  const { before, after, limit } = order;
  const [found] = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT item.id, item.organisation_id, item.platform, item.name, item.last_snapshot_id,
         ${SILENT_SINCE} AS silent_since
       FROM item JOIN schedule ON schedule.item_id = item.id
       WHERE item.status IN ('initialized', 'backuped') AND item.is_daily = 1 AND ${SILENT_SINCE} < ?1
         AND (${SILENT_SINCE}, item.id) > (?2, ?3) AND ${isHere("item.organisation_id")}
         AND NOT EXISTS (SELECT 1 FROM alarm WHERE alarm.item_id = item.id AND alarm.kind = 'stale'
           AND alarm.snapshot_id = coalesce(item.last_snapshot_id, ''))
       ORDER BY ${SILENT_SINCE}, item.id LIMIT ?4`,
      before,
      after?.silentSince ?? -1,
      after?.id ?? "",
      limit,
    ),
  ]);
  return (found?.results ?? []).map((row) => ({
    id: String(row.id),
    organisationId: String(row.organisation_id),
    platform: String(row.platform),
    name: String(row.name),
    lastSnapshotId: row.last_snapshot_id === null ? null : String(row.last_snapshot_id),
    silentSince: Number(row.silent_since),
  }));
}

/** SQL expression. Must match the index `item_silent_since`. */
const SILENT_SINCE =
  "CASE WHEN item.last_backup_at IS NULL THEN item.created_at ELSE item.last_backup_at END";
