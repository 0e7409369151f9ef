import type { PageCrumb, PageNode } from "#connectors/contract/pages-view.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { fold } from "#core/kernel/fold.ts";
import { readInlineTables } from "./inline-tables.ts";
import { MOST_SCANNED, NOTES_PER_PAGE } from "./limits.ts";
import { readListPage } from "./list-page.ts";
import { readView, type Viewed } from "./open-view.ts";
import type { PagePage, PagesPage } from "./views.ts";

/**
 * Which pages to list: those directly below one (null = the roots), or on every level those whose titles match or of one
 * type; after the page with an id.
 */
export type PageQuery = {
  viewId: string | null;
  parentId: string | null;
  search: string | null;
  type?: PageNode["type"] | null;
  after: string | null;
};

/** Pages and tables below a page, or found by title. @throws AppError `err.not.found`, `err.version.unreadable` */
export async function readPageList(
  open: Viewed,
  { viewId, parentId, search, type = null, after }: PageQuery,
): Promise<PagesPage> {
  const needle = fold(search ?? "");
  return await readView(open, { kind: "pages", id: viewId }, async (pages, view) => {
    const { pageCount, tableCount } = pages;
    const isLevel = needle === "" && type === null;
    const nodes = isLevel ? pages.children(parentId, after) : pages.all(after);
    const page = await readListPage(nodes, {
      isWanted: (node) =>
        (needle === "" || fold(node.title).includes(needle)) && (type === null || node.type === type),
      toRow: (node: PageNode) => node,
      markOf: ({ id }) => id,
      mostScanned: MOST_SCANNED,
    });
    return { view, pageCount, tableCount, ...page };
  });
}

/** One page with its comments, oldest first. @throws AppError `err.not.found`, `err.version.unreadable` */
export async function readPagePage(
  open: Viewed,
  { viewId, pageId, commentsAfter }: { viewId: string | null; pageId: string; commentsAfter: string | null },
): Promise<PagePage> {
  return await readView(open, { kind: "pages", id: viewId }, async (pages, view) => {
    const page = await pages.page(pageId);
    if (page === null) throw new AppError("err.not.found");
    const comments = await pages.comments(page.id, { after: commentsAfter, most: NOTES_PER_PAGE });
    // Further comments are shown without the text.
    const tables = commentsAfter === null ? await readInlineTables(pages, page.blocks) : {};
    return { view, page, tables, comments };
  });
}

/** The pages above a table, from the root down. @throws AppError `err.not.found`, `err.version.unreadable` */
export async function readTableCrumbs(
  open: Viewed,
  { viewId, tableId }: { viewId: string | null; tableId: string },
): Promise<PageCrumb[]> {
  return await readView(open, { kind: "pages", id: viewId }, async (pages) => {
    return (await pages.crumbsOfTable?.(tableId)) ?? [];
  });
}
