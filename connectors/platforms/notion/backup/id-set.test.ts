import { expect, test } from "vitest";
import { idSets, packId, unpackId } from "./id-set.ts";

const idOf = (number: number) => {
  const hex = (number * 2_654_435_761).toString(16).padStart(32, "0").slice(-32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
};

test("sets of the same ids survive a cursor and share its room", () => {
  const sets = idSets();
  const [one, other] = [sets.set(0), sets.set(6)];
  for (let number = 0; number < 20_000; number++) {
    one.add(idOf(number));
    if (number % 2 === 0) other.add(idOf(number));
  }
  other.delete(idOf(0));
  const text = sets.toText();
  expect(text.length).toBeLessThan(20_000 * 8);
  const again = idSets(text);
  expect([again.set(0).size(), again.set(6).size(), again.set(3).size()]).toEqual([20_000, 9_999, 0]);
  const has = (number: number) => [0, 6, 1].map((set) => again.set(set).has(idOf(number)));
  expect([has(0), has(1), has(2), has(20_000)]).toEqual([
    [true, false, false],
    [true, false, false],
    [true, true, false],
    [false, false, false],
  ]);
  expect(again.toText()).toBe(text);
  expect(idSets().toText()).toBe("");
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
