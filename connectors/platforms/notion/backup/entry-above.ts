import type { NotionBlock, NotionParent } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { findOldHome, isDropped } from "./old-page.ts";
import { readBlock, readPage, withinReach } from "./read-thing.ts";
import { noteAbove, remember, type Work } from "./workspace-run.ts";

/** Deeper than blocks are nested. */
const MOST_LEVELS = 100;

/**
 * The member `parent` of the entry of a page or database: the path of what contains it, as `records.ts` says. It is missing
 * when that is not in the version. Notion gives the block above only, so what contains a block is known from reading its page,
 * from the previous version, or by asking for each block on the way up.
 */
export async function entryAbove(
  work: Work,
  thing: { object: "page" | "database"; id: string; parent: NotionParent },
): Promise<{ parent?: string }> {
  const {
    page_id: pageId,
    block_id: blockId,
    database_id: databaseId,
    data_source_id: sourceId,
  } = thing.parent;
  if (sourceId !== undefined) return { parent: recordPaths.source(sourceId) };
  if (databaseId !== undefined) return { parent: recordPaths.database(databaseId) };
  if (pageId === undefined && blockId === undefined) return {};
  const parent =
    work.above.get(thing.id) ??
    (pageId === undefined ? await pageOfBlock(work, thing, blockId!) : await pathOfPage(work, pageId));
  return parent === null ? {} : { parent };
}

/**
 * The home of a page or row that is in the version, or will be; null = it is not. A page that the search missed is known only
 * from what is below it, so Notion is asked for it, and it is queued. A row is read with its data source.
 */
export async function findPage(work: Work, pageId: string): Promise<string | null> {
  if (work.dropped.has(pageId) || work.outside.has(pageId)) return null;
  const old = await findOldHome(work.previous, pageId);
  if (old !== null && !isDropped(work, old)) return old;
  const own = recordPaths.pageHome(pageId);
  if (work.listed.has(pageId)) return own;
  const page = work.pages.get(pageId) ?? (await withinReach(readPage(work, pageId)));
  if (page === null || page.in_trash) {
    work.outside.add(pageId);
    return null;
  }
  remember(work, page);
  if (page.parent.data_source_id !== undefined)
    return recordPaths.rowHome(page.parent.data_source_id, pageId);
  if (work.seen.has(pageId)) return own;
  work.seen.add(pageId);
  work.push({ kind: "page", id: pageId });
  return own;
}

/** The path of the page whose blocks contain a block; null = it is not in the version. */
async function pageOfBlock(
  work: Work,
  { object, id }: { object: "page" | "database"; id: string },
  blockId: string,
): Promise<string | null> {
  const own = object === "page" ? recordPaths.page(recordPaths.pageHome(id)) : recordPaths.database(id);
  const before = (await work.previous?.find(own))?.parent;
  if (before !== undefined && (await isStillIn(work, own, blockId))) return before;
  const passed: string[] = [];
  let above = work.above.get(blockId) ?? null;
  for (let at: string | undefined = blockId; at !== undefined && above === null; ) {
    passed.push(at);
    const block: NotionBlock | null =
      passed.length > MOST_LEVELS ? null : await withinReach(readBlock(work, at));
    const { page_id: pageId, block_id: next }: Partial<NotionBlock["parent"]> = block?.parent ?? {};
    if (pageId !== undefined) above = await pathOfPage(work, pageId);
    at = next;
    if (at !== undefined) above ??= work.above.get(at) ?? null;
  }
  if (above !== null) for (const each of passed) noteAbove(work, each, above);
  return above;
}

async function pathOfPage(work: Work, pageId: string): Promise<string | null> {
  const home = await findPage(work, pageId);
  return home === null ? null : recordPaths.page(home);
}

/** Whether a record of the previous version has the same block above. */
async function isStillIn({ previous }: Work, path: string, blockId: string): Promise<boolean> {
  const { parent } = (await previous!.readRecord(path)) as { parent?: { block_id?: string } };
  return parent?.block_id === blockId;
}
