import { expect, test } from "vitest";
import { arcsOf } from "./arcs.ts";

test("the parts share the circle by their counts, with gaps", () => {
  expect(arcsOf([3, 1, 0], { round: 100, gap: 2 })).toEqual([
    { start: 0, length: 73 },
    { start: 75, length: 23 },
    null,
  ]);
});

test("a single part is the whole circle, and a small one can be seen", () => {
  expect(arcsOf([0, 9], { round: 100, gap: 2 })).toEqual([null, { start: 0, length: 100 }]);
  expect(arcsOf([999, 1], { round: 100, gap: 2 })[1]!.length).toBe(1);
});
