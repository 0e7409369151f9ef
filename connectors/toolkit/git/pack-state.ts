import { concatBytes, fromUtf8, utf8 } from "#core/kernel/crypto.ts";
import { GitPackError } from "./git-pack-error.ts";
import type { LfsPointer } from "./object-facts.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";
import { OFS_DELTA, REF_DELTA } from "./pack-entry.ts";
import { createPrefixSet, PREFIX_BYTES, type PrefixSet } from "./prefix-set.ts";

/**
 * What is known about a pack while it is being indexed, in typed arrays: about 45 bytes per object. It can be saved
 * between two objects and loaded in another isolate.
 */
export type PackState = {
  objectFormat: ObjectFormat;
  packSize: number;
  count: number;
  /** Number of objects whose entries have been read, and the position of the next entry. */
  scanned: number;
  position: number;
  /** Number of objects whose names are known. */
  resolved: number;
  /** Four bytes each while the pack is shorter than 4 GiB. */
  offsets: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
  crcs: Uint32Array<ArrayBuffer>;
  /** Number of a delta's base; -1 = none or unknown. */
  bases: Int32Array<ArrayBuffer>;
  /** Type in the entry, including deltas. */
  kinds: Uint8Array<ArrayBuffer>;
  /** Type of the object; 0 = unknown. */
  types: Uint8Array<ArrayBuffer>;
  /** Object names. While the type of a REF_DELTA is 0, the name of its base. */
  oids: Uint8Array<ArrayBuffer>;
  /** Every object that another one references. */
  references: PrefixSet;
  /** LFS pointers by oid. */
  lfs: Map<string, LfsPointer>;
  /** REF_DELTAs whose base is in another pack: number → name of the base. */
  outsideBases: Map<number, string>;
  /** Names of malformed objects; the first few. */
  malformed: string[];
  /** Inflated bytes produced so far. */
  expandedBytes: number;
  /** The scan was interrupted, so it did not compute the hash of the whole pack. */
  isScanBroken: boolean;
};

/** The state before the first object. */
export function newPackState(
  objectFormat: ObjectFormat,
  packSize: number,
  count: number,
  mostReferenceBytes: number,
): PackState {
  const width = oidLength(objectFormat);
  return {
    objectFormat,
    packSize,
    count,
    scanned: 0,
    position: 12,
    resolved: 0,
    offsets: packSize < 2 ** 32 ? new Uint32Array(count) : new Float64Array(count),
    crcs: new Uint32Array(count),
    bases: new Int32Array(count).fill(-1),
    kinds: new Uint8Array(count),
    types: new Uint8Array(count),
    oids: new Uint8Array(count * width),
    references: createPrefixSet(count, mostReferenceBytes),
    lfs: new Map(),
    outsideBases: new Map(),
    malformed: [],
    expandedBytes: 0,
    isScanBroken: false,
  };
}

/** Whether the entry is a delta. */
export function isDelta(kind: number | undefined): boolean {
  return kind === OFS_DELTA || kind === REF_DELTA;
}

/** Frees the tables that only the work needed, to make room for the index. */
export function releaseWorkTables(state: PackState): void {
  state.bases = new Int32Array(0);
  state.kinds = new Uint8Array(0);
}

const MAGIC = "HFPI0002";
const PREFIXES_PER_PIECE = 32 * 1024;

type Meta = Pick<
  PackState,
  "objectFormat" | "packSize" | "count" | "scanned" | "position" | "resolved" | "malformed" | "expandedBytes"
> & { lfs: LfsPointer[]; outsideBases: [number, string][]; references: number };

/**
 * Saves the state: magic, length of the metadata, metadata as JSON, the filled parts of the arrays, then the
 * references. The pieces may be views to save memory: consume them before the work continues.
 */
export function* savePackState(state: PackState): Generator<Uint8Array, void> {
  const { objectFormat, packSize, count, scanned, position, resolved, malformed, expandedBytes } = state;
  const meta: Meta = {
    ...{ objectFormat, packSize, count, scanned, position, resolved, malformed, expandedBytes },
    lfs: [...state.lfs.values()],
    outsideBases: [...state.outsideBases],
    references: state.references.count(),
  };
  const facts = utf8(JSON.stringify(meta));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, facts.length, true);
  yield concatBytes(utf8(MAGIC), length, facts);
  for (const array of filledArrays(state)) {
    yield new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  }
  const pieces: Uint8Array[] = [];
  let view = new DataView(new ArrayBuffer(PREFIXES_PER_PIECE * PREFIX_BYTES));
  let used = 0;
  state.references.forEach((high, low) => {
    view.setUint32(used, high);
    view.setUint32(used + 4, low);
    used += PREFIX_BYTES;
    if (used < view.byteLength) return;
    pieces.push(new Uint8Array(view.buffer));
    view = new DataView(new ArrayBuffer(view.byteLength));
    used = 0;
  });
  yield* pieces;
  yield new Uint8Array(view.buffer, 0, used);
}

