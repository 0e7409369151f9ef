import type { Json } from "#core/kernel/canonical-json.ts";
import { fromUtf8 } from "#core/kernel/crypto.ts";
import { FRAME_BYTES } from "./format.ts";
import { createLru } from "./lru.ts";
import { type ManifestReader, openManifest } from "./manifest-reader.ts";
import type { ByteRange } from "./object-handle.ts";
import { type ObjectReader, openObjectReader } from "./object-reader.ts";
import { openBlob } from "./record-pack.ts";
import type { Completeness, ManifestEntry, ManifestRef, ObjectScope, StoredObject } from "./types.ts";
import type { VaultReadDeps } from "./vault-deps.ts";
import { VaultError } from "./vault-error.ts";

const CACHED_OBJECTS = 64;

/** The ledger's list of files derived from objects. */
export interface CompanionFinder {
  find(objectId: string, name: string): Promise<StoredObject | null>;
}

/** Facts about one entry, without its location in the vault. */
export type EntryFacts = Pick<
  ManifestEntry,
  "path" | "kind" | "type" | "title" | "parent" | "sizeBytes" | "hash"
>;

/**
 * Read access to one snapshot, in the shape of the connectors' `SnapshotView`. As there, a chunk is valid only until
 * the next one is requested; then its length may become 0. Copy a chunk to keep it.
 */
export interface SnapshotReader {
  readonly manifest: ManifestRef;
  /** The opened manifest, for comparing it with another. */
  readonly entries: ManifestReader;
  find(path: string): Promise<EntryFacts | null>;
  /** Entries per kind. */
  counts(): Readonly<Record<string, number>>;
  /** Entries below the prefix in path order, only those after `after`. */
  list(prefix?: string, after?: string): AsyncIterable<EntryFacts>;
  /** Lists entries below the prefix in descending path order, only those before `before`. */
  listBack(prefix?: string, before?: string): AsyncIterable<EntryFacts>;
  /** Returns the parsed record. @throws VaultError */
  readRecord(path: string): Promise<Json>;
  /** Yields plain bytes in chunks of at most 1 MiB. A full read is checked against the hash. @throws VaultError */
  read(path: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  findCompanion(path: string, name: string): Promise<StoredObject | null>;
  /** Yields the plain bytes of a companion. @throws VaultError `missing` when it does not exist */
  readCompanion(path: string, name: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** The contents of the snapshot compared with the platform. */
  completeness(): Completeness;
  /** Returns an entry with location, method and checksum, for the ZIP. Null when the path is unknown. */
  locate(path: string): Promise<ManifestEntry | null>;
  /** Entries with their locations, in path order. */
  locateAll(prefix?: string): AsyncIterable<ManifestEntry>;
  /** Yields the stored bytes of an entry: raw deflate for method 8, plain for method 0. @throws VaultError */
  readStored(entry: ManifestEntry, range?: ByteRange): AsyncIterable<Uint8Array>;
}

/** Opens a snapshot for reading. @throws VaultError when its manifest is missing or damaged */
export async function openSnapshot(
  deps: VaultReadDeps,
  order: { scope: ObjectScope; manifest: ManifestRef; companions: CompanionFinder },
): Promise<SnapshotReader> {
  const { scope, companions } = order;
  const manifest = await openManifest(deps, { scope, ref: order.manifest });
  const readers = createLru<ObjectReader>(CACHED_OBJECTS);
  const found = createLru<StoredObject>(CACHED_OBJECTS);

  async function get(path: string): Promise<ManifestEntry> {
    const entry = await manifest.find(path);
    if (!entry) throw new VaultError("missing", `the snapshot has no ${path}`);
    return entry;
  }

  function readerOf(object: Pick<StoredObject, "id" | "kind" | "sizeBytes" | "hash">): ObjectReader {
    const known = readers.get(object.id);
    if (known) return known;
    const reader = openObjectReader(deps, { scope, ...object });
    readers.set(object.id, reader);
    return reader;
  }

  const streamOf = ({ where, sizeBytes, hash }: ManifestEntry) =>
    readerOf({ id: where.object, kind: "stream", sizeBytes, hash });

  async function readPlain(entry: ManifestEntry): Promise<Uint8Array> {
    const stored = await manifest.blobs.stored(entry.where);
    return openBlob(stored, { method: entry.where.method, hash: entry.hash, name: entry.path });
  }

  async function findCompanion(path: string, name: string): Promise<StoredObject | null> {
    const entry = await manifest.find(path);
    if (!entry) return null;
    const key = `${entry.where.object} ${name}`;
    const known = found.get(key);
    if (known) return known;
    // An existing companion never changes; a missing one may still be created.
    const companion = await companions.find(entry.where.object, name);
    if (companion) found.set(key, companion);
    return companion;
  }

  return {
    manifest: order.manifest,
    entries: manifest,
    find: async (path) => factsOf(await manifest.find(path)),
    counts: () => manifest.root.completeness.counts,
    async *list(prefix, after) {
      for await (const entry of manifest.entries(prefix, after)) yield factsOf(entry)!;
    },
    async *listBack(prefix, before) {
      for await (const entry of manifest.entriesBack(prefix, before)) yield factsOf(entry)!;
    },
    async readRecord(path) {
      const entry = await get(path);
      if (entry.type !== "record") throw new VaultError("missing", `${path} is not a record`);
      return JSON.parse(fromUtf8(await readPlain(entry))) as Json;
    },
    async *read(path, range) {
      const entry = await get(path);
      if (entry.type === "stream") yield* streamOf(entry).read(range);
      else yield* slices(await readPlain(entry), range);
    },
    findCompanion,
    async *readCompanion(path, name, range) {
      const companion = await findCompanion(path, name);
      if (!companion) throw new VaultError("missing", `${path} has no ${name}`);
      yield* readerOf(companion).read(range);
    },
    completeness: () => manifest.root.completeness,
    locate: (path) => manifest.find(path),
    locateAll: (prefix) => manifest.entries(prefix),
    async *readStored(entry, range) {
      if (entry.type === "stream") yield* streamOf(entry).read(range);
      else yield* slices(await manifest.blobs.stored(entry.where), range);
    },
  };
}

function factsOf(entry: ManifestEntry): EntryFacts;
function factsOf(entry: ManifestEntry | null): EntryFacts | null;
function factsOf(entry: ManifestEntry | null): EntryFacts | null {
  if (!entry) return null;
  const { where: _where, crc32: _crc32, ...facts } = entry;
  return facts;
}

function* slices(bytes: Uint8Array, range: ByteRange = { offset: 0, length: bytes.length }) {
  const end = Math.min(range.offset + range.length, bytes.length);
  for (let at = range.offset; at < end; at += FRAME_BYTES)
    yield bytes.subarray(at, Math.min(at + FRAME_BYTES, end));
}
