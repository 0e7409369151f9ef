import { Hono } from "hono";
import { answer, blockIdOfPath, type NotionEnv, need } from "../api-context.ts";
import { listAnswer } from "../paging.ts";
import { type Input, readObject, readUuid, typeOf, unfit } from "../properties/read-input.ts";
import type { Writer } from "../properties/writer.ts";
import { invalid } from "../refused.ts";
import { renderBlock } from "../render.ts";
import type { Block, NotionWorld } from "../state.ts";
import { childrenOf, findThing, touch } from "../store.ts";
import { BLOCK_TYPES } from "./block-types.ts";
import { readBody, refuseTrash, trashOf, writerOf } from "./body.ts";
import { refuseBeyondFreePlan } from "./free-plan.ts";
import {
  type BlockTree,
  makeBlocks,
  readBlocks,
  refuseChildless,
  refuseOtherWidth,
  typeOfParent,
} from "./read-blocks.ts";
import { readMembers } from "./read-payload.ts";
import { setTrash } from "./trash.ts";

/** Calls that write blocks. */
export function blockRoutes(world: NotionWorld): Hono<NotionEnv> {
  const app = new Hono<NotionEnv>();
  app.patch("/blocks/:block_id/children", async (c) => {
    need(c, "insert_content");
    const writer = writerOf(world, c);
    const parentId = blockIdOfPath(world, c);
    // `position` replaces `after` from version 2026-03-11 on [2026-03-11]. The types have both.
    const body = await readBody(c, ["children", "after"]);
    const results = append(writer, parentId, body);
    return answer(
      c,
      listAnswer(
        "block",
        results.map((id) => renderBlock(world, id)),
        null,
      ),
    );
  });
  app.patch("/blocks/:block_id", async (c) => {
    need(c, "update_content");
    const writer = writerOf(world, c);
    const id = blockIdOfPath(world, c);
    const body = await readBody(c, ["object", "type", "in_trash", "archived", ...Object.keys(BLOCK_TYPES)]);
    update(writer, id, body);
    return answer(c, renderBlock(world, id));
  });
  app.delete("/blocks/:block_id", (c) => {
    need(c, "update_content");
    const id = blockIdOfPath(world, c);
    setTrash(writerOf(world, c), id, true);
    return answer(c, renderBlock(world, id));
  });
  return app;
}

function append(writer: Writer, parentId: string, body: Input): string[] {
  const { world, grant } = writer;
  refuseTrash(world, parentId);
  const found = findThing(world, parentId)!;
  if (found.kind === "database") throw invalid(`${parentId} is a database, not a block.`);
  const parentType = typeOfParent(world, parentId);
  const trees = readBlocks(writer, body.children, "body.children", parentType);
  if (found.kind === "block") refuseUnfitParent(found.thing, trees);
  refuseBeyondFreePlan(world, grant.workspaceId, countOf(trees));
  const after = body.after === undefined ? null : readUuid(body.after, "body.after");
  if (after !== null && !childrenOf(world, parentId).includes(after))
    throw invalid(`body.after is not a child of the block ${parentId}.`);
  return makeBlocks(world, trees, {
    ...{ parentId, by: grant.botId },
    place: after === null ? "end" : { after },
  });
}

function refuseUnfitParent({ type, payload }: Block, trees: readonly BlockTree[]): void {
  if (trees.length === 0) return;
  if (BLOCK_TYPES[type] === undefined) throw invalid(`A block of the type ${type} takes no children.`);
  refuseChildless(type, payload, "body.children");
  if (type !== "table") return;
  for (const row of trees) refuseOtherWidth("body.children", row.payload, Number(payload.table_width));
}

export function countOf(trees: readonly BlockTree[]): number {
  return trees.reduce((count, { children }) => count + 1 + countOf(children), 0);
}

/** What a change must have. Source: types of `@notionhq/client`, `UpdateBlockBodyParameters`. */
const WHOLE = new Set(["bulleted_list_item", "numbered_list_item", "quote", "toggle", "template"]);
/** What a change may not touch. */
const FIXED: Record<string, readonly string[]> = { table: ["table_width"], synced_block: ["synced_from"] };

function update(writer: Writer, id: string, body: Input): void {
  const { world, grant } = writer;
  const trash = trashOf(body);
  if (trash !== undefined) setTrash(writer, id, trash);
  const told = Object.keys(BLOCK_TYPES).filter((type) => body[type] !== undefined);
  if (told.length === 0) {
    if (trash === undefined) throw unfit("body", "an object with one of the block types", body);
    return;
  }
  refuseTrash(world, id);
  const found = findThing(world, id)!;
  if (found.kind !== "block") throw invalid(`${id} is a ${found.kind}; it is changed by its own call.`);
  const { thing } = found;
  const type = typeOf(body, "body", Object.keys(BLOCK_TYPES));
  if (type !== thing.type)
    throw invalid(`body.${type}: the block has the type ${thing.type}, which cannot change.`);
  const input = readObject(body[type], `body.${type}`);
  for (const member of FIXED[type] ?? []) {
    if (input[member] !== undefined) throw unfit(`body.${type}.${member}`, "not present", input[member]);
  }
  if ((WHOLE.has(type) || type.startsWith("heading_")) && input.rich_text === undefined)
    throw unfit(`body.${type}.rich_text`, "defined");
  const changes = readMembers(writer, type, input, `body.${type}`);
  if (type === "table_row") {
    const table = thing.parent.type === "block_id" ? world.state.blocks[thing.parent.id] : undefined;
    refuseOtherWidth(`body.${type}`, changes, Number(table?.payload.table_width));
  }
  const { type: _, external: __, file: ___, ...kept } = thing.payload;
  thing.payload = { ...(changes.type === undefined ? thing.payload : kept), ...changes };
  touch(world, id, grant.botId);
}
