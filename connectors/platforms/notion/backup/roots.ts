import { isOutOfReach } from "#connectors/toolkit/records/run-stages.ts";
import type { NotionParent } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import type { StoredRoots } from "../records.ts";
import { readPage } from "./back-up-page.ts";
import { findOldHome } from "./old-page.ts";

import { type Root, remember, type Work } from "./workspace-run.ts";

/**
 * Notes that a page or database may have no parent in the version: it stands in the workspace itself, or its parent is not
 * covered by the grant. Something below a block is such a thing until its page was read, which `discover` then says.
 */
export async function noteRoot(
  work: Work,
  thing: { type: "page" | "database"; id: string; parent: NotionParent; created_time: string },
): Promise<void> {
  const { type, id, parent, created_time: createdAt } = thing;
  if (parent.type !== "workspace") {
    if (work.placed.has(id)) return;
    if (parent.type === "page_id" && (await findParent(work, parent.page_id ?? ""))) {
      work.roots.delete(id);
      return;
    }
    // It was found below a page before, and nothing says that this changed.
    if (parent.type !== "page_id" && !work.roots.has(id) && (await wasThere(work, { type, id }))) return;
  }
  work.roots.set(id, { type, id, createdAt });
}

/**
 * Whether the page above is in the version, or will be. One that the search missed is known only from what is below it, so
 * Notion is asked for it once.
 */
async function findParent(work: Work, pageId: string): Promise<boolean> {
  if (work.dropped.has(pageId) || work.outside.has(pageId)) return false;
  if (work.seen.has(pageId) || work.listed.has(pageId)) return true;
  if ((await findOldHome(work.previous, pageId)) !== null) return true;
  const page = await readPage(work, pageId).catch((error: unknown) => {
    if (isOutOfReach(error)) return null;
    throw error;
  });
  if (page === null || page.in_trash) {
    work.outside.add(pageId);
    return false;
  }
  if (page.parent.type === "data_source_id") {
    // A row is read with its data source.
    work.listed.add(pageId);
    return true;
  }
  work.seen.add(pageId);
  remember(work, page);
  work.push({ kind: "page", id: pageId });
  return true;
}

async function wasThere({ previous }: Work, { type, id }: Pick<Root, "type" | "id">): Promise<boolean> {
  const path = type === "page" ? recordPaths.page(recordPaths.pageHome(id)) : recordPaths.database(id);
  return (await previous?.find(path)) != null;
}

/** Oldest first: Notion's API does not give the order of the sidebar. */
export function sortedRoots(roots: Iterable<Root>): Root[] {
  return [...roots].sort(
    (one, other) => compare(one.createdAt, other.createdAt) || compare(one.id, other.id),
  );
}

/** The value of the record of roots. */
export function rootsValue(roots: Iterable<Root>): StoredRoots {
  return { roots: sortedRoots(roots).map(({ type, id }) => ({ type, id })) };
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
