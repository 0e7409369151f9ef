import { expect, test } from "vitest";
import { areaPoints } from "./area-points.ts";

const frame = { width: 100, top: 0, base: 90 };

test("the line rises from the base when it begins with nothing, and ends at the top", () => {
  expect(areaPoints([0, 5, 10], frame)).toEqual([
    [0, 90],
    [50, 45],
    [100, 0],
  ]);
});

test("small changes of a large amount can be seen", () => {
  expect(areaPoints([100, 110], frame)).toEqual([
    [0, 60],
    [100, 0],
  ]);
});

test("no change is a straight line, and nothing lies on the base", () => {
  expect(areaPoints([7, 7], frame).map(([, y]) => y)).toEqual([0, 0]);
  expect(areaPoints([0, 0], frame).map(([, y]) => y)).toEqual([90, 90]);
});
