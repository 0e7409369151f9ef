import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { answer, type NotionEnv, need, pageOfPath } from "../api-context.ts";
import { type Input, isObject, readObject, readText, unfit } from "../properties/read-input.ts";
import { markdownOf } from "../reading/markdown.ts";
import { renderTask } from "../reading/tasks.ts";
import { invalid } from "../refused.ts";
import type { Fields, NotionWorld } from "../state.ts";
import { childrenOf, now } from "../store.ts";
import { countOf } from "./block-routes.ts";
import { readBody, refuseTrash, writerOf } from "./body.ts";
import { refuseBeyondFreePlan } from "./free-plan.ts";
import { readMarkdown } from "./markdown-blocks.ts";
import { makeBlocks } from "./read-blocks.ts";
import { setTrash } from "./trash.ts";

/**
 * Writing a page as Markdown: text added at its end or start, or in place of all that was there. The forms that change
 * parts of the text (`update_content`, `replace_content_range`) need Notion's own Markdown to the letter; refused.
 */
export function markdownRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.patch("/pages/:page_id/markdown", async (c) => {
    need(c, "update_content");
    const page = pageOfPath(world, c);
    const body = await readBody(c, ["type", "allow_async", "insert_content", "replace_content"]);
    refuseTrash(world, page.id);
    write(writerOf(world, c), page.id, body);
    const result: Fields = { object: "page_markdown", id: page.id, ...markdownOf(world, page.id) };
    if (body.allow_async !== true) return answer(c, result);
    const task = {
      ...{ id: `task_${randomUUID().replaceAll("-", "")}`, workspaceId: page.workspaceId },
      ...{ operation: "PATCH /v1/pages/:page_id/markdown", createdAt: now(world) },
      ...{ doneAt: now(world) + world.settings.taskMs, result },
    };
    world.state.tasks[task.id] = task;
    // Always queued, also when it is done at once. Evidence: the recorded answer 202.
    const queued = renderTask(world, { ...task, doneAt: Number.POSITIVE_INFINITY });
    return c.json({ ...queued, request_id: randomUUID() }, 202);
  });
  return app;
}

function write({ world, grant }: ReturnType<typeof writerOf>, pageId: string, body: Input): void {
  const { type } = body;
  if (type !== "insert_content" && type !== "replace_content")
    throw unfit("body.type", '`"insert_content"` or `"replace_content"`', type);
  const isInsert = type === "insert_content";
  const place = `body.${type}`;
  const own = readObject(
    body[type],
    place,
    isInsert ? ["content", "position"] : ["new_str", "allow_deleting_content"],
  );
  const text = readText(
    isInsert ? own.content : own.new_str,
    `${place}.${isInsert ? "content" : "new_str"}`,
    500_000,
  );
  const trees = readMarkdown(text);
  refuseBeyondFreePlan(world, grant.workspaceId, countOf(trees));
  if (!isInsert) {
    const present = childrenOf(world, pageId);
    // Pages and databases below are only deleted when the request allows it (types: `allow_deleting_content`).
    const isBarred = present.some((id) => world.state.blocks[id] === undefined);
    if (isBarred && own.allow_deleting_content !== true)
      throw invalid("The new content would delete pages or databases below.");
    for (const id of present) setTrash({ world, grant }, id, true);
  }
  const isStart = isObject(own.position) && own.position.type === "start";
  makeBlocks(world, trees, { parentId: pageId, by: grant.botId, place: isStart ? "start" : "end" });
}
