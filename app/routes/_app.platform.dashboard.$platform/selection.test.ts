import { expect, test } from "vitest";
import { itemOf, progressOf } from "#tests/harness/view-fixtures.ts";
import { canSelectAll, headState, NOTHING_SELECTED, refreshed, withItem, withItems } from "./selection.ts";

const a = itemOf({ id: "a" });
const b = itemOf({ id: "b" });
const busy = itemOf({ id: "busy", activeRun: progressOf() });
const fresh = itemOf({ id: "fresh", status: "initialized" });

test("[P-224] selecting all skips items in progress", () => {
  expect([...withItems(NOTHING_SELECTED, [a, busy, b, fresh], true).keys()]).toEqual(["a", "b"]);
});

test("an item in progress cannot be selected individually either", () => {
  expect(withItem(NOTHING_SELECTED, busy, true).size).toBe(0);
});

test("the header checkbox is mixed if only some selectable rows are selected", () => {
  const one = withItem(NOTHING_SELECTED, a, true);
  expect(headState(NOTHING_SELECTED, [a, b, busy])).toBe(false);
  expect(headState(one, [a, b, busy])).toBe("indeterminate");
  expect(headState(withItem(one, b, true), [a, b, busy])).toBe(true);
  expect(headState(NOTHING_SELECTED, [busy])).toBe(false);
});

test("an item whose backup starts is deselected; rows of other pages stay", () => {
  const chosen = withItems(NOTHING_SELECTED, [a, b], true);
  const next = refreshed(chosen, [{ ...a, activeRun: progressOf() }]);
  expect([...next.keys()]).toEqual(["b"]);
  expect(refreshed(chosen, [a])).toBe(chosen);
});

test("[P-449] Select all works up to 50 rows of the list and is disabled above", () => {
  expect([0, 1, 50].map(canSelectAll)).toEqual([true, true, true]);
  expect([51, 1000].map(canSelectAll)).toEqual([false, false]);
});
