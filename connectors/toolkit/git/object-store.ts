import { toHex } from "#core/kernel/crypto.ts";
import { applyDelta, readDeltaHeader } from "./apply-delta.ts";
import { GitPackError } from "./git-pack-error.ts";
import { inflateInPieces } from "./inflate-in-pieces.ts";
import { type GitObjectType, type ObjectFormat, oidLength } from "./object-format.ts";
import {
  BLOB,
  COMMIT,
  compressedBound,
  type EntryHeader,
  inflateEntry,
  OFS_DELTA,
  REF_DELTA,
  TAG,
  TREE,
} from "./pack-entry.ts";
import { type IndexedPackSource, openPackSet, type PackSet, type Place } from "./pack-set.ts";
import { createPayloadCache } from "./payload-cache.ts";

/** An object with its bytes. */
export type GitObject = { type: GitObjectType; bytes: Uint8Array };

/** Reads single objects from stored packs with range reads and bounded memory. */
export type ObjectStore = {
  objectFormat: ObjectFormat;
  /** Whether a pack contains the object. */
  has(oid: string): Promise<boolean>;
  /** Where the object begins in its pack. @throws GitPackError `missing-base` when no pack contains it */
  offsetOf(oid: string): Promise<number>;
  /** Type and size, without building the object. @throws GitPackError `missing-base` when no pack contains it */
  facts(oid: string): Promise<{ type: GitObjectType; sizeBytes: number }>;
  /** The whole object. @throws GitPackError `missing-base` when no pack contains it, `too-large` beyond the limit */
  read(oid: string): Promise<GitObject>;
  /** The names of all objects, pack by pack. An object in two packs comes twice. */
  names(): AsyncGenerator<string, void>;
  /** Its bytes in pieces; an object that is not a delta may have any size. @throws GitPackError */
  stream(oid: string): AsyncGenerator<Uint8Array, void>;
};

const MIB = 1024 * 1024;
/** Size of the cache of objects, which later deltas may use as their base. */
const CACHE_BYTES = 12 * MIB;
/** Largest object built in memory; its base and a delta take memory too. */
const IN_MEMORY_BYTES = 24 * MIB;
/** Git itself creates chains of up to 50 deltas; other packs may have up to 4,095. */
const LONGEST_CHAIN = 4_095;
/** Cached types take a few bytes each. The cache is cleared when it exceeds this number. */
const MOST_TYPES = 50_000;

type Link = Place & { header: EntryHeader };
type Store = { packs: PackSet; made: MadeObjects; objectFormat: ObjectFormat; limitBytes: number };

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
  const packs = openPackSet(sources, objectFormat);
  const made = rememberObjects();
  const store: Store = { packs, made, objectFormat, limitBytes };
  return {
    objectFormat,
    has: async (oid) => (await packs.find(oid)) !== null,
    offsetOf: async (oid) => (await packs.locate(oid)).offset,
    async facts(oid) {
      const links = await chainOf(store, await packs.locate(oid));
      const base = links.at(-1)!;
      const type = made.typeAt(base) ?? typeOf(base);
      return { type, sizeBytes: await sizeOf(store, links[0]!) };
    },
    async read(oid) {
      const place = await packs.locate(oid);
      return made.get(place) ?? (await make(store, await chainOf(store, place)));
    },
    names: () => packs.names(),
    async *stream(oid) {
      const links = await chainOf(store, await packs.locate(oid));
      const { pack, offset, header } = links[0]!;
      if (isDelta(header) || header.size <= MIB) {
        yield (await make(store, links)).bytes;
        return;
      }
      const from = offset + header.headerLength;
      const load = (at: number, length: number) => packs.load(pack, from + at, length);
      yield* inflateInPieces({ load, sizeBytes: header.size, offset });
    },
  };
}

/** The chain from an object down to a non-delta object or a cached one. */
async function chainOf(store: Store, place: Place): Promise<Link[]> {
  const links: Link[] = [];
  let at = place;
  for (;;) {
    const { header, bytes } = await store.packs.headerAt(at);
    links.push({ ...at, header });
    if (!isDelta(header) || store.made.get(at) !== null) return links;
    if (links.length > LONGEST_CHAIN)
      throw new GitPackError("malformed", "A chain of deltas does not end", at.offset);
    at = await baseOf(store, at, header, bytes);
  }
}

/** Finds the base of a delta. */
async function baseOf(store: Store, at: Place, header: EntryHeader, bytes: Uint8Array): Promise<Place> {
  if (header.kind !== OFS_DELTA) {
    const name = bytes.subarray(header.baseNameAt, header.baseNameAt + oidLength(store.objectFormat));
    return store.packs.locate(toHex(name));
  }
  const offset = at.offset - header.baseDistance;
  if (header.baseDistance <= 0 || offset <= 0)
    throw new GitPackError("malformed", "A delta leans on something outside its pack", at.offset);
  return { pack: at.pack, offset };
}

/** Builds an object from its chain, starting at the base. */
async function make(store: Store, links: readonly Link[]): Promise<GitObject> {
  const base = links.at(-1)!;
  let object = store.made.get(base);
  if (object === null) {
    object = { type: typeOf(base), bytes: await inflate(store, base) };
    store.made.keep(base, object);
  }
  for (const link of links.slice(0, -1).reverse()) {
    const delta = await inflate(store, link);
    const sizes = readDeltaHeader(delta, link.offset);
    if (sizes.resultSize > store.limitBytes) throw tooLarge(sizes.resultSize);
    object = { type: object.type, bytes: applyDelta(object.bytes, delta, sizes, link.offset) };
    store.made.keep(link, object);
  }
  return object;
}

async function inflate({ packs, limitBytes }: Store, { pack, offset, header }: Link): Promise<Uint8Array> {
  if (header.size > limitBytes) throw tooLarge(header.size);
  const input = await packs.load(pack, offset + header.headerLength, compressedBound(header.size));
  const inflated = inflateEntry(input, header.size, offset);
  if (inflated === null) throw new GitPackError("malformed", "The git pack ends inside an object", offset);
  return inflated.bytes;
}

/** The type of a non-delta object. */
function typeOf({ header, offset }: Link): GitObjectType {
  const type = TYPES[header.kind];
  if (type === undefined) throw new GitPackError("malformed", "A delta has no base", offset);
  return type;
}

async function sizeOf(store: Store, link: Link): Promise<number> {
  if (!isDelta(link.header)) return link.header.size;
  return readDeltaHeader(await inflate(store, link), link.offset).resultSize;
}

function isDelta({ kind }: EntryHeader): boolean {
  return kind === OFS_DELTA || kind === REF_DELTA;
}

type MadeObjects = ReturnType<typeof rememberObjects>;

/** A cache of recent objects, and of the types of many more. */
function rememberObjects() {
  const payloads = createPayloadCache(CACHE_BYTES);
  const types = new Map<number, GitObjectType>();
  return {
    get(place: Place): GitObject | null {
      const bytes = payloads.get(keyOf(place));
      const type = types.get(keyOf(place));
      return bytes === undefined || type === undefined ? null : { type, bytes };
    },
    typeAt: (place: Place): GitObjectType | undefined => types.get(keyOf(place)),
    keep(place: Place, { type, bytes }: GitObject): void {
      payloads.set(keyOf(place), bytes);
      types.set(keyOf(place), type);
      if (types.size > MOST_TYPES) types.clear();
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
