import { and, desc, eq, isNull } from "drizzle-orm";
import { alarm, isHere, item, SILENT_SINCE } from "#core/database/ledger/index.ts";
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

/** The items of one kind in an account. */
export type ItemList = { organisationId: string; connectionId: string; kind: string; platform: string };

/** SQL: an item of `list` is newly stale. It has no alarm for its last version yet. Parameter: 1 end of the last versions. */
const IS_NEWLY_STALE = `item.organisation_id = list.organisation_id AND item.connection_id = list.connection_id
  AND item.kind = list.kind AND item.status IN ('initialized', 'backuped') AND item.is_daily = 1
  AND ${SILENT_SINCE("item.")} < ?1 AND EXISTS (SELECT 1 FROM schedule WHERE schedule.item_id = item.id)
  AND NOT EXISTS (SELECT 1 FROM alarm WHERE alarm.item_id = item.id AND alarm.kind = 'stale'
    AND alarm.snapshot_id = coalesce(item.last_snapshot_id, ''))`;

/** The next lists of all organisations after `after`, and whether an item of each is newly stale. */
export async function listsOfItems(
  ledger: LedgerDatabase,
  order: { before: number; after: ItemList | null; limit: number },
): Promise<(ItemList & { isStale: 0 | 1 })[]> {
  const { before, after, limit } = order;
  const [found] = await commitTogether<ItemList & { isStale: 0 | 1 }>(ledger, [
    statement(
      ledger,
      `SELECT organisation_id AS organisationId, connection_id AS connectionId, kind, platform,
         EXISTS (SELECT 1 FROM item INDEXED BY item_stale WHERE ${IS_NEWLY_STALE}) AS isStale
       FROM (SELECT DISTINCT organisation_id, connection_id, kind, platform FROM item_count
         WHERE (connection_id, kind) > (?2, ?3) AND ${isHere("item_count.organisation_id")}
         ORDER BY connection_id, kind LIMIT ?4) list`,
      before,
      after?.connectionId ?? "",
      after?.kind ?? "",
      limit,
    ),
  ]);
  return found?.results ?? [];
}

/** Newly stale items of these lists. Excludes incidents that already have an alarm. */
export async function listNewlyStale(
  ledger: LedgerDatabase,
  lists: readonly ItemList[],
  { before, limit }: { before: number; limit: number },
): Promise<StaleItem[]> {
  const [found] = await commitTogether<StaleItem>(ledger, [
    statement(
      ledger,
      `SELECT item.id, item.organisation_id AS organisationId, item.platform, item.name,
         item.last_snapshot_id AS lastSnapshotId, ${SILENT_SINCE("item.")} AS silentSince
       FROM (SELECT value->>0 AS organisation_id, value->>1 AS connection_id, value->>2 AS kind FROM json_each(?2)) list
       CROSS JOIN item INDEXED BY item_stale ON ${IS_NEWLY_STALE} LIMIT ?3`,
      before,
      JSON.stringify(
        lists.map(({ organisationId, connectionId, kind }) => [organisationId, connectionId, kind]),
      ),
      limit,
    ),
  ]);
  return found?.results ?? [];
}
