import type { TableView } from "#connectors/contract/table-view.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { readInlineTables } from "./inline-tables.ts";
import { ENTRIES_PER_PAGE, MOST_READ, MOST_SORTED, NOTES_PER_PAGE } from "./limits.ts";
import { readView, type Viewed } from "./open-view.ts";
import { type RowsQuery, readTableRows } from "./table-rows.ts";
import type { RowPage, TablePage, TableRows, ViewRow } from "./views.ts";

const LIMITS = { most: ENTRIES_PER_PAGE, mostRead: MOST_READ, mostSorted: MOST_SORTED };

/** The address of a table: a view of its own, or a table in a view of pages. */
export type TableAddress = {
  viewId: string | null;
  /** Null = the view is the table. */
  tableId: string | null;
};

/** One page of a table's rows that match the search. @throws AppError `err.not.found`, `err.version.unreadable` */
export async function readTablePage(
  open: Viewed,
  { shown, search, after, ...address }: TableAddress & Pick<RowsQuery, "shown" | "search" | "after">,
): Promise<TablePage> {
  return await readTable(open, address, async ({ table, view }) => {
    const rows = await readTableRows(table, { shown, search, after, limits: LIMITS });
    return { view, ...rows };
  });
}

/** One row with its comments, oldest first. @throws AppError `err.not.found`, `err.version.unreadable` */
export async function readRowPage(
  open: Viewed,
  { rowId, commentsAfter, ...address }: TableAddress & { rowId: string; commentsAfter: string | null },
): Promise<RowPage> {
  return await readTable(open, address, async ({ table, view, inlineTables }) => {
    const row = await table.row(rowId);
    if (row === null) throw new AppError("err.not.found");
    const { title, columns } = await table.facts();
    const comments = await table.comments(row.id, { after: commentsAfter, most: NOTES_PER_PAGE });
    const tables = commentsAfter === null ? await inlineTables(row.blocks) : {};
    return { view, table: title, columns, row, tables, comments };
  });
}

type Opened = {
  table: TableView;
  view: ViewRow;
  /** The tables that the text of a row shows. A table that is a view has no others beside it. */
  inlineTables: (blocks: Parameters<typeof readInlineTables>[1]) => Promise<Record<string, TableRows>>;
};

async function readTable<T>(
  open: Viewed,
  { viewId, tableId }: TableAddress,
  read: (opened: Opened) => Promise<T>,
): Promise<T> {
  if (tableId === null) {
    return await readView(open, { kind: "table", id: viewId }, (table, view) =>
      read({ table, view, inlineTables: async () => ({}) }),
    );
  }
  return await readView(open, { kind: "pages", id: viewId }, async (pages, view) => {
    const table = await pages.table(tableId);
    if (table === null) throw new AppError("err.not.found");
    return await read({ table, view, inlineTables: (blocks) => readInlineTables(pages, blocks) });
  });
}
