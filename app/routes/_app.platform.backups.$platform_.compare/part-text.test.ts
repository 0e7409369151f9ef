import { expect, test } from "vitest";
import type { PartDifference } from "#core/comparisons/views.ts";
import { differencesCsv } from "./differences-csv.ts";
import { fieldName, type PartsDifference, partText } from "./part-text.ts";

const none = { added: 0, changed: 0, removed: 0, rows: [] };
const board: PartsDifference = {
  ...{ kind: "board", id: "board", label: "Board", columns: none, parts: none },
  words: {
    card: { one: "ticket", many: "tickets" },
    column: { one: "lane", many: "lanes" },
    people: "crew",
    away: "stowed",
  },
};
const threads: PartsDifference = { kind: "thread", id: "issues", label: "Issues", parts: none };
const changed = (...what: PartDifference["what"]): PartDifference => ({
  ...{ partId: "1", path: "a", key: null, title: "Crane", change: "changed", place: null, what },
});

test("the fields of a board have the words of its platform, those of another view the common ones", () => {
  const names = (view: PartsDifference) =>
    (["column", "people", "files", "tags"] as const).map((field) => fieldName(view, field));
  expect(names(board)).toEqual(["lane", "crew", "attachments", "labels"]);
  expect(names(threads)).toEqual(["column", "people", "files", "labels"]);
});

test("a move is told with the places that the versions have", () => {
  const move = changed({ type: "moved", from: "", to: "Done" }, { type: "field", field: "people" });
  expect(partText(board, move)).toBe("Moved from a lane that is not in the version to Done. Edited: crew");
  expect(partText(threads, move)).toBe(
    "Moved from a place that is not in the version to Done. Edited: people",
  );
});

test("the lines of a board have the words of its platform in the file too", () => {
  const side = { snapshotId: "snp_1", takenAt: 0, sizeBytes: 0 };
  const view: PartsDifference = {
    ...board,
    columns: { ...none, removed: 1 },
    parts: { ...none, changed: 1, rows: [changed()] },
  };
  const csv = differencesCsv({
    ...{ before: side, after: side, parts: {}, isCut: false, kinds: [], views: [view] },
  });
  expect(csv.split("\r\n")).toEqual([
    "part,change,name",
    "lane,not listed,1 more",
    "ticket,changed,Crane",
    "",
  ]);
});
