import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { equalBytes, fromHex } from "#core/kernel/crypto.ts";
import { GitPackError } from "./git-pack-error.ts";
import { type ObjectFormat, oidLength } from "./object-format.ts";

/** What an index is made of, one entry for each object of the pack, in any order. */
export type PackIndexEntries = {
  objectFormat: ObjectFormat;
  count: number;
  /** Names one after another. */
  oids: Uint8Array;
  crcs: Uint32Array;
  offsets: Float64Array;
  /** The trailer of the pack. */
  packHash: Uint8Array;
};

const MAGIC = 0xff744f63;
const FANOUT_AT = 8;
const NAMES_AT = FANOUT_AT + 256 * 4;
/** From here on an offset stands in the table of 64-bit offsets. */
const LARGE_OFFSET = 0x80000000;

/** Writes an index, version 2, exactly as `git index-pack` does (git: gitformat-pack). */
export function writePackIndex(entries: PackIndexEntries): Uint8Array {
  const { objectFormat, count, oids, crcs, offsets, packHash } = entries;
  const width = oidLength(objectFormat);
  const order = sortedOrder(entries, width);
  let large = 0;
  for (let i = 0; i < count; i++) if (offsets[i]! >= LARGE_OFFSET) large += 1;
  const crcsAt = NAMES_AT + count * width;
  const offsetsAt = crcsAt + count * 4;
  const largeAt = offsetsAt + count * 4;
  const bytes = new Uint8Array(largeAt + large * 8 + width * 2);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint32(4, 2);
  let nextLarge = 0;
  for (let rank = 0; rank < count; rank++) {
    const i = order[rank]!;
    bytes.set(oids.subarray(i * width, (i + 1) * width), NAMES_AT + rank * width);
    view.setUint32(crcsAt + rank * 4, crcs[i]!);
    const offset = offsets[i]!;
    if (offset < LARGE_OFFSET) view.setUint32(offsetsAt + rank * 4, offset);
    else {
      view.setUint32(offsetsAt + rank * 4, LARGE_OFFSET + nextLarge);
      view.setUint32(largeAt + nextLarge * 8, Math.floor(offset / 0x100000000));
      view.setUint32(largeAt + nextLarge * 8 + 4, offset % 0x100000000);
      nextLarge += 1;
    }
  }
  writeFanout(view, bytes, count, width);
  bytes.set(packHash, bytes.length - width * 2);
  const hash = createHash(objectFormat).update(bytes.subarray(0, bytes.length - width));
  bytes.set(hash.digest(), bytes.length - width);
  return bytes;
}

function sortedOrder({ count, oids, offsets }: PackIndexEntries, width: number): Uint32Array {
  // The first six bytes fit a double exactly and decide nearly every comparison.
  const keys = new Float64Array(count);
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const at = i * width;
    order[i] = i;
    keys[i] =
      (oids[at]! * 0x10000 + oids[at + 1]! * 0x100 + oids[at + 2]!) * 0x1000000 +
      oids[at + 3]! * 0x10000 +
      oids[at + 4]! * 0x100 +
      oids[at + 5]!;
  }
  return order.sort((a, b) => {
    const difference = keys[a]! - keys[b]!;
    if (difference !== 0) return difference;
    const first = oids.subarray(a * width, (a + 1) * width);
    const names = Buffer.compare(first, oids.subarray(b * width, (b + 1) * width));
    return names !== 0 ? names : offsets[a]! - offsets[b]!;
  });
}

function writeFanout(view: DataView, bytes: Uint8Array, count: number, width: number): void {
  let rank = 0;
  for (let first = 0; first < 256; first++) {
    while (rank < count && bytes[NAMES_AT + rank * width]! <= first) rank += 1;
    view.setUint32(FANOUT_AT + first * 4, rank);
  }
}

/** Look-ups in the index of one pack. */
export type PackIndex = {
  objectFormat: ObjectFormat;
  count: number;
  /** Trailer of the pack that the index belongs to. */
  packHash: Uint8Array;
  /** Where the object begins in its pack, or null. The name is hexadecimal, or raw bytes at a position. */
  find(oid: string | Uint8Array, at?: number): number | null;
};

/** Opens an index that `writePackIndex` or git made. @throws GitPackError when its bytes are not sound */
export function readPackIndex(bytes: Uint8Array, objectFormat: ObjectFormat): PackIndex {
  const width = oidLength(objectFormat);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = () => new GitPackError("malformed", "The index of a pack is damaged");
  if (bytes.length < NAMES_AT + width * 2 || view.getUint32(0) !== MAGIC || view.getUint32(4) !== 2)
    throw damaged();
  const count = view.getUint32(NAMES_AT - 4);
  const offsetsAt = NAMES_AT + count * (width + 4);
  const largeAt = offsetsAt + count * 4;
  const trailerAt = bytes.length - width * 2;
  if (largeAt > trailerAt || (trailerAt - largeAt) % 8 !== 0) throw damaged();
  for (let first = 1; first < 256; first++) {
    if (view.getUint32(FANOUT_AT + first * 4) < view.getUint32(FANOUT_AT + first * 4 - 4)) throw damaged();
  }
  const hash = createHash(objectFormat).update(bytes.subarray(0, bytes.length - width));
  if (!equalBytes(hash.digest(), bytes.subarray(bytes.length - width))) {
    throw new GitPackError("checksum", "The index of a pack does not match its own checksum");
  }

  function offsetAt(rank: number): number {
    const offset = view.getUint32(offsetsAt + rank * 4);
    if (offset < LARGE_OFFSET) return offset;
    const at = largeAt + (offset - LARGE_OFFSET) * 8;
    if (at + 8 > trailerAt) throw damaged();
    return view.getUint32(at) * 0x100000000 + view.getUint32(at + 4);
  }

  return {
    objectFormat,
    count,
    packHash: bytes.slice(trailerAt, trailerAt + width),
    find(oid, at = 0) {
      const name = typeof oid === "string" ? fromHex(oid) : oid;
      if (name.length - at < width) return null;
      const first = name[at]!;
      let low = first === 0 ? 0 : view.getUint32(FANOUT_AT + (first - 1) * 4);
      let high = view.getUint32(FANOUT_AT + first * 4);
      while (low < high) {
        const middle = (low + high) >>> 1;
        const start = NAMES_AT + middle * width;
        let i = 0;
        while (i < width && bytes[start + i] === name[at + i]) i++;
        if (i === width) return offsetAt(middle);
        if (bytes[start + i]! < name[at + i]!) low = middle + 1;
        else high = middle;
      }
      return null;
    },
  };
}
