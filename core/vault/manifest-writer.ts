import { type ChunkRef, encodeChunk, encodeRoot, endsChunk, hasSameContent } from "./manifest.ts";
import type { ManifestReader } from "./manifest-reader.ts";
import { hashOf, type PackWriter } from "./record-pack.ts";
import type { Completeness, ListedManifest, ManifestEntry } from "./types.ts";

/** Cuts sorted entries into chunks and writes the chunks that the previous manifest does not have. */
export interface ManifestWriter {
  /** Adds the next entry in path order. `previousChunk` is the chunk index of an entry from the previous manifest. */
  add(entry: ManifestEntry, previousChunk?: number): Promise<void>;
  /** Writes the remaining chunks and the root. Null = the manifest equals the previous one, and nothing was written. */
  finish(
    facts: Omit<Completeness, "counts">,
  ): Promise<{ written: ListedManifest | null; completeness: Completeness }>;
}

/** Creates a manifest writer that stores its chunks in the same packs as the records. */
export function createManifestWriter(packs: PackWriter, previous: ManifestReader | null): ManifestWriter {
  const chunks: ChunkRef[] = [];
  const objects = new Set<string>();
  const counts: Record<string, number> = {};
  const knownBlobs = new Map(previous?.root.chunks.map((chunk, i) => [chunk.id, i]));
  let pending: ManifestEntry[] = [];
  /** Index of the previous chunk while all pending entries come from it. */
  let origin: number | undefined;
  let entryCount = 0;
  let sizeBytes = 0;

  async function findReusable(id: string): Promise<ChunkRef | null> {
    const index = knownBlobs.get(id);
    if (!previous || index === undefined) return null;
    const old = await previous.chunk(index);
    const isSame = old.every((entry, i) => isSamePlace(entry, pending[i]!));
    return isSame ? previous.root.chunks[index]! : null;
  }

  async function flush(): Promise<void> {
    if (pending.length === 0) return;
    const source = origin === undefined ? undefined : previous?.root.chunks[origin];
    let chunk = source?.count === pending.length ? source : null;
    if (!chunk) {
      const { id, bytes } = encodeChunk(pending);
      chunk = await findReusable(id);
      if (!chunk) {
        const blob = await packs.add("chunk", bytes, hashOf(bytes));
        const size = pending.reduce((sum, entry) => sum + entry.sizeBytes, 0);
        const place = { ...blob.where, hash: blob.hash };
        chunk = { first: pending[0]!.path, count: pending.length, sizeBytes: size, id, blob: place };
      }
    }
    chunks.push(chunk);
    objects.add(chunk.blob.object);
    pending = [];
  }

  return {
    async add(entry, previousChunk) {
      if (pending.length === 0) origin = previousChunk;
      else if (origin !== previousChunk) origin = undefined;
      pending.push(entry);
      objects.add(entry.where.object);
      counts[entry.kind] = (counts[entry.kind] ?? 0) + 1;
      entryCount++;
      sizeBytes += entry.sizeBytes;
      if (endsChunk(entry.path, pending.length)) await flush();
    },
    async finish(facts) {
      await flush();
      const completeness = { ...facts, counts };
      const root = { chunks, entryCount, sizeBytes, completeness };
      const { id, bytes } = encodeRoot(root);
      if (previous?.ref.id === id) return { written: null, completeness };
      const blob = await packs.add("root", bytes, hashOf(bytes));
      objects.add(blob.where.object);
      const place = { ...blob.where, hash: blob.hash };
      const written = { id, root: place, entryCount, sizeBytes, objects: [...objects].sort() };
      return { written, completeness };
    },
  };
}

function isSamePlace(a: ManifestEntry, b: ManifestEntry): boolean {
  const isSame = a.where.object === b.where.object && a.where.offset === b.where.offset;
  return isSame && hasSameContent(a, b);
}
