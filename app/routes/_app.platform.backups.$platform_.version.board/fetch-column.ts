import { callApi } from "#app/api/call-api.ts";
import type { BoardShown, VersionRef } from "#app/version/address.ts";
import type { BoardCard } from "#connectors/contract/board-view.ts";

/** Fetches the next cards of a column. The caller shows failures. @throws {ApiError} */
export async function fetchColumn(
  { itemId, snapshotId }: VersionRef,
  order: BoardShown & { column: string; after: string | null },
): Promise<{ cards: BoardCard[]; next: string | null }> {
  const { view, column, after, search, hasArchived } = order;
  const archived = hasArchived ? "1" : null;
  const input = { itemId, snapshotId, view, column, after, search, archived } as const;
  return (await callApi("GET versions/board-column", input, { isQuiet: true })).result;
}
