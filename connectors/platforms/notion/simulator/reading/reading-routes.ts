import { Hono } from "hono";
import {
  answer,
  blockIdOfPath,
  databaseOfPath,
  dataSourceOfPath,
  idOf,
  missing,
  type NotionEnv,
  need,
  onlyQuery,
  pageOfPath,
  repeated,
} from "../api-context.ts";
import { listAnswer, pageOf, pageOfQuery } from "../paging.ts";
import { invalid } from "../refused.ts";
import {
  renderBlock,
  renderComment,
  renderDatabase,
  renderDataSource,
  renderPage,
  renderView,
  shownChildren,
  titleOf,
} from "../render.ts";
import { renderEmoji } from "../sign-files.ts";
import type { Fields, NotionWorld } from "../state.ts";
import { findThing, reaches } from "../store.ts";
import { markdownOf } from "./markdown.ts";
import { propertyAnswer } from "./property-items.ts";
import { queryRows } from "./query.ts";
import { searchAnswer } from "./search.ts";
import { taskRoutes } from "./tasks.ts";
import { userRoutes } from "./users.ts";

const PAGING = ["page_size", "start_cursor"];

/** The calls that only read. Each needs the capability to read content; comments and people have their own. */
export function readingRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.route("/", userRoutes(world));
  app.route("/", taskRoutes(world));
  app.route("/", pageRoutes(world));
  app.route("/", databaseRoutes(world));
  app.route("/", commentRoutes(world));
  app.post("/search", async (c) => {
    need(c, "read_content");
    onlyQuery(c, []);
    return answer(c, searchAnswer(world, c.get("grant"), await c.req.json().catch(() => ({}))));
  });
  app.get("/custom_emojis", (c) => {
    need(c, "read_content");
    onlyQuery(c, [...PAGING, "name"]);
    const wish = pageOfQuery(c);
    const name = c.req.query("name");
    const { workspaceId } = c.get("grant");
    const known = Object.values(world.state.emojis).filter(
      (emoji) => emoji.workspaceId === workspaceId && (name === undefined || emoji.name === name),
    );
    const { ids, next } = pageOf(
      known.map(({ id }) => id),
      wish,
    );
    const results = ids.map((id) => renderEmoji(world, id));
    const { custom_emoji: _, ...list } = listAnswer("custom_emoji", results, next);
    return answer(c, list);
  });
  return app;
}

function pageRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.get("/pages/:page_id", (c) => {
    need(c, "read_content");
    onlyQuery(c, ["filter_properties"]);
    return answer(c, renderPage(world, pageOfPath(world, c), repeated(c, "filter_properties")));
  });
  app.get("/pages/:page_id/properties/:property_id", (c) => {
    need(c, "read_content");
    onlyQuery(c, PAGING);
    const page = pageOfPath(world, c);
    return answer(c, propertyAnswer(world, page, c.req.param("property_id"), pageOfQuery(c)));
  });
  app.get("/pages/:page_id/markdown", (c) => {
    need(c, "read_content");
    onlyQuery(c, ["include_transcript"]);
    const page = pageOfPath(world, c);
    return answer(c, { object: "page_markdown", id: page.id, ...markdownOf(world, page.id) });
  });
  app.get("/blocks/:block_id", (c) => {
    need(c, "read_content");
    onlyQuery(c, []);
    return answer(c, renderBlock(world, blockIdOfPath(world, c)));
  });
  app.get("/blocks/:block_id/children", (c) => {
    need(c, "read_content");
    onlyQuery(c, PAGING);
    const id = blockIdOfPath(world, c);
    // No source shows children of a database; its rows come from a query. Unproven, so it is refused.
    if (world.state.databases[id]) throw invalid(`${id} is a database, not a block.`);
    const { ids, next } = pageOf(shownChildren(world, id), pageOfQuery(c));
    return answer(
      c,
      listAnswer(
        "block",
        ids.map((each) => renderBlock(world, each)),
        next,
      ),
    );
  });
  return app;
}

function databaseRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.get("/databases/:database_id", (c) => {
    need(c, "read_content");
    onlyQuery(c, []);
    return answer(c, renderDatabase(world, databaseOfPath(world, c)));
  });
  app.get("/data_sources/:data_source_id", (c) => {
    need(c, "read_content");
    onlyQuery(c, []);
    return answer(c, renderDataSource(world, dataSourceOfPath(world, c)));
  });
  app.post("/data_sources/:data_source_id/query", async (c) => {
    need(c, "read_content");
    onlyQuery(c, ["filter_properties"]);
    const source = dataSourceOfPath(world, c);
    const { ids, next, isCut } = queryRows(world, source, await c.req.json().catch(() => ({})));
    const wanted = repeated(c, "filter_properties");
    const results = ids.map((id) => {
      const row = world.state.pages[id];
      return row ? renderPage(world, row, wanted) : renderDataSource(world, world.state.dataSources[id]!);
    });
    // A query that was cut says so once its last page is given (`iterateAllDataSourceRows` of `@notionhq/client`).
    const status = isCut ? { type: "incomplete", incomplete_reason: "query_result_limit_reached" } : null;
    const more: Fields = status === null ? {} : { request_status: status };
    return answer(c, listAnswer("page_or_data_source", results, next, more));
  });
  app.get("/data_sources/:data_source_id/templates", (c) => {
    need(c, "read_content");
    onlyQuery(c, [...PAGING, "name"]);
    const source = dataSourceOfPath(world, c);
    const name = c.req.query("name");
    const known = source.templateIds
      .map((id) => world.state.pages[id]!)
      .filter((page) => !page.isTrashed && (name === undefined || titleOf(page).includes(name)));
    const { ids, next } = pageOf(
      known.map(({ id }) => id),
      pageOfQuery(c),
    );
    const templates = ids.map((id) => ({
      ...{ id, name: titleOf(world.state.pages[id]!), is_default: id === source.defaultTemplateId },
    }));
    // The only list without `object` and `request_id`. Evidence: the recordings.
    return c.json({ templates, has_more: next !== null, next_cursor: next });
  });
  app.get("/views", (c) => {
    need(c, "read_content");
    onlyQuery(c, [...PAGING, "database_id", "data_source_id"]);
    const { database_id, data_source_id } = c.req.query();
    if ((database_id === undefined) === (data_source_id === undefined))
      throw invalid("query failed validation: either database_id or data_source_id should be defined.");
    const id = idOf(database_id ?? data_source_id, "query");
    const isThere = database_id === undefined ? world.state.dataSources[id] : world.state.databases[id];
    if (!isThere || !reaches(world, c.get("grant"), id)) throw missing(c, "database", id);
    const all = Object.values(world.state.databases).flatMap(({ viewIds }) => viewIds);
    const known = all.filter((each) => {
      const view = world.state.views[each]!;
      return database_id === undefined ? view.dataSourceId === id : view.databaseId === id;
    });
    const { ids, next } = pageOf(known, pageOfQuery(c));
    return answer(
      c,
      listAnswer(
        "view",
        ids.map((each) => ({ object: "view", id: each })),
        next,
      ),
    );
  });
  app.get("/views/:view_id", (c) => {
    need(c, "read_content");
    onlyQuery(c, []);
    const id = idOf(c.req.param("view_id"), "path.view_id");
    const view = world.state.views[id];
    if (!view || !reaches(world, c.get("grant"), view.databaseId)) throw missing(c, "view", id);
    return answer(c, renderView(world, view));
  });
  return app;
}

function commentRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.get("/comments", (c) => {
    need(c, "read_comments");
    onlyQuery(c, [...PAGING, "block_id"]);
    const id = idOf(c.req.query("block_id"), "query.block_id");
    const found = findThing(world, id);
    const isRight = found?.kind === "page" || found?.kind === "block";
    if (!isRight || !reaches(world, c.get("grant"), id)) throw missing(c, "block", id);
    // Only open discussions are listed [llms].
    const open = (world.state.commentsOn[id] ?? []).filter((each) => !world.state.comments[each]!.isResolved);
    const { ids, next } = pageOf(open, pageOfQuery(c));
    const results = ids.map((each) => renderComment(world, world.state.comments[each]!));
    return answer(c, listAnswer("comment", results, next));
  });
  app.get("/comments/:comment_id", (c) => {
    need(c, "read_comments");
    onlyQuery(c, []);
    const id = idOf(c.req.param("comment_id"), "path.comment_id");
    const comment = world.state.comments[id];
    if (!comment || !reaches(world, c.get("grant"), comment.parent.id)) throw missing(c, "comment", id);
    return answer(c, renderComment(world, comment));
  });
  return app;
}
