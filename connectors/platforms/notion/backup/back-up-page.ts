import { z } from "zod";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { isOutOfReach, mayGoWithout } from "#connectors/toolkit/records/run-stages.ts";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import type { NotionBlock, NotionPage } from "../payloads.ts";
import { blockForm, pageForm, withoutPaths } from "../record-form.ts";
import { recordPaths } from "../record-paths.ts";
import { BLOCKS_PER_RECORD, type StoredBlock } from "../records.ts";
import { backUpFiles } from "./back-up-files.ts";
import { entryAbove } from "./entry-above.ts";
import { idSets, idSetsSchema } from "./id-set.ts";
import { clearPage, isDropped, type OldPage, readOldPage, UNSUPPORTED, unsupportedIn } from "./old-page.ts";
import { backUpComments, dropComments } from "./page-comments.ts";
import { readBlock, readPage } from "./read-thing.ts";
import { titleOf } from "./titles.ts";
import { startWalk, walkBlocks, walkSchema } from "./walk-blocks.ts";
import { wholeValues } from "./whole-values.ts";
import { noteAbove, type Work } from "./workspace-run.ts";

/** A page to read: what it is, and where its records go. */
export type PageOrder = {
  page: NotionPage;
  kind: "page" | "row" | "template";
  home: string;
  /** The hash of its Markdown, read before the blocks; null = unknown. */
  markdown: string | null;
};

const cursorSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(["page", "row", "template"]),
  home: z.string(),
  walk: walkSchema,
  parts: z.array(z.string()),
  children: z.array(z.string()),
  commented: z.array(z.string()),
  /** Files of blocks: a copy of a synced block on the same page shows those of its original. */
  files: idSetsSchema,
  markdown: z.string().nullable(),
});
type PageCursor = z.output<typeof cursorSchema>;

/**
 * Reads a page as one unit: its properties, its blocks and the comments on it, with all files. A page with many blocks
 * has a checkpoint after each record of blocks. Pages and databases below it are queued, and those that are no longer
 * below it are queued to be checked. A page that vanishes while it is read is left to such a check.
 */
export async function* backUpPage(
  work: Work,
  order: PageOrder | null,
  resumed: Json,
): AsyncGenerator<BackupEvent, void> {
  const cursor = readCursor(cursorSchema, resumed);
  if (cursor === null && order === null) return;
  const at: PageCursor = cursor ?? startOf(order!);
  const before = structuredClone(work.run.next.counts);
  const old = await currentOf(work, at.home);
  const emitted = new Set<string>();
  try {
    for await (const event of cursor === null ? begin(work, order!, old, at) : []) {
      if ("path" in event) emitted.add(event.path);
      yield event;
    }
    for await (const event of rest(work, old, at)) {
      if ("path" in event) emitted.add(event.path);
      yield event;
    }
  } catch (error) {
    if (!mayGoWithout(work.run, error)) throw error;
    if (cursor === null) {
      work.run.next.counts = before;
      const kept = new Set(old.entries.map(({ path }) => path));
      for (const path of emitted) yield kept.has(path) ? { type: "keep", path } : { type: "drop", path };
    }
    if (isOutOfReach(error) && error.kind === "gone") {
      work.push({ kind: "check", id: at.id });
      return;
    }
    work.retry.add(at.id);
    const what = old.entries.length > 0 ? " What the previous version holds is kept." : "";
    yield { type: "skipped", path: at.home, kind: at.kind, reason: `${error.message}${what}` };
    work.count(at.kind, old.entries.length > 0 ? 0 : 1);
  }
}

/** What the version has of the page so far. Of one that this run removed, only the bytes of its files can be kept. */
async function currentOf(work: Work, home: string): Promise<OldPage> {
  const old = await readOldPage(work.previous, home);
  return isDropped(work, home) ? { ...old, entries: [], children: [], comments: [], unsupported: 0 } : old;
}

function startOf({ page, kind, home, markdown }: PageOrder): PageCursor {
  return {
    id: page.id,
    kind,
    home,
    walk: startWalk(page.id),
    parts: [],
    children: [],
    commented: [],
    files: idSets(),
    markdown,
  };
}

/** The page's own record. What the previous version has of the page is removed first. */
async function* begin(
  work: Work,
  { page, kind, home }: PageOrder,
  old: OldPage,
  at: PageCursor,
): AsyncGenerator<BackupEvent, void> {
  const whole = await wholeValues(work.client, page);
  yield* clearPage(work, home, old);
  at.children = old.children.map(({ kind: type, id }) => `${type}:${id}`);
  at.commented = old.comments.flatMap(({ blockId }) => blockId ?? []);
  const path = recordPaths.page(home);
  const { value, files } = pageForm(whole, home);
  const refresh = async () => pageForm(await readPage(work, page.id), home).files;
  const lost = yield* backUpFiles(work, { files, old: old.files, parent: path, refresh });
  const named = { path, kind, title: titleOf(page), ...(await entryAbove(work, page)) };
  yield { type: "record", ...named, value: withoutPaths(value, lost) };
  work.count(kind, 1);
  if (lost.size > 0) work.retry.add(page.id);
}

