import { expect, test } from "vitest";
import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { recordPaths } from "../record-paths.ts";
import { columnsOf } from "./columns.ts";
import { countColumns } from "./count-columns.ts";

const STATUSES = [
  { id: "1", name: "To Do", category: "new" },
  { id: "2", name: "Doing", category: "indeterminate" },
  { id: "3", name: "Checking", category: "indeterminate" },
  { id: "4", name: "Done", category: "done" },
];
const COLUMNS = columnsOf(
  {
    columns: [
      { name: "To do", statuses: [{ id: "1" }] },
      { name: "Work", statuses: [{ id: "2" }, { id: "3" }] },
      { name: "Done", statuses: [{ id: "4" }] },
    ],
  },
  STATUSES,
);
/** Ids of issues are those of the site, so that a project's need not begin low. */
const FIRST_ID = 700_000;

/** A version with a number of issues; the first has the second as a sub-task. */
function versionOf(issues: number, statusOf: (index: number) => string) {
  async function* events(): AsyncGenerator<BackupEvent> {
    for (let index = 0; index < issues; index++) {
      const id = FIRST_ID + index;
      const fields = {
        ...{ summary: `Issue ${index}`, issuetype: { id: "1", name: "Task" } },
        status: { id: statusOf(index), name: "A status" },
        subtasks: index === 0 ? [{ id: String(FIRST_ID + 1) }] : [],
      } as Json;
      const value = { id: String(id), key: `OPS-${index + 1}`, fields };
      yield { type: "record", path: recordPaths.issue(id), kind: "issue", value };
    }
  }
  return takeSnapshot(events());
}

test("every issue counts in the column of its status; a column without issues has none", async () => {
  const snapshot = await versionOf(60, (index) => ["1", "2", "3"][index % 3]!);
  const { byColumn, isEstimate } = await countColumns(snapshot, { columns: COLUMNS, part: null });
  expect([Object.fromEntries(byColumn), isEstimate]).toEqual([{ 1: 20, 2: 40, 4: 0 }, false]);
});

test("of a part only its own issues count", async () => {
  const snapshot = await versionOf(60, (index) => (index === 0 ? "4" : "1"));
  const order = { columns: COLUMNS, part: recordPaths.issue(FIRST_ID) };
  expect(Object.fromEntries((await countColumns(snapshot, order)).byColumn)).toEqual({ 1: 1, 2: 0, 4: 1 });
});

test("a very large version is counted from a sample, within a few hundredths, and the counts say so", async () => {
  const snapshot = await versionOf(6_000, (index) => (index % 10 < 7 ? "4" : "1"));
  let reads = 0;
  const counting = {
    ...snapshot,
    readRecord: (path: string) => {
      reads += 1;
      return snapshot.readRecord(path);
    },
  };
  const { byColumn, isEstimate } = await countColumns(counting, { columns: COLUMNS, part: null });
  expect([isEstimate, reads <= 500]).toEqual([true, true]);
  expect(Math.abs(byColumn.get("4")! - 4_200)).toBeLessThan(300);
  expect(byColumn.get("1")! + byColumn.get("4")!).toBe(6_000);
});
