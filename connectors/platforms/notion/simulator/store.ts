import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Json } from "#core/kernel/canonical-json.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { newId } from "./ids.ts";
import type {
  Block,
  Comment,
  Database,
  DataSource,
  Fields,
  Grant,
  KeptFile,
  NotionWorld,
  Page,
  Parent,
  Stamps,
  View,
} from "./state.ts";

/** The time of the simulator's clock in epoch milliseconds. */
export const now = (world: NotionWorld): number => Date.now() + world.clockOffsetMs;

/** A time in whole minutes, as answers show those of most things. */
export const wholeMinute = (at: number): number => at - (at % MINUTE_MS);

/** Where a new child stands among its siblings. */
export type Place = "start" | "end" | { after: string };

/** Stamps of something that is made now, or was at the given time. */
export function stampsOf(world: NotionWorld, by: string, at = now(world)): Stamps {
  return { createdAt: at, createdBy: by, editedAt: at, editedBy: by };
}

type Making = { by: string; at?: number; place?: Place };

/** Makes a block below a page or block. The page that holds it counts as edited. */
export function createBlock(
  world: NotionWorld,
  order: Making & { parentId: string; type: string; payload: Fields },
): Block {
  const { parentId, type, payload, by, at, place = "end" } = order;
  const workspaceId = workspaceOf(world, parentId);
  const parent = parentFor(world, parentId);
  const id = newId(world.state);
  const block = { id, workspaceId, parent, type, payload, isTrashed: false, ...stampsOf(world, by, at) };
  world.state.blocks[id] = block;
  insertChild(world, parentId, id, place);
  touch(world, parentId, by, at);
  return block;
}

type PageOrder = Making &
  Partial<Pick<Page, "icon" | "cover" | "isLocked">> & {
    /** Absent = at the top of the workspace. Of a row and a template: the data source. */
    parentId?: string;
    workspaceId?: string;
    kind?: Page["kind"];
    values: Page["values"];
  };

/** Makes a page, row or template. A grant reaches what it makes at the top only when its `rootIds` have it. */
export function createPage(world: NotionWorld, order: PageOrder): Page {
  const { state } = world;
  const { parentId, kind = "page", values, by, at, place = "end" } = order;
  const workspaceId = parentId === undefined ? order.workspaceId : workspaceOf(world, parentId);
  if (workspaceId === undefined) throw new Error("A page at the top needs a workspace");
  const parent: Parent = parentId === undefined ? { type: "workspace" } : parentFor(world, parentId);
  const id = newId(state);
  const page: Page = {
    ...{ kind, id, workspaceId, parent, values, isTrashed: false, publicUrl: null, number: null },
    ...{ icon: order.icon ?? null, cover: order.cover ?? null, isLocked: order.isLocked ?? false },
    ...stampsOf(world, by, at),
  };
  state.pages[id] = page;
  if (parent.type === "data_source_id") {
    const source = state.dataSources[parent.id]!;
    if (kind === "row") {
      source.lastNumber += 1;
      page.number = source.lastNumber;
      source.rowIds.push(id);
    } else source.templateIds.push(id);
  } else putBelow(world, workspaceId, parentId, id, place, by, at);
  return page;
}

/** Makes a database without data sources and views. */
export function createDatabase(
  world: NotionWorld,
  order: Making &
    Partial<Pick<Database, "title" | "description" | "icon" | "cover" | "isInline" | "isLocked">> & {
      parentId?: string;
      workspaceId?: string;
    },
): Database {
  const { parentId, by, at, place = "end" } = order;
  const workspaceId = parentId === undefined ? order.workspaceId : workspaceOf(world, parentId);
  if (workspaceId === undefined) throw new Error("A database at the top needs a workspace");
  const parent: Parent = parentId === undefined ? { type: "workspace" } : parentFor(world, parentId);
  const id = newId(world.state);
  const database: Database = {
    ...{ id, workspaceId, parent, title: order.title ?? [], description: order.description ?? [] },
    ...{ icon: order.icon ?? null, cover: order.cover ?? null, isInline: order.isInline ?? false },
    ...{ isLocked: order.isLocked ?? false, isTrashed: false, publicUrl: null },
    ...{ dataSourceIds: [], viewIds: [], ...stampsOf(world, by, at) },
  };
  world.state.databases[id] = database;
  putBelow(world, workspaceId, parentId, id, place, by, at);
  return database;
}

