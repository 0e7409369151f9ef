import { Buffer } from "node:buffer";
import { concatBytes, utf8 } from "#core/kernel/crypto.ts";
import { GitPackError } from "./git-pack-error.ts";
import type { LfsPointer } from "./object-facts.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";
import { createOidSet, type OidSet } from "./oid-set.ts";
import { OFS_DELTA, REF_DELTA } from "./pack-entry.ts";

/**
 * What is known about a pack while it is being indexed, in typed arrays: about 45 bytes an object. It can be
 * written down between two objects and read again in another isolate.
 */
export type PackState = {
  objectFormat: ObjectFormat;
  packSize: number;
  count: number;
  /** Objects whose entries have been read, and where the next entry begins. */
  scanned: number;
  position: number;
  /** Objects whose names are known. */
  resolved: number;
  offsets: Float64Array<ArrayBuffer>;
  crcs: Uint32Array<ArrayBuffer>;
  /** Number of the base of a delta, -1 = none or not known yet. */
  bases: Int32Array<ArrayBuffer>;
  /** Type as the entry says, deltas included. */
  kinds: Uint8Array<ArrayBuffer>;
  /** Type of the object; 0 while it is not known. */
  types: Uint8Array<ArrayBuffer>;
  /** Names; as long as the type of a REF_DELTA is 0, the name of its base stands here. */
  oids: Uint8Array<ArrayBuffer>;
  /** Every object that another one leans on. */
  references: OidSet;
  /** LFS pointers by oid. */
  lfs: Map<string, LfsPointer>;
  /** REF_DELTAs that lean on an object of another pack: number → its name. */
  outsideBases: Map<number, string>;
  /** Names of objects that are not of the form that their type demands; the first few. */
  malformed: string[];
  /** Plain bytes produced so far. */
  expandedBytes: number;
  /** The scan was interrupted, so the hash of the whole pack is not known from it. */
  isScanBroken: boolean;
};

/** The state before the first object. */
export function newPackState(objectFormat: ObjectFormat, packSize: number, count: number): PackState {
  const width = oidLength(objectFormat);
  return {
    objectFormat,
    packSize,
    count,
    scanned: 0,
    position: 12,
    resolved: 0,
    offsets: new Float64Array(count),
    crcs: new Uint32Array(count),
    bases: new Int32Array(count).fill(-1),
    kinds: new Uint8Array(count),
    types: new Uint8Array(count),
    oids: new Uint8Array(count * width),
    references: createOidSet(width, Math.min(count, 65_536)),
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

const MAGIC = "HFPI0001";

type Meta = Pick<
  PackState,
  "objectFormat" | "packSize" | "count" | "scanned" | "position" | "resolved" | "malformed" | "expandedBytes"
> & { lfs: LfsPointer[]; outsideBases: [number, string][]; references: number };

/** Writes the state down: magic, length of the facts, facts as JSON, then the arrays as far as they are filled. */
export function savePackState(state: PackState): Uint8Array {
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
  const arrays = filledArrays(state).map(
    (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength),
  );
  return concatBytes(utf8(MAGIC), length, facts, ...arrays, state.references.names());
}

function filledArrays(state: PackState) {
  const { scanned, offsets, crcs, bases, kinds, types, oids } = state;
  const width = oidLength(state.objectFormat);
  const perObject = [offsets, crcs, bases, kinds, types].map((array) => array.subarray(0, scanned));
  return [...perObject, oids.subarray(0, scanned * width)];
}

/** Reads a state that `savePackState` wrote. @throws GitPackError when it is damaged or of another pack */
export function loadPackState(bytes: Uint8Array, objectFormat: ObjectFormat, packSize: number): PackState {
  try {
    return parseState(bytes, objectFormat, packSize);
  } catch (cause) {
    if (cause instanceof GitPackError) throw cause;
    throw new GitPackError("malformed", "The saved state of the index is damaged", null, cause);
  }
}

function parseState(bytes: Uint8Array, objectFormat: ObjectFormat, packSize: number): PackState {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const factsAt = MAGIC.length + 4;
  const factsLength = buffer.readUInt32LE(MAGIC.length);
  const meta = JSON.parse(buffer.toString("utf8", factsAt, factsAt + factsLength)) as Meta;
  const isOurs =
    buffer.toString("latin1", 0, MAGIC.length) === MAGIC &&
    meta.objectFormat === objectFormat &&
    meta.packSize === packSize &&
    meta.scanned <= meta.count &&
    meta.count <= packSize;
  if (!isOurs) throw new GitPackError("malformed", "The saved state belongs to another pack");
  const state = newPackState(objectFormat, packSize, meta.count);
  const { scanned, position, resolved, malformed, expandedBytes } = meta;
  Object.assign(state, { scanned, position, resolved, malformed, expandedBytes });
  state.isScanBroken = true;
  let at = factsAt + factsLength;
  for (const array of filledArrays(state)) {
    const target = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    target.set(buffer.subarray(at, at + target.length));
    at += target.length;
  }
  const width = oidLength(objectFormat);
  if (buffer.length !== at + meta.references * width) throw new RangeError("wrong length");
  for (; at < buffer.length; at += width) state.references.add(buffer, at);
  for (const pointer of meta.lfs) state.lfs.set(pointer.oid, pointer);
  for (const [index, oid] of meta.outsideBases) state.outsideBases.set(index, oid);
  return state;
}
