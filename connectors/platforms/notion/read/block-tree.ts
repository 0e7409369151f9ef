import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredBlock } from "../records.ts";
import { listOf, memberOf, membersOf, textOf } from "./members.ts";
import { plainText } from "./rich-text.ts";

/** A block with the blocks inside it. */
export type BlockNode = { block: StoredBlock; children: BlockNode[] };

/** Blocks of one page that are shown. Nobody reads more as one page, and all of it is in the download. */
const MOST_BLOCKS = 10_000;
/** Deeper blocks stand beside their parents. People cannot nest as deep by hand. */
const DEEPEST = 40;

/** The blocks of a page from top to bottom, as a tree. Each record is read once, in order. */
export async function readBlocks(
  snapshot: SnapshotView,
  home: string,
): Promise<{ nodes: BlockNode[]; isCut: boolean }> {
  const nodes: BlockNode[] = [];
  const known = new Map<string, { node: BlockNode; depth: number }>();
  let count = 0;
  for await (const { path } of snapshot.list(recordPaths.blocksOf(home))) {
    if (count >= MOST_BLOCKS) return { nodes, isCut: true };
    for (const block of blocksIn(await snapshot.readRecord(path))) {
      const node: BlockNode = { block, children: [] };
      // A block whose parent is no block of the page is at its top.
      const above = known.get(textOf(block.parent, "block_id"));
      const isDeep = above !== undefined && above.depth >= DEEPEST;
      (above === undefined ? nodes : above.node.children).push(node);
      known.set(block.id, isDeep ? above : { node, depth: (above?.depth ?? 0) + 1 });
      count += 1;
    }
  }
  return { nodes, isCut: false };
}

function blocksIn(record: Parameters<typeof listOf>[0]): StoredBlock[] {
  return listOf(record, "blocks").filter(
    (block): block is StoredBlock => textOf(block, "id") !== "" && textOf(block, "type") !== "",
  );
}

/** A page or database that stands in a page. Its block has the same id (recorded answers). */
export type ChildBlock = { type: "page" | "database"; id: string };

/** The pages and databases that stand in a page, from top to bottom, at any depth. Reads one record at a time. */
export async function* childBlocks(snapshot: SnapshotView, home: string): AsyncGenerator<ChildBlock, void> {
  for await (const { path } of snapshot.list(recordPaths.blocksOf(home)))
    yield* childBlocksIn(await snapshot.readRecord(path));
}

/** The same of one record of blocks. */
export function childBlocksIn(record: Parameters<typeof listOf>[0]): ChildBlock[] {
  return blocksIn(record).flatMap(({ type, id }): ChildBlock[] => {
    if (type === "child_page") return [{ type: "page", id }];
    return type === "child_database" ? [{ type: "database", id }] : [];
  });
}

/** The text of a block without its formatting; empty for blocks without text. */
export function textOfBlock(block: StoredBlock): string {
  return plainText(listOf(memberOf(block, block.type), "rich_text"));
}

/** The texts of one record of blocks, for a search. */
export function textsIn(record: Parameters<typeof listOf>[0]): string {
  return blocksIn(record)
    .map((block) => {
      const { cells } = membersOf(memberOf(block, block.type));
      if (!Array.isArray(cells)) return textOfBlock(block);
      return cells.map((cell) => (Array.isArray(cell) ? plainText(cell) : "")).join("\n");
    })
    .filter(Boolean)
    .join("\n");
}
