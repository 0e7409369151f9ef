import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { isOutOfReach } from "#connectors/toolkit/records/run-stages.ts";
import { paths } from "../client.ts";
import { blocksSchema, type NotionBlock } from "../payloads.ts";
import { readList } from "../read-list.ts";

/** A list of children that is being read: the page of the list, and how many of its blocks were given. */
const frameSchema = z.strictObject({
  parent: z.string(),
  page: z.string().nullable(),
  done: z.number(),
  /** The list is below a copy of a synced block. */
  isCopy: z.boolean(),
});

/** Where a walk stands: the open lists from the page down. */
export const walkSchema = z.array(frameSchema);
export type Walk = z.output<typeof walkSchema>;

export type WalkStep =
  /** A block, followed by its children. `isCopied`: a copy of a synced block shows it; it stands below the original. */
  | { type: "block"; block: NotionBlock; isCopied: boolean }
  /**
   * The children of a block could not be read. `isCopy`: they belong to a synced block elsewhere that is out of reach; the
   * copy itself was given.
   */
  | { type: "lost"; blockId: string; isCopy: boolean; error: ConnectorError };

/** Deeper than any real page; a deeper tree is a fault of the platform. */
const MOST_LEVELS = 100;

/** Blocks whose children belong to another page. */
const isBorder = ({ type }: NotionBlock) => type === "child_page" || type === "child_database";

/** Whether a synced block shows the children of another one (SDK's types: `synced_from` names it). */
export function isCopy({ type, synced_block: synced }: { type: string; synced_block?: unknown }): boolean {
  const from = (synced as { synced_from?: unknown } | undefined)?.synced_from;
  return type === "synced_block" && from !== null && from !== undefined;
}

/** The start of a walk over a page. */
export function startWalk(pageId: string): Walk {
  return [{ parent: pageId, page: null, done: 0, isCopy: false }];
}

/**
 * Reads the blocks of a page from top to bottom, each followed by its children: one request for 100 children. Also
 * reads the children that Notion shows below a copy of a synced block; they get the copy as their parent. The walk
 * object always says where to continue after the last step.
 *
 * @throws ConnectorError when the page itself cannot be read
 */
export async function* walkBlocks(client: HttpClient, walk: Walk): AsyncGenerator<WalkStep, void> {
  const lists = new Map<Walk[number], { blocks: NotionBlock[]; next: string | null }>();
  for (let frame = walk.at(-1); frame !== undefined; frame = walk.at(-1)) {
    let list = lists.get(frame);
    if (list === undefined) {
      try {
        list = await readChildren(client, frame);
      } catch (error) {
        if (walk.length === 1 || !isOutOfReach(error)) throw error;
        walk.pop();
        yield { type: "lost", blockId: frame.parent, isCopy: frame.isCopy, error };
        continue;
      }
      lists.set(frame, list);
    }
    const block = list.blocks[frame.done];
    if (block === undefined) {
      lists.delete(frame);
      if (list.next === null) walk.pop();
      else [frame.page, frame.done] = [list.next, 0];
      continue;
    }
    frame.done += 1;
    if (walk.length > MOST_LEVELS) throw new ConnectorError("malformed", "Notion nests blocks without end.");
    const isNested = walk.length > 1;
    const isCopied = walk.some((each) => each.isCopy);
    if (block.has_children && !isBorder(block))
      walk.push({ parent: block.id, page: null, done: 0, isCopy: isCopy(block) });
    yield { type: "block", block: isNested ? below(block, frame.parent) : block, isCopied };
  }
}

/** A block with the parent under which it was listed. */
function below(block: NotionBlock, parentId: string): NotionBlock {
  if (block.parent.block_id === parentId) return block;
  return { ...block, parent: { type: "block_id", block_id: parentId } };
}

async function readChildren(client: HttpClient, { parent, page }: Walk[number]) {
  const call = { method: "GET", path: paths.children(parent), about: "the blocks of this page" } as const;
  for await (const { answer, next } of readList(client, call, blocksSchema, page))
    return { blocks: answer.results, next };
  return { blocks: [], next: null };
}
