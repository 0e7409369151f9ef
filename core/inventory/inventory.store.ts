import { and, asc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { PlatformItem, PlatformPlace } from "#connectors/contract/platform-connector.ts";
import { item, place, run, schedule, snapshot } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { insertRuns, type NewRun } from "#core/runs/index.ts";
import { STALE_AFTER_MS } from "./limits.ts";
import type { ItemFilter } from "./views.ts";

export type ItemRow = typeof item.$inferSelect;
export type PlaceRow = typeof place.$inferSelect;
export type RunSummary = Pick<
  typeof run.$inferSelect,
  "id" | "itemId" | "kind" | "status" | "attempts" | "createdAt" | "finishedAt" | "snapshotId"
>;

/** Places of a connection by name, the account's own first. */
export async function listPlaceRows(
  ledger: LedgerDatabase,
  organisationId: string,
  connectionId: string,
): Promise<PlaceRow[]> {
  return ledger
    .select()
    .from(place)
    .where(and(eq(place.organisationId, organisationId), eq(place.connectionId, connectionId)))
    .orderBy(sql`${place.type} = 'User' DESC`, asc(place.name));
}

/** Adds places; those that are there already stay as they are. */
export async function insertPlaces(
  ledger: LedgerDatabase,
  owner: { organisationId: string; connectionId: string },
  places: readonly (PlatformPlace & { id: string })[],
  now: number,
): Promise<void> {
  if (places.length === 0) return;
  const rows = places.map((each) => [each.id, each.externalId, each.nodeId, each.name, each.type]);
  await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO place (id, organisation_id, connection_id, external_id, node_id, name, type, created_at)
       SELECT value->>0, ?2, ?3, value->>1, value->>2, value->>3, value->>4, ?4 FROM json_each(?1) WHERE true
       ON CONFLICT DO NOTHING`,
      JSON.stringify(rows),
      owner.organisationId,
      owner.connectionId,
      now,
    ),
  ]);
}

/** One item of the organisation, or null. */
export async function findItemRow(
  ledger: LedgerDatabase,
  organisationId: string,
  itemId: string,
): Promise<ItemRow | null> {
  const rows = await ledger
    .select()
    .from(item)
    .where(and(eq(item.id, itemId), eq(item.organisationId, organisationId)))
    .limit(1);
  return rows[0] ?? null;
}

/** Items of the organisation among these ids. */
export async function listItemRowsByIds(
  ledger: LedgerDatabase,
  organisationId: string,
  ids: readonly string[],
): Promise<ItemRow[]> {
  return ledger
    .select()
    .from(item)
    .where(
      and(
        eq(item.organisationId, organisationId),
        sql`${item.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    );
}

/** The item that a caller names by id, full name or name. */
export async function findItemRowByReference(
  ledger: LedgerDatabase,
  scope: { organisationId: string; connectionId: string; kind: string },
  reference: string,
): Promise<ItemRow | null> {
  const rows = await ledger
    .select()
    .from(item)
    .where(
      and(
        eq(item.organisationId, scope.organisationId),
        eq(item.connectionId, scope.connectionId),
        eq(item.kind, scope.kind),
        sql`${reference} IN (${item.id}, ${item.fullName}, ${item.name})`,
      ),
    )
    .orderBy(sql`${item.id} = ${reference} DESC`, sql`${item.fullName} = ${reference} DESC`)
    .limit(1);
  return rows[0] ?? null;
}

export type ItemQuery = {
  organisationId: string;
  connectionId: string;
  kind: string;
  placeId: string | null;
  name: string | null;
  filter: ItemFilter;
  now: number;
};

const FILTERS = (now: number): Record<ItemFilter, SQL | undefined> => ({
  all: undefined,
  failed: sql`${item.lastError} IS NOT NULL`,
  stale: sql`${item.status} = 'backuped' AND ${item.isDaily} = 1 AND ${item.lastBackupAt} < ${now - STALE_AFTER_MS}`,
  never: sql`${item.status} = 'initialized'`,
  paused: sql`${item.isDaily} = 0 AND ${item.status} <> 'deleted'`,
  deleted: sql`${item.status} = 'deleted'`,
});

function inScope(query: ItemQuery): SQL | undefined {
  return and(
    eq(item.organisationId, query.organisationId),
    eq(item.connectionId, query.connectionId),
    eq(item.kind, query.kind),
    query.placeId === null ? undefined : eq(item.placeId, query.placeId),
    // instr, not LIKE: a pattern may have at most 50 bytes on D1.
    query.name ? sql`instr(${item.nameFolded}, ${query.name.toLowerCase()}) > 0` : undefined,
  );
}

/** One page of items, by name. */
export async function listItemRows(
  ledger: LedgerDatabase,
  query: ItemQuery & { page: number; perPage: number },
): Promise<ItemRow[]> {
  return ledger
    .select()
    .from(item)
    .where(and(inScope(query), FILTERS(query.now)[query.filter]))
    .orderBy(asc(item.nameFolded), asc(item.id))
    .limit(query.perPage)
    .offset(query.page * query.perPage);
}

/** How many items each filter would show. */
export async function countItems(
  ledger: LedgerDatabase,
  query: ItemQuery,
): Promise<Record<ItemFilter, number>> {
  const filters = FILTERS(query.now);
  const sum = (condition: SQL | undefined) => sql<number>`coalesce(sum(${condition ?? sql`1`}), 0)`;
  const rows = await ledger
    .select({
      all: sum(filters.all),
      failed: sum(filters.failed),
      stale: sum(filters.stale),
      never: sum(filters.never),
      paused: sum(filters.paused),
      deleted: sum(filters.deleted),
    })
    .from(item)
    .where(inScope(query));
  return rows[0]!;
}

/** How many items of a platform the organisation protects: what its quota counts. */
export async function countPlatformItems(
  ledger: LedgerDatabase,
  organisationId: string,
  platform: string,
): Promise<number> {
  const rows = await ledger
    .select({ count: sql<number>`count(*)` })
    .from(item)
    .where(and(eq(item.organisationId, organisationId), eq(item.platform, platform)));
  return rows[0]?.count ?? 0;
}

/** External ids of items that are protected already. */
export async function listKnownExternalIds(
  ledger: LedgerDatabase,
  scope: { organisationId: string; connectionId: string; kind: string },
  externalIds: readonly string[],
): Promise<Set<string>> {
  const rows = await ledger
    .select({ externalId: item.externalId })
    .from(item)
    .where(
      and(
        eq(item.organisationId, scope.organisationId),
        eq(item.connectionId, scope.connectionId),
        eq(item.kind, scope.kind),
        sql`${item.externalId} IN (SELECT value FROM json_each(${JSON.stringify(externalIds)}))`,
      ),
    );
  return new Set(rows.map((row) => row.externalId));
}

/**
 * Adds items with their schedule and first backup in one batch. `room` items at most may stand in the end, whatever
 * other calls add at the same moment; items that are there already stay as they are.
 */
export async function insertItems(
  ledger: LedgerDatabase,
  owner: { organisationId: string; connectionId: string; platform: string; placeId: string | null },
  items: readonly { id: string; item: PlatformItem; run: NewRun; dueAt: number }[],
  facts: { now: number; periodMs: number; limit: number },
): Promise<string[]> {
  const rows = items.map(({ id, item: each, dueAt }) => [
    id,
    each.kind,
    each.externalId,
    each.nodeId,
    each.name,
    each.fullName,
    each.name.toLowerCase(),
    each.description,
    each.visibility,
    JSON.stringify(each.details),
    dueAt,
  ]);
  const json = JSON.stringify(rows);
  const isStanding = "EXISTS (SELECT 1 FROM item WHERE item.id = run.item_id)";
  const results = await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO item (id, organisation_id, connection_id, place_id, platform, kind, external_id, node_id, name,
         full_name, name_folded, description, visibility, details, status, is_daily, size_bytes, created_at)
       SELECT value->>0, ?2, ?3, ?4, ?5, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7,
         value->>8, value->>9, 'initialized', 1, 0, ?6
       FROM json_each(?1)
       WHERE json_each.key < ?7 - (SELECT count(*) FROM item WHERE organisation_id = ?2 AND platform = ?5)
       ON CONFLICT DO NOTHING`,
      json,
      owner.organisationId,
      owner.connectionId,
      owner.placeId,
      owner.platform,
      facts.now,
      facts.limit,
    ),
    statement(
      ledger,
      `INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
       SELECT value->>0, value->>10, ?2, ?3, ?4, ?5 FROM json_each(?1)
       WHERE EXISTS (SELECT 1 FROM item WHERE item.id = value->>0) ON CONFLICT DO NOTHING`,
      json,
      facts.periodMs,
      owner.organisationId,
      owner.connectionId,
      owner.platform,
    ),
    insertRuns(
      ledger,
      items.map((each) => each.run),
      facts.now,
    ),
    statement(
      ledger,
      `DELETE FROM run WHERE id IN (SELECT value FROM json_each(?1)) AND NOT ${isStanding}`,
      JSON.stringify(items.map((each) => each.run.id)),
    ),
    statement(ledger, "SELECT id FROM item WHERE id IN (SELECT value->>0 FROM json_each(?1))", json),
  ]);
  return (results.at(-1)?.results ?? []).map((row) => String(row.id));
}

/**
 * Turns daily backups on or off. Off removes the schedule's row; on makes the item due at its own time of day.
 * Deleted items stay off.
 */
export async function updateDaily(
  ledger: LedgerDatabase,
  organisationId: string,
  change: { ids: readonly string[]; isDaily: boolean; dueAt: (itemId: string) => number; periodMs: number },
): Promise<string[]> {
  const json = JSON.stringify(change.ids.map((id) => [id, change.dueAt(id)]));
  const results = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE item SET is_daily = ?3 WHERE organisation_id = ?2 AND status <> 'deleted'
         AND id IN (SELECT value->>0 FROM json_each(?1)) RETURNING id`,
      json,
      organisationId,
      change.isDaily,
    ),
    change.isDaily
      ? statement(
          ledger,
          `INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
           SELECT item.id, value->>1, ?3, item.organisation_id, item.connection_id, item.platform
           FROM json_each(?1) JOIN item ON item.id = value->>0
           WHERE item.organisation_id = ?2 AND item.is_daily = 1 AND item.status <> 'deleted'
           ON CONFLICT (item_id) DO NOTHING`,
          json,
          organisationId,
          change.periodMs,
        )
      : statement(
          ledger,
          `DELETE FROM schedule WHERE organisation_id = ?2 AND item_id IN (SELECT value->>0 FROM json_each(?1))`,
          json,
          organisationId,
        ),
  ]);
  return (results[0]?.results ?? []).map((row) => String(row.id));
}

