import type { EntryRole } from "#connectors/contract/entry-role.ts";
import type { PageDetail, PageNode, PagesView } from "#connectors/contract/pages-view.ts";
import type { EntryInfo, SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { cellFields } from "#connectors/toolkit/views/cell-fields.ts";
import { timeOf } from "#connectors/toolkit/views/values.ts";
import { bookRecordSchema, type Child, type Page, pageSchema } from "../payloads.ts";
import { folderOf, readPath, recordPaths } from "../record-paths.ts";
import { blocksOf } from "./blocks-of.ts";
import { findComment, notesOf } from "./notes-of.ts";
import { openRegister } from "./register-view.ts";
import { findRow, readRegister, rowDetail, rowId } from "./rows.ts";

/** Almanac lets pages lie at most this deep; a longer way up is a circle. */
const DEEPEST = 50;

/**
 * The pages of a version. A page names what is below it in its order, so the tree needs no index. Rows of registers that
 * lie in pages are opened here too; those at the top of the book have views of their own.
 */
export async function openPages(snapshot: SnapshotView): Promise<PagesView> {
  const { page: pageCount = 0, register: tableCount = 0 } = snapshot.counts();
  const { contents } = bookRecordSchema.parse(await snapshot.readRecord(recordPaths.book));
  const ownViews = new Set(contents.flatMap(({ type, id }) => (type === "register" ? [id] : [])));
  return {
    pageCount,
    tableCount,
    async *children(parentId, after) {
      const below = parentId === null ? contents : await childrenOf(snapshot, parentId);
      const from = after === null ? 0 : below.findIndex(({ id }) => id === after) + 1;
      for (const child of below.slice(from)) {
        const node = await findNode(snapshot, child);
        if (node !== null) yield node;
      }
    },
    async *all(after) {
      for await (const { path } of nodesAfter(snapshot, after)) {
        const named = readPath(path);
        if (named?.type === "page" || named?.type === "register") {
          const node = await findNode(snapshot, named);
          if (node !== null) yield node;
        }
      }
    },
    page: async (id) => (await openPage(snapshot, id)) ?? (await openRow(snapshot, id)),
    async comments(id, range) {
      const path = (await snapshot.find(recordPaths.page(id)))?.path ?? (await findRow(snapshot, id))?.path;
      return path === undefined ? { notes: [], next: null } : await notesOf(snapshot, folderOf(path), range);
    },
    comment: (path) => findComment(snapshot, path, ({ registerId }) => !ownViews.has(registerId ?? "")),
    table: (id) => openRegister(snapshot, id),
    crumbsOfTable: async (id) =>
      await crumbsOf(snapshot, (await readRegister(snapshot, id))?.parentId ?? null),
    roleOf: ({ path }) => roleOf(path, ownViews),
  };
}

function roleOf(path: string, ownViews: ReadonlySet<string>): EntryRole | null {
  const named = readPath(path);
  switch (named?.type) {
    case "page":
      return { role: "part", id: named.id };
    case "row":
      return ownViews.has(named.registerId) ? null : { role: "part", id: rowId(named.registerId, named.id) };
    case "comment":
    case "file": {
      const { id, registerId } = named.of;
      if (registerId === null) return { role: named.type, partId: id };
      return ownViews.has(registerId) ? null : { role: named.type, partId: rowId(registerId, id) };
    }
    default:
      return null;
  }
}

/** Entries of pages and then of registers, behind that of an id; what no id names begins anew. */
async function* nodesAfter(snapshot: SnapshotView, after: string | null): AsyncGenerator<EntryInfo, void> {
  const isBehindPages = after !== null && (await snapshot.find(recordPaths.register(after))) !== null;
  if (!isBehindPages) {
    const mark = after === null ? "" : recordPaths.page(after);
    for await (const entry of snapshot.list(recordPaths.pages, mark)) if (entry.kind === "page") yield entry;
  }
  const mark = isBehindPages ? recordPaths.register(after) : "";
  for await (const entry of snapshot.list(recordPaths.registers, mark))
    if (entry.kind === "register") yield entry;
}

async function childrenOf(snapshot: SnapshotView, parentId: string): Promise<readonly Child[]> {
  const page = await readPage(snapshot, parentId);
  return page === null ? [] : childBlocks(page);
}

function childBlocks({ blocks }: Pick<Page, "blocks">): Child[] {
  return blocks.flatMap((block) => (block.type === "page" || block.type === "register" ? [block] : []));
}

async function readPage(snapshot: SnapshotView, id: string): Promise<Page | null> {
  const path = recordPaths.page(id);
  if ((await snapshot.find(path)) === null) return null;
  return pageSchema.parse(await snapshot.readRecord(path));
}

async function findNode(snapshot: SnapshotView, { type, id }: Child): Promise<PageNode | null> {
  if (type === "page") {
    const page = await readPage(snapshot, id);
    return page === null ? null : nodeOf(page);
  }
  const register = await readRegister(snapshot, id);
  if (register === null) return null;
  const { title, icon, isArchived } = register;
  return { id, path: recordPaths.register(id), type: "table", title, icon, isArchived, childCount: 0 };
}

function nodeOf(page: Page): PageNode {
  const { id, title, icon, isArchived } = page;
  const childCount = childBlocks(page).length;
  return { id, path: recordPaths.page(id), type: "page", title, icon, isArchived, childCount };
}

async function openPage(snapshot: SnapshotView, id: string): Promise<PageDetail | null> {
  const page = await readPage(snapshot, id);
  if (page === null) return null;
  const { author, createdAt, editedAt, properties } = page;
  const node = nodeOf(page);
  return {
    ...node,
    ...{ author, url: null, fields: properties },
    at: timeOf(createdAt),
    editedAt: timeOf(editedAt),
    crumbs: await crumbsOf(snapshot, page.parentId),
    ...(await blocksOf(snapshot, { ...page, path: node.path })),
  };
}

/** A row as a page: its cells are the properties. */
async function openRow(snapshot: SnapshotView, id: string): Promise<PageDetail | null> {
  const found = await findRow(snapshot, id);
  const register = found && (await readRegister(snapshot, found.row.registerId));
  if (register === null) return null;
  const { columns, title } = register;
  const { cells, key: _key, ...row } = await rowDetail(snapshot, { ...found!, columns });
  const above = await crumbsOf(snapshot, register.parentId);
  return {
    ...row,
    ...{ type: "page", icon: null, childCount: 0, fields: cellFields(columns, cells) },
    crumbs: [...above, { id: register.id, type: "table", title }],
  };
}

async function crumbsOf(snapshot: SnapshotView, parentId: string | null): Promise<PageDetail["crumbs"]> {
  const crumbs: PageDetail["crumbs"] = [];
  for (let id = parentId; id !== null && crumbs.length < DEEPEST; ) {
    const page: Page | null = await readPage(snapshot, id);
    if (page === null) break;
    crumbs.unshift({ id, type: "page", title: page.title });
    id = page.parentId;
  }
  return crumbs;
}
