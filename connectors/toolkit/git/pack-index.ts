import type { Progress } from "#connectors/contract/platform-connector.ts";
import { toHex } from "#core/kernel/crypto.ts";
import { createDeltaStore } from "./delta-store.ts";
import { GitPackError } from "./git-pack-error.ts";
import type { LfsPointer } from "./object-facts.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";
import { BLOB, COMMIT, TAG, TREE } from "./pack-entry.ts";
import { type PackIndex, readPackIndex, writePackIndex } from "./pack-index-file.ts";
import { DEFAULT_PACK_LIMITS, type PackLimits } from "./pack-limits.ts";
import { createPackReader, type PackSource } from "./pack-source.ts";
import { loadPackState, newPackState, type PackState, savePackState } from "./pack-state.ts";
import type { PackWork } from "./pack-work.ts";
import { createPayloadCache } from "./payload-cache.ts";
import { type FindOutside, resolveDeltas } from "./resolve-deltas.ts";
import { scanPack } from "./scan-pack.ts";

/** How a pack is indexed. */
export type IndexPackOrder = {
  objectFormat: ObjectFormat;
  /** Indexes of the packs before this one: objects may lean on what they hold. */
  earlier?: readonly PackIndex[];
  /** Finds a delta's base in the packs before this one; only packs fetched as `thin` need it. */
  findOutside?: FindOutside;
  /** State of an interrupted run over the same pack. */
  resume?: Uint8Array;
  /** Asked now and then; true = stop soon and hand out the state. Every run gets at least one step further. */
  until?: () => boolean;
  limits?: Partial<PackLimits>;
  onProgress?: (progress: Progress) => void;
};

/** A pack whose every object was inflated and named. */
export type IndexedPack = {
  kind: "indexed";
  objects: number;
  /** The pack's index, byte for byte as git writes it. */
  idx: Uint8Array;
  /** The same index, opened. */
  index: PackIndex;
  /** The pack's trailer, hexadecimal: the name git gives its file. */
  packHash: string;
  counts: { commit: number; tree: number; blob: number; tag: number };
  /** Objects that others lean on and that are in no pack: the first hundred, and how many there are. */
  missing: { count: number; oids: string[] };
  /** Objects that are not of the form that their type demands; the first hundred. */
  malformed: string[];
  lfs: LfsPointer[];
};

/** What became of a run. */
export type IndexPackResult =
  | IndexedPack
  | { kind: "suspended"; state: Uint8Array; done: number; total: number };

const HEADER_BYTES = 12;
/** An entry is at least a byte of header and an empty zlib stream of eight. */
const LEAST_ENTRY_BYTES = 9;
const MISSING_KEPT = 100;

/**
 * Proves a pack and writes its index: every object inflates to its declared size, every delta resolves, the
 * trailer agrees, and whatever objects lean on is there. Memory stays flat; the work can go on in another isolate.
 *
 * @throws GitPackError for anything wrong with the pack; errors of the source pass through
 */
export async function indexPack(source: PackSource, order: IndexPackOrder): Promise<IndexPackResult> {
  const limits = { ...DEFAULT_PACK_LIMITS, ...order.limits };
  const reader = createPackReader(source);
  const state =
    order.resume === undefined
      ? await openState(source, order.objectFormat, limits)
      : loadPackState(order.resume, order.objectFormat, source.size);
  let phase = "Checking objects";
  const work: PackWork = {
    state,
    reader,
    cache: createPayloadCache(limits.cacheBytes),
    deltas: createDeltaStore(state.count, limits.deltaBytes),
    limits,
    until: order.until ?? (() => false),
    onStep: (done, total) => order.onProgress?.({ phase, done, total, unit: "objects" }),
  };
  const suspended = (done: number): IndexPackResult => ({
    kind: "suspended",
    state: savePackState(state),
    done,
    total: state.count,
  });
  if (state.scanned < state.count || order.resume === undefined) {
    if (!(await scanPack(work))) return suspended(state.scanned);
    if (work.until() && state.resolved < state.count) return suspended(state.resolved);
  }
  phase = "Resolving deltas";
  if (!(await resolveDeltas(work, order.findOutside ?? null))) return suspended(state.resolved);
  return await finish(source, state, order.earlier ?? []);
}

async function openState(
  source: PackSource,
  objectFormat: ObjectFormat,
  limits: PackLimits,
): Promise<PackState> {
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
  if (count > limits.objects) {
    throw new GitPackError("too-large", `A pack of ${count} objects is too large to be indexed at once`);
  }
  return newPackState(objectFormat, source.size, count);
}

async function finish(
  source: PackSource,
  state: PackState,
  earlier: readonly PackIndex[],
): Promise<IndexedPack> {
  const { objectFormat, count, oids, crcs, offsets, types } = state;
  const width = oidLength(objectFormat);
  const packHash = await source.read(source.size - width, width);
  const idx = writePackIndex({ objectFormat, count, oids, crcs, offsets, packHash });
  const index = readPackIndex(idx, objectFormat);
  const of = (type: number) => types.reduce((sum, each) => sum + (each === type ? 1 : 0), 0);
  return {
    kind: "indexed",
    objects: count,
    idx,
    index,
    packHash: toHex(packHash),
    counts: { commit: of(COMMIT), tree: of(TREE), blob: of(BLOB), tag: of(TAG) },
    missing: findMissing(state, [index, ...earlier]),
    malformed: state.malformed,
    lfs: [...state.lfs.values()],
  };
}

function findMissing(state: PackState, indexes: readonly PackIndex[]): IndexedPack["missing"] {
  const width = oidLength(state.objectFormat);
  const names = state.references.names();
  const missing: IndexedPack["missing"] = { count: 0, oids: [] };
  for (let at = 0; at < names.length; at += width) {
    if (indexes.some((index) => index.find(names, at) !== null)) continue;
    missing.count += 1;
    if (missing.oids.length < MISSING_KEPT) missing.oids.push(toHex(names.subarray(at, at + width)));
  }
  return missing;
}
