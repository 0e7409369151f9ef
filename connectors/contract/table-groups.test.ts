import { expect, test } from "vitest";
import { boardColumns } from "./table-groups.ts";

test("a board has its known columns also without rows, a row in each of its own, and the loose ones last", () => {
  const rows = [
    { id: 1, names: [] },
    { id: 2, names: ["new", "night", "new"] },
    { id: 3, names: ["night"] },
  ];
  const columns = boardColumns(rows, ["day", "night"], ({ names }) => names);
  expect(columns.map(({ name, rows: held }) => [name, held.map(({ id }) => id)])).toEqual([
    ["day", []],
    ["night", [2, 3]],
    ["new", [2]],
    [null, [1]],
  ]);
  expect(boardColumns([], [], () => [])).toEqual([]);
});
