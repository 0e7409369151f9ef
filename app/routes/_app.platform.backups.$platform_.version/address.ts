/** What the address of a version's page asks for. */
export type VersionAddress = {
  itemId: string | null;
  snapshotId: string | null;
  view: "files" | "records" | "record";
  kind: string | null;
  search: string | null;
  after: string | null;
  /** Of a record, or of a file below a ref. */
  path: string;
  tree: string | null;
  ref: string | null;
  /** Show Markdown as it was written. */
  isSource: boolean;
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
    view: view === "records" || view === "record" ? view : "files",
    kind: text("kind"),
    search: text("q")?.trim().slice(0, 100) || null,
    after: text("after"),
    path: text("path") ?? "",
    tree: text("tree"),
    ref: text("ref"),
    isSource: query.get("source") === "1",
  };
}

/** The address of another place in the same version; `null` and what is not named are left out. */
export function placeIn(
  address: Pick<VersionAddress, "itemId" | "snapshotId">,
  place: Readonly<Record<string, string | null>>,
): string {
  const query = new URLSearchParams({ id: address.itemId ?? "", version: address.snapshotId ?? "" });
  for (const [name, value] of Object.entries(place))
    if (value !== null && value !== "") query.set(name, value);
  return `?${query}`;
}

/** Where one part of a version is taken from. */
export function partPath(
  { itemId, snapshotId }: Pick<VersionAddress, "itemId" | "snapshotId">,
  part: { path: string; tree?: string; ref?: string; shown?: "1" },
): string {
  const query = new URLSearchParams(part);
  return `/versions/${encodeURIComponent(itemId ?? "")}/${encodeURIComponent(snapshotId ?? "")}/part?${query}`;
}
