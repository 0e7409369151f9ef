/** A set of object names in little memory: their bytes in one array and a table of numbers. */
export type OidSet = {
  /** Adds the name that begins at `at`; adding it twice changes nothing. */
  add(bytes: Uint8Array, at: number): void;
  count(): number;
  /** The names one after another; a view. */
  names(): Uint8Array;
};

/** Creates a set of names of `length` bytes with room for about `expected` of them. */
export function createOidSet(length: number, expected: number): OidSet {
  // Names in a hostile tree need not be hashes, so where they land must not be foreseeable.
  const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
  let table = new Int32Array(1 << Math.max(8, Math.ceil(Math.log2(Math.max(1, expected) * 1.5))));
  let names = new Uint8Array(Math.max(64, expected) * length);
  let count = 0;

  function slotOf(bytes: Uint8Array, at: number): number {
    let hash = seed;
    for (let i = at; i < at + length; i += 4) {
      const word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
      hash = Math.imul(hash ^ word, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    return (hash >>> 0) & (table.length - 1);
  }

  /** The slot that holds the name, or the empty one where it belongs. */
  function seek(bytes: Uint8Array, at: number): number {
    let slot = slotOf(bytes, at);
    for (;;) {
      const entry = table[slot]!;
      if (entry === 0) return slot;
      const start = (entry - 1) * length;
      let i = 0;
      while (i < length && names[start + i] === bytes[at + i]) i++;
      if (i === length) return slot;
      slot = (slot + 1) & (table.length - 1);
    }
  }

  function grow(): void {
    table = new Int32Array(table.length * 2);
    for (let i = 0; i < count; i++) {
      let slot = slotOf(names, i * length);
      while (table[slot] !== 0) slot = (slot + 1) & (table.length - 1);
      table[slot] = i + 1;
    }
  }

  return {
    add(bytes, at) {
      const slot = seek(bytes, at);
      if (table[slot] !== 0) return;
      if ((count + 1) * length > names.length) {
        const larger = new Uint8Array(Math.ceil((names.length * 1.5) / length) * length);
        larger.set(names);
        names = larger;
      }
      const start = count * length;
      for (let i = 0; i < length; i++) names[start + i] = bytes[at + i]!;
      count += 1;
      table[slot] = count;
      if (count * 1.4 > table.length) grow();
    },
    count: () => count,
    names: () => names.subarray(0, count * length),
  };
}
