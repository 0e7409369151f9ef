import { entitlementsOf } from "#core/billing/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { canManage, type Member } from "#core/organisations/index.ts";
import type { CoreServices } from "#core/services.ts";
import {
  countItems,
  countPlatformItems,
  findItemRowByReference,
  listItemRows,
  listKnownExternalIds,
} from "./items.store.ts";
import { loadItemViews, placeWindow } from "./load-views.ts";
import { connectorOf, openSession } from "./open-session.ts";
import { requirePlace } from "./places.ts";
import { requireConnection, requireItem } from "./scope.ts";
import { translateFailure } from "./translate-failure.ts";
import type { AvailableItemView, ItemFilter, ItemListView, ItemView } from "./views.ts";

/** One page of protected items by name, with what a list shows around it. */
export async function listItems(
  s: CoreServices,
  member: Member,
  input: {
    platform: string;
    kind: string;
    placeId: string | null;
    page: number;
    perPage: number;
    name: string | null;
    filter: ItemFilter;
  },
): Promise<ItemListView> {
  const { connection, ledger } = await requireConnection(s, member, input.platform, "use");
  const place = input.placeId === null ? null : await requirePlace(s, connection, input.placeId);
  const now = s.clock.now();
  const query = {
    organisationId: member.organisationId,
    connectionId: connection.id,
    kind: input.kind,
    placeId: place?.id ?? null,
    name: input.name,
    filter: input.filter,
    now,
  };
  const allKey = placeWindow(connection.id, input.kind, query.placeId);
  const [rows, counts, entitlements, used, windows] = await Promise.all([
    listItemRows(ledger, { ...query, page: input.page, perPage: input.perPage }),
    countItems(ledger, query),
    entitlementsOf(s, member.organisationId, input.platform),
    countPlatformItems(ledger, member.organisationId, input.platform),
    s.windows.opensAt(member.organisationId, [allKey], now),
  ]);
  return {
    items: await loadItemViews(s, ledger, member, connection, rows),
    total: counts[input.filter],
    counts,
    canUserBackup: canManage(member, input.platform) && entitlements.hasProFeatures,
    isTokenValid: connection.status === "active",
    quota: { used, limit: entitlements.itemLimit },
    backupNowOpensAt: windows[allKey] ?? null,
  };
}

/** One protected item, its ribbon as long as its plan keeps versions. @throws AppError `err.not.found` */
export async function getItem(s: CoreServices, member: Member, input: { itemId: string }): Promise<ItemView> {
  const { item, connection, ledger } = await requireItem(s, member, input.itemId, "use");
  const { retentionDays } = await entitlementsOf(s, member.organisationId, item.platform);
  return (await loadItemViews(s, ledger, member, connection, [item], retentionDays))[0]!;
}

/** The protected item that a caller names by id, full name or name. @throws AppError `err.not.found` */
export async function findItemByReference(
  s: CoreServices,
  member: Member,
  input: { platform: string; kind: string; reference: string },
): Promise<ItemView> {
  const { connection, ledger } = await requireConnection(s, member, input.platform, "use");
  const scope = { organisationId: member.organisationId, connectionId: connection.id, kind: input.kind };
  const row = await findItemRowByReference(ledger, scope, input.reference);
  if (!row) throw new AppError("err.not.found");
  return (await loadItemViews(s, ledger, member, connection, [row]))[0]!;
}

/**
 * One page of what the platform offers in a place, with a mark on what is protected already. Only who may add items sees
 * them: names of private items that nobody protects are their owner's.
 */
export async function listAvailableItems(
  s: CoreServices,
  member: Member,
  input: {
    platform: string;
    kind: string;
    placeId: string | null;
    page: number;
    perPage: number;
    name: string | null;
  },
): Promise<{ items: AvailableItemView[]; hasMore: boolean; total: number | null; remainingQuota: number }> {
  const { connection, ledger } = await requireConnection(s, member, input.platform, "manage");
  const place = input.placeId === null ? null : await requirePlace(s, connection, input.placeId);
  const page = await connectorOf(s, input.platform)
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
    countPlatformItems(ledger, member.organisationId, input.platform),
  ]);
  return {
    items: page.items.map((each) => ({
      externalId: each.externalId,
      nodeId: each.nodeId,
      name: each.name,
      fullName: each.fullName,
      description: each.description,
      visibility: each.visibility,
      sizeHintBytes: each.sizeHintBytes,
      isAdded: known.has(each.externalId),
    })),
    hasMore: page.hasMore,
    total: page.total,
    remainingQuota: Math.max(0, entitlements.itemLimit - used),
  };
}
