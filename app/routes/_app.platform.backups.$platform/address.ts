/** What the address of a history page asks for. */
export type HistoryAddress = {
  itemId: string | null;
  /** The name to show: the part before the private or public tag (spec P-027). */
  name: string | null;
  /** Counted from 0; people count from 1. */
  page: number;
  /** True for a second kind of a platform, such as a gist (spec P-028). */
  isSub: boolean;
  /** The place the link came from, for an item whose place is gone (spec P-023). */
  user: string | null;
  /** What the link says of the item's state; the item itself is what counts (spec P-025). */
  status: string | null;
  /** Open the restore dialog at once (spec P-102). */
  isRun: boolean;
};

/** Reads the query of a history page; anything unreadable is as if it were not there. */
export function readAddress(query: URLSearchParams): HistoryAddress {
  const page = Number(query.get("page") ?? "1");
  return {
    itemId: query.get("id") || null,
    name: query.get("name")?.split("::")[0]?.trim() || null,
    page: Number.isSafeInteger(page) && page > 1 ? page - 1 : 0,
    isSub: query.get("type") === "sub",
    user: query.get("user")?.trim() || null,
    status: query.get("status")?.trim() || null,
    isRun: query.get("run") === "true",
  };
}

/** The same address on another page. */
export function withPage(query: URLSearchParams, page: number): URLSearchParams {
  const next = new URLSearchParams(query);
  if (page === 0) next.delete("page");
  else next.set("page", String(page + 1));
  return next;
}

/** The same address without `run` (spec P-103). */
export function withoutRun(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query);
  next.delete("run");
  return next;
}
