import { callApi, type ResultOf } from "#app/api/call-api.ts";
import type { HistoryRow, HistoryView } from "#core/backups/views.ts";

/** Rows per page of the history (spec part 2 section 9). */
export const HISTORY_PER_PAGE = 10;

/**
 * Fetches one page of an item's history, newest first. `page` starts at 0.
 *
 * @throws {ApiError}
 */
export async function fetchHistory(request: {
  itemId: string;
  page: number;
  perPage?: number;
  signal?: AbortSignal;
  fetch?: typeof fetch;
}): Promise<HistoryView> {
  const { itemId, page, perPage = HISTORY_PER_PAGE, ...options } = request;
  const input = { itemId, perPage, page };
  const { result, beside } = await callApi("POST user/get-items-backups", input, options);
  return { rows: result.map(historyRowOf), total: beside.totalItemsNumber };
}

type WireRow = ResultOf<"POST user/get-items-backups">[number];

/** Exported for its test. */
export function historyRowOf(row: WireRow): HistoryRow {
  return { ...row.view, type: typeOf(row.type), status: statusOf(row) };
}

/** The spec's older names of the two types are synonyms (spec P-156, P-157). */
function typeOf(type: string): HistoryRow["type"] {
  return type === "restore" || type === "start_restore_unit" ? "restore" : "backup";
}

/** `error` and `failed` both mean a failure (spec P-158). */
function statusOf({
  status,
  view: { progress },
}: {
  status: string;
  view: Pick<HistoryRow, "progress">;
}): HistoryRow["status"] {
  if (status === "success") return "success";
  if (status === "queued" || status === "running") return status;
  return progress === null ? "failed" : progress.status;
}
