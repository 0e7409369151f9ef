import { useCallback, useEffect, useRef, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { applyItemEvent, refetchesList } from "#app/live/apply-item-event.ts";
import { useLiveEvents } from "#app/live/use-live-events.tsx";
import type { ItemListView, ItemView } from "#core/inventory/views.ts";
import { loadCalls } from "./lazy-calls.ts";
import { type ListQuery, queryKey } from "./list-query.ts";

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

/**
 * The rows for the URL's query. The first rows come with the page, later ones are fetched (an outdated fetch is
 * aborted), and live events update them. New data from the loader replaces everything.
 */
export function useItemList(
  loaded: { platform: string; connection: { id: string }; query: ListQuery; list: ItemListView },
  query: ListQuery,
): ItemListState {
  const { platform } = loaded;
  const { connectionId } = query;
  const wanted = queryKey(query);
  const [list, setList] = useState(loaded.list);
  const [shownKey, setShownKey] = useState(() => queryKey(loaded.query));
  const [error, setError] = useState<ApiError | null>(null);
  const [round, setRound] = useState(0);
  const refetch = useCallback(() => setRound((count) => count + 1), []);

  const [seen, setSeen] = useState(loaded.list);
  if (seen !== loaded.list) {
    setSeen(loaded.list);
    setList(loaded.list);
    setShownKey(queryKey(loaded.query));
  }

  const answered = useRef(`${shownKey} ${round}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: -- the key represents the query
  useEffect(() => {
    const request = `${wanted} ${round}`;
    if (request === answered.current) return;
    const flight = new AbortController();
    loadCalls()
      .then(({ fetchItems }) => fetchItems({ platform, connectionId }, query, { signal: flight.signal }))
      .then(
        (next) => {
          answered.current = request;
          setList(next);
          setShownKey(wanted);
          setError(null);
        },
        (cause: unknown) => {
          if (flight.signal.aborted) return;
          answered.current = request;
          if (!(cause instanceof ApiError)) throw cause;
          setError(cause);
        },
      );
    return () => flight.abort();
  }, [platform, wanted, round]);

  const quiet = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(quiet.current), []);
  const refetchSoon = useCallback(() => {
    clearTimeout(quiet.current);
    quiet.current = setTimeout(refetch, REFETCH_QUIET_MS);
  }, [refetch]);
  useLiveEvents((signal) => {
    if (signal.kind === "resync") return refetchSoon();
    if (refetchesList(signal.event, { platform, connectionId: loaded.connection.id })) refetchSoon();
    setList((current) => {
      const items = applyItemEvent(current.items, signal.event);
      return items === current.items ? current : { ...current, items: [...items] };
    });
  });

  return {
    list,
    isLoading: shownKey !== wanted && error === null,
    error,
    refetch,
    patch: (change) => setList((current) => ({ ...current, items: current.items.map(change) })),
    setOpensAt: (backupNowOpensAt) => setList((current) => ({ ...current, backupNowOpensAt })),
  };
}
