import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import { foldersOf } from "../restore/make-skeleton.ts";

/** Pages and rows that are read for a plan: enough for an error of a few per cent, few enough for one request. */
export const MOST_SAMPLED = 60;

/** Up to 60 folders below a prefix: all of them, or a sample spread over the ids. */
export async function sampleFolders(
  snapshot: SnapshotView,
  prefix: string,
  count: number,
): Promise<string[]> {
  const found = new Set<string>();
  if (count <= MOST_SAMPLED) {
    for await (const name of foldersOf(snapshot, prefix)) {
      found.add(name);
      if (found.size === MOST_SAMPLED) break;
    }
    return [...found];
  }
  for (let step = 0; step < MOST_SAMPLED; step++) {
    const start = Math.floor((step / MOST_SAMPLED) * 0x1_0000_0000)
      .toString(16)
      .padStart(8, "0");
    for await (const { path } of snapshot.list(prefix, `${prefix}${start}`)) {
      found.add(path.slice(prefix.length, path.indexOf("/", prefix.length)));
      break;
    }
  }
  return [...found];
}

/** The folders of up to 60 rows of the given tables. */
export async function sampleRows(
  snapshot: SnapshotView,
  sourceIds: readonly string[],
  count: number,
): Promise<string[]> {
  const homes: string[] = [];
  const share = Math.max(1, Math.ceil(MOST_SAMPLED / Math.max(1, sourceIds.length)));
  const most = count <= MOST_SAMPLED ? MOST_SAMPLED : share;
  for (const sourceId of sourceIds) {
    const names = await sampleFolders(
      snapshot,
      recordPaths.rowsOf(sourceId),
      count <= MOST_SAMPLED ? 0 : count,
    );
    for (const name of names.slice(0, most)) homes.push(recordPaths.rowHome(sourceId, name));
    if (homes.length >= MOST_SAMPLED) break;
  }
  return homes.slice(0, MOST_SAMPLED);
}
