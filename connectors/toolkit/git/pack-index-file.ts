import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { concatBytes, equalBytes, fromHex } from "#core/kernel/crypto.ts";
import { GitPackError } from "./git-pack-error.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";
import { PREFIX_BYTES, word } from "./prefix-set.ts";

/** The data of an index: one entry for each object of the pack, in any order. */
export type PackIndexEntries = {
  objectFormat: ObjectFormat;
  count: number;
  /** Concatenated object names. */
  oids: Uint8Array;
  crcs: Uint32Array;
  offsets: Float64Array | Uint32Array;
  /** The trailer of the pack. */
  packHash: Uint8Array;
};

const MAGIC = 0xff744f63;
const FANOUT_AT = 8;
const NAMES_AT = FANOUT_AT + 256 * 4;
/** Offsets from here on are stored in the table of 64-bit offsets. */
const LARGE_OFFSET = 0x80000000;
const ROWS_PER_PIECE = 8 * 1024;

/**
 * Writes an index of version 2, exactly as `git index-pack` does (git: gitformat-pack). Yields it in pieces, because
 * a whole copy would take as much memory as its data.
 *
 * @param order Numbers of the entries, sorted by object name.
 */
export function* writePackIndex(entries: PackIndexEntries, order: Uint32Array): Generator<Uint8Array, void> {
  const hash = createHash(entries.objectFormat);
  for (const piece of indexPieces(entries, order)) {
    hash.update(piece);
    yield piece;
  }
  yield hash.digest();
}

function* indexPieces(
  { objectFormat, count, oids, crcs, offsets, packHash }: PackIndexEntries,
  order: Uint32Array,
): Generator<Uint8Array, void> {
  const width = oidLength(objectFormat);
  yield headOf(oids, order, width);
  yield* rows(count, width, (bytes, _view, at, rank) => {
    const i = order[rank]!;
    bytes.set(oids.subarray(i * width, (i + 1) * width), at);
  });
  yield* rows(count, 4, (_bytes, view, at, rank) => view.setUint32(at, crcs[order[rank]!]!));
  const large: number[] = [];
  yield* rows(count, 4, (_bytes, view, at, rank) => {
    const offset = offsets[order[rank]!]!;
    view.setUint32(at, offset < LARGE_OFFSET ? offset : LARGE_OFFSET + large.length);
    if (offset >= LARGE_OFFSET) large.push(offset);
  });
  yield* rows(large.length, 8, (_bytes, view, at, i) => {
    view.setUint32(at, Math.floor(large[i]! / 0x100000000));
    view.setUint32(at + 4, large[i]! % 0x100000000);
  });
  yield packHash;
}

/** A table of fixed-width rows, some thousand at a time. */
function* rows(
  count: number,
  width: number,
  fill: (bytes: Uint8Array, view: DataView, at: number, row: number) => void,
): Generator<Uint8Array, void> {
  for (let first = 0; first < count; first += ROWS_PER_PIECE) {
    const end = Math.min(count, first + ROWS_PER_PIECE);
    const bytes = new Uint8Array((end - first) * width);
    const view = new DataView(bytes.buffer);
    for (let row = first; row < end; row++) fill(bytes, view, (row - first) * width, row);
    yield bytes;
  }
}

function headOf(oids: Uint8Array, order: Uint32Array, width: number): Uint8Array {
  const bytes = new Uint8Array(NAMES_AT);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, 2);
  let rank = 0;
  for (let first = 0; first < 256; first++) {
    while (rank < order.length && oids[order[rank]! * width]! <= first) rank += 1;
    view.setUint32(FANOUT_AT + first * 4, rank);
  }
  return bytes;
}

/** Sorts the numbers of the entries by name, then by offset: a radix sort on two bytes, then groups. */
export function sortByName({
  objectFormat,
  count,
  oids,
  offsets,
}: Pick<PackIndexEntries, "objectFormat" | "count" | "oids" | "offsets">): Uint32Array<ArrayBuffer> {
  const width = oidLength(objectFormat);
  const order = new Uint32Array(count);
  const ends = new Uint32Array(65_537);
  const groupOf = (i: number) => (oids[i * width]! << 8) | oids[i * width + 1]!;
  for (let i = 0; i < count; i++) ends[groupOf(i) + 1]! += 1;
  for (let group = 1; group < ends.length; group++) ends[group]! += ends[group - 1]!;
  for (let i = 0; i < count; i++) order[ends[groupOf(i)]!++] = i;
  const compare = (a: number, b: number) => {
    const names = Buffer.compare(
      oids.subarray(a * width, (a + 1) * width),
      oids.subarray(b * width, (b + 1) * width),
    );
    return names !== 0 ? names : offsets[a]! - offsets[b]!;
  };
  // Filling has moved every start to its end, where the next group begins.
  let start = 0;
  for (const end of ends) {
    if (end - start > 1) order.subarray(start, end).sort(compare);
    start = end;
  }
  return order;
}

