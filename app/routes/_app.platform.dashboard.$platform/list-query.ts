import type { ItemFilter } from "#core/inventory/views.ts";

/** Rows of a page (spec P-066). */
export const ITEMS_PER_PAGE = 10;

export const FILTERS: readonly ItemFilter[] = ["all", "failed", "stale", "never", "paused", "deleted"];

/** Which rows a list shows; all of it stands in the address, so Back and a pasted link bring it again. */
export type ListQuery = {
  kind: string;
  placeId: string | null;
  /** Counts from 0. */
  page: number;
  name: string;
  filter: ItemFilter;
};

/** Reads the query of an address; `fallback` says which kind and place are meant when it names none. */
export function parseListQuery(
  search: URLSearchParams,
  fallback: { kinds: readonly string[]; placeIds: readonly string[] },
): ListQuery {
  const kind = search.get("kind");
  const place = search.get("place");
  const filter = search.get("filter");
  return {
    kind: fallback.kinds.find((known) => known === kind) ?? fallback.kinds[0] ?? "",
    placeId: fallback.placeIds.find((known) => known === place) ?? fallback.placeIds[0] ?? null,
    page: Math.max(0, (Number.parseInt(search.get("page") ?? "1", 10) || 1) - 1),
    name: search.get("q")?.trim() ?? "",
    filter: FILTERS.find((known) => known === filter) ?? "all",
  };
}

/**
 * The address of a query after a change. Search, filter, place and kind go back to the first page (spec P-083); what is
 * the default is left out.
 */
export function changedSearch(search: URLSearchParams, change: Partial<ListQuery>): URLSearchParams {
  const next = new URLSearchParams(search);
  const put = (name: string, value: string | null) => {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  };
  if (change.kind !== undefined) put("kind", change.kind);
  if (change.placeId !== undefined) put("place", change.placeId);
  if (change.name !== undefined) put("q", change.name);
  if (change.filter !== undefined) put("filter", change.filter === "all" ? null : change.filter);
  put("page", change.page ? String(change.page + 1) : null);
  return next;
}

/** Equal for equal queries. */
export function queryKey({ kind, placeId, page, name, filter }: ListQuery): string {
  return JSON.stringify([kind, placeId, page, name, filter]);
}

/** Equal while the same rows are meant, whatever the page: a selection lives as long (spec P-075). */
export function placeKey({ kind, placeId }: ListQuery): string {
  return JSON.stringify([kind, placeId]);
}

/** The page itself, or the last one when it no longer exists (spec P-225). */
export function pageWithin(page: number, total: number, perPage = ITEMS_PER_PAGE): number {
  return Math.max(0, Math.min(page, Math.ceil(total / perPage) - 1));
}
