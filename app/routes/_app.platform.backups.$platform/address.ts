/** The query parameters of a history page. */
export type HistoryAddress = {
  itemId: string | null;
  /** The displayed name: the part before the visibility tag (spec P-027). */
  name: string | null;
  /** Counted from 0; the URL counts from 1. */
  page: number;
  /** True for a platform's second kind, such as a gist (spec P-028). */
  isSub: boolean;
  /** The place the link came from, for items whose place was deleted (spec P-023). */
  user: string | null;
  /** The item's state according to the link; the item itself takes precedence (spec P-025). */
  status: string | null;
  /** The item's type according to the link (spec P-024); the item itself takes precedence. */
  typeKey: string | null;
  /** Opens the restore dialog at once (spec P-102). */
  isRun: boolean;
};

/** Parses the query of a history page. Invalid values are ignored. */
export function readAddress(query: URLSearchParams): HistoryAddress {
  const page = Number(query.get("page") ?? "1");
  return {
    itemId: query.get("id") || null,
    name: query.get("name")?.split("::")[0]?.trim() || null,
    page: Number.isSafeInteger(page) && page > 1 ? page - 1 : 0,
    isSub: query.get("type") === "sub",
    user: query.get("user")?.trim() || null,
    status: query.get("status")?.trim() || null,
    typeKey: query.get("projectTypeKey")?.trim() || null,
    isRun: query.get("run") === "true",
  };
}

/** The same query with another page. */
export function withPage(query: URLSearchParams, page: number): URLSearchParams {
  const next = new URLSearchParams(query);
  if (page === 0) next.delete("page");
  else next.set("page", String(page + 1));
  return next;
}

/** The same query without `run` (spec P-103). */
export function withoutRun(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query);
  next.delete("run");
  return next;
}
