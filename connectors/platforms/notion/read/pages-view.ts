import type { PageDetail, PageNode, PagesView } from "#connectors/contract/pages-view.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import { type ChildBlock, childBlocks, childBlocksIn } from "./block-tree.ts";
import { blocksOf } from "./blocks-of.ts";
import { commentAt, commentsOf } from "./comments.ts";
import { crumbsAbove } from "./crumbs.ts";
import { type FoundHome, findHome, homeOfPath, isId, pageHome, roleIn, sourceIdOfPath } from "./homes.ts";
import { filesBeside } from "./linked-blocks.ts";
import { listOf, textOf } from "./members.ts";
import { NO_PLACES } from "./page-markdown.ts";
import { openReadIo, type ReadIo } from "./read-io.ts";
import { fieldsOf, openTable, originOf, pathOfSource } from "./table-view.ts";
import { sourceIds } from "./targets.ts";
import {
  emojiOf,
  findSource,
  isArchived,
  listedTitle,
  sourceIdsOf,
  titleOfPage,
  titleOfSource,
} from "./titles.ts";
import { wholeMarkdown } from "./whole-markdown.ts";

/**
 * A workspace as a tree of pages, with each data source as a table. Blocks name what is below a page, so the tree needs
 * no index. Templates stand below their table. Pages in rows are reached from their row.
 */
export function openPages(snapshot: SnapshotView): PagesView {
  const io = openReadIo(snapshot);
  const { page = 0, template = 0, "data-source": tableCount = 0 } = snapshot.counts();
  return {
    pageCount: page + template,
    tableCount,
    children: (parentId, after) => childrenOf(io, parentId, after),
    all: (after) => allOf(io, after),
    page: (id) => openPage(io, id),
    async comments(id, range) {
      const found = await findHome(snapshot, id);
      return found === null ? { notes: [], next: null } : await commentsOf(io, found.home, range);
    },
    async comment(path) {
      const home = homeOfPath(path)?.home;
      return home === undefined ? null : await commentAt(io, home, path);
    },
    table: async (id) => (isId(id) ? await openTable(io, id) : null),
    async crumbsOfTable(id) {
      const entry = isId(id) ? await snapshot.find(recordPaths.source(id)) : null;
      return entry === null ? [] : await crumbsAbove(snapshot, entry);
    },
    tableAt: sourceIdOfPath,
    markdown: async (path) => await markdownAt(io, path),
    roleOf({ path }) {
      const found = homeOfPath(path);
      return found === null ? null : roleIn(found.home, found.name);
    },
  };
}

async function* childrenOf(
  io: ReadIo,
  parentId: string | null,
  after: string | null,
): AsyncGenerator<PageNode, void> {
  const seen = new Set<string>();
  let isBehind = after === null;
  for await (const id of childIds(io.snapshot, parentId)) {
    // A page stands in one place, whatever a damaged record says.
    if (seen.has(id)) continue;
    seen.add(id);
    if (isBehind) {
      const node = await findNode(io, id);
      if (node !== null) yield node;
    }
    if (id === after) isBehind = true;
  }
}

/** Ids of the nodes below a page, row or table, or at the top, in their order. They may be missing in the version. */
async function* childIds(snapshot: SnapshotView, parentId: string | null): AsyncGenerator<string, void> {
  if (parentId === null) {
    yield* idsOf(snapshot, await rootsOf(snapshot));
    return;
  }
  const found = await findHome(snapshot, parentId);
  if (found !== null) {
    for await (const child of childBlocks(snapshot, found.home.path)) yield* idsOf(snapshot, [child]);
  } else if (isId(parentId)) {
    for await (const { path } of snapshot.list(recordPaths.templatesOf(parentId))) {
      const template = homeOfPath(path);
      if (template?.name === "page.json") yield template.home.id;
    }
  }
}

async function rootsOf(snapshot: SnapshotView): Promise<ChildBlock[]> {
  if ((await snapshot.find(recordPaths.roots)) === null) return [];
  return listOf(await snapshot.readRecord(recordPaths.roots), "roots").flatMap((root): ChildBlock[] => {
    const [type, id] = [textOf(root, "type"), textOf(root, "id")];
    return isId(id) && (type === "page" || type === "database") ? [{ type, id }] : [];
  });
}

/** A database stands for its data sources. */
async function* idsOf(snapshot: SnapshotView, children: readonly ChildBlock[]): AsyncGenerator<string, void> {
  for (const { type, id } of children) {
    if (type === "page") yield id;
    else if ((await snapshot.find(recordPaths.database(id))) !== null)
      yield* sourceIdsOf(await snapshot.readRecord(recordPaths.database(id)));
  }
}

