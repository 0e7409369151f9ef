import { Hono } from "hono";
import { answer, type NotionEnv, need, pageOfPath } from "../api-context.ts";
import { readCover, readIcon } from "../properties/icons.ts";
import {
  type Input,
  readBoolean,
  readObject,
  readText,
  readUuid,
  typeOf,
  unfit,
} from "../properties/read-input.ts";
import { readValues } from "../properties/write-values.ts";
import { reach, type Writer } from "../properties/writer.ts";
import { invalid } from "../refused.ts";
import { renderPage } from "../render.ts";
import type { DataSource, NotionWorld, Page } from "../state.ts";
import { ancestors, childrenOf, createPage, moveThing, now, type Place, touch } from "../store.ts";
import { countOf } from "./block-routes.ts";
import { readBody, refuseTrash, trashOf, writerOf } from "./body.ts";
import { refuseBeyondFreePlan } from "./free-plan.ts";
import { readMarkdown } from "./markdown-blocks.ts";
import { type BlockTree, makeBlocks, readBlocks } from "./read-blocks.ts";
import { applyTemplate, readTemplate } from "./templates.ts";
import { setTrash } from "./trash.ts";

/** Calls that write pages. */
export function pageRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.post("/pages", async (c) => {
    need(c, "insert_content");
    const body = await readBody(c, [
      ...["parent", "properties", "children", "icon", "cover", "position", "template", "markdown"],
    ]);
    return answer(c, renderPage(world, create(writerOf(world, c), body)));
  });
  app.patch("/pages/:page_id", async (c) => {
    need(c, "update_content");
    const page = pageOfPath(world, c);
    const body = await readBody(c, [
      ...["properties", "icon", "cover", "in_trash", "archived", "is_locked", "erase_content", "template"],
    ]);
    update(writerOf(world, c), page, body);
    return answer(c, renderPage(world, page));
  });
  app.post("/pages/:page_id/move", async (c) => {
    need(c, "update_content");
    const page = pageOfPath(world, c);
    move(writerOf(world, c), page, await readBody(c, ["parent"]));
    return answer(c, renderPage(world, page));
  });
  return app;
}

type Target = { parentId: string | undefined; source: DataSource | null };

const PARENTS = ["page_id", "database_id", "data_source_id", "workspace"] as const;

/**
 * Reads where a page is made. A database stands for its data source as long as it has one only. Source: [2025-09-03].
 */
function readParent(writer: Writer, value: unknown): Target {
  const { world } = writer;
  const input = readObject(value, "body.parent", ["type", ...PARENTS]);
  const type = typeOf(input, "body.parent", PARENTS);
  if (type === "workspace") {
    if (input.workspace !== true) throw unfit("body.parent.workspace", "`true`", input.workspace);
    return { parentId: undefined, source: null };
  }
  const id = readUuid(input[type], `body.parent.${type}`);
  if (type === "page_id") {
    reach(writer, id, ["page"], "page");
    return { parentId: id, source: null };
  }
  if (type === "data_source_id") {
    const { thing } = reach(writer, id, ["data-source"], "data source");
    return { parentId: id, source: thing };
  }
  const { thing } = reach(writer, id, ["database"], "database");
  const sources = thing.dataSourceIds.filter((each) => world.state.dataSources[each]?.isTrashed === false);
  const [only] = sources;
  if (only === undefined || sources.length > 1)
    throw invalid(
      `Databases with ${sources.length} data sources are not supported here; name the data source.`,
    );
  return { parentId: only, source: world.state.dataSources[only]! };
}

function create(writer: Writer, body: Input): Page {
  const { world, grant } = writer;
  const { parentId, source } = readParent(writer, body.parent);
  if (parentId !== undefined) refuseTrash(world, parentId);
  const written = readValues(writer, body.properties ?? {}, "body.properties", { source, page: null });
  const template = readTemplate(writer, body.template, source);
  const trees = readContent(writer, body);
  if (template !== null && trees.length > 0)
    throw invalid("A page with a template takes no content of its own.");
  refuseBeyondFreePlan(world, grant.workspaceId, countOf(trees));
  const place = readPosition(world, body.position, source === null ? parentId : undefined);
  const page = createPage(world, {
    ...{ by: grant.botId, place, kind: source === null ? "page" : "row", values: written.values },
    ...(parentId === undefined ? { workspaceId: grant.workspaceId } : { parentId }),
    icon: body.icon === undefined ? null : readIcon(writer, body.icon, "body.icon"),
    cover: body.cover === undefined ? null : readCover(writer, body.cover, "body.cover"),
  });
  // What a connection makes at the top it may read. Unproven but for the answer, which shows the page.
  if (parentId === undefined) grant.rootIds.push(page.id);
  for (const effect of written.after) effect(page);
  makeBlocks(world, trees, { parentId: page.id, by: grant.botId });
  if (template !== null) applyTemplate(world, template, page, grant.botId);
  return page;
}

