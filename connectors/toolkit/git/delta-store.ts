/** Small deltas in plain form, so that resolving them later costs no jump through the pack. */
export type DeltaStore = {
  /** Keeps a copy when it is small and there is room; otherwise nothing happens. */
  put(index: number, delta: Uint8Array): void;
  /** A view of what was kept, or null. */
  get(index: number): Uint8Array | null;
};

const LARGEST_KEPT = 16 * 1024;
const FIRST_ARENA_BYTES = 256 * 1024;

/** One array holds all deltas, because an object for each of them would cost more than its bytes. */
export function createDeltaStore(count: number, limitBytes: number): DeltaStore {
  let arena = new Uint8Array(Math.min(FIRST_ARENA_BYTES, limitBytes));
  let used = 0;
  /** Where a delta ends in the arena; 0 = not kept. */
  const ends = new Uint32Array(count);
  const lengths = new Uint16Array(count);
  return {
    put(index, delta) {
      if (delta.length === 0 || delta.length > LARGEST_KEPT || used + delta.length > limitBytes) return;
      if (used + delta.length > arena.length) {
        const larger = new Uint8Array(Math.min(limitBytes, Math.max(arena.length * 2, used + delta.length)));
        larger.set(arena);
        arena = larger;
      }
      arena.set(delta, used);
      used += delta.length;
      ends[index] = used;
      lengths[index] = delta.length;
    },
    get(index) {
      const end = ends[index]!;
      return end === 0 ? null : arena.subarray(end - lengths[index]!, end);
    },
  };
}
