import { Hono } from "hono";
import { answer, idOf, missing, type NotionEnv, need } from "../api-context.ts";
import { newId } from "../ids.ts";
import { listAnswer, pageOf, pageOfQuery, readWish } from "../paging.ts";
import {
  type Input,
  isObject,
  readList,
  readObject,
  readOneOf,
  readText,
  readUuid,
  unfit,
} from "../properties/read-input.ts";
import { findProperty } from "../properties/schema.ts";
import { reach, type Writer } from "../properties/writer.ts";
import { queryRows } from "../reading/query.ts";
import { invalid } from "../refused.ts";
import { renderView } from "../render.ts";
import type { DataSource, Fields, NotionWorld, View } from "../state.ts";
import { createView, now, reaches } from "../store.ts";
import { readBody, refuseTrash, writerOf } from "./body.ts";
import { readConfiguration, VIEW_TYPES } from "./view-configurations.ts";

/** Calls that write views, and the queries that they keep. */
export function viewRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  const own = ["name", "filter", "sorts", "quick_filters", "configuration"];
  app.post("/views", async (c) => {
    need(c, "insert_content");
    // Widgets of dashboards and views with a database of their own (`view_id`, `placement`, `create_database`): no
    // source shows what they lead to, so they are refused.
    const body = await readBody(c, ["data_source_id", "database_id", "type", "position", ...own]);
    return answer(c, renderView(world, create(writerOf(world, c), body)));
  });
  app.patch("/views/:view_id", async (c) => {
    need(c, "update_content");
    const view = viewOfPath(world, c);
    update(writerOf(world, c), view, await readBody(c, own));
    return answer(c, renderView(world, view));
  });
  app.delete("/views/:view_id", (c) => {
    need(c, "update_content");
    const { id, databaseId, body } = viewOfPath(world, c);
    const database = world.state.databases[databaseId]!;
    // Notion's interface keeps the last view. That the API does is unproven.
    if (database.viewIds.length === 1) throw invalid("The last view of a database cannot be deleted.");
    database.viewIds = database.viewIds.filter((each) => each !== id);
    delete world.state.views[id];
    return answer(c, {
      object: "view",
      id,
      parent: { type: "database_id", database_id: databaseId },
      type: body.type!,
    });
  });
  app.route("/", viewQueryRoutes(world));
  return app;
}

type Ctx = Parameters<typeof need>[0];

function viewOfPath(world: NotionWorld, c: Ctx): View {
  const id = idOf(c.req.param("view_id"), "path.view_id");
  const view = world.state.views[id];
  if (!view || !reaches(world, c.get("grant"), view.databaseId)) throw missing(c, "view", id);
  return view;
}

function create(writer: Writer, body: Input): View {
  const { world, grant } = writer;
  const sourceId = readUuid(body.data_source_id, "body.data_source_id");
  const { thing: source } = reach(writer, sourceId, ["data-source"], "data source");
  const databaseId = readUuid(body.database_id, "body.database_id");
  const { thing: database } = reach(writer, databaseId, ["database"], "database");
  refuseTrash(world, databaseId);
  const type = readOneOf(body.type, "body.type", VIEW_TYPES);
  const name = readText(body.name, "body.name", 2_000);
  const told = readTold(source, type, body);
  if (type === "board" && body.configuration === undefined)
    throw unfit("body.configuration", "defined: a board needs group_by");
  const index = readPosition(database.viewIds, body.position);
  const view = createView(world, {
    ...{ databaseId, dataSourceId: sourceId, by: grant.botId },
    body: { name, type, configuration: { type }, ...told },
  });
  database.viewIds = database.viewIds.filter((id) => id !== view.id);
  database.viewIds.splice(index, 0, view.id);
  return view;
}

function update({ world, grant }: Writer, view: View, body: Input): void {
  const source = world.state.dataSources[view.dataSourceId ?? ""];
  if (source === undefined) throw invalid("A view without a data source cannot be changed here.");
  refuseTrash(world, view.databaseId);
  const told = readTold(source, String(view.body.type), body);
  if (body.name !== undefined) told.name = readText(body.name, "body.name", 2_000);
  view.body = { ...view.body, ...told };
  Object.assign(view, { editedAt: now(world), editedBy: grant.botId });
}

/** What a request sets of a view, besides its name. Properties that it names must exist. */
function readTold(source: DataSource, type: string, body: Input): Fields {
  const told: Fields = {};
  if (body.filter !== undefined) told.filter = readFilter(source, body.filter, "body.filter");
  if (body.quick_filters !== undefined) told.quick_filters = readQuickFilters(source, body.quick_filters);
  if (body.sorts !== undefined) told.sorts = readSorts(source, body.sorts);
  if (body.configuration !== undefined)
    told.configuration = readConfiguration(source, type, body.configuration, "body.configuration");
  return told;
}

