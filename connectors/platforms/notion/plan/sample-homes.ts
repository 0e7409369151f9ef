import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { MOST_SAMPLED } from "#connectors/toolkit/records/sample-folder.ts";
import { recordPaths } from "../record-paths.ts";
import { foldersOf } from "../restore/walk-version.ts";

/** Up to `most` folders below a prefix: all of them if there are no more, or a sample spread over the ids. */
export async function sampleFolders(
  snapshot: SnapshotView,
  prefix: string,
  { count, most = MOST_SAMPLED }: { count: number; most?: number },
): Promise<string[]> {
  const found = new Set<string>();
  if (count <= most) {
    for await (const name of foldersOf(snapshot, prefix)) {
      found.add(name);
      if (found.size === most) break;
    }
    return [...found];
  }
  for (let step = 0; step < most; step++) {
    const start = Math.floor((step / most) * 0x1_0000_0000)
      .toString(16)
      .padStart(8, "0");
    for await (const { path } of snapshot.list(prefix, `${prefix}${start}`)) {
      found.add(path.slice(prefix.length, path.indexOf("/", prefix.length)));
      break;
    }
  }
  return [...found];
}

/** The folders of rows of the given tables: all of a few rows, or a sample with as many of each table. */
export async function sampleRows(
  snapshot: SnapshotView,
  sourceIds: readonly string[],
  count: number,
): Promise<string[]> {
  const homes: string[] = [];
  const most = count <= MOST_SAMPLED ? MOST_SAMPLED : Math.ceil(MOST_SAMPLED / sourceIds.length);
  for (const sourceId of sourceIds) {
    const names = await sampleFolders(snapshot, recordPaths.rowsOf(sourceId), { count, most });
    for (const name of names) homes.push(recordPaths.rowHome(sourceId, name));
    if (homes.length >= MOST_SAMPLED) break;
  }
  return homes.slice(0, MOST_SAMPLED);
}
