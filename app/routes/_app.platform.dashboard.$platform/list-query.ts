import type { ItemFilter, ItemListView, ItemSort } from "#core/inventory/views.ts";

/** Rows per page (spec P-066). */
export const ITEMS_PER_PAGE = 10;

export const FILTERS: readonly ItemFilter[] = [
  "all",
  "failed",
  "alarm",
  "stale",
  "never",
  "paused",
  "deleted",
];

/** Selects the rows of a list. All of it is in the URL, so that Back and shared links work. */
export type ListQuery = {
  /** The account of the items if the platform has several. */
  connectionId: string | null;
  kind: string;
  placeId: string | null;
  /** Starts at 0. */
  page: number;
  name: string;
  filter: ItemFilter;
  sort: ItemSort;
  /** Key of the row before or after the page; null = find the page by its number. */
  after: string | null;
  before: string | null;
};

/**
 * Parses the query of a URL. `known` provides the default kind and place. Second kinds of a platform have no place.
 * `id` may name a kind too, as in external links (spec P-005).
 */
export function parseListQuery(
  search: URLSearchParams,
  known: {
    /** Null if the platform has only one account. */
    connectionId: string | null;
    kinds: readonly { id: string; isSub: boolean }[];
    placeIds: readonly string[];
  },
): ListQuery {
  const place = search.get("place");
  const filter = search.get("filter");
  const named = (name: string) => known.kinds.find(({ id }) => id === search.get(name));
  const kind = named("kind") ?? named("id") ?? known.kinds[0];
  return {
    connectionId: known.connectionId,
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

/** The query of a neighbouring page, by the keys of the shown rows if there are any. */
export function neighbour(page: number, next: number, keys: ItemListView["keys"]): Partial<ListQuery> {
  if (keys === null || next === 0) return { page: next };
  if (next === page + 1) return { page: next, after: keys.last };
  return next === page - 1 ? { page: next, before: keys.first } : { page: next };
}

/**
 * The query after a change. A new search, filter, order, place or kind returns to the first page (spec P-083). Default
 * values are omitted.
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

/** Returns the query of another account's list; keeps only the kind. */
export function accountSearch(search: URLSearchParams, connectionId: string): URLSearchParams {
  const kind = search.get("kind");
  return new URLSearchParams({ account: connectionId, ...(kind ? { kind } : {}) });
}

/** A key that is equal for equal queries. */
export function queryKey({
  connectionId,
  kind,
  placeId,
  page,
  name,
  filter,
  sort,
  after,
  before,
}: ListQuery): string {
  return JSON.stringify([connectionId, kind, placeId, page, name, filter, sort, after, before]);
}

/** A key that is equal on all pages of one list: the selection lasts as long (spec P-075). */
export function placeKey({ connectionId, kind, placeId }: ListQuery): string {
  return JSON.stringify([connectionId, kind, placeId]);
}

/** The page, or the last one if the page no longer exists (spec P-225). */
export function pageWithin(page: number, total: number, perPage = ITEMS_PER_PAGE): number {
  return Math.max(0, Math.min(page, Math.ceil(total / perPage) - 1));
}