function readFilter(source: DataSource, value: unknown, place: string): Fields | null {
  if (value === null) return null;
  const filter = readObject(value, place);
  for (const joint of ["and", "or"]) {
    if (filter[joint] === undefined) continue;
    for (const [index, each] of readList(filter[joint], `${place}.${joint}`, 100).entries())
      readFilter(source, each, `${place}.${joint}[${index}]`);
    return filter as Fields;
  }
  if (filter.timestamp === undefined) refuseUnknown(source, filter.property, `${place}.property`);
  return filter as Fields;
}

function readQuickFilters(source: DataSource, value: unknown): Fields | null {
  if (value === null) return null;
  const filters = readObject(value, "body.quick_filters");
  for (const key of Object.keys(filters)) refuseUnknown(source, key, `body.quick_filters.${key}`);
  return Object.fromEntries(Object.entries(filters).filter(([, each]) => each !== null)) as Fields;
}

function readSorts(source: DataSource, value: unknown): Fields[] | null {
  if (value === null) return null;
  return readList(value, "body.sorts", 100).map((each, index) => {
    const place = `body.sorts[${index}]`;
    const sort = readObject(each, place, ["property", "timestamp", "direction"]);
    readOneOf(sort.direction, `${place}.direction`, ["ascending", "descending"]);
    if (sort.timestamp === undefined) refuseUnknown(source, sort.property, `${place}.property`);
    else readOneOf(sort.timestamp, `${place}.timestamp`, ["created_time", "last_edited_time"]);
    return sort as Fields;
  });
}

function refuseUnknown(source: DataSource, key: unknown, place: string): void {
  if (typeof key !== "string" || findProperty(source, key) === null)
    throw unfit(place, "the name or id of a property", key);
}

function readPosition(views: readonly string[], value: unknown): number {
  if (value === undefined) return views.length;
  const { type, view_id } = readObject(value, "body.position", ["type", "view_id"]);
  if (type === "start") return 0;
  if (type === "end") return views.length;
  const index = type === "after_view" ? views.indexOf(readUuid(view_id, "body.position.view_id")) : -1;
  if (index < 0) throw unfit("body.position", "start, end or after a view of the database", value);
  return index + 1;
}

/** How long the result of a view's query is kept. Evidence: `expires_at` of the recorded ones, 15 minutes later. */
const QUERY_MS = 900_000;

function viewQueryRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  const shown = (id: string): Fields => ({ object: "page", id });
  app.post("/views/:view_id/queries", async (c) => {
    need(c, "read_content");
    const view = viewOfPath(world, c);
    const body = await readBody(c, ["page_size"]);
    const pageIds = rowsOf(world, view);
    const query = { id: newId(world.state), viewId: view.id, pageIds, expiresAt: now(world) + QUERY_MS };
    world.state.viewQueries[query.id] = query;
    const { ids, next } = pageOf(pageIds, readWish(body.page_size, undefined));
    return answer(c, {
      ...{ object: "view_query", id: query.id, view_id: view.id },
      expires_at: new Date(query.expiresAt).toISOString().replace("Z", "+00:00"),
      ...{ total_count: pageIds.length, results: ids.map(shown), next_cursor: next, has_more: next !== null },
    });
  });
  const queryOfPath = (c: Ctx) => {
    const view = viewOfPath(world, c);
    const id = idOf(c.req.param("query_id"), "path.query_id");
    const query = world.state.viewQueries[id];
    if (query?.viewId !== view.id || query.expiresAt < now(world)) throw missing(c, "view query", id);
    return query;
  };
  app.get("/views/:view_id/queries/:query_id", (c) => {
    need(c, "read_content");
    const { ids, next } = pageOf(queryOfPath(c).pageIds, pageOfQuery(c));
    return answer(c, listAnswer("page", ids.map(shown), next));
  });
  app.delete("/views/:view_id/queries/:query_id", (c) => {
    need(c, "read_content");
    const { id } = queryOfPath(c);
    delete world.state.viewQueries[id];
    return answer(c, { object: "view_query", id, deleted: true });
  });
  return app;
}

function rowsOf(world: NotionWorld, { dataSourceId, body }: View): string[] {
  const source = world.state.dataSources[dataSourceId ?? ""];
  if (source === undefined) return [];
  const wish: Fields = {};
  if (isObject(body.filter)) wish.filter = body.filter as Fields;
  if (Array.isArray(body.sorts)) wish.sorts = body.sorts;
  const all: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const { ids, next }: { ids: string[]; next: string | null } = queryRows(world, source, {
      ...wish,
      ...(cursor === null ? {} : { start_cursor: cursor }),
    });
    all.push(...ids);
    if (next === null) return all;
    cursor = next;
  }
}
