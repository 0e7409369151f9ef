/** The query parameters of a version's page. */
export type VersionAddress = {
  itemId: string | null;
  snapshotId: string | null;
  /** `inside` is the platform's default view: files or a board. */
  view: "inside" | "records" | "record";
  kind: string | null;
  search: string | null;
  after: string | null;
  /** Path of a record, or of a file below a ref. */
  path: string;
  tree: string | null;
  ref: string | null;
  /** Show the Markdown source. */
  isSource: boolean;
  /** Show archived cards on a board too. */
  hasArchived: boolean;
};

const LONGEST = 8_192;

/** Parses the query. Invalid values are ignored. */
export function readVersionAddress(query: URLSearchParams): VersionAddress {
  const text = (name: string) => {
    const value = query.get(name);
    return value === null || value === "" || value.length > LONGEST ? null : value;
  };
  const view = query.get("view");
  return {
    itemId: text("id"),
    snapshotId: text("version"),
    view: view === "records" || view === "record" ? view : "inside",
    kind: text("kind"),
    search: text("q")?.trim().slice(0, 100) || null,
    after: text("after"),
    path: text("path") ?? "",
    tree: text("tree"),
    ref: text("ref"),
    isSource: query.get("source") === "1",
    hasArchived: query.get("archived") === "1",
  };
}

/** The URL of another place in the same version. `null` and missing values are omitted. */
export function placeIn(
  address: Pick<VersionAddress, "itemId" | "snapshotId">,
  place: Readonly<Record<string, string | null>>,
): string {
  return `?${queryIn(address, place)}`;
}

function queryIn(
  address: Pick<VersionAddress, "itemId" | "snapshotId">,
  place: Readonly<Record<string, string | null>>,
): URLSearchParams {
  const query = new URLSearchParams({ id: address.itemId ?? "", version: address.snapshotId ?? "" });
  for (const [name, value] of Object.entries(place))
    if (value !== null && value !== "") query.set(name, value);
  return query;
}

/** The parameters that select the cards of a board. */
type BoardPlace = Pick<VersionAddress, "search" | "hasArchived">;

/** The URL of a version's board; null = all cards that are not archived. */
export function boardIn(
  platform: string,
  version: Pick<VersionAddress, "itemId" | "snapshotId">,
  shown: BoardPlace | null,
): string {
  return `/platform/backups/${platform}/version?${queryIn(version, shownIn(shown))}`;
}

/** The URL of an open card with the board behind it. `older` holds keys of its older comments and history. */
export function cardIn(
  platform: string,
  version: Pick<VersionAddress, "itemId" | "snapshotId">,
  place: { shown: BoardPlace | null; cardId: string; comments?: string | null; history?: string | null },
): string {
  const { shown, cardId: card, comments = null, history = null } = place;
  return `/platform/backups/${platform}/version/card?${queryIn(version, { ...shownIn(shown), card, comments, history })}`;
}

function shownIn(shown: BoardPlace | null): Record<string, string | null> {
  return { q: shown?.search ?? null, archived: shown?.hasArchived ? "1" : null };
}

/** True when two URLs differ only in the open card, so that the board behind it is the same. */
export function isSameBoard(one: URL, other: URL): boolean {
  const plain = ({ pathname, searchParams }: URL) => {
    const query = new URLSearchParams(searchParams);
    for (const name of ["card", "comments", "history"]) query.delete(name);
    query.sort();
    return `${pathname.replace(/\/card\/?$/, "")}?${query}`;
  };
  return plain(one) === plain(other);
}

/** The download URL of one part of a version. */
export function partPath(
  { itemId, snapshotId }: Pick<VersionAddress, "itemId" | "snapshotId">,
  part: { path: string; tree?: string; ref?: string; shown?: "1" },
): string {
  const query = new URLSearchParams(part);
  return `/versions/${encodeURIComponent(itemId ?? "")}/${encodeURIComponent(snapshotId ?? "")}/part?${query}`;
}