/** The objects in a pack, by the first eight bytes of their names: 8 bytes per object. */
export type PackNames = {
  count: number;
  /** Whether the pack contains the object. The name is hexadecimal, or raw bytes at a position. */
  has(oid: string | Uint8Array, at?: number): boolean;
  /** The same for a prefix given as two 32-bit numbers. */
  hasPrefix(high: number, low: number): boolean;
  /** Whether an object of this pack is in the other one too. */
  overlaps(other: PackNames): boolean;
  /** Memory use in bytes. */
  bytes: number;
};

/** The object names of a pack that was just indexed. */
export function packNames({ objectFormat, count, oids }: PackIndexEntries, order: Uint32Array): PackNames {
  const width = oidLength(objectFormat);
  const high = new Uint32Array(count);
  const low = new Uint32Array(count);
  for (let rank = 0; rank < count; rank++) {
    high[rank] = word(oids, order[rank]! * width);
    low[rank] = word(oids, order[rank]! * width + 4);
  }
  return namesOf(high, low);
}

/** Reads the object names from an index that `writePackIndex` or git wrote. @throws GitPackError when it is damaged */
export async function readPackNames(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  objectFormat: ObjectFormat,
): Promise<PackNames> {
  const width = oidLength(objectFormat);
  const hash = createHash(objectFormat);
  const head = new Uint8Array(NAMES_AT);
  let names: { count: number; high: Uint32Array; low: Uint32Array } | null = null;
  let position = 0;
  let tail: Uint8Array = new Uint8Array(0);
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length && position + at < NAMES_AT; at++) head[position + at] = piece[at]!;
    if (names === null && position + piece.length >= NAMES_AT) names = openHead(head);
    if (names !== null) takeNames(names, piece, position, width);
    position += piece.length;
    // The last bytes are the hash of all others, so hold them back.
    const held = tail.length === 0 ? piece : concatBytes(tail, piece);
    const end = Math.max(0, held.length - width);
    hash.update(held.subarray(0, end));
    tail = held.slice(end);
  }
  const count = names?.count ?? 0;
  const rest = position - NAMES_AT - count * (width + 8) - width * 2;
  if (names === null || rest < 0 || rest % 8 !== 0) throw damaged();
  if (!equalBytes(hash.digest(), tail)) {
    throw new GitPackError("checksum", "The index of a pack does not match its own checksum");
  }
  return namesOf(names.high, names.low);
}

function openHead(head: Uint8Array): { count: number; high: Uint32Array; low: Uint32Array } {
  const view = new DataView(head.buffer);
  if (view.getUint32(0) !== MAGIC || view.getUint32(4) !== 2) throw damaged();
  for (let at = FANOUT_AT + 4; at < NAMES_AT; at += 4) {
    if (view.getUint32(at) < view.getUint32(at - 4)) throw damaged();
  }
  const count = view.getUint32(NAMES_AT - 4);
  if (count * PREFIX_BYTES > MOST_NAMES_BYTES) throw damaged();
  return { count, high: new Uint32Array(count), low: new Uint32Array(count) };
}

/** A larger count is false: packs with so many objects are never indexed here. */
const MOST_NAMES_BYTES = 64 * 1024 * 1024;

function takeNames(
  { count, high, low }: { count: number; high: Uint32Array; low: Uint32Array },
  piece: Uint8Array,
  position: number,
  width: number,
): void {
  for (let at = Math.max(0, NAMES_AT - position); at < piece.length; ) {
    const behind = position + at - NAMES_AT;
    const row = Math.floor(behind / width);
    if (row >= count) return;
    const within = behind - row * width;
    if (within === 0 && at + PREFIX_BYTES <= piece.length) {
      high[row] = word(piece, at);
      low[row] = word(piece, at + 4);
      at += width;
    } else if (within < PREFIX_BYTES) {
      const half = within < 4 ? high : low;
      half[row] = ((half[row]! << 8) | piece[at]!) >>> 0;
      at += 1;
    } else at += width - within;
  }
}

function namesOf(high: Uint32Array, low: Uint32Array): PackNames {
  const count = high.length;
  function hasPrefix(first: number, second: number): boolean {
    let from = 0;
    let to = count;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const isBefore = high[middle]! < first || (high[middle] === first && low[middle]! < second);
      if (isBefore) from = middle + 1;
      else to = middle;
    }
    return from < count && high[from] === first && low[from] === second;
  }
  return {
    count,
    has(oid, at = 0) {
      const name = typeof oid === "string" ? fromHex(oid) : oid;
      return name.length - at >= PREFIX_BYTES && hasPrefix(word(name, at), word(name, at + 4));
    },
    hasPrefix,
    overlaps: (other) => high.some((first, row) => other.hasPrefix(first, low[row]!)),
    bytes: count * PREFIX_BYTES,
  };
}

const damaged = () => new GitPackError("malformed", "The index of a pack is damaged");