function readContent(writer: Writer, { children, markdown }: Input): BlockTree[] {
  if (children !== undefined && markdown !== undefined)
    throw invalid("body failed validation: either children or markdown should be defined.");
  if (markdown === undefined) return readBlocks(writer, children ?? [], "body.children", "page");
  return readMarkdown(readText(markdown, "body.markdown", 500_000));
}

/** Reads where a page stands among the blocks of its parent. Source: contract, `PagePositionSchema`. */
function readPosition(world: NotionWorld, value: unknown, parentId: string | undefined): Place {
  if (value === undefined) return "end";
  const input = readObject(value, "body.position", ["type", "after_block"]);
  if (parentId === undefined) throw invalid("body.position is for pages below a page.");
  if (input.type === "page_end") return "end";
  if (input.type === "page_start") return "start";
  if (input.type !== "after_block")
    throw unfit("body.position.type", "`after_block`, `page_start` or `page_end`", input.type);
  const after = readObject(input.after_block, "body.position.after_block", ["id"]);
  const id = readUuid(after.id, "body.position.after_block.id");
  if (!childrenOf(world, parentId).includes(id))
    throw invalid(`body.position: ${id} is not a block of the parent.`);
  return { after: id };
}

function update(writer: Writer, page: Page, body: Input): void {
  const { world, grant } = writer;
  const { in_trash: _, archived: __, ...changes } = body;
  const trash = trashOf(body);
  if (trash === false) setTrash(writer, page.id, false);
  if (Object.keys(changes).length > 0) {
    refuseTrash(world, page.id);
    change(writer, page, changes);
    Object.assign(page, { editedAt: now(world), editedBy: grant.botId });
  }
  if (trash === true) setTrash(writer, page.id, true);
}

function change(writer: Writer, page: Page, body: Input): void {
  const { world, grant } = writer;
  const source = page.parent.type === "data_source_id" ? world.state.dataSources[page.parent.id]! : null;
  const template = readTemplate(writer, body.template, source);
  const written = readValues(writer, body.properties ?? {}, "body.properties", { source, page });
  const isLocked =
    body.is_locked === undefined ? page.isLocked : readBoolean(body.is_locked, "body.is_locked");
  const erases = body.erase_content !== undefined && readBoolean(body.erase_content, "body.erase_content");
  const icon = body.icon === undefined ? page.icon : readIcon(writer, body.icon, "body.icon");
  const cover = body.cover === undefined ? page.cover : readCover(writer, body.cover, "body.cover");
  Object.assign(page, { isLocked, icon, cover });
  Object.assign(page.values, written.values);
  for (const effect of written.after) effect(page);
  if (erases) for (const id of childrenOf(world, page.id)) setTrash(writer, id, true);
  if (template !== null) applyTemplate(world, template, page, grant.botId);
}

/** Moves a page. Of a row that leaves its data source only the title stays: other pages have no other values. */
function move(writer: Writer, page: Page, body: Input): void {
  const { world, grant } = writer;
  const input = readObject(body.parent, "body.parent", ["type", "page_id", "data_source_id"]);
  typeOf(input, "body.parent", ["page_id", "data_source_id"]);
  const { parentId, source } = readParent(writer, input);
  refuseTrash(world, page.id);
  refuseTrash(world, parentId!);
  if ([parentId, ...ancestors(world, parentId!)].includes(page.id))
    throw invalid("A page cannot be moved below itself.");
  const before = page.parent.type === "data_source_id" ? page.parent.id : null;
  moveThing(world, page.id, parentId!, grant.botId);
  if (before === (source?.id ?? null)) return;
  const { title } = page.values;
  page.values = title === undefined ? {} : { title };
  page.number = source === null ? null : source.lastNumber + 1;
  if (source !== null) source.lastNumber += 1;
  touch(world, page.id, grant.botId);
}
