import { z } from "zod";

/**
 * A set of Notion's ids for a cursor, which lies in a row of at most 2 MB. It stores 53 bits of a hash of each id, sorted,
 * as differences: about 6 characters per id among 100,000. With so many, the chance that two share a hash is 1 in 10^6.
 */
export type IdSet = {
  add(id: string): void;
  has(id: string): boolean;
  delete(id: string): void;
  size(): number;
  /** The set as text. */
  toText(): string;
};

/** Creates a set, empty or from the text of another one. */
export function idSet(text = ""): IdSet {
  const hashes = new Set(decode(text));
  return {
    add: (id) => void hashes.add(hashOf(id)),
    has: (id) => hashes.has(hashOf(id)),
    delete: (id) => void hashes.delete(hashOf(id)),
    size: () => hashes.size,
    toText: () => encode([...hashes].sort((one, other) => one - other)),
  };
}

/** A set in a cursor. */
export const idSetSchema = z.base64().transform((text) => idSet(text));

/** 53 bits that depend on all characters of an id (cyrb53, public domain). */
function hashOf(id: string): number {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 4294967296 * (2097151 & high) + (low >>> 0);
}

/** Differences of ascending numbers in groups of 7 bits, the highest bit set where another group follows. */
function encode(sorted: readonly number[]): string {
  let letters = "";
  let before = 0;
  for (const hash of sorted) {
    let rest = hash - before;
    before = hash;
    while (rest >= 128) {
      letters += String.fromCharCode(128 + (rest % 128));
      rest = Math.floor(rest / 128);
    }
    letters += String.fromCharCode(rest);
  }
  return btoa(letters);
}

function* decode(text: string): Generator<number> {
  let [value, factor, before] = [0, 1, 0];
  for (const letter of atob(text)) {
    const byte = letter.charCodeAt(0);
    value += (byte % 128) * factor;
    factor *= 128;
    if (byte >= 128) continue;
    before += value;
    yield before;
    [value, factor] = [0, 1];
  }
}

/** An id in 22 characters. */
export function packId(id: string): string {
  const hex = id.replaceAll("-", "");
  let bytes = "";
  for (let at = 0; at < 32; at += 2) bytes += String.fromCharCode(Number.parseInt(hex.slice(at, at + 2), 16));
  return btoa(bytes).slice(0, 22);
}

/** The id that `packId` packed. */
export function unpackId(packed: string): string {
  const hex = [...atob(packed)].map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
