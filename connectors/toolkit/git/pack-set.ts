import { createBlockReaders } from "./block-reader.ts";
import { GitPackError } from "./git-pack-error.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";
import { type EntryHeader, LONGEST_HEADER, readEntryHeader } from "./pack-entry.ts";
import { openPackLookup, type PackLookup } from "./pack-lookup.ts";
import type { PackSource } from "./pack-source.ts";

/** A stored pack with its index. */
export type IndexedPackSource = { pack: PackSource; index: PackSource };

/** The position of an object: the number of its pack in the set, and the offset in it. */
export type Place = { pack: number; offset: number };

/** Stored packs that together contain a history. Each is opened on first use. */
export type PackSet = {
  /** Returns null when no pack contains the object. */
  find(oid: string): Promise<Place | null>;
  /** @throws GitPackError `missing-base` when no pack contains the object */
  locate(oid: string): Promise<Place>;
  /** The header of an object, and the bytes read from its start. @throws GitPackError `malformed` */
  headerAt(place: Place): Promise<{ header: EntryHeader; bytes: Uint8Array }>;
  /** The names of all objects, pack by pack. */
  names(): AsyncGenerator<string, void>;
  /** Bytes of a pack; fewer than `length` at its end. */
  load(pack: number, at: number, length: number): Promise<Uint8Array>;
};

/** Size of the cache of pack and index blocks, for all packs together. */
const BLOCKS_BYTES = 24 * 1024 * 1024;

/** Opens a set of packs. */
export function openPackSet(sources: readonly IndexedPackSource[], objectFormat: ObjectFormat): PackSet {
  const readerOf = createBlockReaders(BLOCKS_BYTES);
  const packs = sources.map(({ pack, index }) => ({ reader: readerOf(pack), index: readerOf(index) }));
  const lookups = new Map<number, Promise<PackLookup>>();
  /** The pack of the last hit is tried first, because related objects tend to share a pack. */
  let lastHit = 0;

  function lookupOf(pack: number): Promise<PackLookup> {
    const lookup = lookups.get(pack) ?? openPackLookup(packs[pack]!.index, objectFormat);
    lookups.set(pack, lookup);
    return lookup;
  }

  async function find(oid: string): Promise<Place | null> {
    for (let i = 0; i < sources.length; i++) {
      const pack = (lastHit + i) % sources.length;
      const offset = await (await lookupOf(pack)).offsetOf(oid);
      if (offset === null) continue;
      lastHit = pack;
      return { pack, offset };
    }
    return null;
  }

  const load: PackSet["load"] = (pack, at, length) => packs[pack]!.reader.load(at, length);

  return {
    find,
    load,
    async *names() {
      for (let pack = 0; pack < sources.length; pack++) yield* (await lookupOf(pack)).names();
    },
    async locate(oid) {
      const place = await find(oid);
      if (place === null)
        throw new GitPackError("missing-base", `No stored git pack holds the object ${oid}`);
      return place;
    },
    async headerAt({ pack, offset }) {
      const bytes = await load(pack, offset, LONGEST_HEADER);
      return { header: readEntryHeader(bytes, oidLength(objectFormat), offset), bytes };
    },
  };
}