/** Pages, then tables, each before its templates. Behind an id that the version lacks, begins anew. */
async function* allOf(io: ReadIo, after: string | null): AsyncGenerator<PageNode, void> {
  const { snapshot } = io;
  const last = after === null ? null : await findHome(snapshot, after);
  const isTable =
    last === null && after !== null && isId(after) && (await findSource(snapshot, after)) !== null;
  if (!isTable && (last === null || last.home.kind === "page")) {
    for await (const entry of snapshot.list(recordPaths.pages, last?.entry.path ?? ""))
      if (homeOfPath(entry.path)?.name === "page.json") yield await listedNode(snapshot, entry);
  }
  const sourceId = isTable ? after : (last?.home.sourceId ?? null);
  if (sourceId !== null) yield* templatesOf(snapshot, sourceId, last?.entry.path ?? "");
  for await (const id of sourceIds(snapshot, sourceId)) {
    const table = await tableNode(io, id);
    if (table !== null) yield table;
    yield* templatesOf(snapshot, id, "");
  }
}

async function* templatesOf(
  snapshot: SnapshotView,
  sourceId: string,
  after: string,
): AsyncGenerator<PageNode, void> {
  const folder = recordPaths.templatesOf(sourceId);
  for await (const entry of snapshot.list(folder, after.startsWith(folder) ? after : ""))
    if (homeOfPath(entry.path)?.name === "page.json") yield await listedNode(snapshot, entry);
}

/** A page for a search, from its entry alone: a search passes thousands. */
async function listedNode(snapshot: SnapshotView, entry: EntryInfo): Promise<PageNode> {
  const { home } = homeOfPath(entry.path)!;
  const title = await listedTitle(snapshot, entry);
  return {
    id: home.id,
    path: entry.path,
    type: "page",
    title,
    icon: null,
    isArchived: false,
    childCount: null,
  };
}

async function findNode(io: ReadIo, id: string): Promise<PageNode | null> {
  const found = await findHome(io.snapshot, id);
  if (found !== null) return await pageNode(io, found);
  return isId(id) ? await tableNode(io, id) : null;
}

async function pageNode({ snapshot }: ReadIo, { home, entry }: FoundHome): Promise<PageNode> {
  const page = await snapshot.readRecord(entry.path);
  return {
    ...{ id: home.id, path: entry.path, type: "page", title: titleOfPage(page) },
    icon: emojiOf(page),
    isArchived: isArchived(page),
    childCount: await childCount(snapshot, home.path),
  };
}

/** The number of a page's children, if one record holds all its blocks; null for a longer page. */
async function childCount(snapshot: SnapshotView, home: string): Promise<number | null> {
  const first = await snapshot.find(recordPaths.blocks(home, 0));
  if (first === null) return 0;
  if ((await snapshot.find(recordPaths.blocks(home, 1))) !== null) return null;
  let count = 0;
  for (const { type, id } of childBlocksIn(await snapshot.readRecord(first.path))) {
    const path = type === "page" ? recordPaths.page(pageHome(id).path) : recordPaths.database(id);
    if ((await snapshot.find(path)) !== null) count += 1;
  }
  return count;
}

async function tableNode({ snapshot }: ReadIo, id: string): Promise<PageNode | null> {
  const source = await findSource(snapshot, id);
  if (source === null) return null;
  let templates = 0;
  for await (const { path } of snapshot.list(recordPaths.templatesOf(id)))
    if (homeOfPath(path)?.name === "page.json") templates += 1;
  return {
    ...{ id, path: pathOfSource(source), type: "table", title: titleOfSource(source) },
    icon: emojiOf(source.record) ?? (source.database === null ? null : emojiOf(source.database)),
    isArchived: false,
    childCount: templates,
  };
}

/** A page, row or template. The properties of a row and a template are its fields; a page has none but its title. */
export async function openPage(io: ReadIo, id: string): Promise<PageDetail | null> {
  const { snapshot } = io;
  const found = await findHome(snapshot, id);
  if (found === null) return null;
  const { home, entry } = found;
  const page = await snapshot.readRecord(entry.path);
  const crumbs = await crumbsAbove(snapshot, entry);
  return {
    ...(await pageNode(io, found)),
    ...(await originOf(io, page)),
    crumbs,
    fields: home.sourceId === null ? [] : await fieldsOf(io, home.sourceId, page),
    blocks: await blocksOf({ ...io, crumbs }, home.path),
    files: await filesBeside(snapshot, page),
  };
}

async function markdownAt(io: ReadIo, path: string): Promise<{ name: string; text: string } | null> {
  const found = homeOfPath(path);
  const page = found?.name === "page.json" ? await openPage(io, found.home.id) : null;
  if (found === null || page === null) return null;
  const text = await wholeMarkdown(io, { home: found.home, page }, NO_PLACES);
  return { name: `${page.title.trim() || "Untitled"}.md`, text };
}
