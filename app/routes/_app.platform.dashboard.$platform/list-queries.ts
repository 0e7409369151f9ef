import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import type { CalledAccount } from "#app/api/call-platform.ts";
import type { ApiError } from "#app/api/transport.ts";
import { applyItemEvent } from "#app/live/apply-item-event.ts";
import type { ItemListView, ItemView } from "#core/inventory/views.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { dialogPageSize } from "./available-items.ts";
import type { AvailablePlace } from "./calls.ts";
import { loadCalls } from "./lazy-calls.ts";
import type { ListQuery } from "./list-query.ts";

/** What the item list reads, and under which keys. */

/** All pages of a platform's list. */
export const listsKey = (platform: string) => ["items", platform] as const;

/** One page of protected items. */
export const itemsQuery = (platform: string, query: ListQuery) =>
  queryOptions<ItemListView, ApiError>({
    queryKey: [...listsKey(platform), query],
    queryFn: async ({ signal }) => {
      const { fetchItems } = await loadCalls();
      return fetchItems({ platform, connectionId: query.connectionId }, query, { signal });
    },
    // The page comes with its first rows.
    refetchOnMount: false,
  });

/** The places of an account that are not added yet. */
export const availablePlacesQuery = ({ platform, connectionId }: CalledAccount, kind: string) =>
  queryOptions<AvailablePlace[], ApiError>({
    queryKey: ["available-places", platform, connectionId, kind],
    queryFn: async ({ signal }) => {
      const { fetchAvailablePlaces } = await loadCalls();
      return fetchAvailablePlaces({ platform, connectionId }, kind, signal);
    },
  });

/** Selects the items of a place that can be protected. `quota` is the number that the plan still allows. */
export type AvailableQuery = CalledAccount & {
  kind: string;
  placeId: string | null;
  name: string;
  quota: number;
};

/** The items of a place that can be protected, page by page. */
export const availableItemsQuery = (query: AvailableQuery) => {
  const { platform, connectionId, kind, placeId, name, quota } = query;
  return infiniteQueryOptions({
    queryKey: ["available-items", platform, connectionId, kind, placeId, name, quota],
    queryFn: async ({ signal, pageParam }) => {
      const { fetchAvailableItems } = await loadCalls();
      const page = { kind, placeId, name, page: pageParam, perPage: dialogPageSize(quota) };
      return fetchAvailableItems({ platform, connectionId }, page, signal);
    },
    initialPageParam: 0,
    getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.length : undefined),
  });
};

/** Applies a change to every page of a platform's items that is in the cache. The same list changes nothing. */
export function changeItemLists(
  client: QueryClient,
  platform: string,
  change: (list: ItemListView) => ItemListView,
): void {
  client.setQueriesData<ItemListView>({ queryKey: listsKey(platform) }, (list) => {
    const next = list && change(list);
    return next === list ? undefined : next;
  });
}

/** The list after a change of each of its items. */
export const withItems =
  (change: (item: ItemView) => ItemView) =>
  (list: ItemListView): ItemListView => ({ ...list, items: list.items.map(change) });

/** The list after a live event; the same list when nothing changes. */
export const afterEvent =
  (event: LiveEvent) =>
  (list: ItemListView): ItemListView => {
    const items = applyItemEvent(list.items, event);
    return items === list.items ? list : { ...list, items: [...items] };
  };
