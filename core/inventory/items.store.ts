import { and, asc, count, desc, eq, type SQL, sql } from "drizzle-orm";
import { item, SILENT_SINCE, snapshot } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { STALE_AFTER_MS } from "./limits.ts";
import type { ItemFilter } from "./views.ts";

export type ItemRow = typeof item.$inferSelect;

/** Returns one item of the organisation, or null. */
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

/** A subquery: the connection of an item. */
export function connectionOfItem(ledger: LedgerDatabase, organisationId: string, itemId: string) {
  return ledger
    .select({ id: item.connectionId })
    .from(item)
    .where(and(eq(item.id, itemId), eq(item.organisationId, organisationId)));
}

/** Lists the organisation's items with these ids. */
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

/** Finds an item by id, full name or name. */
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
  /** An added place, by its id or the platform's; null = every place. */
  placeId: string | null;
  name: string | null;
  filter: ItemFilter;
  now: number;
};

/** The id of a list's place, found by the statement itself, so that no list waits for its places. */
const placeOf = ({
  organisationId,
  connectionId,
  placeId,
}: Pick<ItemQuery, "organisationId" | "connectionId" | "placeId">) =>
  sql`coalesce((SELECT named.id FROM place named WHERE named.organisation_id = ${organisationId}
    AND named.connection_id = ${connectionId} AND ${placeId} IN (named.id, named.external_id)
    ORDER BY named.id = ${placeId} DESC LIMIT 1), ${placeId})`;

/** Unacknowledged alarms about versions, which are those that the items' rows show. `raised` names the alarm's row. */
const isOpenAlarm = (organisationId: string) =>
  sql`raised.organisation_id = ${organisationId} AND raised.acknowledged_at IS NULL AND raised.kind <> 'stale'`;

const FILTERS = ({
  organisationId,
  now,
}: Pick<ItemQuery, "organisationId" | "now">): Record<ItemFilter, SQL | undefined> => ({
  all: undefined,
  failed: sql`${item.lastError} IS NOT NULL`,
  alarm: sql`${item.id} IN (SELECT raised.item_id FROM alarm raised WHERE ${isOpenAlarm(organisationId)})`,
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
    query.placeId === null ? undefined : sql`${item.placeId} = ${placeOf(query)}`,
    // instr instead of LIKE: D1 limits a pattern to 50 bytes.
    query.name ? sql`instr(${item.nameFolded}, ${query.name.toLowerCase()}) > 0` : undefined,
  );
}

/** Where a page starts: after a row, before a row, or at a page number when no row is known. */
export type PageStart =
  | { kind: "after" | "before"; row: Pick<ItemRow, "nameFolded" | "id"> }
  | { kind: "page"; page: number };

export type PageQuery = ItemQuery & { start: PageStart; perPage: number; isDescending: boolean };

/** Lists one page of items by name. */
export async function listItemRows(ledger: LedgerDatabase, query: PageQuery): Promise<ItemRow[]> {
  return inOrder(query, await itemPage(ledger, query));
}

/** The rows of `itemPage` in the order of the list: a page before a row is read backwards. */
export function inOrder({ start }: Pick<PageQuery, "start">, rows: ItemRow[]): ItemRow[] {
  return start.kind === "before" ? rows.toReversed() : rows;
}

/**
 * The statement of one page of items by name. Starting from a row it reads only the page, however far down; starting
 * from a page number it must skip the index entries before it.
 */
export function itemPage(ledger: LedgerDatabase, query: PageQuery) {
  const { start, perPage, isDescending } = query;
  const isTurned = start.kind === "before";
  const direction = isDescending === isTurned ? asc : desc;
  const beyond = isDescending === isTurned ? sql.raw(">") : sql.raw("<");
  return ledger
    .select()
    .from(item)
    .where(
      and(
        inScope(query),
        FILTERS(query)[query.filter],
        start.kind === "page"
          ? undefined
          : sql`(${item.nameFolded}, ${item.id}) ${beyond} (${start.row.nameFolded}, ${start.row.id})`,
      ),
    )
    .orderBy(direction(item.nameFolded), direction(item.id))
    .limit(perPage)
    .offset(start.kind === "page" ? start.page * perPage : 0);
}

/** Counts the stale items of a list and those with an alarm, each up to `limit`. Reads only these items. */
export async function countStaleAndAlarmed(
  ledger: LedgerDatabase,
  query: Pick<ItemQuery, "organisationId" | "connectionId" | "kind" | "placeId" | "now">,
  limit: number,
): Promise<{ stale: number; alarm: number }> {
  const inPlace = query.placeId === null ? sql`` : sql`AND item.place_id = ${placeOf(query)}`;
  const inList = sql`item.organisation_id = ${query.organisationId}
    AND item.connection_id = ${query.connectionId} AND item.kind = ${query.kind} ${inPlace}`;
  // Without the hint and the cross join D1 chooses the index on names and reads every item of the list.
  const rows = await ledger.all<{ stale: number; alarm: number }>(
    sql`SELECT
      (SELECT count(*) FROM (SELECT 1 FROM item INDEXED BY item_stale
        WHERE ${inList} AND item.status = 'backuped' AND item.is_daily = 1
          AND ${sql.raw(SILENT_SINCE("item."))} < ${query.now - STALE_AFTER_MS} LIMIT ${limit})) AS stale,
      (SELECT count(*) FROM (SELECT DISTINCT item.id FROM alarm raised CROSS JOIN item ON item.id = raised.item_id
        WHERE ${isOpenAlarm(query.organisationId)} AND ${inList} LIMIT ${limit})) AS alarm`,
  );
  return rows[0] ?? { stale: 0, alarm: 0 };
}

