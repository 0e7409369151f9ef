import { GitPackError } from "./git-pack-error.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";

/** Limits of memory and work for a pack; beyond them the pack is `too-large`, never a crash. */
export type PackLimits = {
  /** Total memory in bytes. The tables of a large pack reduce the memory for caches and objects. */
  memoryBytes: number;
  /** Maximum for an object in memory, including the delta and base that it is built from, in bytes. */
  inMemoryBytes: number;
  /** Larger blobs are processed in pieces: inflated from the pack, or built from a base in memory. */
  streamAboveBytes: number;
  /** Size of the cache of inflated delta bases, in bytes. */
  cacheBytes: number;
  /** Size of small deltas kept from the scan, in bytes, so that resolving them does not read them again. */
  deltaBytes: number;
  /** Total inflated bytes as a multiple of the pack's size; 256 MiB are always allowed. */
  expansion: number;
};

const MIB = 1024 * 1024;

/**
 * Fits an isolate of 128 MiB, with its program and uncollected garbage: 1.57 million objects or, in a pack of few
 * objects, a base of up to 63 MiB for a blob of any size. Large objects use the cache's memory, which is emptied for
 * them.
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
/** Memory for the blocks that the pack's reader caches. */
const READER_BYTES = 8 * MIB;
/** Minimum memory besides the tables. */
const LEAST_REST_BYTES = 8 * MIB;
/** Bytes in the tables per object besides its name: offset, CRC, base, two types, delta family, references. */
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

/** The maximum number of inflated bytes for a pack of this size. */
export function expansionBudget(limits: PackLimits, packSize: number): number {
  return FREE_EXPANSION_BYTES + limits.expansion * packSize;
}
