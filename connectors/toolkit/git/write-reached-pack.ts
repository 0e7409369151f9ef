import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { ByteSink } from "#connectors/contract/snapshot-view.ts";
import { concatBytes, fromHex, toHex } from "#core/kernel/crypto.ts";
import { GitPackError } from "./git-pack-error.ts";
import { type GitObjectType, oidLength, packHeader } from "./object-format.ts";
import { type ObjectStore, openObjectStore } from "./object-store.ts";
import {
  BLOB,
  COMMIT,
  type EntryHeader,
  entryHeader,
  LONGEST_HEADER,
  OFS_DELTA,
  REF_DELTA,
  readEntryHeader,
  TAG,
  TREE,
} from "./pack-entry.ts";
import { sortByName, writePackIndex } from "./pack-index-file.ts";
import type { IndexedPackSource } from "./pack-set.ts";

const KINDS: Readonly<Record<GitObjectType, number>> = { commit: COMMIT, tree: TREE, blob: BLOB, tag: TAG };
/** Bytes of a stored pack that are copied at once. */
const COPIED_AT_ONCE = 1024 * 1024;

/** An object in its stored pack. `end` is where the next one begins. */
type StoredObject = { oid: string; offset: number; end: number };

/**
 * Writes one pack with exactly these objects, copied from stored packs without inflating them. A delta names its base
 * instead of pointing back to it. One whose base is left out is stored as a whole.
 *
 * @param reached Names of the objects; all are in the packs.
 * @returns the pieces of its index
 * @throws GitPackError, also `too-large` for an object that has to be stored as a whole
 */
export async function writeReachedPack(
  sources: readonly IndexedPackSource[],
  reached: ReadonlySet<string>,
  { objectFormat }: Pick<ObjectStore, "objectFormat">,
  sink: ByteSink,
): Promise<() => Iterable<Uint8Array>> {
  const width = oidLength(objectFormat);
  const store = openObjectStore(sources, objectFormat);
  const hash = createHash(objectFormat);
  const written: { oid: string; crc: number; offset: number }[] = [];
  let length = 0;
  let crc = 0;
  const put = async (bytes: Uint8Array) => {
    hash.update(bytes);
    crc = crc32(bytes, crc);
    length += bytes.length;
    await sink.write(bytes);
  };
  await put(packHeader(reached.size));
  const done = new Set<string>();
  for (const [pack, source] of sources.entries()) {
    const objects = await objectsOf(openObjectStore([source], objectFormat), source.pack.size - width);
    const nameAt = new Map(objects.map(({ oid, offset }) => [offset, oid]));
    for (const object of objects) {
      if (!reached.has(object.oid) || done.has(object.oid)) continue;
      done.add(object.oid);
      crc = 0;
      const offset = length;
      await copy({ store, source, reached, nameAt, width, put }, object);
      written.push({ oid: object.oid, crc, offset });
    }
    if (pack === sources.length - 1 && done.size !== reached.size)
      throw new GitPackError("missing-base", "A stored git pack lacks an object that a ref reaches");
  }
  const packHash = Uint8Array.from(hash.digest());
  await sink.write(packHash);
  const entries = {
    objectFormat,
    count: written.length,
    oids: concatBytes(...written.map(({ oid }) => fromHex(oid))),
    crcs: Uint32Array.from(written, (each) => each.crc),
    offsets: Float64Array.from(written, (each) => each.offset),
    packHash,
  };
  return () => writePackIndex(entries, sortByName(entries));
}

/** The objects of one pack in their order. @param end Where the last one ends. */
async function objectsOf(store: ObjectStore, end: number): Promise<StoredObject[]> {
  const objects: StoredObject[] = [];
  for await (const oid of store.names()) objects.push({ oid, offset: await store.offsetOf(oid), end });
  objects.sort((a, b) => a.offset - b.offset);
  for (const [at, object] of objects.entries()) object.end = objects[at + 1]?.offset ?? end;
  return objects;
}

type Copying = {
  store: ObjectStore;
  source: IndexedPackSource;
  reached: ReadonlySet<string>;
  /** Names of the objects of this pack by offset. */
  nameAt: ReadonlyMap<number, string>;
  width: number;
  put: (bytes: Uint8Array) => Promise<void>;
};

async function copy(
  { store, source, reached, nameAt, width, put }: Copying,
  { oid, offset, end }: StoredObject,
): Promise<void> {
  const { pack } = source;
  const start = await pack.read(offset, Math.min(LONGEST_HEADER, pack.size - offset));
  const header = readEntryHeader(start, width, offset);
  if (header.kind !== OFS_DELTA && header.kind !== REF_DELTA) return copyRange(pack, offset, end, put);
  const base = baseOf(header, start, { offset, width, nameAt });
  if (base !== null && reached.has(base)) {
    await put(concatBytes(entryHeader(REF_DELTA, header.size), fromHex(base)));
    return copyRange(pack, offset + header.headerLength, end, put);
  }
  const { type, bytes } = await store.read(oid);
  await put(concatBytes(entryHeader(KINDS[type], bytes.length), deflateSync(bytes)));
}

function baseOf(
  header: EntryHeader,
  start: Uint8Array,
  { offset, width, nameAt }: { offset: number; width: number; nameAt: ReadonlyMap<number, string> },
): string | null {
  if (header.kind === OFS_DELTA) return nameAt.get(offset - header.baseDistance) ?? null;
  return toHex(start.subarray(header.baseNameAt, header.baseNameAt + width));
}

async function copyRange(
  pack: IndexedPackSource["pack"],
  from: number,
  to: number,
  put: (bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  for (let at = from; at < to; at += COPIED_AT_ONCE)
    await put(await pack.read(at, Math.min(COPIED_AT_ONCE, to - at)));
}
