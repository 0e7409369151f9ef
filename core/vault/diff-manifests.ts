import { hasSameContent } from "./manifest.ts";
import type { ManifestReader } from "./manifest-reader.ts";
import { compareUtf8 } from "./paths.ts";
import type { ManifestEntry } from "./types.ts";

/** One path that two manifests do not agree on: added, removed or changed. */
export type ManifestDifference = { path: string; before?: ManifestEntry; after?: ManifestEntry };

/** What differs between two manifests, in path order. Chunks that both have are not even fetched. */
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
    const [left, right] = [a.path(), b.path()];
    if (left === null && right === null) return;
    const order = left === null ? 1 : right === null ? -1 : compareUtf8(left, right);
    const old = order <= 0 ? await a.take() : undefined;
    const young = order >= 0 ? await b.take() : undefined;
    if (old && young && hasSameContent(old, young)) continue;
    yield { path: (old ?? young)!.path, ...(old ? { before: old } : {}), ...(young ? { after: young } : {}) };
  }
}

/** A position in a manifest that fetches a chunk only when one of its entries is taken. */
function createWalk(manifest: ManifestReader) {
  const { chunks } = manifest.root;
  let index = 0;
  let entries: ManifestEntry[] | null = null;
  let at = 0;
  const skipChunk = () => {
    index++;
    entries = null;
    at = 0;
  };
  return {
    /** Id of the chunk that begins here; null inside a chunk and at the end. */
    chunkId: () => (at === 0 ? (chunks[index]?.id ?? null) : null),
    path: () => (entries ? entries[at]!.path : (chunks[index]?.first ?? null)),
    skipChunk,
    async take(): Promise<ManifestEntry> {
      entries ??= await manifest.chunk(index);
      const entry = entries[at++]!;
      if (at === entries.length) skipChunk();
      return entry;
    },
  };
}
