/** How much memory and work a pack may cost; past it the pack is `too-large`, never a crash. */
export type PackLimits = {
  /** Objects in one pack; each costs about 80 bytes of memory. */
  objects: number;
  /** Largest commit, tree, tag, delta, base of a delta or result of a delta, in bytes: these must be in memory. */
  inMemoryBytes: number;
  /** Larger blobs that are no deltas are inflated in pieces. */
  streamAboveBytes: number;
  /** Plain objects kept for the deltas that lean on them, in bytes. */
  cacheBytes: number;
  /** Small deltas kept from the scan, in bytes, so that resolving them need not read them again. */
  deltaBytes: number;
  /** Plain bytes produced in all, as a multiple of the pack's size; 256 MiB are always allowed. */
  expansion: number;
};

/** Fits an isolate of 128 MiB. */
export const DEFAULT_PACK_LIMITS: PackLimits = {
  objects: 400_000,
  inMemoryBytes: 32 * 1024 * 1024,
  streamAboveBytes: 8 * 1024 * 1024,
  cacheBytes: 16 * 1024 * 1024,
  deltaBytes: 12 * 1024 * 1024,
  expansion: 2_000,
};

const FREE_EXPANSION_BYTES = 256 * 1024 * 1024;

/** The most plain bytes that a pack of this size may yield. */
export function expansionBudget(limits: PackLimits, packSize: number): number {
  return FREE_EXPANSION_BYTES + limits.expansion * packSize;
}
