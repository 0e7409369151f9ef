import { type BlobReader, createBlobReader } from "./blob-reader.ts";
import { createLru } from "./lru.ts";
import { decodeChunk, decodeRoot, linesOfChunk, type ManifestRoot } from "./manifest.ts";
import { compareUtf8 } from "./paths.ts";
import type { ManifestEntry, ManifestRef, ObjectScope } from "./types.ts";
import type { VaultReadDeps } from "./vault-deps.ts";

/** Parsed chunks take much of the heap that a page of a large board needs. */
const CACHED_CHUNKS = 24;

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
  /** Yields the same entries in reverse, only those before `before`. Fetches no chunks outside that range. */
  entriesBack(prefix?: string, before?: string): AsyncGenerator<ManifestEntry, void>;
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
    const isAtOrBefore = (other: string) => compareUtf8(other, path) <= 0;
    const at = lastWhere(root.chunks, ({ first }) => isAtOrBefore(first));
    if (at < 0) return null;
    const entries = await chunk(at);
    const within = lastWhere(entries, (entry) => isAtOrBefore(entry.path));
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
      const from = lastWhere(root.chunks, ({ first }) => compareUtf8(first, start) <= 0);
      for (let i = Math.max(0, from); i < root.chunks.length; i++) {
        for (const entry of await chunk(i)) {
          if (after !== "" && compareUtf8(entry.path, after) <= 0) continue;
          if (entry.path.startsWith(prefix)) yield entry;
          else if (compareUtf8(entry.path, prefix) > 0) return;
        }
      }
    },
    async *entriesBack(prefix = "", before = "") {
      const isReached = (path: string) =>
        (path.startsWith(prefix) || compareUtf8(path, prefix) < 0) &&
        (before === "" || compareUtf8(path, before) < 0);
      for (let i = lastWhere(root.chunks, ({ first }) => isReached(first)); i >= 0; i--) {
        const entries = await chunk(i);
        for (let at = lastWhere(entries, ({ path }) => isReached(path)); at >= 0; at--) {
          const entry = entries[at]!;
          if (!entry.path.startsWith(prefix)) return;
          yield entry;
        }
      }
    },
  };
}

/** Binary search: index of the last member that meets the condition, or -1. All members before it must meet it too. */
function lastWhere<T>(sorted: readonly T[], holds: (member: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(sorted[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
