import type { ItemFilter, ItemListView, ItemSort } from "#core/inventory/views.ts";

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
  sort: ItemSort;
  /** Key of the row that the page begins behind, or ends before; null = it is found by its number. */
  after: string | null;
  before: string | null;
};

/**
 * Reads the query of an address; `known` says which kind and place are meant when it names none. A platform's second
 * kinds lie in no place. `id` names a kind too, as links from elsewhere do (spec P-005).
 */
export function parseListQuery(
  search: URLSearchParams,
  known: { kinds: readonly { id: string; isSub: boolean }[]; placeIds: readonly string[] },
): ListQuery {
  const place = search.get("place");
  const filter = search.get("filter");
  const named = (name: string) => known.kinds.find(({ id }) => id === search.get(name));
  const kind = named("kind") ?? named("id") ?? known.kinds[0];
  return {
    kind: kind?.id ?? "",
    placeId: kind?.isSub ? null : (known.placeIds.find((id) => id === place) ?? known.placeIds[0] ?? null),
    page: Math.max(0, (Number.parseInt(search.get("page") ?? "1", 10) || 1) - 1),
    name: search.get("q")?.trim() ?? "",
    filter: FILTERS.find((each) => each === filter) ?? "all",
    sort: search.get("sort") === "-name" ? "-name" : "name",
    after: search.get("after"),
    before: search.get("before"),
  };
}

/** How a neighbouring page is asked for: from the rows that are shown, where there are some. */
export function neighbour(page: number, next: number, keys: ItemListView["keys"]): Partial<ListQuery> {
  if (keys === null || next === 0) return { page: next };
  if (next === page + 1) return { page: next, after: keys.last };
  return next === page - 1 ? { page: next, before: keys.first } : { page: next };
}

/**
 * The address of a query after a change. Search, filter, order, place and kind go back to the first page (spec P-083); what is
 * the default is left out.
 */
export function changedSearch(search: URLSearchParams, change: Partial<ListQuery>): URLSearchParams {
  const next = new URLSearchParams(search);
  const put = (name: string, value: string | null) => {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  };
  if (change.kind !== undefined) {
    put("kind", change.kind);
    next.delete("id");
  }
  if (change.placeId !== undefined) put("place", change.placeId);
  if (change.name !== undefined) put("q", change.name);
  if (change.filter !== undefined) put("filter", change.filter === "all" ? null : change.filter);
  if (change.sort !== undefined) put("sort", change.sort === "name" ? null : change.sort);
  put("after", change.after ?? null);
  put("before", change.before ?? null);
  put("page", change.page ? String(change.page + 1) : null);
  return next;
}

/** Equal for equal queries. */
export function queryKey({ kind, placeId, page, name, filter, sort, after, before }: ListQuery): string {
  return JSON.stringify([kind, placeId, page, name, filter, sort, after, before]);
}

/** Equal while the same rows are meant, whatever the page: a selection lives as long (spec P-075). */
export function placeKey({ kind, placeId }: ListQuery): string {
  return JSON.stringify([kind, placeId]);
}

/** The page itself, or the last one when it no longer exists (spec P-225). */
export function pageWithin(page: number, total: number, perPage = ITEMS_PER_PAGE): number {
  return Math.max(0, Math.min(page, Math.ceil(total / perPage) - 1));
}
