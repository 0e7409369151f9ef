import { useEffect, useState } from "react";
import { ApiError } from "#app/api/call-api.ts";
import { notify } from "#app/components/toasts.ts";
import { fetchHistory, HISTORY_PER_PAGE } from "#app/history/fetch-history.ts";
import { applyHistoryEvent, refetchesHistory } from "#app/live/apply-history-event.ts";
import { applyItemEvent } from "#app/live/apply-item-event.ts";
import { useLiveEvents } from "#app/live/use-live-events.tsx";
import { useRefresh } from "#app/live/use-refresh.tsx";
import type { HistoryView } from "#core/backups/views.ts";
import type { ItemView } from "#core/inventory/views.ts";

type Loaded = { item: ItemView; page: number; history: HistoryView };

/**
 * The item and the open page of its history, kept current by live events. Pages are fetched from the public API. Events
 * that lack data of the row, and missed events, rerun the loader.
 */
export function useHistory(loaded: Loaded, page: number) {
  const refresh = useRefresh();
  const [item, setItem] = useState(loaded.item);
  const [shown, setShown] = useState({ page: loaded.page, view: loaded.history });
  const [failure, setFailure] = useState<string | null>(null);
  const open = { itemId: loaded.item.id, page: shown.page, perPage: HISTORY_PER_PAGE };

  const [adopted, setAdopted] = useState(loaded);
  if (adopted.history !== loaded.history) {
    setAdopted(loaded);
    setItem(loaded.item);
    if (loaded.page === page) setShown({ page, view: loaded.history });
  }

  const itemId = loaded.item.id;
  useEffect(() => {
    const abort = new AbortController();
    fetchHistory({ itemId, page, signal: abort.signal }).then(
      (view) => {
        setFailure(null);
        setShown({ page, view });
      },
      (error: unknown) => {
        if (!(error instanceof ApiError)) return;
        /* The session has ended: the loader redirects to sign-in and back. */
        if (error.code === "err.session.missing") return refresh();
        setFailure(error.message);
        notify(error.message, { tone: "bad" });
      },
    );
    return () => abort.abort();
  }, [itemId, page, refresh]);

  useLiveEvents((heard) => {
    if (heard.kind === "resync") return;
    setItem((before) => applyItemEvent([before], heard.event)[0] ?? before);
    setShown((before) => ({ ...before, view: applyHistoryEvent(before.view, heard.event, open) }));
    if (refetchesHistory(heard.event, itemId)) refresh();
  });

  return { item, view: shown.view, page: shown.page, isLoading: shown.page !== page, failure };
}
