import { expect, test } from "vitest";
import { numberSet, numberSetSchema } from "./number-set.ts";
import { padId } from "./pad-id.ts";

test("a set of numbers survives serialisation, in ascending order and with its size", () => {
  const set = numberSet();
  for (const number of [50_000, 3, 1, 8, 7, 3]) set.add(number);
  const copy = numberSet(set.toText());
  expect([...copy.values()]).toEqual([1, 3, 7, 8, 50_000]);
  expect(copy.size()).toBe(5);
  copy.delete(8);
  copy.delete(9);
  expect([copy.has(8), copy.has(7), copy.size()]).toEqual([false, true, 4]);
});

test("fifty thousand numbers take less than nine kilobytes, and invalid text is an empty set", () => {
  const set = numberSet();
  for (let number = 1; number <= 50_000; number++) set.add(number);
  for (const nonsense of [-1, 1.5, Number.NaN, 1e15]) set.add(nonsense);
  expect(set.size()).toBe(50_000);
  expect(set.toText().length).toBeLessThan(9_000);
  for (const nonsense of [{ not: "a set" }, "A", "no set"])
    expect(numberSetSchema.safeParse(nonsense).success).toBe(false);
});

test("six full sets fit into a ledger row, and numbers above the maximum are not kept", () => {
  const set = numberSet();
  for (const number of [1_500_000, 1_500_001]) set.add(number);
  expect([...set.values()]).toEqual([1_500_000]);
  expect(6 * set.toText().length).toBeLessThan(1_900_000);
});

test("padded ids sort like their numbers", () => {
  const ids = [9, 10, 123_456_789_012, 1].map(padId);
  expect(ids.toSorted()).toEqual(["000000000001", "000000000009", "000000000010", "123456789012"]);
});