/**
 * Takes items out at once: lists, versions, exports and schedule rows go in this batch; runs under way lose their
 * epoch and write no more; a `delete` run per item then removes the bytes, found through the object rows that stay.
 */
export async function deleteItemRows(
  ledger: LedgerDatabase,
  organisationId: string,
  removal: { ids: readonly string[]; deleteRuns: readonly NewRun[]; now: number },
): Promise<void> {
  const ids = JSON.stringify(removal.ids);
  const ofThese = "organisation_id = ?2 AND item_id IN (SELECT value FROM json_each(?1))";
  const remove = (table: string) =>
    statement(ledger, `DELETE FROM ${table} WHERE ${ofThese}`, ids, organisationId);
  await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE run SET status = 'failed', epoch = epoch + 1, error_code = 'err.not.found',
         error_text = 'The item was deleted by a user.', finished_at = ?3, lease_until = NULL
       WHERE ${ofThese} AND status IN ('queued', 'running') AND kind <> 'delete'`,
      ids,
      organisationId,
      removal.now,
    ),
    insertRuns(ledger, removal.deleteRuns, removal.now),
    statement(
      ledger,
      `DELETE FROM manifest_object WHERE item_id IN
         (SELECT id FROM item WHERE organisation_id = ?2 AND id IN (SELECT value FROM json_each(?1)))`,
      ids,
      organisationId,
    ),
    remove("manifest"),
    remove("snapshot"),
    remove("export"),
    remove("schedule"),
    statement(
      ledger,
      "DELETE FROM item WHERE organisation_id = ?2 AND id IN (SELECT value FROM json_each(?1))",
      ids,
      organisationId,
    ),
  ]);
}

/** Backups and restores of these items since a time, oldest first: what the ribbon is drawn from. */
export async function listRunsSince(
  ledger: LedgerDatabase,
  itemIds: readonly string[],
  since: number,
): Promise<RunSummary[]> {
  return ledger
    .select({
      id: run.id,
      itemId: run.itemId,
      kind: run.kind,
      status: run.status,
      attempts: run.attempts,
      createdAt: run.createdAt,
      finishedAt: run.finishedAt,
      snapshotId: run.snapshotId,
    })
    .from(run)
    .where(
      and(
        sql`${run.itemId} IN (SELECT value FROM json_each(${JSON.stringify(itemIds)}))`,
        inArray(run.kind, ["backup", "restore"]),
        sql`${run.createdAt} >= ${since}`,
      ),
    )
    .orderBy(asc(run.createdAt));
}

/** Times of the versions that still exist, per item. */
export async function listVersionTimes(
  ledger: LedgerDatabase,
  itemIds: readonly string[],
): Promise<{ itemId: string; takenAt: number }[]> {
  return ledger
    .select({ itemId: snapshot.itemId, takenAt: snapshot.takenAt })
    .from(snapshot)
    .where(sql`${snapshot.itemId} IN (SELECT value FROM json_each(${JSON.stringify(itemIds)}))`);
}

/** The runs that work on these items or wait for them now. */
export async function listOpenRuns(
  ledger: LedgerDatabase,
  itemIds: readonly string[],
): Promise<(typeof run.$inferSelect)[]> {
  return ledger
    .select()
    .from(run)
    .where(
      and(
        sql`${run.itemId} IN (SELECT value FROM json_each(${JSON.stringify(itemIds)}))`,
        inArray(run.kind, ["backup", "restore"]),
        inArray(run.status, ["queued", "running"]),
      ),
    )
    .orderBy(asc(run.createdAt));
}

/** Mean duration of the items' last good runs by item and kind, in ms. */
export async function listMeanDurations(
  ledger: LedgerDatabase,
  itemIds: readonly string[],
): Promise<{ itemId: string; kind: string; ms: number }[]> {
  return ledger
    .select({
      itemId: run.itemId,
      kind: run.kind,
      ms: sql<number>`avg(${run.finishedAt} - ${run.startedAt})`,
    })
    .from(run)
    .where(
      and(
        sql`${run.itemId} IN (SELECT value FROM json_each(${JSON.stringify(itemIds)}))`,
        eq(run.status, "succeeded"),
      ),
    )
    .groupBy(run.itemId, run.kind);
}

/** When these items are due next. */
export async function listDueTimes(
  ledger: LedgerDatabase,
  itemIds: readonly string[],
): Promise<{ itemId: string; dueAt: number }[]> {
  return ledger
    .select({ itemId: schedule.itemId, dueAt: schedule.dueAt })
    .from(schedule)
    .where(sql`${schedule.itemId} IN (SELECT value FROM json_each(${JSON.stringify(itemIds)}))`);
}

/** Items of a place that a backup of all would take: switched on, not deleted. */
export async function listActiveItemRows(
  ledger: LedgerDatabase,
  scope: { organisationId: string; connectionId: string; kind: string; placeId: string | null },
): Promise<ItemRow[]> {
  return ledger
    .select()
    .from(item)
    .where(
      and(
        eq(item.organisationId, scope.organisationId),
        eq(item.connectionId, scope.connectionId),
        eq(item.kind, scope.kind),
        scope.placeId === null ? undefined : eq(item.placeId, scope.placeId),
        eq(item.isDaily, true),
        sql`${item.status} <> 'deleted'`,
        isNull(item.activeRunId),
      ),
    );
}

/** Statements that note that an item was deleted at its platform: its versions stay, its schedule ends. */
export function markItemDeleted(
  ledger: LedgerDatabase,
  key: { itemId: string; organisationId: string },
): D1PreparedStatement[] {
  return [
    statement(
      ledger,
      "UPDATE item SET status = 'deleted', is_daily = 0 WHERE id = ?1 AND organisation_id = ?2",
      key.itemId,
      key.organisationId,
    ),
    statement(
      ledger,
      "DELETE FROM schedule WHERE item_id = ?1 AND organisation_id = ?2",
      key.itemId,
      key.organisationId,
    ),
  ];
}
