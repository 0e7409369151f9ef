import { z } from "zod";
import { withDashes } from "../payloads.ts";

/** A set of Notion's ids. It holds a hash of each; among 100,000 ids, the chance that any two share one is 1 in 10,000. */
export type IdSet = {
  add(id: string): void;
  has(id: string): boolean;
  delete(id: string): void;
  size(): number;
};

/**
 * Up to seven sets with mostly the same ids, for a cursor, which lies in a row of at most 2 MB: their hashes are sorted and
 * stored as differences, about 8 characters for each of 100,000 ids, in however many of the sets it is.
 */
export type IdSets = {
  set(index: number): IdSet;
  toText(): string;
};

const MOST_SETS = 7;
const FLAGS = 2 ** MOST_SETS;

/** Opens sets, empty or from the text of others. */
export function idSets(text = ""): IdSets {
  const flagsOf = new Map<number, number>();
  for (const value of decode(text)) flagsOf.set(Math.floor(value / FLAGS), value % FLAGS);
  const sizes = Array.from({ length: MOST_SETS }, () => 0);
  for (const flags of flagsOf.values())
    for (let index = 0; index < MOST_SETS; index++) if (flags & (1 << index)) sizes[index]! += 1;
  return {
    set: (index) => {
      const flag = 1 << index;
      const has = (hash: number) => ((flagsOf.get(hash) ?? 0) & flag) !== 0;
      return {
        has: (id) => has(hashOf(id)),
        size: () => sizes[index] ?? 0,
        add(id) {
          const hash = hashOf(id);
          if (has(hash)) return;
          flagsOf.set(hash, (flagsOf.get(hash) ?? 0) | flag);
          sizes[index]! += 1;
        },
        delete(id) {
          const hash = hashOf(id);
          if (!has(hash)) return;
          flagsOf.set(hash, (flagsOf.get(hash) ?? 0) & ~flag);
          sizes[index]! -= 1;
        },
      };
    },
    toText: () => {
      const values: number[] = [];
      for (const [hash, flags] of flagsOf) if (flags !== 0) values.push(hash * FLAGS + flags);
      return encode(Float64Array.from(values).sort());
    },
  };
}

/** Sets in a cursor. */
export const idSetsSchema = z.base64().transform((text) => idSets(text));

/** A number below `parts` that depends on the id only. */
export function partOf(id: string, parts: number): number {
  return hashOf(id) % parts;
}

/** 46 bits that depend on all characters of an id (cyrb53, public domain). */
function hashOf(id: string): number {
  let [low, high] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    low = Math.imul(low ^ code, 2654435761);
    high = Math.imul(high ^ code, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 4294967296 * (16383 & high) + (low >>> 0);
}

/** Differences of ascending numbers in groups of 7 bits, the highest bit set where another group follows. */
function encode(sorted: Iterable<number>): string {
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
  return withDashes(hex);
}
