import { GitPackError } from "./git-pack-error.ts";

/** Length of a prefix in bytes; even in the largest histories no two names share one. */
export const PREFIX_BYTES = 8;
/** Maximum load factor. */
const FULLEST = 0.75;
/** Slots for each expected name: a little more than its share, so that the table need not grow. */
const SLOTS_PER_NAME = 1.38;
const LEAST_SLOTS = 256;
/** A table that is too full grows by this factor. */
const GROWTH = 1.5;

/** A set of object names by their first eight bytes, in one table: about 11 bytes per name. */
export type PrefixSet = {
  /** Adds the name at position `at`; adding it twice changes nothing. @throws GitPackError `too-large` */
  add(bytes: Uint8Array, at: number): void;
  count(): number;
  /** Visits every prefix as two 32-bit numbers. */
  forEach(visit: (high: number, low: number) => void): void;
};

/** Creates a set for about `expected` names that may grow to `mostBytes`. */
export function createPrefixSet(expected: number, mostBytes: number): PrefixSet {
  // Names in a malicious tree need not be hashes, so their slots must be unpredictable.
  const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
  let slots = Math.max(LEAST_SLOTS, Math.ceil(expected * SLOTS_PER_NAME));
  /** Two numbers per slot; two zeros = empty. */
  let table = new Uint32Array(slots * 2);
  let count = 0;

  function put(high: number, low: number): boolean {
    let hash = Math.imul(high ^ seed, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 15) ^ low, 0x85ebca6b);
    hash ^= hash >>> 13;
    let slot = Math.floor(((hash >>> 0) / 0x100000000) * slots);
    for (;;) {
      const [a, b] = [table[slot * 2]!, table[slot * 2 + 1]!];
      if (a === high && b === low) return false;
      if (a === 0 && b === 0) break;
      slot = slot + 1 === slots ? 0 : slot + 1;
    }
    table[slot * 2] = high;
    table[slot * 2 + 1] = low;
    return true;
  }

  function grow(): void {
    const old = table;
    slots = Math.ceil(slots * GROWTH);
    if (slots * PREFIX_BYTES > mostBytes) {
      throw new GitPackError(
        "too-large",
        "The objects of a pack lean on more others than can be looked up here",
      );
    }
    table = new Uint32Array(slots * 2);
    for (let i = 0; i < old.length; i += 2) {
      const [high, low] = [old[i]!, old[i + 1]!];
      if (high !== 0 || low !== 0) put(high, low);
    }
  }

  return {
    add(bytes, at) {
      const high = word(bytes, at);
      // A prefix of eight zeros would look like an empty slot.
      const low = word(bytes, at + 4) || (high === 0 ? 1 : 0);
      if (!put(high, low)) return;
      count += 1;
      if (count > slots * FULLEST) grow();
    },
    count: () => count,
    forEach(visit) {
      for (let i = 0; i < table.length; i += 2) {
        const [high, low] = [table[i]!, table[i + 1]!];
        if (high !== 0 || low !== 0) visit(high, low);
      }
    },
  };
}

/** The four bytes at `at` as a big-endian number. */
export function word(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}
