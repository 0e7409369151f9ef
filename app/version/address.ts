import type { ViewKind } from "#connectors/contract/view.ts";

/** Which version of which item. */
export type VersionRef = { platform: string; itemId: string; snapshotId: string };

/** A frame shows views of one kind. `records` lists all records, and `board/card` shows a card on its board. */
export type FrameName = ViewKind | "records" | "board/card";

/** Query parameters; null and empty ones are left out. */
type Query = Readonly<Record<string, string | null | undefined>>;

const LONGEST = 8_192;

/** Returns a reader of query parameters. A missing, empty or too long value is null. */
export function readerOf(query: URLSearchParams): (name: string, longest?: number) => string | null {
  return (name, longest = LONGEST) => {
    const value = query.get(name);
    return value === null || value === "" || value.length > longest ? null : value;
  };
}

/** Reads the words of a search. */
export function readSearch(query: URLSearchParams): string | null {
  return readerOf(query)("q")?.trim().slice(0, 100) || null;
}

/** The address of a frame in a version, with what it shows. Without a frame it leads to the first view. */
export function placeIn(
  { platform, itemId, snapshotId }: VersionRef,
  frame: FrameName | null,
  place: Query = {},
): string {
  const query = new URLSearchParams({ id: itemId, version: snapshotId });
  for (const [name, value] of Object.entries(place))
    if (value !== null && value !== undefined && value !== "") query.set(name, value);
  const path = `/platform/backups/${platform}/version`;
  return `${frame === null ? path : `${path}/${frame}`}?${query}`;
}

/** The address of a comparison, with what it shows. Without `from`, `to` is compared with the version before it. */
export function comparePath(
  { platform, itemId }: Pick<VersionRef, "platform" | "itemId">,
  { from, to, ...place }: { from?: string; to: string } & Query,
): string {
  const query = new URLSearchParams({ id: itemId, ...(from && { from }), to });
  for (const [name, value] of Object.entries(place)) if (value) query.set(name, value);
  return `/platform/backups/${platform}/compare?${query}`;
}

/** The address of a restore's report. */
export function restoredPath(
  { platform, itemId }: Pick<VersionRef, "platform" | "itemId">,
  runId: string,
): string {
  return `/platform/backups/${platform}/restored?${new URLSearchParams({ id: itemId, run: runId })}`;
}

/** The address of the page that lists what is covered of a platform. */
export function coveragePath(platform: string): string {
  return `/platform/coverage/${platform}`;
}

/** The part of an address that selects the cards of a board. */
export type BoardShown = { view: string | null; search: string | null; hasArchived: boolean };

/** Reads which cards of a board are selected. */
export function readBoardShown(query: URLSearchParams): BoardShown {
  return {
    view: readerOf(query)("in"),
    search: readSearch(query),
    hasArchived: query.get("archived") === "1",
  };
}

/** The query that selects these cards of a board. */
export function boardQuery({ view, search, hasArchived }: BoardShown): Query {
  return { in: view, q: search, archived: hasArchived ? "1" : null };
}

/** True when two addresses show the same board, whichever card is open on it. */
export function isSameBoard(one: URL, other: URL): boolean {
  const plain = ({ pathname, searchParams }: URL) => {
    const query = new URLSearchParams(searchParams);
    for (const name of ["card", "comments", "history"]) query.delete(name);
    query.sort();
    return `${pathname.replace(/\/card\/?$/, "")}?${query}`;
  };
  return plain(one) === plain(other);
}

/** True when two addresses are in the same version. */
export function isSameVersion(one: URL, other: URL): boolean {
  const plain = ({ pathname, searchParams }: URL) =>
    [pathname.split("/version")[0], searchParams.get("id"), searchParams.get("version")].join(" ");
  return plain(one) === plain(other);
}

/** The address for downloading one entry or file of a version. */
export function partPath(
  { itemId, snapshotId }: Pick<VersionRef, "itemId" | "snapshotId">,
  part: { path: string; tree?: string; ref?: string; as?: "markdown"; shown?: "1" },
): string {
  const query = new URLSearchParams(part);
  return `/versions/${encodeURIComponent(itemId)}/${encodeURIComponent(snapshotId)}/part?${query}`;
}
