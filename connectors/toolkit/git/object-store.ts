import { createInflate } from "node:zlib";
import { toHex } from "#core/kernel/crypto.ts";
import { applyDelta, readDeltaHeader } from "./apply-delta.ts";
import { type BlockReader, createBlockReaders } from "./block-reader.ts";
import { GitPackError } from "./git-pack-error.ts";
import { type GitObjectType, type ObjectFormat, oidLength } from "./object-format.ts";
import {
  BLOB,
  COMMIT,
  compressedBound,
  type EntryHeader,
  inflateEntry,
  LONGEST_HEADER,
  OFS_DELTA,
  REF_DELTA,
  readEntryHeader,
  TAG,
  TREE,
} from "./pack-entry.ts";
import { openPackLookup, type PackLookup } from "./pack-lookup.ts";
import type { PackSource } from "./pack-source.ts";
import { createPayloadCache } from "./payload-cache.ts";

/** A stored pack with its index. */
export type IndexedPackSource = { pack: PackSource; index: PackSource };

/** An object with its bytes. */
export type GitObject = { type: GitObjectType; bytes: Uint8Array };

/** Reads single objects from stored packs with range reads and bounded memory. */
export type ObjectStore = {
  objectFormat: ObjectFormat;
  /** Whether a pack contains the object. */
  has(oid: string): Promise<boolean>;
  /** Type and size, without building the object. @throws GitPackError `missing-base` when no pack contains it */
  facts(oid: string): Promise<{ type: GitObjectType; sizeBytes: number }>;
  /** The whole object. @throws GitPackError `missing-base` when no pack contains it, `too-large` beyond the limit */
  read(oid: string): Promise<GitObject>;
  /** Its bytes in pieces; an object that is not a delta may have any size. @throws GitPackError */
  stream(oid: string): AsyncGenerator<Uint8Array, void>;
};

const MIB = 1024 * 1024;
/** Total size of cached blocks of packs and indexes. */
const BLOCKS_BYTES = 24 * MIB;
/** Total size of objects cached as delta bases. */
const CACHE_BYTES = 12 * MIB;
/** Largest object built in memory; its base and a delta take memory too. */
const IN_MEMORY_BYTES = 24 * MIB;
/** Git itself creates chains of up to 50; packs from elsewhere may have up to 4,095. */
const LONGEST_CHAIN = 4_095;
/** Input per inflate step, which limits the output to about a thousand times as much. */
const FEED_BYTES = 4 * 1024;

type Place = { pack: number; offset: number };
type Link = Place & { header: EntryHeader };
type OpenPack = { reader: BlockReader; lookup: PackLookup };

const TYPES: Readonly<Record<number, GitObjectType>> = {
  [COMMIT]: "commit",
  [TREE]: "tree",
  [BLOB]: "blob",
  [TAG]: "tag",
};

