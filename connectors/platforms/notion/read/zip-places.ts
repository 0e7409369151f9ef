import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { safeFileName } from "#connectors/toolkit/export/safe-file-name.ts";
import { entryAbove } from "./crumbs.ts";
import { homeOfPath, sourceIdOfPath } from "./homes.ts";
import { findSource, listedTitle, titleOfSource } from "./titles.ts";

/** Letters of a title in a name. Long paths do not unpack on every system. */
const LONGEST = 48;
/** Deeper pages lie in the folder at this depth. */
const DEEPEST = 12;
/** Folders that are remembered. A workspace has at most as many pages with something below them as a tree is drawn for. */
const MOST_KNOWN = 20_000;

/**
 * Where pages and tables are in the ZIP: in folders of the titles above them. The end of the id keeps names apart, so a
 * place follows from the entries above it, without knowing what is beside it.
 */
export function openZipPlaces(snapshot: SnapshotView) {
  const known = new Map<string, string>();

  /** The path without a suffix: a page is `{place}.md`, and what is below it lies in `{place}/`. */
  async function placeOf(entry: EntryInfo, depth = 0): Promise<string> {
    const found = known.get(entry.path);
    if (found !== undefined) return found;
    const above = depth >= DEEPEST ? null : await shownAbove(snapshot, entry);
    const folder = above === null ? "pages" : await placeOf(above, depth + 1);
    const place = `${folder}/${await nameOf(snapshot, entry)}`;
    if (known.size < MOST_KNOWN) known.set(entry.path, place);
    return place;
  }
  return { placeOf: (entry: EntryInfo) => placeOf(entry) };
}

/** A database is no folder: its tables stand for it. */
async function shownAbove(snapshot: SnapshotView, entry: EntryInfo): Promise<EntryInfo | null> {
  const above = await entryAbove(snapshot, entry);
  const isDatabase = above !== null && homeOfPath(above.path) === null && sourceIdOfPath(above.path) === null;
  return isDatabase ? await entryAbove(snapshot, above) : above;
}

async function nameOf(snapshot: SnapshotView, entry: EntryInfo): Promise<string> {
  const home = homeOfPath(entry.path)?.home;
  const id = home?.pageId ?? sourceIdOfPath(entry.path) ?? "";
  const title = home === undefined ? await tableTitle(snapshot, id) : await listedTitle(snapshot, entry);
  // The beginning of a title says more than its end, and a dot at the end would be lost.
  const short = [...safeFileName([...title].slice(0, LONGEST).join(""))].join("").replaceAll(".", "_");
  return `${title.trim() === "" ? "Untitled" : short} ${id.slice(-8)}`;
}

async function tableTitle(snapshot: SnapshotView, id: string): Promise<string> {
  const source = await findSource(snapshot, id);
  return source === null ? "" : titleOfSource(source);
}

/** A relative address from one file of the ZIP to another. */
export function addressFrom(from: string, to: string): string {
  const [here, there] = [from.split("/").slice(0, -1), to.split("/")];
  let same = 0;
  while (same < here.length && here[same] === there[same]) same += 1;
  return [...here.slice(same).map(() => ".."), ...there.slice(same).map(encodePart)].join("/");
}

function encodePart(part: string): string {
  return encodeURIComponent(part).replace(
    /[()'*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
