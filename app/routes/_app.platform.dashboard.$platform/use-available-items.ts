import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ApiError } from "#app/api/call-api.ts";
import { whenWanted } from "#app/api/use-lasting-query.ts";
import type { AvailableItemView } from "#core/inventory/views.ts";
import { appendPage } from "./available-items.ts";
import { type AvailableQuery, availableItemsQuery } from "./list-queries.ts";

export type AvailableItems = {
  items: readonly AvailableItemView[];
  /** Number of pages loaded so far. */
  pages: number;
  hasMore: boolean;
  remainingQuota: number;
  isLoading: boolean;
  error: ApiError | null;
  loadMore: () => void;
  retry: () => void;
};

const NO_ITEMS: readonly AvailableItemView[] = [];

/**
 * The items of a place that can be protected, page by page. A new search, or closing the dialog, aborts the pending
 * request (spec P-339). Fetches nothing while `isActive` is false.
 */
export function useAvailableItems(query: AvailableQuery, isActive: boolean): AvailableItems {
  const { data, isFetching, error, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    whenWanted(isActive, availableItemsQuery(query)),
  );
  const items = useMemo(
    () => (data?.pages ?? []).reduce((before, page) => appendPage(before, page.items), NO_ITEMS),
    [data],
  );
  return {
    items,
    pages: data?.pages.length ?? 0,
    hasMore: data === undefined || hasNextPage,
    remainingQuota: data?.pages.at(-1)?.remainingQuota ?? query.quota,
    isLoading: isFetching,
    error: isFetching ? null : error,
    loadMore: () => {
      if (!isFetching && hasNextPage && error === null) void fetchNextPage();
    },
    retry: () => void (data === undefined ? refetch() : fetchNextPage()),
  };
}
