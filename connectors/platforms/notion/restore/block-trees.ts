import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredBlock, StoredBlocks } from "../records.ts";

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

/** The pages and databases in a block and in what is inside it, from top to bottom. */
export function* childBlocks({ block, children }: BlockTree): Generator<ChildBlock, void> {
  if (block.type === "child_page") yield { kind: "page", id: block.id };
  else if (block.type === "child_database") yield { kind: "database", id: block.id };
  for (const child of children) yield* childBlocks(child);
}

/** Whether a block stands for a page or database, which is made by itself. */
export function isChildBlock({ block }: BlockTree): boolean {
  return block.type === "child_page" || block.type === "child_database";
}
