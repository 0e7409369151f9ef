import { queryOptions } from "@tanstack/react-query";
import type { ApiError } from "#app/api/transport.ts";
import type { HistoryView } from "#core/backups/views.ts";
import { fetchHistory, HISTORY_PER_PAGE } from "./fetch-history.ts";

/** The size of a page of the history. */
export const OPEN_PAGE = { perPage: HISTORY_PER_PAGE };

/** One page of an item's history, newest first. Pages start at 0. */
export const historyQuery = ({ itemId, page }: { itemId: string; page: number }) =>
  queryOptions<{ page: number; view: HistoryView }, ApiError>({
    queryKey: ["history", itemId, page],
    queryFn: async ({ signal }) => ({ page, view: await fetchHistory({ itemId, page, signal }) }),
  });
