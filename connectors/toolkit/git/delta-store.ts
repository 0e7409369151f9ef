/** Small inflated deltas, so that resolving them later needs no jump through the pack. */
export type DeltaStore = {
  /** Keeps a copy if the delta is small and there is room. Indexes must be ascending. */
  put(index: number, delta: Uint8Array): void;
  /** Returns a view of the kept delta, or null. */
  get(index: number): Uint8Array | null;
};

const LARGEST_KEPT = 16 * 1024;
const FIRST_ARENA_BYTES = 256 * 1024;
/** Bytes per delta besides its content: its index and its end. */
const ROW_BYTES = 8;
const FIRST_ROWS = 1024;
/** A table that is full grows by this factor. */
const GROWTH = 1.5;

/** Stores all deltas in one array, because an object per delta would cost more than its bytes. */
export function createDeltaStore(limitBytes: number): DeltaStore {
  let arena = new Uint8Array(Math.min(FIRST_ARENA_BYTES, limitBytes));
  let indexes = new Uint32Array(FIRST_ROWS);
  let ends = new Uint32Array(FIRST_ROWS);
  let used = 0;
  let count = 0;
  return {
    put(index, delta) {
      const needed = used + delta.length + (count + 1) * ROW_BYTES;
      if (delta.length === 0 || delta.length > LARGEST_KEPT || needed > limitBytes) return;
      if (used + delta.length > arena.length) {
        const larger = new Uint8Array(
          Math.min(limitBytes, Math.max(arena.length * GROWTH, used + delta.length)),
        );
        larger.set(arena);
        arena = larger;
      }
      if (count === indexes.length) {
        indexes = enlarge(indexes);
        ends = enlarge(ends);
      }
      arena.set(delta, used);
      used += delta.length;
      indexes[count] = index;
      ends[count] = used;
      count += 1;
    },
    get(index) {
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if (indexes[middle]! < index) low = middle + 1;
        else high = middle;
      }
      if (low === count || indexes[low] !== index) return null;
      return arena.subarray(low === 0 ? 0 : ends[low - 1]!, ends[low]!);
    },
  };
}

function enlarge(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * GROWTH);
  larger.set(array);
  return larger;
}
