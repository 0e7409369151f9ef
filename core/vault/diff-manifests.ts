import { decodeLine, hasSameContent } from "./manifest.ts";
import type { ManifestReader } from "./manifest-reader.ts";
import { compareUtf8 } from "./paths.ts";
import type { ManifestEntry } from "./types.ts";

/** A path that differs between two manifests: added, removed or changed. */
export type ManifestDifference = { path: string; before?: ManifestEntry; after?: ManifestEntry };

/**
 * Yields the differences between two manifests in path order. Chunks that both share are not fetched. Of the other
 * chunks only lines that differ are parsed, because a changed chunk usually keeps most of its lines.
 */
export async function* diffManifests(
  before: ManifestReader,
  after: ManifestReader,
): AsyncGenerator<ManifestDifference, void> {
  const a = createWalk(before);
  const b = createWalk(after);
  for (;;) {
    if (a.chunkId() !== null && a.chunkId() === b.chunkId()) {
      a.skipChunk();
      b.skipChunk();
      continue;
    }
    const line = a.line();
    if (line !== null && line === b.line()) {
      a.step();
      b.step();
      continue;
    }
    const [left, right] = [a.path(), b.path()];
    if (left === null && right === null) return;
    const order = left === null ? 1 : right === null ? -1 : compareUtf8(left, right);
    // Fetch a chunk only when one of its entries is needed, then compare its lines before parsing them.
    if (order <= 0 && a.line() === null) await a.fetch();
    if (order >= 0 && b.line() === null) await b.fetch();
    if (order === 0 && a.line() === b.line()) continue;
    const old = order <= 0 ? a.take() : undefined;
    const young = order >= 0 ? b.take() : undefined;
    if (old && young && hasSameContent(old, young)) continue;
    yield { path: (old ?? young)!.path, ...(old ? { before: old } : {}), ...(young ? { after: young } : {}) };
  }
}

/** A cursor over a manifest. Entries of a chunk can be taken once the chunk is fetched. */
function createWalk(manifest: ManifestReader) {
  const { chunks } = manifest.root;
  let index = 0;
  let lines: string[] | null = null;
  let at = 0;
  let read: ManifestEntry | null = null;
  const skipChunk = () => {
    index++;
    lines = null;
    at = 0;
  };
  const step = () => {
    read = null;
    if (++at === lines?.length) skipChunk();
  };
  const entry = () => {
    read ??= decodeLine(lines![at]!);
    return read;
  };
  return {
    /** Id of the chunk that starts here. Null inside a chunk and at the end. */
    chunkId: () => (at === 0 ? (chunks[index]?.id ?? null) : null),
    /** The stored line of the current entry. Null when its chunk is not fetched. */
    line: () => lines?.[at] ?? null,
    path: () => (lines ? entry().path : (chunks[index]?.first ?? null)),
    async fetch(): Promise<void> {
      lines = await manifest.lines(index);
    },
    skipChunk,
    step,
    take(): ManifestEntry {
      const taken = entry();
      step();
      return taken;
    },
  };
}
