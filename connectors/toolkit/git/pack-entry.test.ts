import { crc32, deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { GitPackError } from "./git-pack-error.ts";
import {
  BLOB,
  compressedBound,
  type EntryHeader,
  inflateEntry,
  inflateLargeEntry,
  OFS_DELTA,
  REF_DELTA,
  readEntryHeader,
} from "./pack-entry.ts";
import { createPackReader } from "./pack-source.ts";
import { noise, sourceOf } from "./test-packs.ts";

const MOST = Number.MAX_SAFE_INTEGER;
const AT = 700;
const header = (bytes: readonly number[], oidLength = 20) =>
  readEntryHeader(Uint8Array.from(bytes), oidLength, AT);
const refused = (work: () => unknown) =>
  expect(work).toThrow(expect.objectContaining({ code: "malformed", offset: AT }));

/** The type and size at the start of an entry, padded with empty bytes to a length. */
function sized(kind: number, size: number, length = 1): number[] {
  const bytes = [(kind << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0 || bytes.length < length; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest % 128);
  }
  return bytes;
}

/** A distance as git writes it (gitformat-pack, "offset encoding"). */
function distanced(value: bigint): number[] {
  const bytes = [Number(value % 128n)];
  for (let rest = value / 128n; rest > 0n; rest = rest / 128n) {
    rest -= 1n;
    bytes.unshift(Number(rest % 128n) | 0x80);
  }
  return bytes;
}

test("an object's type and size are read, up to the largest safe number", () => {
  const plain = { baseDistance: 0, baseNameAt: 0 };
  expect(header(sized(BLOB, 15))).toEqual({ kind: BLOB, size: 15, headerLength: 1, ...plain });
  expect(header(sized(BLOB, 16))).toEqual({ kind: BLOB, size: 16, headerLength: 2, ...plain });
  expect(header([...sized(1, 300_000), 9, 9])).toEqual({ kind: 1, size: 300_000, headerLength: 4, ...plain });
  expect(header(sized(BLOB, MOST)).size).toBe(MOST);
  refused(() => header(sized(BLOB, MOST + 1)));
});

test("a size takes at most ten bytes, however it is padded", () => {
  expect(header(sized(BLOB, 5, 10))).toMatchObject({ size: 5, headerLength: 10 });
  refused(() => header(sized(BLOB, 5, 11)));
});

test("the distance to a base is read, up to the largest safe number", () => {
  const distanceOf = (value: bigint) => header([...sized(OFS_DELTA, 9), ...distanced(value), 1, 2, 3]);
  for (const value of [1, 127, 128, 16_511, 16_512, 2_113_663, 2_113_664, MOST])
    expect(distanceOf(BigInt(value)).baseDistance).toBe(value);
  expect(distanceOf(16_511n).headerLength).toBe(3);
  refused(() => distanceOf(BigInt(MOST) + 1n));
});

test("the name of a base is found at its place", () => {
  const name = Array.from({ length: 20 }, (_, i) => i);
  expect(header([...sized(REF_DELTA, 20), ...name])).toEqual({
    kind: REF_DELTA,
    size: 20,
    headerLength: 22,
    baseDistance: 0,
    baseNameAt: 2,
  });
  refused(() => header([...sized(REF_DELTA, 20), ...name.slice(1)]));
});

test("a header that ends early or has a type that git does not know is refused", () => {
  const cut: number[][] = [[], [0xb0], [0xb0, 0x80], [0x60], [0x60, 0x80], [0x70]];
  for (const bytes of cut) expect(() => header(bytes)).toThrow(/ends inside an entry/);
  for (const kind of [0, 5]) expect(() => header(sized(kind, 3))).toThrow(/unknown type/);
});

test("the room for compressed bytes is enough for every level and little more than the object", () => {
  const bytes = noise(100_000);
  for (const size of [0, 1, 100, 1_000, 40_000, 100_000]) {
    for (const level of [0, 1, 6, 9]) {
      const { length } = deflateSync(bytes.subarray(0, size), { level });
      expect(compressedBound(size)).toBeGreaterThanOrEqual(length);
    }
    expect(compressedBound(size)).toBeLessThan(size * 1.002 + 80);
  }
});

test("an object is inflated from the start of its bytes, whatever follows", () => {
  for (const size of [0, 1, 62, 63, 64, 65, 5_000]) {
    const plain = Buffer.alloc(size, "plain text ");
    const packed = deflateSync(plain);
    const found = inflateEntry(Buffer.concat([packed, Buffer.from("next")]), size, AT);
    expect([Buffer.from(found!.bytes).equals(plain), found!.consumed]).toEqual([true, packed.length]);
  }
});

test("an object whose bytes go on is asked for again; one of another size or with damage is refused", () => {
  const packed = deflateSync(Buffer.alloc(5_000, "plain text "));
  expect(inflateEntry(packed.subarray(0, -1), 5_000, AT)).toBeNull();
  expect(inflateEntry(packed.subarray(0, 0), 5_000, AT)).toBeNull();
  for (const size of [4_000, 4_999, 5_001, 6_000])
    expect(() => inflateEntry(packed, size, AT)).toThrow(/does not have the size that the pack declares/);
  const damaged = Buffer.from(packed);
  damaged[damaged.length - 2]! ^= 1;
  expect(() => inflateEntry(damaged, 5_000, AT)).toThrow(/are damaged/);
  expect(() => inflateEntry(Buffer.from("no stream at all"), 5_000, AT)).toThrow(/are damaged/);
  refused(() => inflateEntry(damaged, 5_000, AT));
});

/** Inflates an entry in pieces that begins at byte 5 of a pack and ends `after` bytes before its end. */
async function inflateLarge(packed: Uint8Array, size: number, after = 20) {
  const bytes = Buffer.concat([Buffer.from("start"), packed, Buffer.alloc(after)]);
  const plain: Buffer[] = [];
  const raw: Buffer[] = [];
  const { consumed, crc } = await inflateLargeEntry(
    createPackReader(sourceOf(bytes)),
    { offset: 5, size, end: bytes.length - 20 },
    (piece) => plain.push(Buffer.from(piece)),
    (piece) => raw.push(Buffer.from(piece)),
    crc32(Buffer.from("head")),
  );
  return { consumed, crc, plain: Buffer.concat(plain), raw: Buffer.concat(raw) };
}

const LARGE = noise(2_500_000);

test("a large object is passed on piece by piece, plain and compressed, with its length and checksum", async () => {
  const packed = deflateSync(LARGE, { level: 1 });
  expect(packed.length).toBeGreaterThan(2 * 1024 * 1024);
  for (const after of [20, 2_000]) {
    const found = await inflateLarge(packed, LARGE.length, after);
    expect(found.plain.equals(LARGE)).toBe(true);
    expect(found.raw.equals(packed)).toBe(true);
    expect(found.consumed).toBe(packed.length);
    expect(found.crc).toBe(crc32(Buffer.concat([Buffer.from("head"), packed])));
  }
});

test("a large object of another size, with damage, or without its end is refused", async () => {
  const packed = deflateSync(LARGE, { level: 1 });
  for (const size of [LARGE.length - 1, LARGE.length + 1])
    await expect(inflateLarge(packed, size)).rejects.toThrow(/does not have the size/);
  const damaged = Buffer.from(packed).fill(0xff, 5_000, 5_100);
  await expect(inflateLarge(damaged, LARGE.length)).rejects.toThrow(/are damaged/);
  const cut = inflateLarge(packed.subarray(0, -3), LARGE.length);
  await expect(cut).rejects.toBeInstanceOf(GitPackError);
});

test("headers of one pack are told apart by their type alone", () => {
  const kinds = [1, 2, 3, 4].map((kind): EntryHeader => header(sized(kind, 1)));
  expect(kinds.map(({ kind }) => kind)).toEqual([1, 2, 3, 4]);
});