/** The blocks from where the walk stands, then the comments. */
async function* rest(work: Work, old: OldPage, at: PageCursor): AsyncGenerator<BackupEvent, void> {
  const children = new Set(at.children);
  const commented = new Set(at.commented);
  const written = at.files.set(0);
  let part: { blocks: StoredBlock[]; lost: Set<string> } = { blocks: [], lost: new Set() };
  const flush = async function* (): AsyncGenerator<BackupEvent, void> {
    if (part.blocks.length === 0) return;
    const value = withoutPaths({ blocks: part.blocks }, part.lost);
    const path = recordPaths.blocks(at.home, at.parts.length);
    yield { type: "record", path, kind: "blocks", parent: recordPaths.page(at.home), value };
    work.count("blocks", 1);
    work.count(UNSUPPORTED, unsupportedIn(value));
    at.parts.push(await sha256Hex(canonicalJson(value)));
    if (part.lost.size > 0) work.retry.add(at.id);
    part = { blocks: [], lost: new Set() };
  };
  for await (const step of walkBlocks(work.client, at.walk)) {
    if (step.type === "lost") {
      if (step.isCopy) continue;
      work.retry.add(at.id);
      const path = `${recordPaths.blocksOf(at.home)}${step.blockId}`;
      yield { type: "skipped", path, kind: "blocks", reason: step.error.message };
      continue;
    }
    const { block, isCopied } = step;
    if (!isCopied) commented.delete(block.id);
    await meetChild(work, block, children, isCopied ? null : recordPaths.page(at.home));
    const { value, files } = blockForm(block, at.home);
    const refresh = async () => blockForm(await readBlock(work, block.id), at.home).files;
    const parent = recordPaths.page(at.home);
    const unread = files.filter(({ path }) => !written.has(path));
    const lost = yield* backUpFiles(work, { files: unread, old: old.files, parent, refresh });
    for (const { path } of unread) if (!lost.has(path)) written.add(path);
    for (const path of lost) part.lost.add(path);
    part.blocks.push(value);
    // What a copy shows has its comments where it stands.
    if (!isCopied) yield* firstComments(work, at, block, old);
    if (part.blocks.length < BLOCKS_PER_RECORD) continue;
    yield* flush();
    if (!work.isDue()) continue;
    const cursor = {
      ...{ ...at, files: at.files.toText() },
      ...{ children: [...children], commented: [...commented] },
    };
    yield work.point(structuredClone(cursor));
  }
  yield* flush();
  for (const child of children) checkChild(work, child);
  const lostBlocks = new Set(commented);
  for (const blockId of lostBlocks) work.removed.add(blockId);
  yield* dropComments(
    work,
    old.comments.filter(({ blockId }) => blockId !== null && lostBlocks.has(blockId)),
  );
  yield* backUpComments(work, { pageId: at.id, home: at.home, blockId: null }, old);
  if (at.markdown !== null) yield lookRecord(at.home, { markdown: at.markdown, parts: at.parts });
}

/** A first backup reads the comments on some blocks at once; later ones have their turn. */
async function* firstComments(
  work: Work,
  { id, home }: PageCursor,
  block: NotionBlock,
  old: OldPage,
): AsyncGenerator<BackupEvent, void> {
  if (work.commentCalls <= 0 || !mayHaveComments(block)) return;
  work.commentCalls -= 1;
  yield* backUpComments(work, { pageId: id, home, blockId: block.id }, old);
}

/** Comments on a page or database below are its own. */
export const mayHaveComments = ({ type }: { type: string }) =>
  type !== "child_page" && type !== "child_database";

async function meetChild(
  work: Work,
  { id, type }: NotionBlock,
  children: Set<string>,
  above: string | null,
): Promise<void> {
  const kind = type === "child_page" ? "page" : type === "child_database" ? "database" : null;
  if (kind === null) return;
  children.delete(`${kind}:${id}`);
  if (above !== null) noteAbove(work, id, above);
  await work.discover(kind, id);
}

function checkChild(work: Work, child: string): void {
  const [kind, id] = child.split(":") as ["page" | "database", string];
  work.push({ kind: kind === "page" ? "check" : "check-database", id });
}

/** What the last look at a page saw: the hash of its Markdown, and the hashes of the blocks' records that belong to it. */
export function lookRecord(home: string, look: { markdown: string; parts: string[] }): BackupEvent {
  return { type: "record", path: recordPaths.look(home), kind: "state", value: look };
}
