import { expect, test } from "vitest";
import { createPackReader } from "./pack-source.ts";

const MIB = 1024 * 1024;

/** A source whose byte at each position follows from the position, and the ranges that were read. */
function countedSource(size: number) {
  const reads: [offset: number, length: number][] = [];
  const read = async (offset: number, length: number) => {
    reads.push([offset, length]);
    return bytesAt(offset, length);
  };
  return { reads, source: { size, read } };
}

function bytesAt(offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = (offset + i) % 251;
  return bytes;
}

/** Whether bytes are those of the source at a position. */
const areAt = (bytes: Uint8Array | null, offset: number, length: number) =>
  bytes !== null && Buffer.compare(bytes, bytesAt(offset, length)) === 0;

test("bytes are read by the megabyte, once, and may then be peeked at", async () => {
  const { reads, source } = countedSource(3 * MIB + 100);
  const reader = createPackReader(source);
  expect(reader.size).toBe(source.size);
  expect(reader.peek(MIB, 10) === null).toBe(true);
  expect(areAt((await reader.load(MIB + 5, 10)).subarray(0, 10), MIB + 5, 10)).toBe(true);
  expect(reads).toEqual([[MIB, MIB]]);
  expect(areAt(reader.peek(MIB, 10)!.subarray(0, 10), MIB, 10)).toBe(true);
  expect(areAt(reader.peek(2 * MIB - 10, 10), 2 * MIB - 10, 10)).toBe(true);
  await reader.load(MIB, MIB);
  expect(reads).toHaveLength(1);
});

test("bytes on both sides of an edge are joined, and peeked at only within one block", async () => {
  const { reads, source } = countedSource(4 * MIB);
  const reader = createPackReader(source);
  const joined = await reader.load(MIB - 100, MIB + 200);
  expect(areAt(joined, MIB - 100, MIB + 200)).toBe(true);
  expect(reads).toEqual([[0, 3 * MIB]]);
  expect(reader.peek(MIB - 4, 4)?.length).toBe(4);
  expect(reader.peek(MIB - 4, 5) === null).toBe(true);
});

test("the end of the pack ends every range", async () => {
  const { reads, source } = countedSource(2 * MIB + 40);
  const reader = createPackReader(source);
  expect((await reader.load(2 * MIB, 1_000)).length).toBe(40);
  expect(reads).toEqual([[2 * MIB, 40]]);
  expect(reader.peek(2 * MIB + 30, 1_000)?.length).toBe(10);
  expect((await reader.load(2 * MIB - 10, 1_000)).length).toBe(50);
  expect((await reader.load(source.size, 10)).length).toBe(0);
  expect((await reader.load(source.size + 5, 10)).length).toBe(0);
  expect((await reader.load(5, 0)).length).toBe(0);
});

test("a sequential reader reads several blocks at once, at most seven, and forgets the oldest beyond eight", async () => {
  const { reads, source } = countedSource(20 * MIB);
  const reader = createPackReader(source);
  reader.readAhead(4);
  await reader.load(0, 1);
  reader.readAhead(100);
  await reader.load(4 * MIB, 1);
  reader.readAhead(0);
  await reader.load(11 * MIB, 1);
  expect(reads.map(([, length]) => length / MIB)).toEqual([4, 7, 1]);
  // Eight are kept: 4 to 11.
  expect(reader.peek(3 * MIB, 1) === null).toBe(true);
  expect(reader.peek(4 * MIB, 1) === null).toBe(false);
  // Block 4 was just used, so block 5 goes first.
  await reader.load(12 * MIB, 1);
  expect(reader.peek(5 * MIB, 1) === null).toBe(true);
  expect(reader.peek(4 * MIB, 1) === null).toBe(false);
});

test("a range larger than the cache is still read whole", async () => {
  const { source } = countedSource(12 * MIB);
  const whole = await createPackReader(source).load(10, 11 * MIB);
  expect(areAt(whole, 10, 11 * MIB)).toBe(true);
});

test("a source with fewer bytes than it says is refused", async () => {
  const source = { size: 2 * MIB, read: async (_: number, length: number) => new Uint8Array(length - 1) };
  await expect(createPackReader(source).load(MIB, 5)).rejects.toMatchObject({
    code: "malformed",
    offset: MIB,
  });
});