/** Makes a data source of a database. */
export function createDataSource(
  world: NotionWorld,
  order: Making &
    Pick<DataSource, "databaseId" | "title" | "properties"> & {
      /** An id from `newId` that its relations name already. */
      id?: string;
      icon?: Json;
    },
): DataSource {
  const { databaseId, title, properties, icon = null, by, at } = order;
  const database = world.state.databases[databaseId]!;
  const id = order.id ?? newId(world.state);
  const source: DataSource = {
    ...{ id, workspaceId: database.workspaceId, databaseId, title, description: [], icon, properties },
    ...{ isTrashed: false, rowIds: [], templateIds: [], defaultTemplateId: null, lastNumber: 0 },
    ...stampsOf(world, by, at),
  };
  world.state.dataSources[id] = source;
  database.dataSourceIds.push(id);
  return source;
}

/** Makes a view at the end of its database's. */
export function createView(
  world: NotionWorld,
  order: Making & { databaseId: string; dataSourceId: string | null; body: Fields },
): View {
  const { databaseId, dataSourceId, body, by, at } = order;
  const database = world.state.databases[databaseId]!;
  const id = newId(world.state);
  const { workspaceId } = database;
  const view = { id, workspaceId, databaseId, dataSourceId, body, ...stampsOf(world, by, at) };
  world.state.views[id] = view;
  database.viewIds.push(id);
  return view;
}

/** Adds a comment to a page or block; without a discussion it begins one. */
export function createComment(
  world: NotionWorld,
  order: Making &
    Pick<Comment, "richText" | "displayName"> & {
      onId: string;
      discussionId?: string;
      attachments?: Json[];
    },
): Comment {
  const { state } = world;
  const { onId, richText, displayName, attachments = [], by, at } = order;
  const parent: Comment["parent"] = { type: state.pages[onId] ? "page_id" : "block_id", id: onId };
  const id = newId(state);
  const discussionId = order.discussionId ?? newId(state);
  const comment: Comment = {
    ...{ id, workspaceId: workspaceOf(world, onId), parent, discussionId, richText, attachments },
    ...{ displayName, isResolved: false, ...stampsOf(world, by, at) },
  };
  state.comments[id] = comment;
  state.commentsOn[onId] = [...(state.commentsOn[onId] ?? []), id];
  return comment;
}

/** Keeps a file's bytes. */
export function keepFile(
  world: NotionWorld,
  {
    workspaceId,
    name,
    contentType,
    bytes,
  }: Pick<KeptFile, "workspaceId" | "name" | "contentType"> & {
    bytes: Uint8Array;
  },
): KeptFile {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const id = newId(world.state);
  const file = { id, workspaceId, name, contentType, sizeBytes: bytes.length, sha256 };
  const place = bytesPath(world, sha256);
  if (!existsSync(place)) {
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, bytes);
  }
  world.state.files[id] = file;
  return file;
}

/** The bytes of a file. */
export function bytesOf(world: NotionWorld, { sha256 }: KeptFile): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(bytesPath(world, sha256)));
}

function bytesPath({ directory }: NotionWorld, sha256: string): string {
  return path.join(directory, "files", sha256);
}

/** What has an id and a place in the tree. */
export type Thing =
  | { kind: "page"; thing: Page }
  | { kind: "block"; thing: Block }
  | { kind: "database"; thing: Database }
  | { kind: "data-source"; thing: DataSource };

/** Finds a page, block, database or data source, also in the trash; null = nothing has this id. */
export function findThing({ state }: NotionWorld, id: string): Thing | null {
  const page = state.pages[id];
  if (page) return { kind: "page", thing: page };
  const block = state.blocks[id];
  if (block) return { kind: "block", thing: block };
  const database = state.databases[id];
  if (database) return { kind: "database", thing: database };
  const source = state.dataSources[id];
  return source ? { kind: "data-source", thing: source } : null;
}

/** The id of what something stands in; null = it stands at the top, or is not known. */
export function parentOf(world: NotionWorld, id: string): string | null {
  const found = findThing(world, id);
  if (found === null) return null;
  if (found.kind === "data-source") return found.thing.databaseId;
  return found.thing.parent.type === "workspace" ? null : found.thing.parent.id;
}

