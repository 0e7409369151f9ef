import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { restartReads } from "#app/api/restart-reads.ts";
import { useLastingQuery } from "#app/api/use-lasting-query.ts";
import { useSeed } from "#app/api/use-seed.ts";
import { historyQuery, OPEN_PAGE } from "#app/history/history-queries.ts";
import { applyHistoryEvent, refetchesHistory } from "#app/live/apply-history-event.ts";
import { applyItemEvent } from "#app/live/apply-item-event.ts";
import { useLiveEvents } from "#app/live/use-live-events.tsx";
import { useRefresh } from "#app/live/use-refresh.tsx";
import { useReadFailure } from "#app/session/use-read-failure.ts";
import type { HistoryView } from "#core/backups/views.ts";
import type { ItemView } from "#core/inventory/views.ts";

type Loaded = { item: ItemView; page: number; history: HistoryView };

/**
 * The item and the open page of its history, kept current by live events. Pages are fetched from the public API. Events
 * that lack data of the row, and missed events, rerun the loader.
 */
export function useHistory(loaded: Loaded, page: number) {
  const refresh = useRefresh();
  const client = useQueryClient();
  const [item, setItem] = useState(loaded.item);
  const [adopted, setAdopted] = useState(loaded);
  if (adopted.history !== loaded.history) {
    setAdopted(loaded);
    setItem(loaded.item);
  }
  const itemId = loaded.item.id;
  const seed = { page: loaded.page, view: loaded.history };
  useSeed(historyQuery({ itemId, page: loaded.page }).queryKey, seed, loaded.history);
  const query = historyQuery({ itemId, page });
  const { data: shown = seed, error } = useLastingQuery(query);

  useReadFailure(error);

  useLiveEvents((heard) => {
    if (heard.kind === "resync") return restartReads(client, query.queryKey);
    setItem((before) => applyItemEvent([before], heard.event)[0] ?? before);
    client.setQueryData(query.queryKey, (before) => {
      const view = before && applyHistoryEvent(before.view, heard.event, { itemId, page, ...OPEN_PAGE });
      return view === before?.view ? before : view && { page, view };
    });
    if (heard.event.method !== "item-progress") restartReads(client, query.queryKey);
    if (refetchesHistory(heard.event, itemId)) refresh();
  });

  const failure = error === null || error.code === "err.session.missing" ? null : error.message;
  return { item, view: shown.view, page: shown.page, isLoading: shown.page !== page, failure };
}
