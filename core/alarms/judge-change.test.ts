import { expect, test } from "vitest";
import type { RefDifference } from "#core/comparisons/index.ts";
import { type JudgedTree, judgeChange } from "./judge-change.ts";

const words = { issue: { one: "issue", many: "issues" } };
const sums = (issues: number, sizeBytes = 5_000_000) => ({ counts: { issue: issues, state: 1 }, sizeBytes });
const ref = (label: string, change: Partial<RefDifference>): RefDifference => ({
  name: `refs/heads/${label}`,
  label,
  kind: "branch",
  isDefault: label === "main",
  change: "changed",
  before: "a",
  after: "b",
  isRewritten: false,
  gained: null,
  lost: null,
  against: null,
  ...change,
});
const tree = (refs: RefDifference[], refsBefore = 20): JudgedTree => ({
  obstacle: null,
  refs,
  refCount: refs.length,
  refsBefore,
  refsGone: refs.filter(({ change }) => change === "removed").length,
});
const limits = { lostPercent: 50, lostCount: 500 };
const kinds = (...args: Parameters<typeof judgeChange>) => judgeChange(...args).map(({ kind }) => kind);

test.each([
  [980, 979, []],
  [980, 491, []],
  [980, 490, ["mass-deletion"]],
  [980, 0, ["mass-deletion"]],
  [8_001, 7_502, []],
  [8_001, 7_501, ["mass-deletion"]],
  [9, 0, []],
  [10, 5, ["mass-deletion"]],
  [5, 500, []],
])("%i issues that become %i raise %j", (before, after, expected) => {
  expect(kinds(sums(before), sums(after), { words, limits, trees: [] })).toEqual(expected);
});

test("a much smaller version raises a size alarm, unless it was small before", () => {
  expect(kinds(sums(0, 5_000_000), sums(0, 1_900_000), { words, limits, trees: [] })).toEqual(["size-cliff"]);
  expect(kinds(sums(0, 5_000_000), sums(0, 2_100_000), { words, limits, trees: [] })).toEqual([]);
  expect(kinds(sums(0, 900_000), sums(0, 10), { words, limits, trees: [] })).toEqual([]);
});

test("a rewritten default branch raises an alarm, other branches only in large numbers", () => {
  const rewritten = (label: string) => ref(label, { isRewritten: true, lost: { count: 3, isMore: false } });
  const judge = (refs: RefDifference[]) =>
    judgeChange(sums(0), sums(0), { words, limits, trees: [tree(refs)] });
  expect(judge([rewritten("main")])).toEqual([
    { kind: "history-rewrite", message: "The history of main was rewritten: 3 commits are no longer on it." },
  ]);
  expect(judge(["a", "b", "c", "d"].map(rewritten))).toEqual([]);
  expect(judge(["a", "b", "c", "d", "e"].map(rewritten))).toHaveLength(1);
  expect(judge([ref("main", { gained: { count: 900, isMore: true } })])).toEqual([]);
});

test("a deleted default branch, or half of all branches and tags, raises an alarm", () => {
  const removed = (label: string) => ref(label, { change: "removed", isRewritten: null });
  expect(kinds(sums(0), sums(0), { words, limits, trees: [tree([removed("main")])] })).toEqual([
    "mass-deletion",
  ]);
  const ten = Array.from({ length: 10 }, (_, at) => removed(`b${at}`));
  expect(kinds(sums(0), sums(0), { words, limits, trees: [tree(ten, 20)] })).toEqual(["mass-deletion"]);
  expect(kinds(sums(0), sums(0), { words, limits, trees: [tree(ten.slice(1), 20)] })).toEqual([]);
});

test("many branches and tags that are gone raise an alarm although most of them remain", () => {
  const judge = (refsGone: number) =>
    kinds(sums(0), sums(0), { words, limits, trees: [{ ...tree([], 8_001), refsGone }] });
  expect(judge(3_000)).toEqual(["mass-deletion"]);
  expect(judge(500)).toEqual(["mass-deletion"]);
  expect(judge(499)).toEqual([]);
});

test("an item's own limits replace the default", () => {
  const judge = (lost: number, own: { lostPercent: number; lostCount: number }) =>
    kinds(sums(100), sums(100 - lost), { words, trees: [], limits: own });
  expect(judge(9, { lostPercent: 10, lostCount: 500 })).toEqual([]);
  expect(judge(10, { lostPercent: 10, lostCount: 500 })).toEqual(["mass-deletion"]);
  expect(judge(3, { lostPercent: 100, lostCount: 3 })).toEqual(["mass-deletion"]);
  expect(judge(99, { lostPercent: 100, lostCount: 500 })).toEqual([]);
  expect(kinds(sums(5), sums(2), { words, trees: [], limits: { lostPercent: 50, lostCount: 3 } })).toEqual([
    "mass-deletion",
  ]);
});
