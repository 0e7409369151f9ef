import { readerOf, readSearch } from "#app/version/address.ts";
import { readRow, readTable } from "#app/version/read-table.server.ts";
import type { ShownRow } from "#app/version/row-view.tsx";
import {
  type ShownBlock,
  type ShownNotes,
  shownBlocks,
  shownNotes,
} from "#app/version/shown-texts.server.ts";
import type { ShownTable, TablePlace } from "#app/version/table-frame.tsx";
import {
  type OpenVersion,
  type PagePage,
  type PagesPage,
  readPageList,
  readPagePage,
  readTableCrumbs,
} from "#core/browsing/index.ts";

/** An opened page with the HTML of its texts. */
export type ShownPage = Omit<PagePage, "comments"> & { blocks: ShownBlock[]; comments: ShownNotes };

/** Children of a page in the tree; `parent` null = the roots. */
export type TreeLevel = { parent: string | null; list: PagesPage };

/** The expanded part of the tree, and the open page, table or row. */
export type PagesData = {
  place: TablePlace & { part: string | null };
  levels: TreeLevel[];
  /** Search results; null = no search. */
  found: PagesPage | null;
  page: ShownPage | null;
  table: ShownTable | null;
  row: ShownRow | null;
};

/** Maximum number of expanded levels above an open page. */
const MOST_LEVELS = 12;

/** Reads the tree around an open page, table or row, or search results. @throws AppError `err.not.found` */
export async function readPages(open: OpenVersion, query: URLSearchParams): Promise<PagesData> {
  const text = readerOf(query);
  const [viewId, part, table, after] = [text("in"), text("part"), text("table"), text("after")];
  const search = readSearch(query);
  const list = (parentId: string | null) =>
    readPageList(open, { viewId, parentId, search: null, after: null });
  const roots = await list(null);
  const data: PagesData = {
    place: { frame: "pages", table, layout: text("layout"), search, after, part },
    levels: [{ parent: null, list: roots }],
    found: null,
    page: null,
    table: null,
    row: null,
  };
  const address = { viewId, tableId: table };
  const shown = { layoutId: data.place.layout };
  const unfold = async (crumbs: readonly { id: string }[]) => {
    for (const { id } of crumbs.slice(-MOST_LEVELS)) data.levels.push({ parent: id, list: await list(id) });
  };
  if (table !== null) await unfold(await readTableCrumbs(open, { viewId, tableId: table }));
  if (table !== null && part !== null)
    data.row = await readRow(open, { ...address, rowId: part, commentsAfter: after });
  else if (table !== null) data.table = await readTable(open, { ...address, shown, search, after });
  else if (search !== null) data.found = await readPageList(open, { viewId, parentId: null, search, after });
  else {
    const pageId = part ?? roots.rows.find(({ type }) => type === "page")?.id ?? null;
    if (pageId === null) return data;
    const page = await readPagePage(open, { viewId, pageId, commentsAfter: after });
    data.page = { ...page, blocks: shownBlocks(page.page.blocks), comments: shownNotes(page.comments) };
    await unfold(page.page.crumbs);
  }
  return data;
}
