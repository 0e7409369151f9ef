import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import type { CalledAccount } from "#app/api/call-platform.ts";
import type { AvailableItemView } from "#core/inventory/views.ts";
import { appendPage, dialogPageSize } from "./available-items.ts";
import { loadCalls } from "./lazy-calls.ts";

type Shown = {
  items: readonly AvailableItemView[];
  /** Number of pages loaded so far. */
  pages: number;
  hasMore: boolean;
  remainingQuota: number;
};

export type AvailableItems = Shown & {
  isLoading: boolean;
  error: ApiError | null;
  loadMore: () => void;
  retry: () => void;
};

/**
 * The items of a place that can be protected, page by page. A new search, or closing the dialog, aborts the pending
 * request (spec P-339). Fetches nothing while `isActive` is false.
 */
export function useAvailableItems(
  query: CalledAccount & { kind: string; placeId: string | null; name: string; quota: number },
  isActive: boolean,
): AvailableItems {
  const { platform, connectionId, kind, placeId, name, quota } = query;
  const empty: Shown = { items: [], pages: 0, hasMore: true, remainingQuota: quota };
  const [shown, setShown] = useState(empty);
  const [isLoading, setIsLoading] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const flight = useRef<AbortController | null>(null);

  const load = useCallback(
    async (from: Shown) => {
      flight.current?.abort();
      const own = new AbortController();
      flight.current = own;
      setIsLoading(true);
      setError(null);
      try {
        const { fetchAvailableItems } = await loadCalls();
        const page = await fetchAvailableItems(
          { platform, connectionId },
          { kind, placeId, name, page: from.pages, perPage: dialogPageSize(quota) },
          own.signal,
        );
        setShown({
          items: appendPage(from.items, page.items),
          pages: from.pages + 1,
          hasMore: page.hasMore,
          remainingQuota: page.remainingQuota,
        });
      } catch (cause) {
        if (own.signal.aborted) return;
        if (!(cause instanceof ApiError)) throw cause;
        setError(cause);
      }
      if (flight.current === own) {
        flight.current = null;
        setIsLoading(false);
      }
    },
    [platform, connectionId, kind, placeId, name, quota],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: -- `load` changes with everything that affects the result
  useEffect(() => {
    if (!isActive) return;
    setShown(empty);
    void load(empty);
    return () => flight.current?.abort();
  }, [isActive, load]);

  return {
    ...shown,
    isLoading,
    error,
    loadMore: () => {
      if (!flight.current && shown.hasMore && error === null) void load(shown);
    },
    retry: () => void load(shown),
  };
}
