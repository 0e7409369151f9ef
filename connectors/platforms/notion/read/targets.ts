import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { folderAfter } from "#connectors/toolkit/views/walk-folders.ts";
import { recordPaths } from "../record-paths.ts";
import { type FoundHome, findHome, isId, pageHome, rowHome } from "./homes.ts";

/** Tables among whose rows a link looks for its page. A link into another one is shown as what it is: an address. */
const MOST_TABLES = 200;

/** Finds what links and mentions lead to. */
export type Targets = {
  /** Finds a page, or a row of any table, or null. */
  page(pageId: string): Promise<FoundHome | null>;
  /** Finds a row of this table, or null. */
  row(sourceId: string, pageId: string): Promise<FoundHome | null>;
};

/** Looks up pages by Notion's own ids, which do not say whether a page is a row, and of which table. */
export function openTargets(snapshot: SnapshotView): Targets {
  let tables: Promise<string[]> | null = null;
  const row = (sourceId: string, pageId: string) => findHome(snapshot, rowHome(sourceId, pageId).id);
  return {
    row,
    async page(pageId) {
      if (!isId(pageId)) return null;
      const page = await findHome(snapshot, pageHome(pageId).id);
      if (page !== null) return page;
      tables ??= firstTables(snapshot);
      for (const sourceId of await tables) {
        const found = await row(sourceId, pageId);
        if (found !== null) return found;
      }
      return null;
    },
  };
}

async function firstTables(snapshot: SnapshotView): Promise<string[]> {
  const ids: string[] = [];
  for await (const id of sourceIds(snapshot, null)) if (ids.push(id) >= MOST_TABLES) break;
  return ids;
}

/** Ids of data sources, or those behind one, in the order of their folders. Passes over their rows. */
export async function* sourceIds(snapshot: SnapshotView, after: string | null): AsyncGenerator<string, void> {
  for (let last = after ?? ""; ; ) {
    const place = { prefix: recordPaths.sources, file: "source.json", after: last };
    const entry = await folderAfter(snapshot, place);
    if (entry === null) return;
    last = entry.path.slice(recordPaths.sources.length, entry.path.lastIndexOf("/"));
    yield last;
  }
}
