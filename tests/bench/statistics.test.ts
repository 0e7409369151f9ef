import { expect, test } from "vitest";
import { median, ratioOf, spreadOf } from "./statistics.ts";

test("the median ignores order and outliers and averages two middle values", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1_000, 2, 3])).toBe(3.5);
  expect(median([7])).toBe(7);
  expect(() => median([])).toThrow(RangeError);
});

test("a ratio is the median of the rounds' ratios, not the ratio of the medians", () => {
  const pairs = [
    { ours: 1, theirs: 2 },
    { ours: 30, theirs: 40 },
    { ours: 9, theirs: 10 },
  ];
  expect(ratioOf(pairs)).toEqual({ median: 0.75, least: 0.5, most: 0.9 });
  expect(() => ratioOf([{ ours: 1, theirs: 0 }])).toThrow(RangeError);
  expect(() => ratioOf([])).toThrow(RangeError);
});

test("a spread is the largest value over the smallest, and equal for zero costs", () => {
  expect(spreadOf([2, 3, 2])).toBe(1.5);
  expect(spreadOf([0, 0])).toBe(1);
  expect(() => spreadOf([0, 1])).toThrow(RangeError);
  expect(() => spreadOf([])).toThrow(RangeError);
});
