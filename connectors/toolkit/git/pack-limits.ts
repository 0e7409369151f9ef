import { GitPackError } from "./git-pack-error.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";

/** How much memory and work a pack may cost; past it the pack is `too-large`, never a crash. */
export type PackLimits = {
  /** Memory in all, in bytes. What the tables of a large pack take, caches and objects must do without. */
  memoryBytes: number;
  /** Most for an object that must be in memory, together with the delta and the base that make it, in bytes. */
  inMemoryBytes: number;
  /** Larger blobs are made in pieces: inflated from the pack, or from a base that is in memory. */
  streamAboveBytes: number;
  /** Plain objects kept for the deltas that lean on them, in bytes. */
  cacheBytes: number;
  /** Small deltas kept from the scan, in bytes, so that resolving them need not read them again. */
  deltaBytes: number;
  /** Plain bytes produced in all, as a multiple of the pack's size; 256 MiB are always allowed. */
  expansion: number;
};

const MIB = 1024 * 1024;

/**
 * Fits an isolate of 128 MiB beside its program and what waits to be collected: 1.57 million objects, or, in a pack of
 * few, a base of up to 63 MiB for a blob of any size. Large objects have the room of the cache, which is emptied for them.
 */
export const DEFAULT_PACK_LIMITS: PackLimits = {
  memoryBytes: 96 * MIB,
  inMemoryBytes: 64 * MIB,
  streamAboveBytes: 8 * MIB,
  cacheBytes: 16 * MIB,
  deltaBytes: 12 * MIB,
  expansion: 2_000,
};

const FREE_EXPANSION_BYTES = 256 * MIB;
/** Blocks of the pack that its reader keeps. */
const READER_BYTES = 8 * MIB;
/** Less than this beside the tables and nothing can be worked on. */
const LEAST_REST_BYTES = 8 * MIB;
/** Tables of one object besides its name: offset, CRC, base, two types, family of deltas, what others lean on. */
const TABLE_BYTES = 4 + 4 + 4 + 1 + 1 + 8 + 11.2;

/**
 * The limits for one pack: its tables come first, the rest is shared.
 * @throws GitPackError `too-large` when the tables leave too little
 */
export function fitLimits(
  limits: PackLimits,
  pack: { count: number; size: number; objectFormat: ObjectFormat; earlierBytes: number },
): PackLimits {
  const perObject = TABLE_BYTES + oidLength(pack.objectFormat) + (pack.size < 2 ** 32 ? 0 : 4);
  const rest = limits.memoryBytes - READER_BYTES - pack.earlierBytes - pack.count * perObject;
  if (rest < Math.min(LEAST_REST_BYTES, limits.memoryBytes / 4)) {
    throw new GitPackError("too-large", `A pack of ${pack.count} objects is too large to be indexed here`);
  }
  return {
    ...limits,
    inMemoryBytes: Math.min(limits.inMemoryBytes, (rest * 3) / 4),
    streamAboveBytes: Math.min(limits.streamAboveBytes, rest / 4),
    cacheBytes: Math.min(limits.cacheBytes, rest / 4),
    deltaBytes: Math.min(limits.deltaBytes, rest / 4),
  };
}

/** The most plain bytes that a pack of this size may yield. */
export function expansionBudget(limits: PackLimits, packSize: number): number {
  return FREE_EXPANSION_BYTES + limits.expansion * packSize;
}
