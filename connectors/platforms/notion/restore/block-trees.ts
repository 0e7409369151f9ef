import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredBlock, StoredBlocks } from "../records.ts";
import { objectOf } from "./json-parts.ts";
import { referredIds } from "./rich-text.ts";

/** A block of the version and what is inside it, without the pages below. */
export type BlockTree = { block: StoredBlock; children: BlockTree[] };

/** The blocks of the page with this home, from top to bottom: one tree for each block that is not inside another. */
export async function* readBlockTrees(snapshot: SnapshotView, home: string): AsyncGenerator<BlockTree, void> {
  let path: BlockTree[] = [];
  for await (const { path: record } of snapshot.list(recordPaths.blocksOf(home))) {
    const { blocks } = (await snapshot.readRecord(record)) as unknown as StoredBlocks;
    for (const block of blocks) {
      const tree: BlockTree = { block, children: [] };
      const { type, block_id: above } = block.parent;
      const depth = type === "block_id" ? path.findIndex((each) => each.block.id === above) : -1;
      const [top] = path;
      if (depth >= 0) path[depth]!.children.push(tree);
      else if (top !== undefined) yield top;
      path = depth >= 0 ? [...path.slice(0, depth + 1), tree] : [tree];
    }
  }
  if (path[0] !== undefined) yield path[0];
}

/** A page or database whose block is in a page. */
export type ChildBlock = { kind: "page" | "database"; id: string };

/** The pages and databases in a block and in what is inside it, from top to bottom; what a copy shows is elsewhere. */
export function* childBlocks(tree: BlockTree): Generator<ChildBlock, void> {
  const { block, children } = tree;
  if (block.type === "child_page") yield { kind: "page", id: block.id };
  else if (block.type === "child_database") yield { kind: "database", id: block.id };
  if (!isCopy(tree)) for (const child of children) yield* childBlocks(child);
}

/** Whether a block is a synced copy. */
export function isCopy({ block }: BlockTree): boolean {
  return block.type === "synced_block" && objectOf(block.synced_block).synced_from != null;
}

/**
 * Sorts the ids of the blocks of a tree: those that stand in it, and those that its synced copies show. The latter stand
 * elsewhere, perhaps on the same page, with the comments on them.
 */
export function sortIds(
  tree: BlockTree,
  into: { own: Set<string>; copied: Set<string> },
  isCopied = false,
): void {
  into[isCopied ? "copied" : "own"].add(tree.block.id);
  for (const child of tree.children) sortIds(child, into, isCopied || isCopy(tree));
}

/** Ids of pages and databases that the blocks of a tree mention, link to or are. */
export function treeIds({ block, children }: BlockTree, into: Set<string> = new Set()): Set<string> {
  referredIds(objectOf(block[block.type]), into);
  if (block.type === "child_page" || block.type === "child_database") into.add(block.id);
  for (const child of children) treeIds(child, into);
  return into;
}

/** Whether a block stands for a page or database, which is made by itself. */
export function isChildBlock({ block }: BlockTree): boolean {
  return block.type === "child_page" || block.type === "child_database";
}
