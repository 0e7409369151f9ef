import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import { mayGoWithout } from "#connectors/toolkit/records/run-stages.ts";
import type { NotionPage } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { dropDatabase } from "./back-up-database.ts";
import { dropHome, findOldHome, readOldPage } from "./old-page.ts";
import { readDatabase, readPage } from "./read-thing.ts";
import { noteRoot } from "./roots.ts";
import { remember, type Work } from "./workspace-run.ts";

/** Titles that the version names; the others are only counted. */
const MOST_TITLES = 20;

/**
 * Checks a page of the previous version that is no longer where it was. Removed is only what Notion shows in its trash, or
 * does not find twice: then it was deleted for good, or the owner no longer shares it. A page that exists was moved, and is
 * read again.
 */
export async function* checkPage(
  work: Work,
  pageId: string,
  isSecond: boolean,
): AsyncGenerator<BackupEvent, void> {
  const home = await findOldHome(work.previous, pageId);
  if (home === null || work.dropped.has(pageId)) return;
  let page: NotionPage | null;
  try {
    page = await readPage(work, pageId);
  } catch (error) {
    if (!mayGoWithout(work.run, error)) throw error;
    if (error.kind !== "gone") return yield keptAs(home, "page", error);
    page = null;
  }
  if (page === null && !isSecond) {
    work.push({ kind: "recheck", id: pageId });
    return;
  }
  const parentId = page?.parent.page_id ?? page?.parent.data_source_id;
  const isBelowTrash = page !== null && parentId !== undefined && work.trashed.has(parentId);
  if (page === null || page.in_trash || (isBelowTrash && !work.seen.has(pageId))) {
    if (page === null) noteGone(work, (await work.previous?.find(recordPaths.page(home)))?.title ?? pageId);
    if (page !== null) work.trashed.add(pageId);
    yield* dropPage(work, pageId, home);
    await readAgain(work, page?.parent.page_id);
    return;
  }
  const sourceId = page.parent.data_source_id;
  if (sourceId === undefined) {
    await noteRoot(work, { ...page, type: "page" });
    if (work.seen.has(pageId)) return;
    remember(work, page);
    work.seen.add(pageId);
    work.push({ kind: "page", id: pageId });
  } else if (home === recordPaths.pageHome(pageId)) {
    // It became a row, which its new table gives.
    yield* dropHome(work, home);
    if ((await work.previous?.find(recordPaths.source(sourceId))) != null)
      work.push({ kind: "rows", id: sourceId });
  }
}

/** Removes a page of the previous version. What is below it is checked. */
export async function* dropPage(work: Work, pageId: string, home: string): AsyncGenerator<BackupEvent, void> {
  const { children } = await readOldPage(work.previous, home);
  yield* dropHome(work, home);
  work.dropped.add(pageId);
  work.roots.delete(pageId);
  for (const { kind, id } of children) work.push({ kind: kind === "page" ? "check" : "check-database", id });
}

/** The same for a database, with its data sources and their rows. */
export async function* checkDatabase(work: Work, databaseId: string): AsyncGenerator<BackupEvent, void> {
  const entry = (await work.previous?.find(recordPaths.database(databaseId))) ?? null;
  if (entry === null || work.dropped.has(databaseId)) return;
  for (let look = 1; look <= 2; look++) {
    try {
      const database = await readDatabase(work, databaseId);
      const parentId = database.parent.page_id ?? database.parent.database_id;
      const isBelowTrash = parentId !== undefined && work.trashed.has(parentId);
      if (!database.in_trash && !isBelowTrash) {
        await noteRoot(work, {
          ...database,
          type: "database",
          created_time: String(database.created_time ?? ""),
        });
        return;
      }
      work.trashed.add(databaseId);
      await readAgain(work, database.parent.page_id);
      break;
    } catch (error) {
      if (!mayGoWithout(work.run, error)) throw error;
      if (error.kind !== "gone") return yield keptAs(entry.path, "database", error);
      if (look === 2) noteGone(work, entry.title ?? databaseId);
    }
  }
  yield* dropDatabase(work, databaseId);
}

/**
 * Reads the page above again: Notion may not count what left it as an edit, and nobody would notice when it is brought back
 * to a page whose blocks still name it.
 */
async function readAgain(work: Work, parentId: string | undefined): Promise<void> {
  if (parentId === undefined || work.seen.has(parentId) || work.dropped.has(parentId)) return;
  if ((await findOldHome(work.previous, parentId)) === null) return;
  work.seen.add(parentId);
  work.push({ kind: "page", id: parentId });
}

function keptAs(path: string, kind: string, { message }: Error): BackupEvent {
  return { type: "skipped", path, kind, reason: `${message} What the previous version holds is kept.` };
}

function noteGone(work: Work, title: string): void {
  if (work.gone.length < MOST_TITLES) work.gone.push(title);
  else work.gone.push("");
}
