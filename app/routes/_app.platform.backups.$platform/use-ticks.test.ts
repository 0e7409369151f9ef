import { expect, test } from "vitest";
import { rowOf } from "#tests/harness/view-fixtures.ts";
import { isComparable, toggled } from "./use-ticks.ts";

const [a, b, c] = ["a", "b", "c"].map((snapshotId, date) => ({ snapshotId, date })) as [Tick, Tick, Tick];
type Tick = { snapshotId: string; date: number };

test("at most two versions are ticked, and a third tick replaces the first one", () => {
  expect(toggled([a], b)).toEqual([a, b]);
  expect(toggled([a, b], c)).toEqual([b, c]);
  expect(toggled([a, b], a)).toEqual([b]);
  expect(toggled([a], { snapshotId: null, date: 3 })).toEqual([a]);
});

test("only good versions can be compared", () => {
  expect(isComparable(rowOf())).toBe(true);
  expect(isComparable(rowOf({ type: "restore" }))).toBe(false);
  expect(isComparable(rowOf({ status: "failed", snapshotId: null }))).toBe(false);
});
