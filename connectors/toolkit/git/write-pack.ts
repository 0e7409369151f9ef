import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { concatBytes } from "#core/kernel/crypto.ts";
import { type GitObjectType, PACK_HEADER_BYTES, packHeader } from "./object-format.ts";
import { BLOB, COMMIT, entryHeader, TAG, TREE } from "./pack-entry.ts";

/** An object to write. `read` gives the same bytes each time, in pieces that are valid until the next one. */
export type PackedObject = {
  type: GitObjectType;
  sizeBytes: number;
  read: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
};

const KINDS: Readonly<Record<GitObjectType, number>> = { commit: COMMIT, tree: TREE, blob: BLOB, tag: TAG };
const TRAILER_BYTES = 20;
/** Larger objects are not compressed, so that their length in the pack is known and they need not be in memory. */
const COMPRESSED_BYTES = 1024 * 1024;
/** Largest block without compression (RFC 1951, section 3.2.4). */
const BLOCK_BYTES = 65_535;
/** The header of a zlib stream, and the checksum at its end (RFC 1950). */
const ZLIB_HEADER = Uint8Array.of(0x78, 0x01);
const ADLER_MODULUS = 65_521;

/**
 * Measures the pack of some objects, all whole (git: gitformat-pack). Reads the small ones, so call it once.
 *
 * @returns the length, and the pack as often as it is asked for
 */
export async function preparePack(objects: readonly PackedObject[]): Promise<{
  length: number;
  chunks: () => AsyncGenerator<Uint8Array, void>;
}> {
  let length = PACK_HEADER_BYTES + TRAILER_BYTES;
  for (const object of objects) {
    length += headerOf(object).length;
    length += isLarge(object) ? storedLength(object.sizeBytes) : (await compressed(object)).length;
  }
  return { length, chunks: () => packOf(objects) };
}

async function* packOf(objects: readonly PackedObject[]): AsyncGenerator<Uint8Array, void> {
  const hash = createHash("sha1");
  const head = packHeader(objects.length);
  hash.update(head);
  yield head;
  for (const object of objects) {
    const start = headerOf(object);
    hash.update(start);
    yield start;
    for await (const piece of isLarge(object) ? stored(object) : [await compressed(object)]) {
      hash.update(piece);
      yield piece;
    }
  }
  yield Uint8Array.from(hash.digest());
}

const headerOf = ({ type, sizeBytes }: PackedObject) => entryHeader(KINDS[type], sizeBytes);
const isLarge = ({ sizeBytes }: PackedObject) => sizeBytes > COMPRESSED_BYTES;

async function compressed({ read }: PackedObject): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of read()) pieces.push(piece.slice());
  return deflateSync(concatBytes(...pieces));
}

function storedLength(sizeBytes: number): number {
  return ZLIB_HEADER.length + Math.ceil(sizeBytes / BLOCK_BYTES) * 5 + sizeBytes + 4;
}

/** A zlib stream of blocks without compression. */
async function* stored({ read, sizeBytes }: PackedObject): AsyncGenerator<Uint8Array, void> {
  yield ZLIB_HEADER;
  const block = new Uint8Array(BLOCK_BYTES);
  let [held, done, a, b] = [0, 0, 1, 0];
  const flush = () => {
    done += held;
    const isLast = done === sizeBytes;
    const head = Uint8Array.of(Number(isLast), held & 0xff, held >> 8, ~held & 0xff, (~held >> 8) & 0xff);
    const bytes = concatBytes(head, block.subarray(0, held));
    held = 0;
    return bytes;
  };
  for await (const piece of read()) {
    for (let at = 0; at < piece.length; ) {
      const taken = piece.subarray(at, at + BLOCK_BYTES - held);
      block.set(taken, held);
      for (let from = 0; from < taken.length; from += 3_800) {
        // So many bytes cannot overflow 32 bits between two divisions.
        for (const byte of taken.subarray(from, from + 3_800)) {
          a += byte;
          b += a;
        }
        a %= ADLER_MODULUS;
        b %= ADLER_MODULUS;
      }
      held += taken.length;
      at += taken.length;
      if (held === BLOCK_BYTES) yield flush();
    }
  }
  if (held > 0) yield flush();
  const sum = new Uint8Array(4);
  new DataView(sum.buffer).setUint32(0, ((b << 16) | a) >>> 0);
  yield sum;
}
