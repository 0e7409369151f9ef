import { expect, test } from "vitest";
import { heldCounts } from "./held-counts.ts";

const word = { one: "thing", many: "things" };
const connector = {
  entryKinds: { issue: word, release: word },
  restoredKinds: { issue: word, release: word, branch: word, filler: { ...word, isExtra: true as const } },
};
const creates = [
  { kind: "issue", count: 9, ...word },
  { kind: "release", count: 2, ...word },
  { kind: "branch", count: 4, ...word },
  { kind: "filler", count: 7, ...word },
];
// One release cannot come back, so the plan creates fewer than the version has.
const counts = { issue: 9, release: 3 };

test("the version holds what its manifest counts, else what the plan counts, and nothing made up", () => {
  const held = heldCounts(connector, { creates, isEstimate: false }, { counts, isWhole: true });
  expect(held).toEqual({ issue: 9, release: 3, branch: 4 });
});

test("an estimate is never reported as what the version holds", () => {
  const held = heldCounts(connector, { creates, isEstimate: true }, { counts, isWhole: true });
  expect(held).toEqual({ issue: 9, release: 3 });
});

test("a part holds what its own plan counts, not what the version does", () => {
  const part = [{ kind: "issue", count: 1, ...word }];
  const held = heldCounts(connector, { creates: part, isEstimate: false }, { counts, isWhole: false });
  expect(held).toEqual({ issue: 1 });
});
