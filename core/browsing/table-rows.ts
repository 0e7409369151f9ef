import { compareRows, sortKeys } from "#connectors/contract/table-order.ts";
import type {
  SearchedRow,
  TableCell,
  TableLayout,
  TableRow,
  TableView,
} from "#connectors/contract/table-view.ts";
import { fold } from "#core/kernel/fold.ts";
import { readListPage } from "./list-page.ts";
import type { TableRows } from "./views.ts";

/** Which rows of a table to read. */
export type RowsQuery = {
  /** `all` = every row, as stored; otherwise those of a layout in its order. A null id = the first layout. */
  shown: "all" | { layoutId: string | null };
  search: string | null;
  after: string | null;
  /** Rows of the page, rows that are read to find them, and rows of the longest table that is put in order. */
  limits: { most: number; mostRead: number; mostSorted: number };
};

/** Reads one page of a table's rows that match the search. Keeps at most `mostSorted` rows in memory. */
export async function readTableRows(table: TableView, query: RowsQuery): Promise<TableRows> {
  const { shown, search, after, limits } = query;
  const facts = await table.facts();
  const layout = shown === "all" ? null : layoutOf(facts.layouts, shown.layoutId);
  const needle = fold(search ?? "");
  const isWanted = (row: SearchedRow) =>
    !(layout !== null && row.hiddenIn?.includes(layout.id)) &&
    (needle === "" || fold(textOf(row)).includes(needle));
  const isShort = facts.rowCount !== null && facts.rowCount <= limits.mostSorted;
  const isInOrder = layout !== null && isShort;
  const rows = isInOrder ? behind(await sorted(table, layout), after) : table.rows(after);
  const page = await readListPage(rows, {
    ...{ isWanted, toRow: toTableRow, markOf: ({ id }) => id },
    ...{ most: limits.most, mostScanned: limits.mostRead },
  });
  const isUnsorted = layout?.sorts !== undefined && !isShort;
  return { facts, layoutId: layout?.id ?? null, isUnsorted, ...page };
}

function layoutOf(layouts: readonly TableLayout[], id: string | null): TableLayout | null {
  return layouts.find((each) => each.id === id) ?? layouts[0] ?? null;
}

/** The rows of a short table in the order of a layout. */
async function sorted(table: TableView, { sorts = [] }: TableLayout): Promise<SearchedRow[]> {
  const lines: { row: SearchedRow; keys: ReturnType<typeof sortKeys>; rank: number | string | undefined }[] =
    [];
  for await (const row of table.rows(null)) lines.push({ row, keys: sortKeys(row, sorts), rank: row.rank });
  return lines.sort((one, other) => compareRows(one, other, sorts)).map(({ row }) => row);
}

/** The rows behind the one with this id; all when there is none. */
async function* behind(
  rows: readonly SearchedRow[],
  after: string | null,
): AsyncGenerator<SearchedRow, void> {
  yield* rows.slice(rows.findIndex(({ id }) => id === after) + 1);
}

function textOf({ key, title, cells, words }: SearchedRow): string {
  return [key, title, ...Object.values(cells).map(cellText), words].join("\n");
}

/** The text of a cell that a search matches. */
function cellText(cell: TableCell): string {
  switch (cell.type) {
    case "text":
    case "number":
      return cell.text;
    case "tags":
      return cell.tags.map(({ name }) => name).join("\n");
    case "files":
      return cell.files.map(({ name }) => name).join("\n");
    case "rows":
      return cell.rows.map(({ title }) => title).join("\n");
    case "date":
    case "check":
      return "";
    default:
      return cell satisfies never;
  }
}

function toTableRow({ words: _words, hiddenIn: _hiddenIn, rank: _rank, ...row }: SearchedRow): TableRow {
  return row;
}
