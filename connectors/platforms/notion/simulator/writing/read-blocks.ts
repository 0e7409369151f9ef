import { type Input, readList, readObject, typeOf, unfit } from "../properties/read-input.ts";
import type { Writer } from "../properties/writer.ts";
import { invalid } from "../refused.ts";
import type { Fields, NotionWorld } from "../state.ts";
import { createBlock, findThing, type Place } from "../store.ts";
import { BLOCK_TYPES, NOT_CREATABLE } from "./block-types.ts";
import { readPayload } from "./read-payload.ts";

/** Limits of one request. Source: [append]. */
export const CHILDREN = 100;
export const BLOCKS = 1_000;
/** Blocks, their children and those of these. Source: contract, the three unions of blocks in requests. */
export const GENERATIONS = 3;

/** Blocks of a request that fit, and are not made yet. */
export type BlockTree = { type: string; payload: Fields; children: BlockTree[] };

/**
 * Reads the blocks that a request puts below a page or block.
 * @param parentType `page`, or the type of the block
 */
export function readBlocks(writer: Writer, value: unknown, place: string, parentType: string): BlockTree[] {
  const count = { blocks: 0 };
  const trees = readChildren(writer, value, place, { parentType, generation: 1, count });
  if (count.blocks > BLOCKS)
    throw unfit(`${place}, with all blocks below,`, `≤ \`${BLOCKS}\` blocks`, count.blocks);
  return trees;
}

type Within = { parentType: string; generation: number; count: { blocks: number } };

function readChildren(writer: Writer, value: unknown, place: string, within: Within): BlockTree[] {
  return readList(value, place, CHILDREN).map((each, index) =>
    readBlock(writer, each, `${place}[${index}]`, within),
  );
}

function readBlock(writer: Writer, value: unknown, place: string, within: Within): BlockTree {
  const { generation, count } = within;
  count.blocks += 1;
  const input = readObject(value, place, ["object", "type", ...Object.keys(BLOCK_TYPES), ...NOT_CREATABLE]);
  if (input.object !== undefined && input.object !== "block")
    throw unfit(`${place}.object`, '`"block"`', input.object);
  const type = typeOf(input, place, Object.keys(BLOCK_TYPES));
  refuseMisplaced(type, place, within);
  const own = readObject(input[type], `${place}.${type}`);
  const payload = readPayload(writer, type, own, `${place}.${type}`);
  const children = readOwnChildren(writer, type, own, `${place}.${type}.children`, {
    payload,
    generation,
    count,
  });
  if (type === "table") {
    for (const row of children)
      refuseOtherWidth(`${place}.${type}`, row.payload, Number(payload.table_width));
  }
  return { type, payload, children };
}

function readOwnChildren(
  writer: Writer,
  type: string,
  own: Input,
  place: string,
  { payload, generation, count }: { payload: Fields; generation: number; count: Within["count"] },
): BlockTree[] {
  const { children, needsChildren } = BLOCK_TYPES[type]!;
  const none = own.children === undefined || (Array.isArray(own.children) && own.children.length === 0);
  if (none && needsChildren)
    throw unfit(`${place}.length`, "≥ `1`", own.children === undefined ? undefined : 0);
  if (own.children === undefined) return [];
  if (children === "none") throw unfit(place, "not present", "…");
  if (!none) refuseChildless(type, payload, place);
  // A column does not count: what stands in it may be nested as deep as what stands beside the columns' list.
  const isFree = type === "column" || type === "table";
  const next = isFree ? generation : generation + 1;
  return readChildren(writer, own.children, place, { parentType: type, generation: next, count });
}

/** Blocks that take children only as they are. */
export function refuseChildless(type: string, payload: Fields, place: string): void {
  if (type === "synced_block" && payload.synced_from !== null)
    throw invalid(`${place}: a synced copy has the children of its original.`);
  // Unproven that the API refuses it; in Notion such a heading has no place for blocks.
  if (type.startsWith("heading_") && payload.is_toggleable !== true)
    throw invalid(`${place}: a heading takes children only when it is toggleable.`);
}

/** The cells of a row must be as many as the table is wide. Source: the documentation of tables. */
export function refuseOtherWidth(place: string, row: Fields, width: number): void {
  const cells = (row.cells as unknown[]).length;
  if (cells !== width)
    throw invalid(`${place}: Number of cells in table row must match the table width of the parent table.`);
}

function refuseMisplaced(type: string, place: string, { parentType, generation }: Within): void {
  const allowed = parentType === "page" ? "any" : (BLOCK_TYPES[parentType]?.children ?? "none");
  const { within } = BLOCK_TYPES[type]!;
  const fits = allowed === "any" ? within === undefined : allowed.includes(type);
  if (!fits) throw invalid(`${place}: a block of the type ${type} cannot stand in ${parentType}.`);
  const isRow = type === "table_row";
  if (generation > GENERATIONS && !isRow)
    throw invalid(`${place}: blocks may be nested 2 levels deep in one request.`);
  const isDeep = generation === GENERATIONS && (type === "table" || type === "tab");
  const isInside = generation > 1 && type === "column_list";
  if (isDeep || isInside)
    throw invalid(`${place}: a block of the type ${type} cannot stand so deep in one request.`);
}

/** Makes the blocks of a request below a page or block, in their order. */
export function makeBlocks(
  world: NotionWorld,
  trees: readonly BlockTree[],
  { parentId, by, place = "end" }: { parentId: string; by: string; place?: Place },
): string[] {
  let next = place;
  return trees.map(({ type, payload, children }) => {
    const { id } = createBlock(world, { parentId, type, payload, by, place: next });
    if (next !== "end") next = { after: id };
    makeBlocks(world, children, { parentId: id, by });
    return id;
  });
}

/** The type of what blocks are put into: `page`, or that of the block. */
export function typeOfParent(world: NotionWorld, id: string): string {
  const found = findThing(world, id);
  if (found?.kind === "block") return found.thing.type;
  return found?.kind ?? "page";
}
