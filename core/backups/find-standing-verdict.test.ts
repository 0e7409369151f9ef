import { expect, test } from "vitest";
import { sampleOf } from "./find-standing-verdict.ts";

const objects = (count: number) =>
  Array.from({ length: count }, (_, at) => `obj_${String(at).padStart(3, "0")}`);

test.each([1, 2, 3, 4, 7, 60])(
  "the samples of successive days read %d objects in turn, none twice as often",
  (count) => {
    const times = new Map<string, number>();
    const days = Math.ceil(count / 3) * 4;
    for (let day = 100; day < 100 + days; day++) {
      const sample = sampleOf(objects(count), day);
      expect(new Set(sample.map(({ id }) => id)).size).toBe(Math.min(3, count));
      for (const { id } of sample) times.set(id, (times.get(id) ?? 0) + 1);
    }
    expect(times.size).toBe(count);
    const counts = [...times.values()];
    expect(Math.max(...counts)).toBeLessThanOrEqual(2 * Math.min(...counts));
  },
);

test("the turn of an object grows by one each time, so that all parts of a large one are read", () => {
  const turns: number[] = [];
  for (let day = 0; day < 50; day++)
    for (const { id, turn } of sampleOf(objects(7), day)) if (id === "obj_004") turns.push(turn);
  expect(turns.length).toBeGreaterThan(10);
  expect(turns).toEqual(turns.map((_, at) => turns[0]! + at));
});

test("a version without objects has no sample", () => {
  expect(sampleOf([], 5)).toEqual([]);
});
