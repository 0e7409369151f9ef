import type { WithFacts } from "#connectors/contract/row-facts.ts";
import { entitlementsOf, LONGEST_RETENTION_DAYS } from "#core/billing/index.ts";
import {
  type ConnectionScope,
  connectionRowsOf,
  connectorOf,
  openSession,
  requireBrowsedPlace,
  requireConnection,
  requirePlace,
  translateFailure,
} from "#core/connections/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { canManage, type Member } from "#core/organisations/index.ts";
import type { AccessServices, SessionServices, Uses } from "#core/services.ts";
import { ledgerOfItem } from "./find-item.ts";
import { countsOfList, countUsed, holdingsOf, itemCountsOf } from "./item-counts.ts";
import { itemFacts } from "./item-facts.ts";
import { readItemPage } from "./item-page.store.ts";
import { readItemFacts, theseItems } from "./item-runs.store.ts";
import {
  countMatches,
  countStaleAndAlarmed,
  findItemRowByReference,
  type ItemQuery,
  listKnownExternalIds,
  type PageStart,
} from "./items.store.ts";
import { STALE_COUNTED } from "./limits.ts";
import {
  closedWindows,
  itemWindow,
  loadItemViews,
  placeWindow,
  ribbonStart,
  shownWindows,
} from "./load-views.ts";
import { pageKeyOf, rowOfPageKey } from "./page-key.ts";
import { requireItem } from "./require-item.ts";
import type { AvailableItemView, ItemFilter, ItemListView, ItemSort, ItemView } from "./views.ts";

/** Parameters of a list. */
export type ItemListOrder = ConnectionScope & {
  kind: string;
  placeId: string | null;
  /** Counts from 0. With `after` or `before` it is only reported as the page number. */
  page: number;
  perPage: number;
  name: string | null;
  filter: ItemFilter;
  sort?: ItemSort;
  /** Key of the last row of the previous page, or of the first row of the next page. */
  after?: string | null;
  before?: string | null;
};

/**
 * Lists one page of protected items by name, with the data that the screen shows around it. With the key of a
 * neighbouring row it reads only its own rows; the totals come from counters.
 *
 * @throws AppError `err.request.invalid` for an invalid key
 */
export async function listItems(
  s: AccessServices & Uses<"connectorConfig" | "windows">,
  member: Member,
  input: ItemListOrder,
): Promise<ItemListView<WithFacts<ItemView>>> {
  const start = startOf(input);
  const { connection, ledger } = await requireConnection(s, member, input, "use");
  const { organisationId } = member;
  const now = s.clock.now();
  const { kind, name, filter } = input;
  const query = {
    organisationId,
    connectionId: connection.id,
    kind,
    placeId: input.placeId,
    name,
    filter,
    now,
  };
  const page = { ...query, start, perPage: input.perPage, isDescending: input.sort === "-name" };
  // All in one trip: no statement needs what another one answers.
  const [place, accounts, counters, used, entitlements, { rows, facts }, measured, closed] =
    await Promise.all([
      input.placeId === null ? null : requirePlace(s, connection, input.placeId),
      connectionRowsOf(s, organisationId, input.platform),
      itemCountsOf(s, connection.region, organisationId),
      countUsed(s, organisationId, input.platform),
      entitlementsOf(s, organisationId, input.platform),
      readItemPage(ledger, page, ribbonStart(now)),
      measuredCounts(ledger, query),
      closedWindows(s, organisationId),
    ]);
  const list = { connectionId: connection.id, kind, placeId: place?.id ?? null };
  const counts = "all" in measured ? measured : { ...countsOfList(counters, list), ...measured };
  const allKey = placeWindow(connection.id, kind, list.placeId);
  const keys = [allKey, ...rows.map(({ id }) => itemWindow(id))];
  const windows = closed ?? (await shownWindows(s, organisationId, keys));
  const asked = { facts: Promise.resolve(facts), windows: Promise.resolve(windows) };
  const items = await loadItemViews(s, ledger, member, connection, rows, asked);
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    items,
    total: counts[input.filter],
    counts,
    holdings: holdingsOf(counters, connection.id),
    canUserBackup: canManage(member, input.platform) && entitlements.hasProFeatures,
    isTokenValid: connection.status === "active",
    hasUserAnyActiveApp: accounts.some(({ status }) => status === "active"),
    quota: { used, limit: entitlements.itemLimit },
    backupNowOpensAt: windows[allKey] ?? null,
    keys: first && last ? { first: pageKeyOf(first), last: pageKeyOf(last) } : null,
  };
}

