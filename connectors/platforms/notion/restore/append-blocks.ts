import { paths } from "../client.ts";
import { type Attacher, openAttacher } from "./attach-uploads.ts";
import { note, textOnly } from "./draft-blocks.ts";
import { append, isRefusal, type Listed, listChildren, remove } from "./notion-calls.ts";
import type { RestoreIo } from "./restore-io.ts";
import { type AppendRequest, blockBody, type DraftBlock, type InlineBlock } from "./split-blocks.ts";
import { type Uploaded, uploadOrReport } from "./upload-file.ts";

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
 * Uploads the files of a request's blocks, and appends the blocks once. If Notion refuses them, they are sent one by one, and
 * the refused ones as text.
 * @throws ConnectorError
 */
export async function appendBlocks(io: RestoreIo, order: AppendOrder): Promise<Appended> {
  const { request, spot, isTaken } = order;
  const files = await uploadFiles(io, request.blocks);
  const appended = await sendOnce(io, request.blocks, { spot, isTaken, files }).catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    return sendSingly(io, order, files);
  });
  for (const [index, block] of request.blocks.entries()) {
    const id = appended.ids[index];
    if (id !== undefined) await findInside(io, { block, id }, order, true);
  }
  return appended;
}

/** The files of blocks after their upload. */
type BlockFiles = {
  attach: Attacher;
  /** Blocks by their drafts, as a request holds them: with the uploads, or with a note in place of a lost file. */
  ready: ReadonlyMap<DraftBlock, { draft: DraftBlock; files: number }>;
};

type SendOrder = Pick<AppendOrder, "spot" | "isTaken"> & { files: BlockFiles };

async function sendOnce(
  io: RestoreIo,
  wanted: readonly InlineBlock[],
  { spot, isTaken, files: { attach, ready } }: SendOrder,
): Promise<Appended> {
  let files = 0;
  const withFiles = ({ draft, children }: InlineBlock): InlineBlock => {
    const own = ready.get(draft) ?? { draft, files: 0 };
    files += own.files;
    return { draft: own.draft, children: children.map(withFiles) };
  };
  const blocks = wanted.map(withFiles);
  const children = blocks.map(blockBody);
  const { parentId, after } = spot;
  const ids = await io.maker.make<string[]>({
    look: () => findAppended(io, blocks, { spot, isTaken }),
    create: () =>
      attach(after === null ? { children } : { children, after }, (body) =>
        append(io.client, parentId, body),
      ),
  });
  return { ids, files };
}

async function uploadFiles(io: RestoreIo, blocks: readonly InlineBlock[]): Promise<BlockFiles> {
  const uploads: Uploaded[] = [];
  const ready = new Map<DraftBlock, { draft: DraftBlock; files: number }>();
  /** The file as a request names it; null = it is lost. */
  const uploaded = async (path: string, name: string | null) => {
    const upload = await uploadOrReport(io, path, name);
    if (upload === null) return null;
    uploads.push(upload);
    return { type: "file_upload", file_upload: { id: upload.id } };
  };
  const visit = async ({ draft, children }: InlineBlock) => {
    const { ref, value, file, icon } = draft;
    if (file !== undefined) {
      const name = typeof value.name === "string" ? value.name : null;
      const media = await uploaded(file, name);
      ready.set(
        draft,
        media === null
          ? { draft: note(ref, `${name ?? "A file"} was here.`), files: 0 }
          : { draft: { ...draft, value: { ...value, ...media } }, files: 1 },
      );
    }
    if (icon !== undefined) {
      const picture = await uploaded(icon, null);
      if (picture !== null)
        ready.set(draft, { draft: { ...draft, value: { ...value, icon: picture } }, files: 1 });
    }
    for (const child of children) await visit(child);
  };
  for (const block of blocks) await visit(block);
  return { attach: openAttacher(io.uploader, uploads), ready };
}

async function sendSingly(
  io: RestoreIo,
  { request, spot: { parentId, before, after }, isTaken }: AppendOrder,
  files: BlockFiles,
): Promise<Appended> {
  const appended: Appended = { ids: [], files: 0 };
  for (const block of request.blocks) {
    const { ids } = appended;
    const spot = {
      parentId,
      before: before + ids.length,
      after: after === null ? null : (ids.at(-1) ?? after),
    };
    const attempt = (one: InlineBlock) => sendOnce(io, [one], { spot, isTaken, files });
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