function filledArrays(state: PackState) {
  const { scanned, offsets, crcs, bases, kinds, types, oids } = state;
  const width = oidLength(state.objectFormat);
  const perObject = [offsets, crcs, bases, kinds, types].map((array) => array.subarray(0, scanned));
  return [...perObject, oids.subarray(0, scanned * width)];
}

/** The pack that a state must match. */
export type PackStateOrigin = { objectFormat: ObjectFormat; packSize: number; mostReferenceBytes: number };

/** Loads a state that `savePackState` wrote. @throws GitPackError when it is damaged or belongs to another pack */
export async function loadPackState(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  origin: PackStateOrigin,
): Promise<PackState> {
  const reader = openPieces(pieces);
  try {
    return await parseState(reader, origin);
  } catch (cause) {
    if (!(cause instanceof SyntaxError || cause instanceof RangeError || cause instanceof TypeError))
      throw cause;
    throw new GitPackError("malformed", "The saved state of the index is damaged", null, cause);
  } finally {
    await reader.end();
  }
}

async function parseState(
  reader: PieceReader,
  { objectFormat, packSize, mostReferenceBytes }: PackStateOrigin,
): Promise<PackState> {
  const start = await reader.fill(new Uint8Array(MAGIC.length + 4));
  const isOurForm = fromUtf8(start.subarray(0, MAGIC.length)) === MAGIC;
  const length = new DataView(start.buffer).getUint32(MAGIC.length, true);
  if (!isOurForm || length > MOST_FACTS_BYTES) throw notOurs();
  const meta = JSON.parse(fromUtf8(await reader.fill(new Uint8Array(length)))) as Meta;
  const isOurs =
    meta.objectFormat === objectFormat &&
    meta.packSize === packSize &&
    meta.scanned <= meta.count &&
    meta.count <= packSize;
  if (!isOurs) throw notOurs();
  const state = newPackState(objectFormat, packSize, meta.count, mostReferenceBytes);
  const { scanned, position, resolved, malformed, expandedBytes } = meta;
  Object.assign(state, { scanned, position, resolved, malformed, expandedBytes });
  state.isScanBroken = true;
  for (const array of filledArrays(state)) {
    await reader.fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  }
  const prefixes = new Uint8Array(PREFIXES_PER_PIECE * PREFIX_BYTES);
  for (let left = meta.references * PREFIX_BYTES; left > 0; left -= prefixes.length) {
    const piece = await reader.fill(prefixes.subarray(0, Math.min(left, prefixes.length)));
    for (let at = 0; at < piece.length; at += PREFIX_BYTES) state.references.add(piece, at);
  }
  if (!(await reader.isAtEnd())) throw new RangeError("wrong length");
  for (const pointer of meta.lfs) state.lfs.set(pointer.oid, pointer);
  for (const [index, oid] of meta.outsideBases) state.outsideBases.set(index, oid);
  return state;
}

const MOST_FACTS_BYTES = 32 * 1024 * 1024;
const notOurs = () => new GitPackError("malformed", "The saved state belongs to another pack");

type PieceReader = {
  /** Fills the array with the next bytes. @throws RangeError when there are too few */
  fill(target: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>>;
  isAtEnd(): Promise<boolean>;
  end(): Promise<void>;
};

function openPieces(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): PieceReader {
  const source = (async function* () {
    yield* pieces;
  })();
  let rest: Uint8Array = new Uint8Array(0);

  async function more(): Promise<boolean> {
    while (rest.length === 0) {
      const next = await source.next();
      if (next.done) return false;
      rest = next.value;
    }
    return true;
  }

  return {
    async fill(target) {
      for (let at = 0; at < target.length; ) {
        if (!(await more())) throw new RangeError("too short");
        const taken = rest.subarray(0, target.length - at);
        target.set(taken, at);
        at += taken.length;
        rest = rest.subarray(taken.length);
      }
      return target;
    },
    isAtEnd: async () => !(await more()),
    end: async () => void (await source.return(undefined)),
  };
}
