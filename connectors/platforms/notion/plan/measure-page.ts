import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import { childBlocks, isChildBlock, readBlockTrees } from "../restore/block-trees.ts";
import { draftBlocks } from "../restore/draft-blocks.ts";
import { objectsOf } from "../restore/json-parts.ts";
import { type AppendRequest, openSplitter } from "../restore/split-blocks.ts";
import { PART_BYTES } from "../restore/upload-file.ts";
import { readContents, readPage } from "../restore/walk-version.ts";

/** What the content of a page costs to restore. */
export type PageCost = { reads: number; writes: number; files: number; comments: number; bytes: number };

const BLOCKS_PER_LIST = 100;

/** Counts the requests that restore what is on a page or row, by making them without sending any. */
export async function measurePage(
  snapshot: SnapshotView,
  { home, isRow }: { home: string; isRow: boolean },
): Promise<PageCost> {
  const cost: PageCost = { reads: 0, writes: 0, files: 0, comments: 0, bytes: 0 };
  const { children, hasLead } = await readContents(snapshot, home);
  const held = new Set(children.map(({ id }) => id));
  if (held.size > 0 && hasLead) {
    cost.reads += 1;
    cost.writes += 1;
  }
  const { requests, copies } = await requestsFor(snapshot, home, held);
  let top = 0;
  for (const { parent, blocks, wanted, removes } of requests) {
    cost.writes += removes === null ? 1 : 2;
    if (wanted.length > 0) cost.reads += 1;
    if (parent === null) top += blocks.length;
  }
  cost.writes += 2 * copies;
  cost.reads += copies;
  if (top > 0) cost.reads += Math.ceil((top + held.size) / BLOCKS_PER_LIST);
  if (isRow && (await hasRelations(snapshot, home))) cost.writes += 1;
  for await (const entry of snapshot.list(home)) {
    if (entry.kind === "comment") cost.comments += 1;
    if (entry.kind !== "file") continue;
    cost.files += 1;
    cost.bytes += entry.sizeBytes;
    cost.writes += entry.sizeBytes > 2 * PART_BYTES ? 2 + Math.ceil(entry.sizeBytes / PART_BYTES) : 2;
  }
  cost.writes += cost.comments;
  return cost;
}

async function requestsFor(snapshot: SnapshotView, home: string, held: ReadonlySet<string>) {
  const requests: AppendRequest[] = [];
  let copies = 0;
  const splitter = openSplitter(null);
  for await (const tree of readBlockTrees(snapshot, home)) {
    const below = new Set([...childBlocks(tree)].map(({ id }) => id));
    const context = {
      newId: (id: string) => (below.has(id) && !held.has(id) ? null : id),
      hasEmoji: () => true,
      told: () => undefined,
      later: () => {
        copies += 1;
      },
    };
    for (const draft of draftBlocks(tree, context)) requests.push(...splitter.push(draft));
    if (isChildBlock(tree) || [...below].some((id) => held.has(id))) requests.push(...splitter.flush());
  }
  requests.push(...splitter.flush());
  return { requests, copies };
}

async function hasRelations(snapshot: SnapshotView, home: string): Promise<boolean> {
  if ((await snapshot.find(recordPaths.page(home))) === null) return false;
  const { properties } = await readPage(snapshot, home);
  return Object.values(properties).some(({ relation }) => objectsOf(relation).length > 0);
}