/** Counts the stale items of several lists, by connection, in one statement. */
export async function countStaleOf(
  ledger: LedgerDatabase,
  lists: readonly Pick<ItemQuery, "connectionId" | "kind">[],
  { organisationId, now, limit }: Pick<ItemQuery, "organisationId" | "now"> & { limit: number },
): Promise<ReadonlyMap<string, number>> {
  const wanted = JSON.stringify(lists.map(({ connectionId, kind }) => [connectionId, kind]));
  const rows = await ledger.all<{ connectionId: string; count: number }>(
    sql`SELECT list.value->>0 AS "connectionId", (SELECT count(*) FROM (SELECT 1 FROM item INDEXED BY item_stale
          WHERE organisation_id = ${organisationId} AND connection_id = list.value->>0
            AND kind = list.value->>1 AND status = 'backuped' AND is_daily = 1
            AND ${sql.raw(SILENT_SINCE(""))} < ${now - STALE_AFTER_MS} LIMIT ${limit})) AS count
        FROM json_each(${wanted}) AS list`,
  );
  return new Map(rows.map(({ connectionId, count }) => [connectionId, count]));
}

/** Counts the items that each filter would show among those matching the search. */
export async function countMatches(
  ledger: LedgerDatabase,
  query: ItemQuery,
): Promise<Record<ItemFilter, number>> {
  const filters = FILTERS(query);
  const sum = (condition: SQL | undefined) => sql<number>`coalesce(sum(${condition ?? sql`1`}), 0)`;
  const rows = await ledger
    .select({
      all: sum(filters.all),
      failed: sum(filters.failed),
      alarm: sum(filters.alarm),
      stale: sum(filters.stale),
      never: sum(filters.never),
      paused: sum(filters.paused),
      deleted: sum(filters.deleted),
    })
    .from(item)
    .where(inScope(query));
  return rows[0]!;
}

/** External ids of items that are already protected. */
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

/** Lists some item ids of a connection, for deleting all of it. Checks no rights. */
export async function listItemIdsOfConnection(
  ledger: LedgerDatabase,
  { organisationId, connectionId }: { organisationId: string; connectionId: string },
  limit: number,
): Promise<string[]> {
  const rows = await ledger
    .select({ id: item.id })
    .from(item)
    .where(and(eq(item.organisationId, organisationId), eq(item.connectionId, connectionId)))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Items of a platform, of any of its accounts. */
export async function listItemsOfPlatform(
  ledger: LedgerDatabase,
  { organisationId, platform }: { organisationId: string; platform: string },
  limit: number,
): Promise<Pick<ItemRow, "id" | "connectionId">[]> {
  return ledger
    .select({ id: item.id, connectionId: item.connectionId })
    .from(item)
    .where(and(eq(item.organisationId, organisationId), eq(item.platform, platform)))
    .limit(limit);
}

/** An item whose daily backups the plan may switch. */
export type FittedItem = Pick<ItemRow, "id" | "connectionId" | "createdAt">;

/** The items that were protected last of those that are backed up daily. */
export async function listNewestDaily(
  ledger: LedgerDatabase,
  scope: { organisationId: string; platform: string },
  limit: number,
): Promise<FittedItem[]> {
  return listFitted(
    ledger,
    scope,
    and(eq(item.isDaily, true), sql`${item.status} <> 'deleted'`),
    limit,
    desc,
  );
}

/** The items that were protected first of those that the plan has paused. */
export async function listPausedByPlan(
  ledger: LedgerDatabase,
  scope: { organisationId: string; platform: string },
  limit: number,
): Promise<FittedItem[]> {
  const isPaused = and(eq(item.isPausedByPlan, true), eq(item.isDaily, false));
  return listFitted(ledger, scope, and(isPaused, sql`${item.status} <> 'deleted'`), limit, asc);
}

async function listFitted(
  ledger: LedgerDatabase,
  { organisationId, platform }: { organisationId: string; platform: string },
  which: SQL | undefined,
  limit: number,
  order: typeof asc,
): Promise<FittedItem[]> {
  return ledger
    .select({ id: item.id, connectionId: item.connectionId, createdAt: item.createdAt })
    .from(item)
    .where(and(eq(item.organisationId, organisationId), eq(item.platform, platform), which))
    .orderBy(order(item.createdAt), order(item.id))
    .limit(limit);
}

/** The items of a platform, and their versions. Reads one index entry for each. */
export async function countHoldings(
  ledger: LedgerDatabase,
  { organisationId, platform }: { organisationId: string; platform: string },
): Promise<{ items: number; versions: number }> {
  const isOfPlatform = and(eq(item.organisationId, organisationId), eq(item.platform, platform));
  const [items, versions] = await ledger.batch([
    ledger.select({ count: count() }).from(item).where(isOfPlatform),
    ledger
      .select({ count: count() })
      .from(item)
      .innerJoin(snapshot, eq(snapshot.itemId, item.id))
      .where(isOfPlatform),
  ]);
  return { items: items[0]?.count ?? 0, versions: versions[0]?.count ?? 0 };
}
