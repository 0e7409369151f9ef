import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { byAge } from "../listed-order.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredPage, StoredSource } from "../records.ts";
import { childBlocks, isChildBlock, readBlockTrees } from "./block-trees.ts";
import { objectsOf, textOf } from "./json-parts.ts";

/** A page, row or database of the version, where it stands. */
export type Node = {
  kind: "page" | "row" | "database";
  id: string;
  /** The folder of a page or row; that of the database. */
  home: string;
  /** The page above, the data source of a row; null = none in this restore. */
  parentId: string | null;
  /** The ids from the first one down to this one: where a later walk continues. */
  path: readonly string[];
};

/** A page or database at the top of a restore. */
export type Root = { type: "page" | "row" | "database"; id: string; sourceId?: string };

/** Rows are restored in the order in which they were made, if a table has at most so many. */
export const MOST_SORTED_ROWS = 2_000;

type Child = Pick<Node, "kind" | "id" | "home" | "parentId">;

/**
 * Everything below the roots, each thing before what is below it, in the order of the blocks.
 *
 * @param after The path of the last node of an earlier walk.
 */
export async function* walkVersion(
  snapshot: SnapshotView,
  roots: readonly Root[],
  after: readonly string[] | null,
): AsyncGenerator<Node, void> {
  async function* visit(
    children: AsyncIterable<Child>,
    above: readonly string[],
    from: readonly string[] | null,
  ): AsyncGenerator<Node, void> {
    let rest = from;
    for await (const child of children) {
      const path = [...above, child.id];
      // Skips what an earlier walk has passed.
      if (rest !== null && rest[0] !== child.id) continue;
      if (rest === null) yield { ...child, path };
      const deeper = rest === null || rest.length === 1 ? null : rest.slice(1);
      rest = null;
      if (!above.includes(child.id)) yield* visit(childrenOf(snapshot, child), path, deeper);
    }
  }
  yield* visit(rootNodes(snapshot, roots), [], after);
}

async function* rootNodes(snapshot: SnapshotView, roots: readonly Root[]): AsyncGenerator<Child, void> {
  for (const { type, id, sourceId } of roots) {
    const home = homeOf(type, id, sourceId);
    const record = type === "database" ? recordPaths.database(id) : recordPaths.page(home);
    if ((await snapshot.find(record)) !== null) yield { kind: type, id, home, parentId: sourceId ?? null };
  }
}

function homeOf(type: Root["type"], id: string, sourceId = ""): string {
  if (type === "database") return recordPaths.databaseHome(id);
  return type === "page" ? recordPaths.pageHome(id) : recordPaths.rowHome(sourceId, id);
}

async function* childrenOf(snapshot: SnapshotView, { kind, id, home }: Child): AsyncGenerator<Child, void> {
  if (kind !== "database") {
    for (const child of (await readContents(snapshot, home)).children) yield { ...child, parentId: id };
    return;
  }
  for (const sourceId of await sourcesOf(snapshot, id)) {
    for await (const rowId of rowsOf(snapshot, sourceId)) {
      yield { kind: "row", id: rowId, home: recordPaths.rowHome(sourceId, rowId), parentId: sourceId };
    }
  }
}

/** The pages and databases in the blocks of a page that the version holds, and what stands around them. */
export type Contents = {
  children: Pick<Node, "kind" | "id" | "home">[];
  /** A block stands before the first of them. */
  hasLead: boolean;
  /** One of them is inside another block. */
  isNested: boolean;
};

/** Reads which pages and databases are in a page. */
export async function readContents(snapshot: SnapshotView, home: string): Promise<Contents> {
  const contents: Contents = { children: [], hasLead: false, isNested: false };
  for await (const tree of readBlockTrees(snapshot, home)) {
    if (contents.children.length === 0 && !isChildBlock(tree)) contents.hasLead = true;
    for (const { kind, id } of childBlocks(tree)) {
      const child = { kind, id, home: homeOf(kind, id) };
      const record = kind === "database" ? recordPaths.database(id) : recordPaths.page(child.home);
      if ((await snapshot.find(record)) === null) continue;
      contents.children.push(child);
      contents.isNested ||= !isChildBlock(tree);
    }
  }
  return contents;
}

/** The data sources of a database that the version holds, in its order. */
export async function sourcesOf(snapshot: SnapshotView, databaseId: string): Promise<string[]> {
  const record = (await snapshot.readRecord(recordPaths.database(databaseId))) as { [key: string]: Json };
  const ids = objectsOf(record.data_sources).flatMap(({ id }) => textOf(id) ?? []);
  const held: string[] = [];
  for (const id of ids) if ((await snapshot.find(recordPaths.source(id))) !== null) held.push(id);
  return held;
}

/** The record of a data source. */
export async function readSource(snapshot: SnapshotView, sourceId: string): Promise<StoredSource> {
  return (await snapshot.readRecord(recordPaths.source(sourceId))) as unknown as StoredSource;
}

/** The record of a page or row. */
export async function readPage(snapshot: SnapshotView, home: string): Promise<StoredPage> {
  return (await snapshot.readRecord(recordPaths.page(home))) as unknown as StoredPage;
}

/** Ids of the rows of a data source, oldest first; in the order of their ids if there are many. */
export async function* rowsOf(snapshot: SnapshotView, sourceId: string): AsyncGenerator<string, void> {
  const first: string[] = [];
  const ids = listRows(snapshot, sourceId);
  for (let step = await ids.next(); step.done !== true; step = await ids.next()) {
    first.push(step.value);
    if (first.length > MOST_SORTED_ROWS) {
      yield* first;
      yield* ids;
      return;
    }
  }
  const made: { id: string; created_time: Json }[] = [];
  for (const id of first) {
    const page = await readPage(snapshot, recordPaths.rowHome(sourceId, id));
    made.push({ id, created_time: page.created_time ?? "" });
  }
  made.sort(byAge);
  for (const { id } of made) yield id;
}

/** Ids of the rows that the version holds, in the order of their folders. */
async function* listRows(snapshot: SnapshotView, sourceId: string): AsyncGenerator<string, void> {
  for await (const id of foldersOf(snapshot, recordPaths.rowsOf(sourceId))) {
    const record = recordPaths.page(recordPaths.rowHome(sourceId, id));
    if ((await snapshot.find(record)) !== null) yield id;
  }
}

/** Names of the folders below a prefix; what is in them is skipped. */
export async function* foldersOf(snapshot: SnapshotView, prefix: string): AsyncGenerator<string, void> {
  for (let after = ""; ; ) {
    let name: string | null = null;
    for await (const { path } of snapshot.list(prefix, after)) {
      name = path.slice(prefix.length, path.indexOf("/", prefix.length));
      break;
    }
    if (name === null) return;
    yield name;
    // Sorts behind everything in the folder: the zero follows the slash.
    after = `${prefix}${name}0`;
  }
}
