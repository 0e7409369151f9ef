import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import { homeOfPath, isId } from "./homes.ts";
import { listOf, textOf } from "./members.ts";

/** A page or database of a version, with what is below it (spec P-385). */
export type ScopeItem = {
  title: string;
  /** The word of Notion's API. A row is a page, as at Notion. */
  object: "page" | "database";
  children: ScopeItem[];
};

/** What a version contains: the pages and databases that Notion gave. */
export type Scope = {
  items: ScopeItem[];
  /** All pages of the version, with rows. */
  pageCount: number;
  databaseCount: number;
  /** True when the version has more than `items` shows. Rows are left out first. */
  isCut: boolean;
};

/** Items of one scope. A list with more is not read by anybody, and the answer has a bounded size. */
const MOST_ITEMS = 20_000;
/** Deeper items are listed at this depth. */
const DEEPEST = 60;

/**
 * The scope of a version, from its manifest alone: it reads one record, that of the roots. Below a page or database, items
 * are sorted by title, because only the pages' blocks know their order. Null = the version has no roots.
 */
export async function readScope(
  snapshot: SnapshotView,
  { most = MOST_ITEMS }: { most?: number } = {},
): Promise<Scope | null> {
  if ((await snapshot.find(recordPaths.roots)) === null) return null;
  const { page = 0, row = 0, database: databaseCount = 0 } = snapshot.counts();
  const found = new Map<string, Found>();
  let isCut = false;
  for await (const each of itemsOf(snapshot)) {
    isCut = found.size >= most;
    if (isCut) break;
    found.set(each.path, each);
  }
  const items = treeOf([...found.values()], found, await rootPaths(snapshot));
  return { items, pageCount: page + row, databaseCount, isCut };
}

type Found = { path: string; above: string | null; item: ScopeItem };

/** Databases, then pages, then rows, in path order. */
async function* itemsOf(snapshot: SnapshotView): AsyncGenerator<Found, void> {
  const found = (
    { path, title = "" }: EntryInfo,
    object: ScopeItem["object"],
    above: string | null,
  ): Found => {
    return { path, above, item: { title, object, children: [] } };
  };
  for await (const entry of snapshot.list(recordPaths.databases))
    if (entry.kind === "database") yield found(entry, "database", entry.parent ?? null);
  for await (const entry of snapshot.list(recordPaths.pages))
    if (entry.kind === "page") yield found(entry, "page", await shownAbove(snapshot, entry.parent ?? null));
  let [sourceId, above]: [string, string | null] = ["", null];
  for await (const entry of snapshot.list(recordPaths.sources)) {
    if (entry.kind !== "row") continue;
    const own = homeOfPath(entry.path)?.home.sourceId ?? "";
    if (own !== sourceId) [sourceId, above] = [own, await shownAbove(snapshot, recordPaths.source(own))];
    yield found(entry, "page", above);
  }
}

/** A data source is not an item: its database stands for it. */
async function shownAbove(snapshot: SnapshotView, path: string | null): Promise<string | null> {
  if (path === null || !path.endsWith("/source.json")) return path;
  return (await snapshot.find(path))?.parent ?? null;
}

async function rootPaths(snapshot: SnapshotView): Promise<string[]> {
  return listOf(await snapshot.readRecord(recordPaths.roots), "roots").flatMap((root) => {
    const id = textOf(root, "id");
    if (!isId(id)) return [];
    return textOf(root, "type") === "database"
      ? [recordPaths.database(id)]
      : [recordPaths.page(recordPaths.pageHome(id))];
  });
}

/** What is above none that is listed stands at the top: first the roots in their order, then the rest by title. */
function treeOf(
  all: readonly Found[],
  known: ReadonlyMap<string, Found>,
  roots: readonly string[],
): ScopeItem[] {
  const below = new Map<string, Found[]>();
  const top: Found[] = [];
  for (const each of all) {
    if (each.above === null || !known.has(each.above)) top.push(each);
    else {
      const siblings = below.get(each.above);
      if (siblings === undefined) below.set(each.above, [each]);
      else siblings.push(each);
    }
  }
  const place = new Map(roots.map((path, at) => [path, at]));
  const placeOf = ({ path }: Found) => place.get(path) ?? roots.length;
  top.sort((one, other) => placeOf(one) - placeOf(other) || byTitle(one, other));
  const queue = top.map((each) => ({ each, depth: 1, into: null as ScopeItem[] | null }));
  const items: ScopeItem[] = [];
  // Not recursive, and each item once: a damaged version may have circles, which hang from nothing.
  for (let at = 0; at < queue.length; at += 1) {
    const { each, depth, into } = queue[at]!;
    (into ?? items).push(each.item);
    const isDeep = depth >= DEEPEST;
    for (const child of (below.get(each.path) ?? []).sort(byTitle))
      queue.push({
        each: child,
        depth: isDeep ? depth : depth + 1,
        into: isDeep ? into : each.item.children,
      });
  }
  return items;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function byTitle(one: Found, other: Found): number {
  return collator.compare(one.item.title, other.item.title) || (one.path < other.path ? -1 : 1);
}
