import { createBlockReaders } from "./block-reader.ts";
import { GitPackError } from "./git-pack-error.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";
import { type EntryHeader, LONGEST_HEADER, readEntryHeader } from "./pack-entry.ts";
import { openPackLookup, type PackLookup } from "./pack-lookup.ts";
import type { PackSource } from "./pack-source.ts";

/** A stored pack with its index. */
export type IndexedPackSource = { pack: PackSource; index: PackSource };

/** Where an object stands: which pack of the set, and where in it. */
export type Place = { pack: number; offset: number };

/** Stored packs that together hold a history, each opened when it is first needed. */
export type PackSet = {
  /** Returns null when no pack holds the object. */
  find(oid: string): Promise<Place | null>;
  /** @throws GitPackError `missing-base` when no pack holds the object */
  locate(oid: string): Promise<Place>;
  /** The header of an object, and the bytes that begin with it. @throws GitPackError `malformed` */
  headerAt(place: Place): Promise<{ header: EntryHeader; bytes: Uint8Array }>;
  /** Bytes of a pack; fewer than asked for at its end. */
  load(pack: number, at: number, length: number): Promise<Uint8Array>;
};

/** Blocks of packs and indexes that are kept, all packs together. */
const BLOCKS_BYTES = 24 * 1024 * 1024;

/** Opens a set of packs. */
export function openPackSet(sources: readonly IndexedPackSource[], objectFormat: ObjectFormat): PackSet {
  const readerOf = createBlockReaders(BLOCKS_BYTES);
  const packs = sources.map(({ pack, index }) => ({ reader: readerOf(pack), index: readerOf(index) }));
  const lookups = new Map<number, Promise<PackLookup>>();
  /** Objects that belong together tend to lie in one pack. */
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
