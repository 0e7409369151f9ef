import { expect, test } from "vitest";
import type { SearchedRow, TableLayout, TableView } from "#connectors/contract/table-view.ts";
import { type RowsQuery, readTableRows } from "./table-rows.ts";

const state = (name: string) => ({
  type: "tags" as const,
  tags: [{ name, hue: null, shade: "normal" as const }],
});
const weight = (value: number) => ({ type: "number" as const, value, text: `${value} kg` });

function row(id: string, cells: SearchedRow["cells"], more: Partial<SearchedRow> = {}): SearchedRow {
  return {
    ...{ id, path: `rows/${id}`, key: null, title: `Belt ${id}`, isArchived: false },
    cells,
    words: "",
    ...more,
  };
}

/** Counts the rows that are read. */
function tableOf(
  rows: SearchedRow[],
  layouts: Partial<TableLayout>[],
  rowCount: number | null = rows.length,
) {
  const read: string[] = [];
  const table: Pick<TableView, "facts" | "rows"> = {
    facts: async () => ({
      ...{ path: null, title: "Belts", icon: null, text: "", url: null, rowCount },
      columns: [
        { id: "s", name: "State", type: "tags" },
        { id: "w", name: "Weight", type: "number" },
      ],
      layouts: layouts.map((layout, at) => ({
        ...{ id: `l${at}`, label: "", type: "table", columns: [], ...layout },
      })) as TableLayout[],
    }),
    async *rows(after) {
      for (const each of rows.slice(rows.findIndex(({ id }) => id === after) + 1)) {
        read.push(each.id);
        yield each;
      }
    },
  };
  return { table: table as TableView, read };
}

const limits = { most: 2, mostRead: 100, mostSorted: 10 };
const query = (more: Partial<RowsQuery> = {}): RowsQuery => ({
  ...{ shown: { layoutId: null }, search: null, after: null, limits, ...more },
});
async function pagesOf(table: TableView, more: Partial<RowsQuery> = {}): Promise<string[][]> {
  const pages: string[][] = [];
  for (let after: string | null = null; pages.length < 9; ) {
    const page = await readTableRows(table, query({ ...more, after }));
    pages.push(page.rows.map(({ id }) => id));
    after = page.next;
    if (after === null) break;
  }
  return pages;
}

const BELTS = [
  row("1", { s: state("Running"), w: weight(20) }, { rank: "2026-03" }),
  row("2", { s: state("Watch"), w: weight(9) }, { rank: "2026-01" }),
  row("3", {}, { rank: "2026-02" }),
  row("4", { s: state("Running"), w: weight(100) }, { rank: "2026-04", hiddenIn: ["l1"] }),
];

test("a layout orders rows by its sorts, page by page, and rows without a value come last", async () => {
  const order = ["Watch", "Running"];
  const { table } = tableOf(BELTS, [
    {
      sorts: [
        { column: "s", isDescending: false, order },
        { column: "w", isDescending: true },
      ],
    },
  ]);
  expect(await pagesOf(table)).toEqual([
    ["2", "4"],
    ["1", "3"],
  ]);
  const { table: other } = tableOf(BELTS, [{ sorts: [{ column: "w", isDescending: true }] }]);
  expect(await pagesOf(other)).toEqual([
    ["4", "1"],
    ["2", "3"],
  ]);
});

test("a layout without sorts keeps the table's own order, and all rows come as they are stored", async () => {
  const { table } = tableOf(BELTS, [{}]);
  expect(await pagesOf(table)).toEqual([
    ["2", "3"],
    ["1", "4"],
  ]);
  expect(await pagesOf(table, { shown: "all" })).toEqual([
    ["1", "2"],
    ["3", "4"],
  ]);
});

test("a layout leaves out what its filter hides, also from a search", async () => {
  const { table } = tableOf(BELTS, [{}, { hasFilter: true }]);
  const shown = { layoutId: "l1" };
  expect(await pagesOf(table, { shown })).toEqual([["2", "3"], ["1"]]);
  expect(await pagesOf(table, { shown, search: "belt 4" })).toEqual([[]]);
  expect(await pagesOf(table, { search: "belt 4" })).toEqual([["4"]]);
  const page = await readTableRows(table, query({ shown }));
  expect(page).toMatchObject({ layoutId: "l1", isUnsorted: false });
  expect(JSON.stringify(page.rows)).not.toMatch(/hiddenIn|rank|words/);
});

test("a long table is not put in order and says so, and only its page is read", async () => {
  const many = Array.from({ length: 25_000 }, (_, at) => row(String(at), { w: weight(-at) }));
  const sorts = [{ column: "w", isDescending: false }];
  for (const rowCount of [many.length, null]) {
    const { table, read } = tableOf(many, [{ sorts }], rowCount);
    const page = await readTableRows(table, query());
    expect([page.rows.map(({ id }) => id), page.next, page.isUnsorted]).toEqual([["0", "1"], "1", true]);
    expect(read).toHaveLength(3);
  }
  const { table, read } = tableOf(many, [{ hasFilter: true }], null);
  for (const each of many) each.hiddenIn = ["l0"];
  expect(await readTableRows(table, query())).toMatchObject({ rows: [], next: "99", isPaused: true });
  expect(read).toHaveLength(100);
});

test("a table without layouts shows all rows", async () => {
  const { table } = tableOf(BELTS, []);
  expect(await readTableRows(table, query())).toMatchObject({ layoutId: null, isUnsorted: false, next: "2" });
});
