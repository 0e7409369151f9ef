import { type BlobReader, createBlobReader } from "./blob-reader.ts";
import {
  type BlobPlace,
  type ChunkRef,
  decodeChunk,
  decodeRoot,
  encodeChunk,
  encodeRoot,
} from "./manifest.ts";
import { readObject } from "./object-reader.ts";
import {
  createPackWriter,
  decodePackIndex,
  hashOf,
  openBlob,
  type PackWriter,
  packShare,
} from "./record-pack.ts";
import type {
  ListedManifest,
  Location,
  ManifestEntry,
  ManifestRef,
  ObjectScope,
  StoredObject,
} from "./types.ts";
import type { VaultDeps, VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

/** How much of one pack manifests use. */
export type PackUse = {
  /** Bytes of the needed blobs, including their index rows. */
  aliveBytes: number;
  /**
   * The share of records in these bytes. The rest is chunks and roots, which are rewritten together with the records.
   */
  recordBytes: number;
  /** Number of needed blobs. */
  blobs: number;
  /** True when the blob at this offset is needed. */
  has(offset: number): boolean;
};

/**
 * Walks manifests, reading each distinct chunk once, and returns what they use of every pack. Memory grows with the
 * number of needed blobs, about 12 bytes each, not with the number of manifests.
 * @throws VaultError
 */
export async function measurePacks(
  deps: VaultReadDeps,
  { scope, manifests }: { scope: ObjectScope; manifests: readonly ManifestRef[] },
): Promise<Map<string, PackUse>> {
  const blobs = createBlobReader(deps, scope);
  const used = new Map<string, SpanSet>();
  const seen = new Set<string>();
  const note = ({ object, offset, length }: Location, isRecord: boolean) => {
    let spans = used.get(object);
    if (!spans) {
      spans = createSpanSet();
      used.set(object, spans);
    }
    spans.add(offset, length, isRecord);
  };
  for (const ref of manifests) {
    note(ref.root, false);
    for (const chunk of (await readRoot(blobs, ref)).chunks) {
      const key = keyOf(chunk.blob);
      if (seen.has(key)) continue;
      seen.add(key);
      note(chunk.blob, false);
      for (const entry of await readChunk(blobs, chunk)) if (entry.type === "record") note(entry.where, true);
    }
  }
  return new Map([...used].map(([id, spans]) => [id, spans.close()]));
}

/** The result of rewriting packs. */
export type RepackResult = {
  /** The manifests in the given order, with the same ids. Manifests that needed no change are returned as they were. */
  manifests: ListedManifest[];
  /** Bytes written to the bucket. */
  newBytes: number;
};

/**
 * Rewrites packs. Copies the needed records to new packs in their stored form, then rewrites every chunk and root that
 * refers to or is stored in an old pack. Ids depend on content alone, so they stay the same, and readers see the same
 * bytes. Deletes nothing: the old objects stay until long after the ledger points to the new roots. At most one pack,
 * one chunk and the list of moved records are in memory.
 *
 * @param order.packs The packs to rewrite, with their use from `measurePacks`.
 * @param order.isPack Whether an object of a manifest is a record pack.
 * @throws VaultError when a needed blob is damaged; then nothing may be committed
 */
export async function repackManifests(
  deps: VaultDeps,
  order: {
    scope: ObjectScope;
    runId: string;
    manifests: readonly ListedManifest[];
    packs: ReadonlyMap<string, PackUse>;
    isPack: (objectId: string) => boolean;
    onProgress?: (done: number, total: number) => Promise<void>;
  },
): Promise<RepackResult> {
  const { scope, runId } = order;
  let newBytes = 0;
  const onWritten = (object: StoredObject) => {
    newBytes += object.storedBytes;
  };
  const packs = createPackWriter(deps, { scope, runId, onWritten });
  const total = order.packs.size + order.manifests.length;
  let done = 0;
  const step = async () => order.onProgress?.(++done, total);
  const moved = new Map<string, ReadonlyMap<number, Location>>();
  for (const [id, use] of order.packs) {
    moved.set(id, await moveRecords(deps, packs, { scope, id, use }));
    await step();
  }
  const rewriter = createRewriter(createBlobReader(deps, scope), packs, moved);
  const manifests: ListedManifest[] = [];
  for (const ref of order.manifests) {
    const isConcerned = ref.objects.some((id) => order.packs.has(id));
    manifests.push(isConcerned ? await rewriter.rewrite(ref, order.isPack) : ref);
    await step();
  }
  await packs.flush();
  return { manifests, newBytes };
}

/** Copies the needed records of one pack and returns their new locations. */
async function moveRecords(
  deps: VaultReadDeps,
  packs: PackWriter,
  { scope, id, use }: { scope: ObjectScope; id: string; use: PackUse },
): Promise<ReadonlyMap<number, Location>> {
  const bytes = await readObject(deps, { scope, id, kind: "pack" });
  const moved = new Map<number, Location>();
  for (const row of decodePackIndex(bytes)) {
    if (row.type !== "record" || !use.has(row.offset)) continue;
    const stored = bytes.subarray(row.offset, row.offset + row.length);
    openBlob(stored, { method: row.method, hash: row.hash, name: `${id}+${row.offset}` });
    moved.set(row.offset, await packs.addStored("record", stored, row));
  }
  return moved;
}

type Rewriter = {
  rewrite(ref: ListedManifest, isPack: (objectId: string) => boolean): Promise<ListedManifest>;
};
/** A rewritten chunk, and the packs that hold it and its records. */
type Rewritten = { blob: BlobPlace; packs: readonly string[] };

/** Rewrites manifests that share chunks. Each distinct chunk is read and written once. */
function createRewriter(
  blobs: BlobReader,
  packs: PackWriter,
  moved: ReadonlyMap<string, ReadonlyMap<number, Location>>,
): Rewriter {
  const known = new Map<string, Rewritten>();
  const names = new Map<string, string>();
  /** Interns ids, so a remembered chunk takes only a few pointers. */
  const nameOf = (id: string) => {
    const name = names.get(id) ?? id;
    names.set(id, name);
    return name;
  };

  function newPlace(entry: ManifestEntry): ManifestEntry {
    const places = entry.type === "record" ? moved.get(entry.where.object) : undefined;
    if (!places) return entry;
    const where = places.get(entry.where.offset);
    if (where?.length !== entry.where.length || where.method !== entry.where.method) {
      throw new VaultError("tampered", `${entry.path} does not lie where the manifest says`);
    }
    return { ...entry, where };
  }

  async function write(type: "chunk" | "root", plain: Uint8Array): Promise<BlobPlace> {
    const { where, hash } = await packs.add(type, plain, hashOf(plain));
    return { ...where, hash };
  }

  async function rewriteChunk(chunk: ChunkRef): Promise<Rewritten> {
    const old = await readChunk(blobs, chunk);
    const entries = old.map(newPlace);
    let { blob } = chunk;
    if (moved.has(blob.object) || entries.some((entry, i) => entry !== old[i])) {
      const { id, bytes } = encodeChunk(entries);
      if (id !== chunk.id)
        throw new VaultError("tampered", `the chunk at ${chunk.first} does not have its id`);
      blob = await write("chunk", bytes);
    }
    const records = entries.filter((entry) => entry.type === "record").map(({ where }) => where.object);
    return { blob, packs: [...new Set([blob.object, ...records])].map(nameOf) };
  }

  return {
    async rewrite(ref, isPack) {
      const old = await readRoot(blobs, ref);
      const chunks: ChunkRef[] = [];
      const needed = new Set(ref.objects.filter((id) => !isPack(id)));
      for (const chunk of old.chunks) {
        const key = keyOf(chunk.blob);
        const rewritten = known.get(key) ?? (await rewriteChunk(chunk));
        known.set(key, rewritten);
        for (const id of rewritten.packs) needed.add(id);
        chunks.push({ ...chunk, blob: rewritten.blob });
      }
      const { id, bytes } = encodeRoot({ ...old, chunks });
      if (id !== ref.id) throw new VaultError("tampered", `the manifest ${ref.id} does not have its id`);
      const isSame = hashOf(bytes) === ref.root.hash && !moved.has(ref.root.object);
      const root = isSame ? ref.root : await write("root", bytes);
      needed.add(root.object);
      return { ...ref, root, objects: [...needed].sort() };
    },
  };
}

async function readRoot(blobs: BlobReader, ref: ManifestRef) {
  return decodeRoot(await blobs.plain(ref.root, ref.root.hash));
}

async function readChunk(blobs: BlobReader, { blob }: ChunkRef) {
  return decodeChunk(await blobs.plain(blob, blob.hash));
}

const keyOf = ({ object, offset }: Location) => `${object}+${offset}`;

/**
 * Offsets stay below 2^23, because a longer blob has a pack of its own. So offset, length and a flag fit in a double.
 */
const LENGTHS = 2 ** 29;
const offsetOf = (key: number) => Math.floor(key / (LENGTHS * 2));
const lengthOf = (key: number) => Math.floor(key / 2) % LENGTHS;
const isRecordKey = (key: number) => key % 2 === 1;

type SpanSet = { add(offset: number, length: number, isRecord: boolean): void; close(): PackUse };

/** A set of blobs of a pack in one array. Duplicates are removed when the array is compacted. */
function createSpanSet(): SpanSet {
  let keys = new Float64Array(64);
  let used = 0;

  function compact(): void {
    const sorted = keys.subarray(0, used).sort();
    let kept = 0;
    for (const key of sorted) if (kept === 0 || key !== sorted[kept - 1]) sorted[kept++] = key;
    used = kept;
  }

  return {
    add(offset, length, isRecord) {
      if (used === keys.length) {
        compact();
        if (used * 2 > keys.length) {
          const larger = new Float64Array(keys.length * 2);
          larger.set(keys.subarray(0, used));
          keys = larger;
        }
      }
      keys[used++] = (offset * LENGTHS + length) * 2 + Number(isRecord);
    },
    close() {
      compact();
      const spans = keys.slice(0, used);
      let aliveBytes = 0;
      let recordBytes = 0;
      for (const key of spans) {
        aliveBytes += packShare(lengthOf(key));
        if (isRecordKey(key)) recordBytes += packShare(lengthOf(key));
      }
      return { aliveBytes, recordBytes, blobs: spans.length, has: (offset) => hasOffset(spans, offset) };
    },
  };
}

function hasOffset(spans: Float64Array, offset: number): boolean {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (offsetOf(spans[middle]!) < offset) low = middle + 1;
    else high = middle;
  }
  return low < spans.length && offsetOf(spans[low]!) === offset;
}
