import { expect, test } from "vitest";
import { createBlockReaders } from "./block-reader.ts";

const MIB = 1024 * 1024;

/** A source of one byte value, marked at the start of each megabyte, and the ranges that were read. */
function countedSource(size: number, value = 0) {
  const reads: [offset: number, length: number][] = [];
  const read = async (offset: number, length: number) => {
    reads.push([offset, length]);
    const bytes = new Uint8Array(length).fill(value);
    bytes[0] = 100 + offset / MIB;
    return bytes;
  };
  return { reads, source: { size, read } };
}

test("a range inside one block is read with that block, and a block only once", async () => {
  const { reads, source } = countedSource(2 * MIB + 7, 3);
  const reader = createBlockReaders(8 * MIB)(source);
  expect(reader.size).toBe(source.size);
  expect([...(await reader.load(MIB, 3))]).toEqual([101, 3, 3]);
  expect([...(await reader.load(MIB + 5, 2))]).toEqual([3, 3]);
  expect((await reader.load(2 * MIB - 4, 4)).length).toBe(4);
  expect(reads).toEqual([[MIB, MIB]]);
  expect([...(await reader.load(2 * MIB, 100))]).toEqual([102, 3, 3, 3, 3, 3, 3]);
  expect(reads[1]).toEqual([2 * MIB, 7]);
});

test("a range over several blocks is joined", async () => {
  const reader = createBlockReaders(8 * MIB)(countedSource(4 * MIB, 3).source);
  const bytes = await reader.load(MIB - 2, 2 * MIB + 4);
  expect(bytes.length).toBe(2 * MIB + 4);
  expect([...bytes.subarray(0, 4)]).toEqual([3, 3, 101, 3]);
  expect(bytes[MIB + 2]).toBe(102);
  expect([...bytes.subarray(-3)]).toEqual([3, 103, 3]);
  expect(bytes.filter((value) => value !== 3).length).toBe(3);
});

test("outside the source there is nothing", async () => {
  const { reads, source } = countedSource(50);
  const reader = createBlockReaders(MIB)(source);
  for (const [offset, length] of [
    [50, 1],
    [51, 1],
    [-1, 5],
    [3, 0],
    [Number.NaN, 5],
  ] as const)
    expect((await reader.load(offset, length)).length).toBe(0);
  expect(reads).toEqual([]);
  expect((await reader.load(0, 1)).length).toBe(1);
});

test("all sources share one cache, which forgets the least recently used block", async () => {
  const readerOf = createBlockReaders(2 * MIB);
  const [one, two] = [countedSource(3 * MIB, 1), countedSource(3 * MIB, 2)];
  const [first, second] = [readerOf(one.source), readerOf(two.source)];
  expect((await first.load(9, 1))[0]).toBe(1);
  expect((await second.load(9, 1))[0]).toBe(2);
  await first.load(0, 1);
  await second.load(MIB, 1);
  // The first source's block was used last, so the second source's first block is gone.
  await first.load(1, 1);
  expect(one.reads).toHaveLength(1);
  await second.load(1, 1);
  expect(two.reads).toHaveLength(3);
});

test("a block larger than the cache is still read", async () => {
  const { reads, source } = countedSource(2 * MIB, 5);
  const reader = createBlockReaders(10)(source);
  expect((await reader.load(4, 1))[0]).toBe(5);
  await reader.load(5, 1);
  expect(reads).toHaveLength(1);
  await reader.load(MIB, 1);
  await reader.load(5, 1);
  expect(reads).toHaveLength(3);
});

test("a source with fewer bytes than it says is refused", async () => {
  const source = { size: 2 * MIB, read: async (_: number, length: number) => new Uint8Array(length - 1) };
  await expect(createBlockReaders(MIB)(source).load(MIB, 5)).rejects.toMatchObject({
    code: "malformed",
    offset: MIB,
  });
});