/** Opens packs that together contain a history; deltas may have their base in any of them. */
export function openObjectStore(
  sources: readonly IndexedPackSource[],
  objectFormat: ObjectFormat,
  limitBytes: number = IN_MEMORY_BYTES,
): ObjectStore {
  const readerOf = createBlockReaders(BLOCKS_BYTES);
  const cache = createPayloadCache(CACHE_BYTES);
  const types = new Map<number, GitObjectType>();
  const opened = new Map<number, Promise<OpenPack>>();
  /** The pack of the last hit, because related objects tend to be in one pack. */
  let lastHit = 0;

  function open(number: number): Promise<OpenPack> {
    const known = opened.get(number);
    if (known !== undefined) return known;
    const { pack, index } = sources[number]!;
    const made = openPackLookup(readerOf(index), objectFormat).then((lookup) => ({
      reader: readerOf(pack),
      lookup,
    }));
    opened.set(number, made);
    return made;
  }

  async function find(oid: string): Promise<Place | null> {
    for (let i = 0; i < sources.length; i++) {
      const number = (lastHit + i) % sources.length;
      const offset = await (await open(number)).lookup.offsetOf(oid);
      if (offset === null) continue;
      lastHit = number;
      return { pack: number, offset };
    }
    return null;
  }

  async function locate(oid: string): Promise<Place> {
    const place = await find(oid);
    if (place === null) throw new GitPackError("missing-base", `No stored git pack holds the object ${oid}`);
    return place;
  }

  async function headerAt({ pack, offset }: Place): Promise<{ header: EntryHeader; bytes: Uint8Array }> {
    const { reader } = await open(pack);
    const bytes = await reader.load(offset, LONGEST_HEADER);
    return { header: readEntryHeader(bytes, oidLength(objectFormat), offset), bytes };
  }

  /** The delta chain from the object to its base, or to an object that is still cached. */
  async function chainOf(place: Place): Promise<Link[]> {
    const links: Link[] = [];
    let at = place;
    for (;;) {
      const { header, bytes } = await headerAt(at);
      links.push({ ...at, header });
      if (header.kind !== OFS_DELTA && header.kind !== REF_DELTA) return links;
      if (links.length > 1 && cache.get(keyOf(at)) !== undefined) return links;
      if (links.length > LONGEST_CHAIN)
        throw new GitPackError("malformed", "A chain of deltas does not end", at.offset);
      if (header.kind === OFS_DELTA) {
        const offset = at.offset - header.baseDistance;
        if (header.baseDistance <= 0 || offset <= 0)
          throw new GitPackError("malformed", "A delta leans on something outside its pack", at.offset);
        at = { pack: at.pack, offset };
      } else {
        const name = bytes.subarray(header.baseNameAt, header.baseNameAt + oidLength(objectFormat));
        at = await locate(toHex(name));
      }
    }
  }

  async function inflate({ pack, offset, header }: Link): Promise<Uint8Array> {
    if (header.size > limitBytes) throw tooLarge(header.size);
    const { reader } = await open(pack);
    const input = await reader.load(offset + header.headerLength, compressedBound(header.size));
    const inflated = inflateEntry(input, header.size, offset);
    if (inflated === null) throw new GitPackError("malformed", "The git pack ends inside an object", offset);
    return inflated.bytes;
  }

  /** Builds the object of a delta chain, starting at its base. */
  async function make(links: Link[]): Promise<GitObject> {
    const base = links.at(-1)!;
    let bytes = cache.get(keyOf(base));
    let type = types.get(keyOf(base));
    if (bytes === undefined || type === undefined) {
      type = TYPES[base.header.kind];
      if (type === undefined) throw new GitPackError("malformed", "A delta has no base", base.offset);
      bytes = await inflate(base);
      remember(base, type, bytes);
    }
    for (let i = links.length - 2; i >= 0; i--) {
      const link = links[i]!;
      const delta = await inflate(link);
      const sizes = readDeltaHeader(delta, link.offset);
      if (sizes.resultSize > limitBytes) throw tooLarge(sizes.resultSize);
      bytes = applyDelta(bytes, delta, sizes, link.offset);
      remember(link, type, bytes);
    }
    return { type, bytes };
  }

  function remember(place: Place, type: GitObjectType, bytes: Uint8Array): void {
    cache.set(keyOf(place), bytes);
    types.set(keyOf(place), type);
    if (types.size > 50_000) types.clear();
  }

  async function sizeOf(link: Link): Promise<number> {
    const { kind, size } = link.header;
    if (kind !== OFS_DELTA && kind !== REF_DELTA) return size;
    return readDeltaHeader(await inflate(link), link.offset).resultSize;
  }

  async function* inflateInPieces({ pack, offset, header }: Link): AsyncGenerator<Uint8Array, void> {
    const { reader } = await open(pack);
    const inflater = createInflate();
    const ready: Uint8Array[] = [];
    const state = { isEnded: false, failure: null as unknown };
    inflater.on("data", (piece: Uint8Array) => ready.push(piece));
    inflater.on("end", () => {
      state.isEnded = true;
    });
    let giveUp: () => void = () => undefined;
    inflater.on("error", (cause) => {
      state.failure ??= cause;
      giveUp();
    });
    let at = offset + header.headerLength;
    let produced = 0;
    try {
      while (!state.isEnded && state.failure === null && produced < header.size) {
        const piece = (await reader.load(at, FEED_BYTES)).slice();
        if (piece.length === 0)
          throw new GitPackError("malformed", "The git pack ends inside an object", offset);
        at += piece.length;
        await new Promise<void>((resolve) => {
          giveUp = resolve;
          inflater.write(piece, () => resolve());
        });
        // Inflated bytes are delivered in a later turn of the event loop.
        await new Promise<void>((resolve) => setImmediate(resolve));
        for (const bytes of ready.splice(0)) {
          produced += bytes.length;
          yield bytes;
        }
      }
      if (state.failure !== null || produced !== header.size)
        throw new GitPackError(
          "malformed",
          "The compressed bytes of an object are damaged",
          offset,
          state.failure,
        );
    } finally {
      inflater.destroy();
    }
  }

  return {
    objectFormat,
    has: async (oid) => (await find(oid)) !== null,
    async facts(oid) {
      const links = await chainOf(await locate(oid));
      const base = links.at(-1)!;
      const type = types.get(keyOf(base)) ?? TYPES[base.header.kind];
      if (type === undefined) throw new GitPackError("malformed", "A delta has no base", base.offset);
      return { type, sizeBytes: await sizeOf(links[0]!) };
    },
    async read(oid) {
      const place = await locate(oid);
      const bytes = cache.get(keyOf(place));
      const type = types.get(keyOf(place));
      if (bytes !== undefined && type !== undefined) return { type, bytes };
      return make(await chainOf(place));
    },
    async *stream(oid) {
      const links = await chainOf(await locate(oid));
      const link = links[0]!;
      if (links.length === 1 && link.header.size > MIB) yield* inflateInPieces(link);
      else yield (await make(links)).bytes;
    },
  };
}

/** Packs are shorter than 2^42 bytes, and there are fewer than 2^11 of them. */
function keyOf({ pack, offset }: Place): number {
  return pack * 2 ** 42 + offset;
}

function tooLarge(bytes: number): GitPackError {
  const size = Math.ceil(bytes / 1_000_000);
  return new GitPackError("too-large", `An object of ${size} MB is too large to be opened here`);
}
