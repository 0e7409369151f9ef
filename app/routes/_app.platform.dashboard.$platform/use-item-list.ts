import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import type { ApiError } from "#app/api/call-api.ts";
import { restartReads } from "#app/api/restart-reads.ts";
import { useLastingQuery } from "#app/api/use-lasting-query.ts";
import { useSeed } from "#app/api/use-seed.ts";
import { refetchesList } from "#app/live/apply-item-event.ts";
import { useLiveEvents } from "#app/live/use-live-events.tsx";
import type { ItemListView, ItemView } from "#core/inventory/views.ts";
import { afterEvent, changeItemLists, itemsQuery, listsKey, withItems } from "./list-queries.ts";
import type { ListQuery } from "./list-query.ts";

/** Changes within this time, in ms, trigger only one refetch. */
const REFETCH_QUIET_MS = 400;

export type ItemListState = {
  list: ItemListView;
  /** The shown rows do not match the URL yet. */
  isLoading: boolean;
  error: ApiError | null;
  refetch: () => void;
  /** Updates rows optimistically. */
  patch: (change: (item: ItemView) => ItemView) => void;
  setOpensAt: (opensAt: number | null) => void;
};

/** The rows for the URL's query. The first rows come with the page, and live events update them. */
export function useItemList(
  loaded: { platform: string; connection: { id: string }; query: ListQuery; list: ItemListView },
  query: ListQuery,
): ItemListState {
  const { platform } = loaded;
  const client = useQueryClient();
  useSeed(itemsQuery(platform, loaded.query).queryKey, loaded.list);
  const {
    data: list = loaded.list,
    isLoading,
    error,
    refetch,
  } = useLastingQuery(itemsQuery(platform, query));
  const change = (next: (list: ItemListView) => ItemListView) => changeItemLists(client, platform, next);

  const latestRefetch = useRef(refetch);
  latestRefetch.current = refetch;
  const quiet = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(quiet.current), []);
  const refetchSoon = useCallback(() => {
    clearTimeout(quiet.current);
    quiet.current = setTimeout(() => latestRefetch.current(), REFETCH_QUIET_MS);
  }, []);
  useLiveEvents((signal) => {
    if (signal.kind === "resync") return refetchSoon();
    if (refetchesList(signal.event, { platform, connectionId: loaded.connection.id })) refetchSoon();
    change(afterEvent(signal.event));
    if (signal.event.method !== "item-progress") restartReads(client, listsKey(platform));
  });

  return {
    list,
    isLoading: isLoading && error === null,
    error,
    refetch,
    patch: (next) => change(withItems(next)),
    setOpensAt: (backupNowOpensAt) => change((shown) => ({ ...shown, backupNowOpensAt })),
  };
}
