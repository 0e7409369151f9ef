import { expect, test } from "vitest";
import { compareRows, sortKeys } from "./table-order.ts";
import type { TableCell, TableSort } from "./table-view.ts";

/** Titles of rows with these cells in the column `c`, in their order. */
function order(cells: Record<string, TableCell | undefined>, sort: Partial<TableSort> = {}): string[] {
  const sorts = [{ column: "c", isDescending: false, ...sort }];
  const rows = Object.entries(cells).map(([title, cell]) => {
    const held: Record<string, TableCell> = cell === undefined ? {} : { c: cell };
    const row = { title, cells: held };
    return { title, keys: sortKeys(row, sorts), rank: title };
  });
  return rows.sort((one, other) => compareRows(one, other, sorts)).map(({ title }) => title);
}
const text = (words: string): TableCell => ({ type: "text", text: words });
const tag = (name: string): TableCell => ({ type: "tags", tags: [{ name, hue: null, shade: "normal" }] });

test("cells are ordered by size, time, alphabet or the order of the column's values", () => {
  const number = (value: number): TableCell => ({ type: "number", value, text: `${value} kg` });
  expect(order({ a: number(100), b: number(9), c: number(-1) })).toEqual(["c", "b", "a"]);
  const date = (from: number): TableCell => ({ type: "date", from, until: null, hasTime: false });
  expect(order({ a: date(2), b: date(1) })).toEqual(["b", "a"]);
  expect(order({ a: { type: "check", isOn: true }, b: { type: "check", isOn: false } })).toEqual(["b", "a"]);
  expect(order({ a: text("Belt 10"), b: text("belt 9"), c: text("Ärmel") })).toEqual(["c", "b", "a"]);
  const names = { a: tag("Running"), b: tag("Watch"), c: tag("A later one") };
  expect(order(names, { order: ["Watch", "Running"] })).toEqual(["b", "a", "c"]);
  expect(order(names)).toEqual(["c", "a", "b"]);
  expect(order({ b: text("x"), a: text("y") }, { column: null })).toEqual(["a", "b"]);
});

test("rows without a value are last in both directions, and equal rows stand by their rank", () => {
  const cells = { a: undefined, b: text("1"), c: text("2"), d: text(" "), e: text("1") };
  expect(order(cells)).toEqual(["b", "e", "c", "a", "d"]);
  expect(order(cells, { isDescending: true })).toEqual(["c", "b", "e", "a", "d"]);
});
