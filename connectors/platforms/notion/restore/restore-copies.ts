import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { appendBlocks, removeHolder } from "./append-blocks.ts";
import { type BlockTree, readBlockTrees, sortIds, treeIds } from "./block-trees.ts";
import { draftBlocks } from "./draft-blocks.ts";
import { type FillState, fillKey, fillSchema } from "./fill-state.ts";
import { append, isRefusal, listChildren, parentOf } from "./notion-calls.ts";
import { readComments } from "./restore-comments.ts";
import type { RestoreIo } from "./restore-io.ts";
import { splitBlocks } from "./split-blocks.ts";

/** Puts synced copies in the places that were held for them, now that the originals are there. */
export async function* restoreCopies(
  io: RestoreIo,
  pages: readonly { id: string; home: string }[],
): AsyncGenerator<RestoreEvent, void> {
  let files = 0;
  for (const page of pages) {
    const state = await readNote(io.journal, fillKey(page.id), fillSchema);
    if (state === null) continue;
    if (state.copies.length > 0) yield* restoreCopiesOn(io, page, state);
    files += state.copiedFiles;
  }
  if (files > 0) yield { type: "restored", kind: "file", count: files };
}

async function* restoreCopiesOn(
  io: RestoreIo,
  page: Copy["page"],
  state: FillState,
): AsyncGenerator<RestoreEvent, void> {
  yield {
    type: "progress",
    progress: { phase: "Linking synced blocks", done: 0, total: null, unit: "items" },
  };
  for (const copy of [...state.copies]) {
    try {
      await restoreCopy(io, { page, state, copy });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      io.losses.tell("blockRefused");
    }
    state.copies = state.copies.filter(({ ref }) => ref !== copy.ref);
    await io.losses.save();
    await io.journal.record(fillKey(page.id), structuredClone(state));
  }
  yield { type: "checkpoint" };
}

type Copy = { page: { id: string; home: string }; state: FillState; copy: FillState["copies"][number] };

async function restoreCopy(io: RestoreIo, { page, state, copy }: Copy): Promise<void> {
  const holder = state.ids[copy.ref];
  const parentId = holder === undefined ? null : await parentOf(io.client, holder);
  // A place holder that is gone was removed after its copy was made.
  if (holder === undefined || parentId === null) return;
  const original = await io.ids.find(copy.originalId);
  if (original === null) await writeContent(io, { page, state, copy }, { holder, parentId });
  else {
    const value = { synced_from: { type: "block_id", block_id: original.id } };
    await io.maker.make<string[]>({
      look: async () => {
        const there = await listChildren(io.client, parentId);
        const next = there[there.findIndex(({ id }) => id === holder) + 1];
        return next?.originalId === original.id ? [next.id] : null;
      },
      create: () =>
        append(io.client, parentId, {
          children: [{ type: "synced_block", synced_block: value }],
          after: holder,
        }),
    });
  }
  await removeHolder(io, holder);
}

/** A copy whose original is elsewhere becomes a synced block of its own, with what the backup has of the content. */
async function writeContent(
  io: RestoreIo,
  { page, state, copy }: Copy,
  { holder, parentId }: { holder: string; parentId: string },
): Promise<void> {
  io.losses.tell("synced");
  const tree = await findTree(io, page.home, copy.ref);
  if (tree === null) return;
  await io.ids.load(treeIds(tree));
  const copied = new Set<string>();
  sortIds(tree, { own: new Set(), copied });
  const comments = await readComments(io.snapshot, page.home);
  if (comments.some(({ blockId }) => blockId !== null && copied.has(blockId)))
    io.losses.tell("commentCopies");
  const context = { ...io.references, later: () => undefined };
  const children = tree.children.flatMap((child) => draftBlocks(child, context));
  const draft = { ref: `${copy.ref}:own`, type: "synced_block", value: { synced_from: null }, children };
  const ids: Record<string, string> = {};
  for (const [index, request] of splitBlocks([draft], null).entries()) {
    const parent = request.parent === null ? parentId : ids[request.parent];
    if (parent === undefined) continue;
    const { files } = await appendBlocks(io, {
      ...{ request, spot: { parentId: parent, before: request.before, after: index === 0 ? holder : null } },
      isWanted: () => false,
      isTaken: (id) => Object.values(state.ids).includes(id),
      found: (ref, id) => {
        ids[ref] = id;
      },
    });
    state.copiedFiles += files;
    if (request.removes !== null && ids[request.removes] !== undefined) {
      await removeHolder(io, ids[request.removes]!);
    }
  }
}

async function findTree({ snapshot }: RestoreIo, home: string, id: string): Promise<BlockTree | null> {
  const find = (tree: BlockTree): BlockTree | null => {
    if (tree.block.id === id) return tree;
    for (const child of tree.children) {
      const found = find(child);
      if (found !== null) return found;
    }
    return null;
  };
  for await (const tree of readBlockTrees(snapshot, home)) {
    const found = find(tree);
    if (found !== null) return found;
  }
  return null;
}
