import { z } from "zod";

/**
 * The largest number that a set stores. A cursor may contain half a dozen sets, and a row of the ledger is limited to
 * 2 MB: a set up to this number has 250 kB as text.
 */
const LARGEST = 1_500_000;

/** A set of numbers that platforms count upwards from 1, such as issue numbers. One bit each: 50,000 take 6 KB. */
export type NumberSet = {
  add(number: number): void;
  delete(number: number): void;
  has(number: number): boolean;
  size(): number;
  /** Ascending. */
  values(): Generator<number>;
  /** The set as text, for a cursor. */
  toText(): string;
};

/** Creates a set, empty or from the text of another one. */
export function numberSet(text = ""): NumberSet {
  let bits = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  let size = 0;
  for (const byte of bits) for (let rest = byte; rest > 0; rest &= rest - 1) size += 1;
  const has = (number: number) => ((bits[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  return {
    has,
    size: () => size,
    add(number) {
      if (!Number.isInteger(number) || number < 0 || number > LARGEST || has(number)) return;
      if (number >> 3 >= bits.length) {
        const larger = new Uint8Array(Math.max(64, 2 * bits.length, (number >> 3) + 1));
        larger.set(bits);
        bits = larger;
      }
      bits[number >> 3]! |= 1 << (number & 7);
      size += 1;
    },
    delete(number) {
      if (!has(number)) return;
      bits[number >> 3]! &= ~(1 << (number & 7));
      size -= 1;
    },
    *values() {
      for (const [position, byte] of bits.entries()) {
        for (let bit = 0; byte >> bit > 0; bit++) if ((byte >> bit) & 1) yield position * 8 + bit;
      }
    },
    toText() {
      let end = bits.length;
      while (end > 0 && bits[end - 1] === 0) end -= 1;
      let letters = "";
      for (const byte of bits.subarray(0, end)) letters += String.fromCharCode(byte);
      return btoa(letters);
    },
  };
}

/** A set in a cursor. */
export const numberSetSchema = z.base64().transform((text) => numberSet(text));
