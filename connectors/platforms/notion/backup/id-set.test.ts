import { expect, test } from "vitest";
import { idSet, packId, unpackId } from "./id-set.ts";

const idOf = (number: number) => {
  const hex = (number * 2_654_435_761).toString(16).padStart(32, "0").slice(-32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};

test("a set of ids survives a cursor and stays small", () => {
  const set = idSet();
  for (let number = 0; number < 20_000; number++) set.add(idOf(number));
  const text = set.toText();
  expect(text.length).toBeLessThan(20_000 * 8);
  const again = idSet(text);
  expect(again.size()).toBe(20_000);
  expect([again.has(idOf(0)), again.has(idOf(19_999)), again.has(idOf(20_000))]).toEqual([true, true, false]);
  expect(again.toText()).toBe(text);
  expect(idSet().toText()).toBe("");
});

test("ids are packed without loss", () => {
  for (const id of [
    "393abc1e-edcd-80f3-813b-e205934558c6",
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
  ]) {
    expect(packId(id)).toHaveLength(22);
    expect(unpackId(packId(id))).toBe(id);
  }
});
