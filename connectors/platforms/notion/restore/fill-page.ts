import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { appendBlocks, removeHolder } from "./append-blocks.ts";
import { childBlocks, isChildBlock, readBlockTrees, sortIds, treeIds } from "./block-trees.ts";
import { type DraftContext, draftBlocks } from "./draft-blocks.ts";
import { emptyFill, type FillState, fillKey, fillSchema } from "./fill-state.ts";
import type { Made } from "./id-map.ts";
import { firstChild, listChildren } from "./notion-calls.ts";
import { propertyLines } from "./property-lines.ts";
import { type CommentRecord, readComments, restoreComments } from "./restore-comments.ts";
import type { RestoreIo } from "./restore-io.ts";
import { type AppendRequest, type DraftBlock, openSplitter } from "./split-blocks.ts";
import type { Node } from "./walk-version.ts";
import { writeRelations } from "./write-relations.ts";

/** Requests between two points at which a slice may end. */
const REQUESTS_PER_POINT = 20;

/**
 * Restores what is on a page or row: its blocks, the relations of a row and the comments. The journal knows how far it
 * came, so that a later slice goes on.
 */
export async function* fillPage(
  io: RestoreIo,
  { node, made, isOutside }: { node: Node; made: Made; isOutside: boolean },
): AsyncGenerator<RestoreEvent, FillState> {
  const state = (await readNote(io.journal, fillKey(node.id), fillSchema)) ?? structuredClone(emptyFill);
  if (state.isDone) return state;
  const before = JSON.stringify({ ...state, hasValues: false });
  const save = async () => {
    await io.losses.save();
    await io.journal.record(fillKey(node.id), structuredClone(state));
  };
  const all = await readComments(io.snapshot, node.home);
  const ids = { own: new Set<string>(), copied: new Set<string>() };
  if (all.some(({ blockId }) => blockId !== null)) {
    for await (const tree of readBlockTrees(io.snapshot, node.home)) sortIds(tree, ids);
  }
  // What a synced copy shows has its comments where it stands.
  const comments = all.filter(
    ({ blockId }) => blockId === null || ids.own.has(blockId) || !ids.copied.has(blockId),
  );
  yield* fillBlocks(io, { node, made, isOutside, state, save, comments });
  if (state.holder !== null) await removeHolder(io, state.holder);
  if (node.kind === "row" && !isOutside && !state.hasValues) {
    const wrote = await writeRelations(io, node, made.id);
    state.hasValues = true;
    if (wrote) await save();
  }
  yield* restoreComments(io, { pageId: made.id, comments, state, save });
  if (state.top > 0) state.found = await countBlocks(io, made.id);
  state.isDone = true;
  // A row without anything on it needs no entry.
  if (JSON.stringify({ ...state, isDone: false, hasValues: false }) !== before) await save();
  return state;
}

type Filling = {
  node: Node;
  made: Made;
  isOutside: boolean;
  state: FillState;
  save: () => Promise<void>;
  comments: readonly CommentRecord[];
};

async function* fillBlocks(io: RestoreIo, filling: Filling): AsyncGenerator<RestoreEvent, void> {
  const { node, made, state, comments } = filling;
  if (made.hasHolder && state.holder === null) {
    state.holder = await firstChild(io.client, made.id);
    state.last = state.holder;
    await filling.save();
  }
  const commented = new Set(comments.flatMap(({ blockId }) => blockId ?? []));
  const wanted = new Set(commented);
  const copies: FillState["copies"] = [];
  const context: DraftContext = {
    ...io.references,
    later: ({ ref, originalId }) => {
      wanted.add(ref);
      copies.push({ ref, originalId });
    },
  };
  const splitter = openSplitter(null);
  let count = 0;
  const run = async function* (requests: readonly AppendRequest[]): AsyncGenerator<RestoreEvent, void> {
    for (const request of requests) {
      count += 1;
      if (count <= state.requests) continue;
      await runRequest(io, filling, request, wanted);
      state.copies = copies.filter(({ ref }) => state.ids[ref] !== undefined);
      state.requests = count;
      await filling.save();
      if (count % REQUESTS_PER_POINT === 0) yield { type: "checkpoint" };
    }
  };
  for (const draft of filling.isOutside ? await propertyLines(io, node) : [])
    yield* run(splitter.push(draft));
  for await (const tree of readBlockTrees(io.snapshot, node.home)) {
    await io.ids.load(treeIds(tree));
    for (const draft of draftBlocks(tree, context)) {
      noteOriginals(draft, wanted);
      yield* run(splitter.push(draft));
    }
    const next = [...childBlocks(tree)].flatMap(({ id }) => io.ids.known(id) ?? []);
    if (next.length === 0) continue;
    if (!isChildBlock(tree)) io.losses.tell("place");
    yield* run(splitter.flush());
    state.last = next.at(-1)!;
  }
  yield* run(splitter.flush());
}

async function runRequest(
  io: RestoreIo,
  { made, state }: Filling,
  request: AppendRequest,
  wanted: ReadonlySet<string>,
): Promise<void> {
  const { parent, before } = request;
  const parentId = parent === null ? made.id : state.ids[parent];
  // Notion refused what it stands in; only that is left as text.
  if (parentId === undefined) return;
  const originals: { ref: string; id: string }[] = [];
  const isOriginal = originalsIn(request);
  const { ids, files } = await appendBlocks(io, {
    ...{ request, spot: { parentId, before, after: parent === null ? state.last : null } },
    isWanted: (ref) => wanted.has(ref),
    isTaken: (id) => Object.values(state.ids).includes(id),
    found: (ref, id) => {
      state.ids[ref] = id;
      if (isOriginal.has(ref)) originals.push({ ref, id });
    },
  });
  for (const { ref, id } of originals) await io.ids.record(ref, { id });
  if (request.removes !== null && state.ids[request.removes] !== undefined) {
    await removeHolder(io, state.ids[request.removes]!);
  }
  state.files += files;
  if (parent !== null) return;
  state.top += ids.length;
  if (state.last !== null) state.last = ids.at(-1) ?? state.last;
}

function isOriginalDraft({ type, value }: DraftBlock): boolean {
  return type === "synced_block" && value.synced_from === null;
}

function originalsIn({ blocks }: AppendRequest): Set<string> {
  const found = new Set<string>();
  const visit = ({ draft, children }: AppendRequest["blocks"][number]) => {
    if (isOriginalDraft(draft)) found.add(draft.ref);
    for (const child of children) visit(child);
  };
  for (const block of blocks) visit(block);
  return found;
}

/** Originals of synced blocks are needed by their copies, which may stand on any page. */
function noteOriginals(draft: DraftBlock, wanted: Set<string>): void {
  if (isOriginalDraft(draft)) wanted.add(draft.ref);
  for (const child of draft.children) noteOriginals(child, wanted);
}

/** The number of blocks at the top of a restored page, without the pages below it. */
async function countBlocks({ client }: RestoreIo, pageId: string): Promise<number> {
  const there = await listChildren(client, pageId);
  return there.filter(({ type }) => type !== "child_page" && type !== "child_database").length;
}
