import type { SearchedRow, TableCell, TableRow, TableView } from "#connectors/contract/table-view.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { fold } from "./fold.ts";
import { MOST_READ, NOTES_PER_PAGE } from "./limits.ts";
import { readListPage } from "./list-page.ts";
import { readView, type Viewed } from "./open-view.ts";
import type { RowPage, TablePage, ViewRow } from "./views.ts";

/** The address of a table: a view of its own, or a table in a view of pages. */
export type TableAddress = {
  viewId: string | null;
  /** Null = the view is the table. */
  tableId: string | null;
};

/** One page of a table's rows that match the search. @throws AppError `err.not.found`, `err.version.unreadable` */
export async function readTablePage(
  open: Viewed,
  { search, after, ...address }: TableAddress & { search: string | null; after: string | null },
): Promise<TablePage> {
  const needle = fold(search ?? "");
  return await readTable(open, address, async (table, view) => {
    const page = await readListPage(table.rows(after), {
      isWanted: (row) => needle === "" || fold(textOf(row)).includes(needle),
      toRow: toTableRow,
      markOf: ({ id }) => id,
      mostScanned: MOST_READ,
    });
    return { view, facts: await table.facts(), ...page };
  });
}

/** One row with its comments, oldest first. @throws AppError `err.not.found`, `err.version.unreadable` */
export async function readRowPage(
  open: Viewed,
  { rowId, commentsAfter, ...address }: TableAddress & { rowId: string; commentsAfter: string | null },
): Promise<RowPage> {
  return await readTable(open, address, async (table, view) => {
    const row = await table.row(rowId);
    if (row === null) throw new AppError("err.not.found");
    const { title, columns } = await table.facts();
    const comments = await table.comments(row.id, { after: commentsAfter, most: NOTES_PER_PAGE });
    return { view, table: title, columns, row, comments };
  });
}

async function readTable<T>(
  open: Viewed,
  { viewId, tableId }: TableAddress,
  read: (table: TableView, view: ViewRow) => Promise<T>,
): Promise<T> {
  if (tableId === null) return await readView(open, { kind: "table", id: viewId }, read);
  return await readView(open, { kind: "pages", id: viewId }, async (pages, view) => {
    const table = await pages.table(tableId);
    if (table === null) throw new AppError("err.not.found");
    return await read(table, view);
  });
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

function toTableRow({ words: _words, ...row }: SearchedRow): TableRow {
  return row;
}