/** Ids of everything above something, the nearest first. */
export function ancestors(world: NotionWorld, id: string): string[] {
  const above: string[] = [];
  for (let at = parentOf(world, id); at !== null; at = parentOf(world, at)) above.push(at);
  return above;
}

/** Ids in a page or block that are not in the trash, from top to bottom: blocks, pages and databases. */
export function childrenOf(world: NotionWorld, id: string): string[] {
  return (world.state.children[id] ?? []).filter(
    (child) => findThing(world, child)?.thing.isTrashed === false,
  );
}

/** Whether something, or anything above it, is in the trash. */
export function isInTrash(world: NotionWorld, id: string): boolean {
  return [id, ...ancestors(world, id)].some((each) => findThing(world, each)?.thing.isTrashed === true);
}

/** Whether a grant covers something: a chosen page or database, or anything below one. */
export function reaches(world: NotionWorld, grant: Grant, id: string): boolean {
  const found = findThing(world, id);
  if (found === null || found.thing.workspaceId !== grant.workspaceId) return false;
  return [id, ...ancestors(world, id)].some((each) => grant.rootIds.includes(each));
}

/** The page that holds a block, or the page itself; null for databases and data sources. */
export function pageOf(world: NotionWorld, id: string): Page | null {
  for (let at: string | null = id; at !== null; at = parentOf(world, at)) {
    const page = world.state.pages[at];
    if (page) return page;
    if (world.state.databases[at] || world.state.dataSources[at]) return null;
  }
  return null;
}

/** Marks something, and the page that holds it, as edited. */
export function touch(world: NotionWorld, id: string, by: string, at = now(world)): void {
  const found = findThing(world, id);
  for (const thing of [found?.thing, pageOf(world, id)]) {
    if (thing) Object.assign(thing, { editedAt: Math.max(at, thing.editedAt), editedBy: by });
  }
}

/** Puts a child among those of a page or block. */
export function insertChild(world: NotionWorld, parentId: string, id: string, place: Place): void {
  const all = world.state.children;
  all[parentId] ??= [];
  const children = all[parentId];
  if (place === "end") children.push(id);
  else if (place === "start") children.unshift(id);
  else children.splice(children.indexOf(place.after) + 1 || children.length, 0, id);
}

/** Moves a page or database below another page, or to the top. */
export function moveThing(world: NotionWorld, id: string, parentId: string | null, by: string): void {
  const { state } = world;
  const found = findThing(world, id);
  if (found?.kind !== "page" && found?.kind !== "database") throw new Error(`There is no page ${id}`);
  const { thing } = found;
  const before = parentOf(world, id);
  const workspace = state.workspaces.find(({ id: each }) => each === thing.workspaceId)!;
  const without = (ids: string[]) => ids.filter((each) => each !== id);
  if (before === null) workspace.rootIds = without(workspace.rootIds);
  else if (state.dataSources[before])
    state.dataSources[before].rowIds = without(state.dataSources[before].rowIds);
  else state.children[before] = without(state.children[before] ?? []);
  thing.parent = parentId === null ? { type: "workspace" } : parentFor(world, parentId);
  const source = parentId === null ? undefined : state.dataSources[parentId];
  if (found.kind === "page") found.thing.kind = source ? "row" : "page";
  if (source) source.rowIds.push(id);
  else putBelow(world, thing.workspaceId, parentId ?? undefined, id, "end", by);
  touch(world, id, by);
}

/** The workspace of what has this id. @throws Error when nothing has */
export function workspaceOf(world: NotionWorld, id: string): string {
  const found = findThing(world, id);
  if (found === null) throw new Error(`There is no ${id}`);
  return found.thing.workspaceId;
}

function parentFor({ state }: NotionWorld, id: string): Parent {
  if (state.pages[id]) return { type: "page_id", id };
  if (state.blocks[id]) return { type: "block_id", id };
  if (state.dataSources[id]) return { type: "data_source_id", id };
  if (state.databases[id]) return { type: "database_id", id };
  throw new Error(`There is no ${id}`);
}

function putBelow(
  world: NotionWorld,
  workspaceId: string,
  parentId: string | undefined,
  id: string,
  place: Place,
  by: string,
  at?: number,
): void {
  if (parentId === undefined) {
    world.state.workspaces.find((each) => each.id === workspaceId)?.rootIds.push(id);
    return;
  }
  insertChild(world, parentId, id, place);
  touch(world, parentId, by, at);
}
