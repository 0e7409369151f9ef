import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { folderOf, recordPaths } from "../record-paths.ts";
import type { Roots } from "../restore/restored-part.ts";
import { MOST_READ, thingsOf } from "../restore/things-of.ts";

/** How much a restore brings. `isWhole` = it was counted to its end. */
export type PartCounts = {
  page: number;
  register: number;
  row: number;
  comment: number;
  file: number;
  bytes: number;
  isWhole: boolean;
};

/** Entries that are listed at most. They are not read, so there may be more of them than of records. */
const MOST_LISTED = 20_000;

/** Counts a part of a version: pages and registers by reading, what lies in their folders by listing. */
export async function countPart(
  snapshot: SnapshotView,
  order: Pick<RestoreOrder, "part">,
  roots: Roots,
): Promise<PartCounts> {
  const counts: PartCounts = { page: 0, register: 0, row: 0, comment: 0, file: 0, bytes: 0, isWhole: true };
  let listed = 0;
  const countFolder = async (folder: string) => {
    for await (const { kind, sizeBytes } of snapshot.list(folder)) {
      if (kind === "row" || kind === "comment" || kind === "file") counts[kind] += 1;
      if (kind === "file") counts.bytes += sizeBytes;
      listed += 1;
      if (listed >= MOST_LISTED) break;
    }
  };
  if (roots.type === "row") {
    const { registerId, id } = roots.row;
    counts.register = 1;
    await countFolder(folderOf(recordPaths.row(registerId, id)));
    return counts;
  }
  let read = 0;
  for await (const thing of thingsOf(snapshot, order)) {
    counts[thing.type] += 1;
    const path =
      thing.type === "page" ? recordPaths.page(thing.page.id) : recordPaths.register(thing.register.id);
    await countFolder(folderOf(path));
    read += 1;
    if (read === MOST_READ || listed >= MOST_LISTED) return { ...counts, isWhole: false };
  }
  return counts;
}
