import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import {
  type BlockTree,
  childBlocks,
  isChildBlock,
  isCopy,
  readBlockTrees,
  sortIds,
} from "../restore/block-trees.ts";
import { draftBlocks, type LateCopy } from "../restore/draft-blocks.ts";
import { objectsOf } from "../restore/json-parts.ts";
import { type AppendRequest, openSplitter } from "../restore/split-blocks.ts";
import { PART_BYTES } from "../restore/upload-file.ts";
import { readContents, readPage } from "../restore/walk-version.ts";

/** What the content of a page costs to restore. */
export type PageCost = {
  reads: number;
  writes: number;
  files: number;
  comments: number;
  bytes: number;
  /** Ids of the originals of synced blocks on the page. */
  originals: string[];
  copies: CopyCost[];
  /** Files that only its copies show, which are not among `files`. */
  shown: number;
  /** Files that are larger than the workspace takes, which are not among `files` either. */
  tooLarge: number;
};

/** What a synced copy costs in addition if its original does not come back: it then has what it shows. */
export type CopyCost = { originalId: string; files: number; writes: number; bytes: number };

const BLOCKS_PER_LIST = 100;
const ID_LENGTH = 36;

/** Counts the requests that restore what is on a page or row, by making them without sending any. */
export async function measurePage(
  snapshot: SnapshotView,
  { home, isRow, largest }: { home: string; isRow: boolean; largest: number },
): Promise<PageCost> {
  const cost = { reads: 0, writes: 0, files: 0, comments: 0, bytes: 0, tooLarge: 0 };
  const { children, hasLead } = await readContents(snapshot, home);
  const held = new Set(children.map(({ id }) => id));
  if (held.size > 0 && hasLead) {
    cost.reads += 1;
    cost.writes += 1;
  }
  const { requests, copies, originals, ids } = await requestsFor(snapshot, home, held);
  let top = 0;
  for (const { parent, blocks, wanted, removes } of requests) {
    cost.writes += removes === null ? 1 : 2;
    if (wanted.length > 0) cost.reads += 1;
    if (parent === null) top += blocks.length;
  }
  cost.writes += 2 * copies.length;
  cost.reads += copies.length;
  if (top > 0) cost.reads += Math.ceil((top + held.size) / BLOCKS_PER_LIST);
  if (isRow && (await hasRelations(snapshot, home))) cost.writes += 1;
  const shown: Shown = new Map();
  for await (const { kind, path, sizeBytes } of snapshot.list(home)) {
    if (kind === "comment") cost.comments += 1;
    if (kind !== "file") continue;
    const blockId = path.slice(recordPaths.file(home, "").length).slice(0, ID_LENGTH);
    if (ids.copied.has(blockId) && !ids.own.has(blockId)) {
      shown.set(blockId, [...(shown.get(blockId) ?? []), sizeBytes]);
      continue;
    }
    if (sizeBytes > largest) {
      cost.tooLarge += 1;
      continue;
    }
    cost.files += 1;
    cost.bytes += sizeBytes;
    cost.writes += callsFor(sizeBytes);
  }
  cost.writes += cost.comments;
  return {
    ...cost,
    originals,
    copies: copies.map(({ originalId, tree }) => ({ originalId, ...costOf(filesIn(tree, shown)) })),
    shown: [...shown.values()].flat().length,
  };
}

/** Sizes of the files of blocks that only synced copies show, by block. */
type Shown = Map<string, number[]>;

/** Requests that upload a file. */
function callsFor(sizeBytes: number): number {
  return sizeBytes > 2 * PART_BYTES ? 2 + Math.ceil(sizeBytes / PART_BYTES) : 2;
}

/** Sizes of the files in a copy, without what a copy inside it shows. */
function filesIn({ children }: BlockTree, shown: Shown): number[] {
  return children.flatMap((child) => [
    ...(shown.get(child.block.id) ?? []),
    ...(isCopy(child) ? [] : filesIn(child, shown)),
  ]);
}

function costOf(sizes: readonly number[]): Omit<CopyCost, "originalId"> {
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
  return { files: sizes.length, writes: sum(sizes.map(callsFor)), bytes: sum(sizes) };
}

async function requestsFor(snapshot: SnapshotView, home: string, held: ReadonlySet<string>) {
  const requests: AppendRequest[] = [];
  const copies: LateCopy[] = [];
  const ids = { own: new Set<string>(), copied: new Set<string>() };
  const originals: string[] = [];
  const splitter = openSplitter(null);
  for await (const tree of readBlockTrees(snapshot, home)) {
    sortIds(tree, ids);
    originals.push(...originalsIn(tree));
    const below = new Set([...childBlocks(tree)].map(({ id }) => id));
    const context = {
      newId: (id: string) => (below.has(id) && !held.has(id) ? null : id),
      hasEmoji: () => true,
      told: () => undefined,
      later: (copy: LateCopy) => void copies.push(copy),
    };
    for (const draft of draftBlocks(tree, context)) requests.push(...splitter.push(draft));
    if (isChildBlock(tree) || [...below].some((id) => held.has(id))) requests.push(...splitter.flush());
  }
  requests.push(...splitter.flush());
  return { requests, copies, originals, ids };
}

/** Ids of the originals of synced blocks in a tree. */
function originalsIn(tree: BlockTree): string[] {
  if (isCopy(tree)) return [];
  const own = tree.block.type === "synced_block" ? [tree.block.id] : [];
  return [...own, ...tree.children.flatMap(originalsIn)];
}

async function hasRelations(snapshot: SnapshotView, home: string): Promise<boolean> {
  if ((await snapshot.find(recordPaths.page(home))) === null) return false;
  const { properties } = await readPage(snapshot, home);
  return Object.values(properties).some(({ relation }) => objectsOf(relation).length > 0);
}
