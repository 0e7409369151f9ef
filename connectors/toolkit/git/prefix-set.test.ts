import { expect, test } from "vitest";
import { createPrefixSet, word } from "./prefix-set.ts";

const KIB = 1024;

/** A name with these two numbers at its start. */
function named(high: number, low: number): Uint8Array {
  const name = new DataView(new ArrayBuffer(20));
  name.setUint32(0, high);
  name.setUint32(4, low);
  return new Uint8Array(name.buffer);
}

function membersOf(set: ReturnType<typeof createPrefixSet>): string[] {
  const found: string[] = [];
  set.forEach((high, low) => void found.push(`${high}:${low}`));
  return found.sort();
}

test("names that differ in either half are members of their own, each once", () => {
  const set = createPrefixSet(10, 64 * KIB);
  const names = [
    [1, 1],
    [1, 2],
    [2, 1],
    [0, 5],
    [5, 0],
    [0xffffffff, 0xfffffffe],
  ] as const;
  for (const [high, low] of [...names, ...names]) set.add(named(high, low), 0);
  expect(set.count()).toBe(6);
  expect(membersOf(set)).toEqual(names.map(([high, low]) => `${high}:${low}`).sort());
});

test("a name of zeros is a member like any other", () => {
  const set = createPrefixSet(10, 64 * KIB);
  set.add(named(0, 0), 0);
  set.add(named(0, 0), 0);
  expect(set.count()).toBe(1);
  expect(membersOf(set)).toHaveLength(1);
  set.add(named(9, 0), 0);
  expect(membersOf(set)).toContain("9:0");
});

test("a name is read at its place", () => {
  const set = createPrefixSet(10, 64 * KIB);
  set.add(Uint8Array.of(9, 9, 9, 0x81, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88), 3);
  expect(membersOf(set)).toEqual([`${0x81020304}:${0x05060788}`]);
  expect(word(Uint8Array.of(0, 0xff, 0xfe, 0xfd, 0xfc), 1)).toBe(0xfffefdfc);
});

test("a set keeps every member while it grows", () => {
  const set = createPrefixSet(0, 1024 * KIB);
  for (let number = 1; number <= 5_000; number++) set.add(named(number * 7_919, number), 0);
  for (let number = 1; number <= 5_000; number += 9) set.add(named(number * 7_919, number), 0);
  expect(set.count()).toBe(5_000);
  const expected = Array.from({ length: 5_000 }, (_, at) => `${(at + 1) * 7_919}:${at + 1}`);
  expect(membersOf(set).join() === expected.sort().join()).toBe(true);
});

test("a set takes as many names as it was made for without growing, and refuses to outgrow its memory", () => {
  const made = createPrefixSet(1_000, 0);
  for (let number = 1; number <= 1_000; number++) made.add(named(number, number), 0);
  expect(made.count()).toBe(1_000);
  const addMany = () => {
    for (let number = 1_001; number <= 1_100; number++) made.add(named(number, number), 0);
  };
  expect(addMany).toThrow(expect.objectContaining({ code: "too-large" }));

  // 256 slots grow to 384 beyond 192 names, and to 576 beyond 288.
  const grown = createPrefixSet(0, 384 * 8);
  for (let number = 1; number <= 288; number++) grown.add(named(number, 1), 0);
  expect(() => grown.add(named(289, 1), 0)).toThrow(expect.objectContaining({ code: "too-large" }));
});
