import type { Progress } from "#connectors/contract/platform-connector.ts";
import { toHex } from "#core/kernel/crypto.ts";
import { createDeltaStore } from "./delta-store.ts";
import { GitPackError } from "./git-pack-error.ts";
import type { LfsPointer } from "./object-facts.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";
import { BLOB, COMMIT, TAG, TREE } from "./pack-entry.ts";
import { type PackNames, packNames, sortByName, writePackIndex } from "./pack-index-file.ts";
import { DEFAULT_PACK_LIMITS, fitLimits, type PackLimits } from "./pack-limits.ts";
import { createPackReader, type PackSource } from "./pack-source.ts";
import {
  loadPackState,
  newPackState,
  type PackState,
  releaseWorkTables,
  savePackState,
} from "./pack-state.ts";
import type { PackWork } from "./pack-work.ts";
import { createPayloadCache } from "./payload-cache.ts";
import { type FindOutside, resolveDeltas } from "./resolve-deltas.ts";
import { scanPack } from "./scan-pack.ts";

/** Options for indexing a pack. */
export type IndexPackOrder = {
  objectFormat: ObjectFormat;
  /** Object names of the earlier packs, which objects may reference. */
  earlier?: readonly PackNames[];
  /** Finds a delta's base in the earlier packs; only needed for packs fetched as `thin`. */
  findOutside?: FindOutside;
  /** State of an interrupted run on the same pack. */
  resume?: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null;
  /** Polled regularly; true = stop soon and return the state. Every run makes at least one step of progress. */
  until?: () => boolean;
  limits?: Partial<PackLimits>;
  onProgress?: (progress: Progress) => void;
};

/** A pack whose objects were all inflated and named. */
export type IndexedPack = {
  kind: "indexed";
  objects: number;
  /** The pack's index in pieces, byte for byte as git writes it. Can be called repeatedly. */
  idx: () => Iterable<Uint8Array>;
  /** The pack's object names. */
  names: PackNames;
  /** The pack's trailer, hexadecimal; git names its file after it. */
  packHash: string;
  counts: { commit: number; tree: number; blob: number; tag: number };
  /**
   * Referenced objects that are in no pack: their number, and the first 16 digits of up to a hundred names. Git
   * accepts such abbreviations.
   */
  missing: { count: number; oids: string[] };
  /** Names of malformed objects; the first hundred. */
  malformed: string[];
  lfs: LfsPointer[];
};

/** The result of a run. */
export type IndexPackResult =
  | IndexedPack
  /** The pieces are views of the working state: write them before anything else. */
  | { kind: "suspended"; state: Iterable<Uint8Array>; done: number; total: number };

const HEADER_BYTES = 12;
/** Minimum size of an entry: one byte of header and an empty zlib stream of eight. */
const LEAST_ENTRY_BYTES = 9;
const MISSING_KEPT = 100;

/**
 * Verifies a pack and writes its index: every object inflates to its declared size, every delta resolves, the trailer
 * matches, and every referenced object exists. Memory use stays constant; the work can continue in another isolate.
 *
 * @throws GitPackError for any fault of the pack; errors of the source pass through
 */
export async function indexPack(source: PackSource, order: IndexPackOrder): Promise<IndexPackResult> {
  const { objectFormat, earlier = [] } = order;
  const count = await readCount(source, objectFormat);
  const limits = fitLimits(
    { ...DEFAULT_PACK_LIMITS, ...order.limits },
    {
      count,
      size: source.size,
      objectFormat,
      earlierBytes: earlier.reduce((sum, each) => sum + each.bytes, 0),
    },
  );
  const mostReferenceBytes = limits.memoryBytes / 2;
  const state = order.resume
    ? await loadPackState(order.resume, { objectFormat, packSize: source.size, mostReferenceBytes })
    : newPackState(objectFormat, source.size, count, mostReferenceBytes);
  const done = await prove(source, state, { ...order, limits });
  if (done !== null) return { kind: "suspended", state: savePackState(state), done, total: state.count };
  releaseWorkTables(state);
  return await finish(source, state, earlier);
}

/** Names every object. Returns null when done, otherwise the progress. Its caches are freed afterwards. */
async function prove(
  source: PackSource,
  state: PackState,
  order: IndexPackOrder & { limits: PackLimits },
): Promise<number | null> {
  const { limits } = order;
  let phase = "Checking objects";
  const work: PackWork = {
    state,
    reader: createPackReader(source),
    cache: createPayloadCache(limits.cacheBytes),
    deltas: createDeltaStore(limits.deltaBytes),
    limits,
    until: order.until ?? (() => false),
    onStep: (done, total) => order.onProgress?.({ phase, done, total, unit: "objects" }),
  };
  if (state.scanned < state.count || !order.resume) {
    if (!(await scanPack(work))) return state.scanned;
    if (work.until() && state.resolved < state.count) return state.resolved;
  }
  phase = "Resolving deltas";
  return (await resolveDeltas(work, order.findOutside ?? null)) ? null : state.resolved;
}

async function readCount(source: PackSource, objectFormat: ObjectFormat): Promise<number> {
  const width = oidLength(objectFormat);
  if (source.size < HEADER_BYTES + width)
    throw new GitPackError("malformed", "The pack is too short to be one");
  const header = await source.read(0, HEADER_BYTES);
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const version = header.length < HEADER_BYTES ? 0 : view.getUint32(4);
  if (version !== 2 && version !== 3)
    throw new GitPackError("malformed", "This is no pack of version 2 or 3", 0);
  if (view.getUint32(0) !== 0x5041434b) throw new GitPackError("malformed", "This is no pack", 0);
  const count = view.getUint32(8);
  if (count * LEAST_ENTRY_BYTES > source.size - HEADER_BYTES - width) {
    throw new GitPackError("malformed", "The pack counts more objects than it has room for", 8);
  }
  return count;
}

async function finish(
  source: PackSource,
  state: PackState,
  earlier: readonly PackNames[],
): Promise<IndexedPack> {
  const { objectFormat, count, oids, crcs, offsets, types } = state;
  const width = oidLength(objectFormat);
  const packHash = await source.read(source.size - width, width);
  const entries = { objectFormat, count, oids, crcs, offsets, packHash };
  const order = sortByName(entries);
  const names = packNames(entries, order);
  const of = (type: number) => types.reduce((sum, each) => sum + (each === type ? 1 : 0), 0);
  return {
    kind: "indexed",
    objects: count,
    idx: () => writePackIndex(entries, order),
    names,
    packHash: toHex(packHash),
    counts: { commit: of(COMMIT), tree: of(TREE), blob: of(BLOB), tag: of(TAG) },
    missing: findMissing(state, [names, ...earlier]),
    malformed: state.malformed,
    lfs: [...state.lfs.values()],
  };
}

function findMissing(state: PackState, packs: readonly PackNames[]): IndexedPack["missing"] {
  const missing: IndexedPack["missing"] = { count: 0, oids: [] };
  state.references.forEach((high, low) => {
    if (packs.some((pack) => pack.hasPrefix(high, low))) return;
    missing.count += 1;
    if (missing.oids.length < MISSING_KEPT) missing.oids.push(hexWord(high) + hexWord(low));
  });
  missing.oids.sort();
  return missing;
}

const hexWord = (word: number) => word.toString(16).padStart(8, "0");
