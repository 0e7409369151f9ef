import { expect, test } from "vitest";
import { rowOf } from "#tests/harness/view-fixtures.ts";
import { neighboursOf } from "./neighbours.ts";

test("the versions before and after one skip failed runs and restores", () => {
  const rows = [
    rowOf({ snapshotId: "c", date: 5 }),
    rowOf({ type: "restore", snapshotId: "a", date: 4 }),
    rowOf({ snapshotId: "b", date: 3 }),
    rowOf({ status: "failed", snapshotId: null, date: 2 }),
    rowOf({ snapshotId: "a", date: 1 }),
  ];
  expect(neighboursOf(rows, "b")).toEqual({
    before: { snapshotId: "a", date: 1 },
    after: { snapshotId: "c", date: 5 },
  });
  expect(neighboursOf(rows, "a").before).toBeNull();
  expect(neighboursOf(rows, "c").after).toBeNull();
  expect(neighboursOf(rows, "gone")).toEqual({ before: null, after: null });
});
