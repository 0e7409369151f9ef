import { type CalledAccount, callPlatform } from "#app/api/call-platform.ts";
import type { PlaceView } from "#core/connections/views.ts";
import type { AvailableItemView, ItemListView } from "#core/inventory/views.ts";
import { ITEMS_PER_PAGE, type ListQuery } from "./list-query.ts";

/** The item list's calls to the public API. Rows carry the whole view beside the spec's fields. */

/** One page of protected items. */
export async function fetchItems(
  account: CalledAccount,
  { kind, placeId, page, name, filter, sort, after, before }: ListQuery,
  options: { perPage?: number; signal?: AbortSignal } = {},
): Promise<ItemListView> {
  const { result, beside } = await callPlatform(
    { ...account, does: "list-items", kind },
    {
      page,
      perPage: options.perPage ?? ITEMS_PER_PAGE,
      placeId,
      name: name || null,
      filter,
      sort,
      after,
      before,
    },
    { signal: options.signal },
  );
  const {
    totalItemsNumber: total,
    counts,
    holdings,
    canUserBackup,
    isTokenValid,
    hasUserAnyActiveApp,
    quota,
    backupNowOpensAt,
    keys,
  } = beside;
  const items = result.map(({ view }) => view);
  return {
    items,
    total,
    counts,
    holdings,
    canUserBackup,
    isTokenValid,
    hasUserAnyActiveApp,
    quota,
    backupNowOpensAt,
    keys,
  };
}

export type AvailablePage = { items: AvailableItemView[]; hasMore: boolean; remainingQuota: number };

/** One page of a place's items: first those that can be protected, then the protected ones. */
export async function fetchAvailableItems(
  account: CalledAccount,
  query: { kind: string; placeId: string | null; page: number; perPage: number; name: string },
  signal?: AbortSignal,
): Promise<AvailablePage> {
  const { kind, placeId, page, perPage, name } = query;
  const { result } = await callPlatform(
    { ...account, does: "list-available-items", kind },
    { page, perPage, placeId, name: name || null },
    { signal },
  );
  const items = [...result.not_added, ...result.already_added].map(({ view }) => view);
  return { items, hasMore: result.hasMore, remainingQuota: result.remaining };
}

/** Places that can be added. */
export type AvailablePlace = { id: string; name: string; type: string };

/** Fetches the places that are not added yet. */
export async function fetchAvailablePlaces(
  account: CalledAccount,
  kind: string,
  signal?: AbortSignal,
): Promise<AvailablePlace[]> {
  const { result } = await callPlatform({ ...account, does: "list-available-places", kind }, {}, { signal });
  return result;
}

/** Adds places. Their items can be protected afterwards. */
export async function addPlaces(
  account: CalledAccount,
  kind: string,
  externalIds: readonly string[],
): Promise<PlaceView[]> {
  const { result } = await callPlatform(
    { ...account, does: "add-places", kind },
    { externalIds: [...externalIds] },
  );
  return result.map(({ view }) => view);
}

/** Protects items; their first backups start at once. */
export async function addItems(
  account: CalledAccount,
  kind: string,
  placeId: string | null,
  items: readonly Pick<AvailableItemView, "externalId">[],
): Promise<void> {
  const externals = items.map(({ externalId }) => ({ externalId }));
  await callPlatform({ ...account, does: "add-items", kind }, { placeId, externals });
}

/** Stops protecting items and permanently deletes their versions. */
export async function deleteItems(
  account: CalledAccount,
  kind: string,
  placeId: string | null,
  itemIds: readonly string[],
): Promise<void> {
  await callPlatform(
    { ...account, does: "delete-items", kind },
    { placeId, itemIds: itemIds.map((itemId) => ({ id: itemId })) },
  );
}

/** Turns the daily backup of items on or off. */
export async function setDailyBackup(
  account: CalledAccount,
  kind: string,
  itemIds: readonly string[],
  isDaily: boolean,
): Promise<void> {
  await callPlatform({ ...account, does: "set-daily-backup", kind }, { isDaily, itemIds: [...itemIds] });
}

/** Backs up one item now. */
export async function backUpNow(account: CalledAccount, kind: string, itemId: string): Promise<void> {
  await callPlatform({ ...account, does: "back-up-now", kind }, { itemId });
}

/** Backs up every item of a place now. Returns the number of items, and when the button opens again. */
export async function backUpAllNow(
  account: CalledAccount,
  kind: string,
  placeId: string | null,
): Promise<{ queued: number; refused: number; opensAt: number | null }> {
  const { result } = await callPlatform({ ...account, does: "back-up-all-now", kind }, { placeId });
  return result;
}
