import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { INDEX_COMPANION } from "./bare-repository.ts";
import type { IndexedPackSource } from "./pack-set.ts";
import type { PackSource } from "./pack-source.ts";

/** The git packs of a version that have an index, and the number of those that have none. */
export async function storedPacks(
  snapshot: SnapshotView,
  paths: readonly string[],
): Promise<{ sources: IndexedPackSource[]; unindexed: number }> {
  const sources: IndexedPackSource[] = [];
  for (const path of paths) {
    const pack = await snapshot.find(path);
    const index = await snapshot.findCompanion(path, INDEX_COMPANION);
    if (pack === null || index === null) continue;
    sources.push({
      pack: { size: pack.sizeBytes, read: gathering((range) => snapshot.read(path, range)) },
      index: {
        size: index.sizeBytes,
        read: gathering((range) => snapshot.readCompanion(path, INDEX_COMPANION, range)),
      },
    });
  }
  return { sources, unindexed: paths.length - sources.length };
}

/** Reads a range into one array; copies the vault's chunks, which are valid only until the next one. */
function gathering(
  read: (range: { offset: number; length: number }) => AsyncIterable<Uint8Array>,
): PackSource["read"] {
  return async (offset, length) => {
    const whole = new Uint8Array(length);
    let at = 0;
    for await (const piece of read({ offset, length })) {
      whole.set(piece, at);
      at += piece.length;
    }
    return whole.subarray(0, at);
  };
}
