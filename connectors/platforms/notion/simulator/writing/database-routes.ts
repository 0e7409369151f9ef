import { Hono } from "hono";
import type { Json } from "#core/kernel/canonical-json.ts";
import { answer, databaseOfPath, dataSourceOfPath, type NotionEnv, need } from "../api-context.ts";
import { newId } from "../ids.ts";
import { readCover, readIcon } from "../properties/icons.ts";
import { type Input, readBoolean, readObject, readUuid, unfit } from "../properties/read-input.ts";
import { readRichText } from "../properties/rich-text.ts";
import { writeSchema } from "../properties/write-schema.ts";
import { reach, type Writer } from "../properties/writer.ts";
import { invalid } from "../refused.ts";
import { renderDatabase, renderDataSource } from "../render.ts";
import type { Database, DataSource, NotionWorld } from "../state.ts";
import {
  ancestors,
  createDatabase,
  createDataSource,
  createView,
  moveThing,
  now,
  stampsOf,
} from "../store.ts";
import { readBody, refuseTrash, trashOf, writerOf } from "./body.ts";
import { setTrash } from "./trash.ts";

/** Calls that write databases and data sources. */
export function databaseRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  const own = ["title", "description", "icon", "cover", "is_inline"];
  app.post("/databases", async (c) => {
    need(c, "insert_content");
    const body = await readBody(c, ["parent", "initial_data_source", ...own]);
    return answer(c, renderDatabase(world, makeDatabase(writerOf(world, c), body)));
  });
  app.patch("/databases/:database_id", async (c) => {
    need(c, "update_content");
    const database = databaseOfPath(world, c);
    const body = await readBody(c, ["parent", "is_locked", "in_trash", "archived", ...own]);
    updateDatabase(writerOf(world, c), database, body);
    return answer(c, renderDatabase(world, database));
  });
  app.post("/data_sources", async (c) => {
    need(c, "insert_content");
    const body = await readBody(c, ["parent", "properties", "title", "icon"]);
    return answer(c, renderDataSource(world, makeDataSource(writerOf(world, c), body)));
  });
  app.patch("/data_sources/:data_source_id", async (c) => {
    need(c, "update_content");
    const source = dataSourceOfPath(world, c);
    // `parent` is in the contract too; what becomes of views when a source moves is not described, so it is refused.
    const body = await readBody(c, ["properties", "title", "icon", "in_trash", "archived"]);
    updateDataSource(writerOf(world, c), source, body);
    return answer(c, renderDataSource(world, source));
  });
  return app;
}

/** Reads where a database stands; undefined = at the top of the workspace. `type` must be there (contract). */
function readParent(writer: Writer, value: unknown): string | undefined {
  const input = readObject(value, "body.parent", ["type", "page_id", "workspace"]);
  if (input.type === "workspace" && input.workspace === true && input.page_id === undefined) return undefined;
  if (input.type !== "page_id") throw unfit("body.parent.type", "`page_id` or `workspace`", input.type);
  const id = readUuid(input.page_id, "body.parent.page_id");
  reach(writer, id, ["page"], "page");
  return id;
}

/** Texts and looks of a database in a request. */
function readLooks(writer: Writer, body: Input): Partial<Database> {
  const looks: Partial<Database> = {};
  if (body.title !== undefined) looks.title = readRichText(writer, body.title, "body.title");
  if (body.description !== undefined)
    looks.description = readRichText(writer, body.description, "body.description");
  if (body.icon !== undefined) looks.icon = readIcon(writer, body.icon, "body.icon");
  if (body.cover !== undefined) looks.cover = readCover(writer, body.cover, "body.cover");
  if (body.is_inline !== undefined) looks.isInline = readBoolean(body.is_inline, "body.is_inline");
  if (body.is_locked !== undefined) looks.isLocked = readBoolean(body.is_locked, "body.is_locked");
  return looks;
}

/** Makes a database with a data source of the same title and a view. Evidence: the recorded creations and view lists. */
function makeDatabase(writer: Writer, body: Input): Database {
  const { world, grant } = writer;
  const parentId = readParent(writer, body.parent);
  if (parentId !== undefined) refuseTrash(world, parentId);
  const initial = readObject(body.initial_data_source ?? {}, "body.initial_data_source", ["properties"]);
  const looks = readLooks(writer, body);
  const by = grant.botId;
  const source = unstoredSource(world, by, { title: looks.title ?? [], icon: null });
  // Without properties it has a title. Unproven; every recorded database was made so, but none was read back.
  const told = initial.properties ?? { Name: { title: {} } };
  writeSchema(writer, source, told, "body.initial_data_source.properties");
  const place = parentId === undefined ? { workspaceId: grant.workspaceId } : { parentId };
  const database = createDatabase(world, { by, ...looks, ...place });
  if (parentId === undefined) grant.rootIds.push(database.id);
  storeSource(world, source, database, by);
  return database;
}

