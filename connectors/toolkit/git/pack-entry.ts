import { crc32, inflateSync } from "node:zlib";
import { GitPackError } from "./git-pack-error.ts";
import { openInflater } from "./inflater.ts";
import type { PackReader } from "./pack-source.ts";

/** Type numbers inside a pack (git: gitformat-pack). */
export const COMMIT = 1;
export const TREE = 2;
export const BLOB = 3;
export const TAG = 4;
export const OFS_DELTA = 6;
export const REF_DELTA = 7;

/** Maximum length of an entry header: ten bytes of size, then ten of a base's distance or 32 of its name. */
export const LONGEST_HEADER = 48;

/** The header before the compressed bytes of an entry. */
export type EntryHeader = {
  kind: number;
  /** Inflated size of the object or delta. */
  size: number;
  headerLength: number;
  /** OFS_DELTA: distance back to the start of its base. */
  baseDistance: number;
  /** REF_DELTA: position of the base's name in the header. */
  baseNameAt: number;
};

/** Reads the entry header at the start of `bytes`. @throws GitPackError */
export function readEntryHeader(bytes: Uint8Array, oidLength: number, offset: number): EntryHeader {
  let at = 0;
  const next = (): number => {
    const byte = bytes[at++];
    if (byte === undefined) throw new GitPackError("malformed", "The pack ends inside an entry", offset);
    return byte;
  };
  let byte = next();
  const kind = (byte >> 4) & 7;
  let size = byte & 15;
  let factor = 16;
  while (byte & 0x80) {
    byte = next();
    size += (byte & 0x7f) * factor;
    factor *= 128;
    if (size > Number.MAX_SAFE_INTEGER || at > 10) throw tooHuge(offset);
  }
  const header: EntryHeader = { kind, size, headerLength: 0, baseDistance: 0, baseNameAt: 0 };
  if (kind === OFS_DELTA) {
    byte = next();
    let distance = byte & 0x7f;
    while (byte & 0x80) {
      byte = next();
      distance = (distance + 1) * 128 + (byte & 0x7f);
      if (distance > Number.MAX_SAFE_INTEGER) throw tooHuge(offset);
    }
    header.baseDistance = distance;
  } else if (kind === REF_DELTA) {
    header.baseNameAt = at;
    at += oidLength;
    if (at > bytes.length) throw new GitPackError("malformed", "The pack ends inside an entry", offset);
  } else if (kind === 0 || kind === 5) {
    throw new GitPackError("malformed", `The pack holds an entry of unknown type ${kind}`, offset);
  }
  header.headerLength = at;
  return header;
}

function tooHuge(offset: number): GitPackError {
  return new GitPackError("malformed", "The pack holds a number that is too large", offset);
}

/** The maximum number of bytes that zlib needs to compress `size` bytes; other compressors may need slightly more. */
export function compressedBound(size: number): number {
  return size + Math.ceil(size / 1000) + 64;
}

/** The smallest chunk that zlib accepts. */
const LEAST_CHUNK_BYTES = 64;

/** Inflated bytes and the number of compressed bytes consumed. */
export type Inflated = { bytes: Uint8Array; consumed: number };

/**
 * Inflates the zlib stream at the start of `input` to exactly `size` bytes. Null = `input` is too short.
 * @throws GitPackError when the stream is broken or has another size
 */
export function inflateEntry(input: Uint8Array, size: number, offset: number): Inflated | null {
  // One byte more than declared fits the whole output in one step and reveals a larger one.
  const room = Math.max(size + 1, LEAST_CHUNK_BYTES);
  let result: { buffer: Uint8Array; engine: { bytesWritten: number } };
  try {
    result = inflateSync(input, {
      info: true,
      chunkSize: room,
      maxOutputLength: room,
    }) as unknown as typeof result;
  } catch (cause) {
    const code = (cause as { code?: string }).code;
    if (code === "Z_BUF_ERROR") return null;
    if (code === "ERR_BUFFER_TOO_LARGE") throw wrongSize(offset);
    throw brokenStream(offset, cause);
  }
  if (result.buffer.length !== size) throw wrongSize(offset);
  return { bytes: result.buffer, consumed: result.engine.bytesWritten };
}

function wrongSize(offset: number): GitPackError {
  return new GitPackError("malformed", "An object does not have the size that the pack declares", offset);
}

function brokenStream(offset: number, cause: unknown): GitPackError {
  return new GitPackError("malformed", "The compressed bytes of an object are damaged", offset, cause);
}

const FEED_BYTES = 64 * 1024;

/**
 * Inflates an object too large for memory in pieces, and returns the length and CRC-32 of its compressed bytes.
 * `take` receives the plain bytes, `takeRaw` the compressed ones, both in order.
 * @throws GitPackError
 */
export async function inflateLargeEntry(
  reader: PackReader,
  entry: { offset: number; size: number; end: number },
  take: (plain: Uint8Array) => void,
  takeRaw: (raw: Uint8Array) => void,
  crc: number,
): Promise<{ consumed: number; crc: number }> {
  const { offset, size, end } = entry;
  let produced = 0;
  const inflater = openInflater((plain) => {
    produced += plain.length;
    if (produced <= size) take(plain);
  });
  let consumed = 0;
  let sum = crc;
  try {
    while (!inflater.isDone() && produced <= size) {
      const at = offset + consumed;
      const piece = (reader.peek(at, 1) ?? (await reader.load(at, 1))).subarray(
        0,
        Math.min(FEED_BYTES, end - at),
      );
      const raw = piece.subarray(0, await inflater.feed(piece));
      sum = crc32(raw, sum);
      takeRaw(raw);
      consumed += raw.length;
    }
    if (produced > size) throw wrongSize(offset);
    if (inflater.failure() !== null) throw brokenStream(offset, inflater.failure());
    if (produced !== size) throw wrongSize(offset);
    return { consumed, crc: sum };
  } finally {
    inflater.close();
  }
}

/** The header of an entry: its kind and size (git: gitformat-pack, "object entries"). */
export function entryHeader(kind: number, size: number): Uint8Array {
  const bytes: number[] = [];
  let rest = Math.floor(size / 16);
  bytes.push((kind << 4) | (size % 16) | (rest > 0 ? 0x80 : 0));
  while (rest > 0) {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(low | (rest > 0 ? 0x80 : 0));
  }
  return Uint8Array.from(bytes);
}
