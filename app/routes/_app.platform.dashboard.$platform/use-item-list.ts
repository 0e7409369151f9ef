import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
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

type ItemChange = (item: ItemView) => ItemView;

export type ItemListState = {
  list: ItemListView;
  /** The shown rows do not match the URL yet. */
  isLoading: boolean;
  error: ApiError | null;
  refetch: () => void;
  /**
   * Shows a change of rows while `send` asks for it, and keeps it if that succeeds. Rows that are read in between do not
   * undo it. Fetches the list again afterwards.
   *
   * @returns whether it succeeded
   */
  showWhile: (change: ItemChange, send: () => Promise<boolean>) => Promise<boolean>;
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

  const [sent, setSent] = useState<readonly ItemChange[]>([]);
  async function showWhile(next: ItemChange, send: () => Promise<boolean>) {
    setSent((all) => [...all, next]);
    try {
      const isDone = await send();
      if (isDone) change(withItems(next));
      return isDone;
    } finally {
      // Aborts reads that began before the change.
      refetch();
      setSent((all) => all.filter((each) => each !== next));
    }
  }
  const shown = useMemo(() => sent.reduce((rows, next) => withItems(next)(rows), list), [list, sent]);

  return {
    list: shown,
    isLoading: isLoading && error === null,
    error,
    refetch,
    showWhile,
    setOpensAt: (backupNowOpensAt) => change((shown) => ({ ...shown, backupNowOpensAt })),
  };
}