function makeDataSource(writer: Writer, body: Input): DataSource {
  const { world, grant } = writer;
  const parent = readObject(body.parent, "body.parent", ["type", "database_id"]);
  const { thing } = reach(
    writer,
    readUuid(parent.database_id, "body.parent.database_id"),
    ["database"],
    "database",
  );
  refuseTrash(world, thing.id);
  const title = body.title === undefined ? [] : readRichText(writer, body.title, "body.title");
  const icon = body.icon === undefined ? null : readIcon(writer, body.icon, "body.icon");
  const source = unstoredSource(world, grant.botId, { title, icon, databaseId: thing.id });
  writeSchema(writer, source, body.properties, "body.properties");
  return storeSource(world, source, thing, grant.botId);
}

function unstoredSource(
  world: NotionWorld,
  by: string,
  told: { title: Json[]; icon: Json; databaseId?: string },
): DataSource {
  return {
    ...{ id: newId(world.state), workspaceId: "", databaseId: "", description: [], properties: {}, ...told },
    ...{ isTrashed: false, rowIds: [], templateIds: [], defaultTemplateId: null, lastNumber: 0 },
    ...stampsOf(world, by),
  };
}

/** Stores a data source with the id that its relations already name, and makes its view. */
function storeSource(world: NotionWorld, draft: DataSource, database: Database, by: string): DataSource {
  const { title, icon, properties } = draft;
  const source = createDataSource(world, {
    id: draft.id,
    databaseId: database.id,
    title,
    icon,
    properties,
    by,
  });
  tellDatabase(world, source);
  // Evidence for the first source of a database: the recorded list of its views. For further ones it is documented.
  const body = { name: "Default view", type: "table", configuration: { type: "table" } };
  createView(world, { databaseId: database.id, dataSourceId: source.id, body, by });
  return source;
}

/** Partners of new relations learn in which database the source stands. */
function tellDatabase({ state }: NotionWorld, { id, databaseId }: DataSource): void {
  for (const { properties } of Object.values(state.dataSources)) {
    for (const { relation } of Object.values(properties)) {
      const config = relation as Record<string, Json> | undefined;
      if (config?.data_source_id === id) config.database_id = databaseId;
    }
  }
}

/** A changed database does not count as edited. Evidence: the recorded change of an icon. */
function updateDatabase(writer: Writer, database: Database, body: Input): void {
  const { world, grant } = writer;
  const { in_trash: _, archived: __, parent, ...changes } = body;
  const trash = trashOf(body);
  if (trash === false) setTrash(writer, database.id, false);
  if (parent !== undefined || Object.keys(changes).length > 0) refuseTrash(world, database.id);
  const looks = readLooks(writer, changes);
  if (parent !== undefined) {
    const target = readParent(writer, parent);
    if (target !== undefined && [target, ...ancestors(world, target)].includes(database.id))
      throw invalid("A database cannot be moved below itself.");
    if (target !== undefined) refuseTrash(world, target);
    moveThing(world, database.id, target ?? null, grant.botId);
  }
  Object.assign(database, looks);
  if (trash === true) setTrash(writer, database.id, true);
}

function updateDataSource(writer: Writer, source: DataSource, body: Input): void {
  const { world, grant } = writer;
  const { in_trash: _, archived: __, ...changes } = body;
  const trash = trashOf(body);
  if (trash === false) setTrash(writer, source.id, false);
  if (Object.keys(changes).length > 0) {
    refuseTrash(world, source.id);
    const title = body.title === undefined ? source.title : readRichText(writer, body.title, "body.title");
    const icon = body.icon === undefined ? source.icon : readIcon(writer, body.icon, "body.icon");
    if (body.properties !== undefined) writeSchema(writer, source, body.properties, "body.properties");
    Object.assign(source, { title, icon, editedAt: now(world), editedBy: grant.botId });
  }
  if (trash === true) setTrash(writer, source.id, true);
}
