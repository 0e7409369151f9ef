/** What the address of a version's page asks for. */
export type VersionAddress = {
  itemId: string | null;
  snapshotId: string | null;
  /** `inside` is what its platform shows first: files, or a board. */
  view: "inside" | "records" | "record";
  kind: string | null;
  search: string | null;
  after: string | null;
  /** Of a record, or of a file below a ref. */
  path: string;
  tree: string | null;
  ref: string | null;
  /** Show Markdown as it was written. */
  isSource: boolean;
  /** Of a board: show what was archived too. */
  hasArchived: boolean;
};

const LONGEST = 8_192;

/** Reads the query; anything unreadable is as if it were not there. */
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

/** The address of another place in the same version; `null` and what is not named are left out. */
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

/** What of an address says which cards a board shows. */
type BoardPlace = Pick<VersionAddress, "search" | "hasArchived">;

/** The address of a version's board; null = everything that is not archived. */
export function boardIn(
  platform: string,
  version: Pick<VersionAddress, "itemId" | "snapshotId">,
  shown: BoardPlace | null,
): string {
  return `/platform/backups/${platform}/version?${queryIn(version, shownIn(shown))}`;
}

/** The address of an opened card, with the board behind it; `older` are keys of its older comments and history. */
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

/** True when two addresses differ in nothing but the card that is open: the board behind it is the same. */
export function isSameBoard(one: URL, other: URL): boolean {
  const plain = ({ pathname, searchParams }: URL) => {
    const query = new URLSearchParams(searchParams);
    for (const name of ["card", "comments", "history"]) query.delete(name);
    query.sort();
    return `${pathname.replace(/\/card\/?$/, "")}?${query}`;
  };
  return plain(one) === plain(other);
}

/** Where one part of a version is taken from. */
export function partPath(
  { itemId, snapshotId }: Pick<VersionAddress, "itemId" | "snapshotId">,
  part: { path: string; tree?: string; ref?: string; shown?: "1" },
): string {
  const query = new URLSearchParams(part);
  return `/versions/${encodeURIComponent(itemId ?? "")}/${encodeURIComponent(snapshotId ?? "")}/part?${query}`;
}