function startOf({ page, after, before }: ItemListOrder): PageStart {
  if (after) return { kind: "after", row: rowOfPageKey(after) };
  if (before) return { kind: "before", row: rowOfPageKey(before) };
  return { kind: "page", page };
}

/** Counts what no counter tells: the matches of a search under each filter, otherwise the stale items and the alarms. */
async function measuredCounts(
  ledger: LedgerDatabase,
  query: ItemQuery,
): Promise<ItemListView["counts"] | Pick<ItemListView["counts"], "stale" | "alarm">> {
  if (query.name !== null) return countMatches(ledger, query);
  const isAsked = query.filter === "stale" || query.filter === "alarm";
  return countStaleAndAlarmed(ledger, query, isAsked ? Number.MAX_SAFE_INTEGER : STALE_COUNTED);
}

/** Returns one protected item, with a ribbon as long as its plan keeps versions. @throws AppError `err.not.found` */
export async function getItem(
  s: AccessServices & Uses<"connectorConfig" | "windows">,
  member: Member,
  input: { itemId: string },
): Promise<WithFacts<ItemView>> {
  const [{ item, connection, ledger }, asked] = await Promise.all([
    requireItem(s, member, input.itemId, "use"),
    askAhead(s, member, input.itemId),
  ]);
  const { retentionDays } = await entitlementsOf(s, member.organisationId, item.platform);
  return (
    await loadItemViews(s, ledger, member, connection, [item], { ribbonDays: retentionDays, ...asked })
  )[0]!;
}

/** Reads an item's facts and windows beside the item. Nothing for an item whose ledger is not known yet. */
async function askAhead(
  s: Uses<"memory" | "clock" | "ledger" | "windows">,
  { organisationId }: Member,
  itemId: string,
) {
  const ledger = ledgerOfItem(s, organisationId, itemId);
  if (ledger === null) return {};
  const since = ribbonStart(s.clock.now(), LONGEST_RETENTION_DAYS);
  const [facts, closed] = await Promise.all([
    readItemFacts(ledger, { organisationId, items: theseItems([itemId]), since }),
    closedWindows(s, organisationId),
  ]);
  return { facts: Promise.resolve(facts), ...(closed && { windows: Promise.resolve(closed) }) };
}

/** Finds a protected item by id, full name or name. @throws AppError `err.not.found` */
export async function findItemByReference(
  s: AccessServices & Uses<"connectorConfig" | "windows">,
  member: Member,
  input: ConnectionScope & { kind: string; reference: string },
): Promise<WithFacts<ItemView>> {
  const { connection, ledger } = await requireConnection(s, member, input, "use");
  const scope = { organisationId: member.organisationId, connectionId: connection.id, kind: input.kind };
  const row = await findItemRowByReference(ledger, scope, input.reference);
  if (!row) throw new AppError("err.not.found");
  return (await loadItemViews(s, ledger, member, connection, [row]))[0]!;
}

/**
 * Lists one page of the platform's items in a place and marks those already protected. Only members who may add items
 * see it: the names of unprotected private items are confidential.
 */
export async function listAvailableItems(
  s: AccessServices & SessionServices,
  member: Member,
  input: ConnectionScope & {
    kind: string;
    placeId: string | null;
    page: number;
    perPage: number;
    name: string | null;
  },
): Promise<{
  items: WithFacts<AvailableItemView>[];
  hasMore: boolean;
  total: number | null;
  remainingQuota: number;
}> {
  const { connection, ledger } = await requireConnection(s, member, input, "manage");
  const place = input.placeId === null ? null : await requireBrowsedPlace(s, connection, input.placeId);
  const connector = connectorOf(s, input.platform);
  const page = await connector
    .listItems(openSession(s, connection), {
      kind: input.kind,
      place,
      name: input.name,
      page: input.page,
      perPage: input.perPage,
    })
    .catch((cause: unknown) => {
      throw translateFailure(cause);
    });
  const scope = { organisationId: member.organisationId, connectionId: connection.id, kind: input.kind };
  const [known, entitlements, used] = await Promise.all([
    listKnownExternalIds(
      ledger,
      scope,
      page.items.map((each) => each.externalId),
    ),
    entitlementsOf(s, member.organisationId, input.platform),
    countUsed(s, member.organisationId, input.platform),
  ]);
  return {
    items: page.items.map((each) => ({
      ...itemFacts(connector, each),
      externalId: each.externalId,
      name: each.name,
      fullName: each.fullName,
      description: each.description,
      sizeHintBytes: each.sizeHintBytes,
      isAdded: known.has(each.externalId),
    })),
    hasMore: page.hasMore,
    total: page.total,
    remainingQuota: Math.max(0, entitlements.itemLimit - used),
  };
}
