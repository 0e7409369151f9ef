/** Small numbers by text, 18 bytes each at most. Texts are kept as hashes of 64 bits. */
export type HashTable = {
  /** 0 = not set. */
  get(text: string): number;
  /** @param value 1 to 255 */
  set(text: string, value: number): void;
};

/** Creates an empty table. It doubles when it is half full, so that a search ends after a few places. */
export function hashTable(): HashTable {
  let slots = 1_024;
  let hashes = new Uint32Array(2 * slots);
  let values = new Uint8Array(slots);
  let used = 0;

  /** The place of a hash, or the free one where it belongs. */
  function placeOf(high: number, low: number): number {
    let place = low & (slots - 1);
    while (values[place] !== 0 && (hashes[2 * place] !== high || hashes[2 * place + 1] !== low))
      place = (place + 1) & (slots - 1);
    return place;
  }

  function put(high: number, low: number, value: number): void {
    const place = placeOf(high, low);
    if (values[place] === 0) used += 1;
    hashes[2 * place] = high;
    hashes[2 * place + 1] = low;
    values[place] = value;
  }

  function grow(): void {
    const [oldHashes, oldValues] = [hashes, values];
    slots *= 2;
    hashes = new Uint32Array(2 * slots);
    values = new Uint8Array(slots);
    used = 0;
    for (const [place, value] of oldValues.entries())
      if (value !== 0) put(oldHashes[2 * place]!, oldHashes[2 * place + 1]!, value);
  }

  return {
    get(text) {
      const [high, low] = hashOf(text);
      return values[placeOf(high, low)]!;
    },
    set(text, value) {
      if (2 * (used + 1) > slots) grow();
      put(...hashOf(text), value);
    },
  };
}

/** Two hashes of 32 bits: FNV-1a over code units, from two starts with two multipliers, then mixed as in MurmurHash3. */
function hashOf(text: string): [number, number] {
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other ^ unit, 0x85ebca6b);
    other ^= other >>> 13;
  }
  return [mixed(one), mixed(other)];
}

function mixed(hash: number): number {
  let bits = hash ^ (hash >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
