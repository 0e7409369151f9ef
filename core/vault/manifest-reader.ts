import { type BlobReader, createBlobReader } from "./blob-reader.ts";
import { createLru } from "./lru.ts";
import { type ChunkRef, decodeChunk, decodeRoot, linesOfChunk, type ManifestRoot } from "./manifest.ts";
import { compareUtf8 } from "./paths.ts";
import type { ManifestEntry, ManifestRef, ObjectScope } from "./types.ts";
import type { VaultReadDeps } from "./vault-deps.ts";

const CACHED_CHUNKS = 48;

/** Reads one manifest, chunk by chunk. */
export interface ManifestReader {
  readonly ref: ManifestRef;
  readonly root: ManifestRoot;
  /** Reads records and other blobs of the same item, through the same cache. */
  readonly blobs: BlobReader;
  /** Returns the entries of one chunk. @throws VaultError */
  chunk(index: number): Promise<ManifestEntry[]>;
  /** Returns the same entries as unparsed lines, for callers that need only a few. @throws VaultError */
  lines(index: number): Promise<string[]>;
  /** Returns the entry of a path, or null. */
  find(path: string): Promise<ManifestEntry | null>;
  /** Returns the entry of a path and its index in path order, or null. */
  locate(path: string): Promise<{ entry: ManifestEntry; index: number } | null>;
  /**
   * Yields entries whose path starts with the prefix and sorts after `after`, in path order. Fetches only the chunks it
   * needs.
   */
  entries(prefix?: string, after?: string): AsyncGenerator<ManifestEntry, void>;
}

/** Opens a manifest. @throws VaultError when its root is missing or damaged */
export async function openManifest(
  deps: VaultReadDeps,
  { scope, ref }: { scope: ObjectScope; ref: ManifestRef },
): Promise<ManifestReader> {
  const blobs = createBlobReader(deps, scope);
  const root = decodeRoot(await blobs.plain(ref.root, ref.root.hash));
  const chunks = createLru<ManifestEntry[]>(CACHED_CHUNKS);
  /** Index of the first entry of each chunk. */
  const starts: number[] = [];
  let total = 0;
  for (const { count } of root.chunks) {
    starts.push(total);
    total += count;
  }

  async function bytesOf(index: number): Promise<Uint8Array> {
    const { blob } = root.chunks[index]!;
    return blobs.plain(blob, blob.hash);
  }

  async function chunk(index: number): Promise<ManifestEntry[]> {
    const { blob } = root.chunks[index]!;
    const known = chunks.get(blob.hash);
    if (known) return known;
    const entries = decodeChunk(await bytesOf(index));
    chunks.set(blob.hash, entries);
    return entries;
  }

  async function locate(path: string): Promise<{ entry: ManifestEntry; index: number } | null> {
    const at = lastAtOrBefore(root.chunks, path, firstOf);
    if (at < 0) return null;
    const entries = await chunk(at);
    const within = lastAtOrBefore(entries, path, pathOf);
    const entry = entries[within];
    return entry?.path === path ? { entry, index: starts[at]! + within } : null;
  }

  return {
    ref,
    root,
    blobs,
    chunk,
    lines: async (index) => linesOfChunk(await bytesOf(index)),
    locate,
    find: async (path) => (await locate(path))?.entry ?? null,
    async *entries(prefix = "", after = "") {
      const start = compareUtf8(after, prefix) > 0 ? after : prefix;
      for (let i = Math.max(0, lastAtOrBefore(root.chunks, start, firstOf)); i < root.chunks.length; i++) {
        for (const entry of await chunk(i)) {
          if (after !== "" && compareUtf8(entry.path, after) <= 0) continue;
          if (entry.path.startsWith(prefix)) yield entry;
          else if (compareUtf8(entry.path, prefix) > 0) return;
        }
      }
    },
  };
}

const firstOf = (chunk: ChunkRef) => chunk.first;
const pathOf = (entry: ManifestEntry) => entry.path;

/** Returns the index of the last member whose key is at or before the path, or -1. */
function lastAtOrBefore<T>(sorted: readonly T[], path: string, keyOf: (member: T) => string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareUtf8(keyOf(sorted[middle]!), path) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
