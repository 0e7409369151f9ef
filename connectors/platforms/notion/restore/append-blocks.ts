import { paths } from "../client.ts";
import { note, textOnly } from "./draft-blocks.ts";
import type { JsonObject } from "./json-parts.ts";
import { append, isRefusal, type Listed, listChildren, remove } from "./notion-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { type AppendRequest, blockBody, type DraftBlock, type InlineBlock } from "./split-blocks.ts";

/** Where blocks are appended. */
export type Spot = {
  parentId: string;
  /** The child behind which they stand; null = at the end. */
  after: string | null;
  /** Children that the parent has before, if they stand at the end. */
  before: number;
};

/** What an append needs to know of its page. */
export type AppendOrder = {
  request: AppendRequest;
  spot: Spot;
  /** Whether the new id of a block is needed later. */
  isWanted: (ref: string) => boolean;
  /** Takes a new id that is wanted. */
  found: (ref: string, id: string) => void;
  /** Whether an id is known to belong to another block of the page. */
  isTaken: (id: string) => boolean;
};

/** Ids of the new blocks side by side, and the number of files that were uploaded. */
export type Appended = { ids: string[]; files: number };

/**
 * Appends the blocks of a request once. If Notion refuses them, they are sent one by one, and the refused ones as text. Their
 * files are then uploaded again: while many large ones were sent, the first may have expired.
 * @throws ConnectorError
 */
export async function appendBlocks(io: RestoreIo, order: AppendOrder): Promise<Appended> {
  const { request, spot, isTaken } = order;
  const appended = await sendOnce(io, request.blocks, { spot, isTaken }).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    return sendSingly(io, order);
  });
  for (const [index, block] of request.blocks.entries()) {
    const id = appended.ids[index];
    if (id !== undefined) await findInside(io, { block, id }, order, true);
  }
  return appended;
}

/** Uploads the files of the blocks, and appends the blocks. */
async function sendOnce(
  io: RestoreIo,
  wanted: readonly InlineBlock[],
  { spot, isTaken }: Pick<AppendOrder, "spot" | "isTaken">,
): Promise<Appended> {
  const uploads = await uploadFiles(io, wanted);
  const blocks = wanted.map((block) => withoutLost(block, uploads.lost));
  const ids = await io.maker.make<string[]>({
    look: () => findAppended(io, blocks, { spot, isTaken }),
    create: () => send(io, blocks, { spot, uploads }),
  });
  return { ids, files: uploads.count };
}

type Uploads = { values: Map<string, JsonObject>; lost: Map<string, DraftBlock>; count: number };

async function uploadFiles(io: RestoreIo, blocks: readonly InlineBlock[]): Promise<Uploads> {
  const uploads: Uploads = { values: new Map(), lost: new Map(), count: 0 };
  const visit = async ({ draft, children }: InlineBlock) => {
    const { ref, value, file, icon } = draft;
    if (file !== undefined) {
      const name = typeof value.name === "string" ? value.name : null;
      const upload = await io.uploader.upload(file, name);
      if ("id" in upload) {
        uploads.count += 1;
        uploads.values.set(ref, { ...value, type: "file_upload", file_upload: { id: upload.id } });
      } else {
        io.losses.tell(upload.loss);
        uploads.lost.set(ref, note(ref, `${name ?? "A file"} was here.`));
      }
    }
    if (icon !== undefined) {
      const upload = await io.uploader.upload(icon);
      if ("id" in upload) {
        uploads.count += 1;
        uploads.values.set(ref, { ...value, icon: { type: "file_upload", file_upload: { id: upload.id } } });
      } else io.losses.tell(upload.loss);
    }
    for (const child of children) await visit(child);
  };
  for (const block of blocks) await visit(block);
  return uploads;
}

function withoutLost({ draft, children }: InlineBlock, lost: Uploads["lost"]): InlineBlock {
  return { draft: lost.get(draft.ref) ?? draft, children: children.map((child) => withoutLost(child, lost)) };
}

function send(
  { client }: RestoreIo,
  blocks: readonly InlineBlock[],
  { spot, uploads }: { spot: Spot; uploads: Uploads },
): Promise<string[]> {
  const valueFor = (draft: DraftBlock) => uploads.values.get(draft.ref) ?? draft.value;
  const children = blocks.map((block) => blockBody(block, valueFor));
  return append(client, spot.parentId, { children, after: spot.after });
}

async function sendSingly(
  io: RestoreIo,
  { request, spot: { parentId, before, after }, isTaken }: AppendOrder,
): Promise<Appended> {
  const appended: Appended = { ids: [], files: 0 };
  for (const block of request.blocks) {
    const { ids } = appended;
    const spot = {
      parentId,
      before: before + ids.length,
      after: after === null ? null : (ids.at(-1) ?? after),
    };
    const attempt = (one: InlineBlock) => sendOnce(io, [one], { spot, isTaken });
    const one = await attempt(block).catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
      io.losses.tell("blockRefused");
      return attempt({ draft: textOnly(block.draft), children: [] });
    });
    ids.push(...one.ids);
    appended.files += one.files;
  }
  return appended;
}

/** Finds the blocks of a request whose answer was lost: they stand where it put them. */
async function findAppended(
  { client }: RestoreIo,
  blocks: readonly InlineBlock[],
  { spot, isTaken }: Pick<AppendOrder, "spot" | "isTaken">,
): Promise<string[] | null> {
  const there = await listChildren(client, spot.parentId);
  const from = spot.after === null ? spot.before : there.findIndex(({ id }) => id === spot.after) + 1;
  const next = there.slice(from, from + blocks.length);
  const isOurs = (each: Listed, index: number) =>
    each.type === blocks[index]!.draft.type && !isTaken(each.id);
  return next.length === blocks.length && next.every(isOurs) ? next.map(({ id }) => id) : null;
}

/** Finds the new ids of the wanted blocks in a new block. Notion tells those of the blocks side by side only. */
async function findInside(
  io: RestoreIo,
  { block, id }: { block: InlineBlock; id: string },
  order: AppendOrder,
  isOuter: boolean,
): Promise<void> {
  const { request, isWanted, found } = order;
  const wants = ({ draft: { ref } }: InlineBlock) => request.wanted.includes(ref) || isWanted(ref);
  if (isOuter ? wants(block) : true) found(block.draft.ref, id);
  const holdsWanted = (each: InlineBlock): boolean =>
    each.children.some((child) => wants(child) || holdsWanted(child));
  if (!holdsWanted(block)) return;
  const there = await listChildren(io.client, id);
  for (const [index, child] of block.children.entries()) {
    const made = there[index];
    if (made !== undefined && (wants(child) || holdsWanted(child)))
      await findInside(io, { block: child, id: made.id }, order, false);
  }
}

/** Removes a block that only held a place. */
export function removeHolder({ client }: RestoreIo, id: string): Promise<void> {
  return remove(client, paths.block(id), "a place holder");
}
