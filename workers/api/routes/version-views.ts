import { z } from "zod";
import {
  listViews,
  openForReading,
  readBoardColumn,
  readBoardPage,
  readCardPage,
  readFileSizes,
  readPageList,
  readPagePage,
  readRowPage,
  readTablePage,
  readThreadList,
  readThreadPage,
  readTreePage,
} from "#core/browsing/index.ts";
import { type Api, mountRoute, type Route } from "../mount-route.ts";
import { READS_VERSION } from "../version-answers.ts";
import {
  boardAnswer,
  cardAnswer,
  columnAnswer,
  fileSizesAnswer,
  filesAnswer,
  pageAnswer,
  pagesAnswer,
  rowAnswer,
  tableAnswer,
  threadAnswer,
  threadsAnswer,
  viewsAnswer,
} from "../view-answers.ts";
import { optional, pathText, wireId, wireText } from "../wire-fields.ts";

const version = { itemId: wireId, snapshotId: wireId };
/** Id of a view; absent = the first of the kind that the call shows. */
const view = optional(wireText(100));
/** Id of a card, thread, page or row. */
const part = wireText(300);
const search = wireText(100)
  .nullish()
  .transform((text) => text?.trim() || null);
const shared = { ...version, view };
/** Selects the cards of a board. */
const boardQuery = {
  search,
  /** `1` = include archived columns and cards. */
  archived: z
    .enum(["0", "1"])
    .nullish()
    .transform((text) => text === "1"),
};

/** Mounts the calls that show the views of a version: files, boards, threads, pages and tables. */
export function mountVersionViews(api: Api): void {
  mountFiles(api);
  mountFileSizes(api);
  mountBoards(api);
  mountThreads(api);
  mountPages(api);
  mountTables(api);
}

/** Mounts a call that reads from a version. */
function mountReading<Input extends z.core.$ZodType>(
  api: Api,
  route: Pick<Route<Input>, "path" | "summary" | "input" | "result"> & {
    handle: Extract<Route<Input>, { isPublic?: false }>["handle"];
  },
): void {
  mountRoute(api, { ...route, method: "GET", tag: "Versions", refuses: READS_VERSION } as Route<Input>);
}

function mountFiles(api: Api): void {
  mountReading(api, {
    path: "/versions/views",
    summary: "The ways to look at a version, the main one first",
    input: z.strictObject(version),
    result: viewsAnswer,
    handle: async (s, m, order) => ({ result: await listViews(await openForReading(s, m, order)) }),
  });
  mountReading(api, {
    path: "/versions/files",
    summary: "A folder or a file of a version, under one of its branches or tags",
    input: z.strictObject({
      ...shared,
      /** Older name of `view`. */
      tree: optional(wireText(100)),
      ref: optional(pathText),
      path: pathText.default(""),
    }),
    result: filesAnswer,
    handle: async (s, m, { view, tree, ref, path, ...order }) => {
      const open = await openForReading(s, m, order);
      const page = await readTreePage(open, { viewId: view ?? tree, ref, path });
      const { views } = await listViews(open);
      const trees = views.flatMap(({ kind, id, label }) => (kind === "files" ? [{ name: id, label }] : []));
      return { result: { ...page, trees, tree: page.view.id } };
    },
  });
}

function mountFileSizes(api: Api): void {
  mountReading(api, {
    path: "/versions/file-sizes",
    summary: "The sizes of the first files of a folder of a version",
    input: z.strictObject({ ...shared, ref: optional(pathText), path: pathText.default("") }),
    result: fileSizesAnswer,
    handle: async (s, m, { view, ref, path, ...order }) => {
      const open = await openForReading(s, m, order);
      return { result: await readFileSizes(open, { viewId: view, ref, path }) };
    },
  });
}

function mountBoards(api: Api): void {
  mountReading(api, {
    path: "/versions/board",
    summary: "A version as a board: its columns, each with its first cards",
    input: z.strictObject({ ...shared, ...boardQuery }),
    result: boardAnswer,
    handle: async (s, m, { view, search, archived, ...order }) => {
      const open = await openForReading(s, m, order);
      return { result: await readBoardPage(open, { viewId: view, search, hasArchived: archived }) };
    },
  });
  mountReading(api, {
    path: "/versions/board-column",
    summary: "The cards of one column of a version's board, behind a card",
    input: z.strictObject({ ...shared, ...boardQuery, column: wireText(200), after: optional(part) }),
    result: columnAnswer,
    handle: async (s, m, { view, search, archived, column, after, ...order }) => {
      const open = await openForReading(s, m, order);
      const query = { viewId: view, search, hasArchived: archived, columnId: column, after };
      return { result: await readBoardColumn(open, query) };
    },
  });
  mountReading(api, {
    path: "/versions/card",
    summary: "One card of a version's board with its comments and history, the newest first",
    input: z.strictObject({
      ...shared,
      card: part,
      commentsBefore: optional(pathText),
      historyBefore: optional(pathText),
    }),
    result: cardAnswer,
    handle: async (s, m, { view, card, commentsBefore, historyBefore, ...order }) => {
      const open = await openForReading(s, m, order);
      const marks = { commentsAfter: commentsBefore, historyAfter: historyBefore };
      return { result: await readCardPage(open, { viewId: view, cardId: card, ...marks }) };
    },
  });
}

function mountThreads(api: Api): void {
  mountReading(api, {
    path: "/versions/threads",
    summary: "Threads of a version, such as issues or releases, newest first and page by page",
    input: z.strictObject({
      ...shared,
      state: optional(z.enum(["open", "closed"])),
      search,
      after: optional(part),
    }),
    result: threadsAnswer,
    handle: async (s, m, { view, state, search, after, ...order }) => {
      const open = await openForReading(s, m, order);
      return { result: await readThreadList(open, { viewId: view, state, search, after }) };
    },
  });
  mountReading(api, {
    path: "/versions/thread",
    summary: "One thread of a version with its comments and events, the oldest first",
    input: z.strictObject({ ...shared, thread: part, after: optional(pathText) }),
    result: threadAnswer,
    handle: async (s, m, { view, thread, after, ...order }) => {
      const open = await openForReading(s, m, order);
      return { result: await readThreadPage(open, { viewId: view, threadId: thread, notesAfter: after }) };
    },
  });
}

function mountPages(api: Api): void {
  mountReading(api, {
    path: "/versions/pages",
    summary: "Pages and tables of a version right below one, or those found by their titles or type",
    input: z.strictObject({
      ...shared,
      /** Absent = the roots. */
      parent: optional(part),
      search,
      /** Those of one type, on every level. */
      type: optional(z.enum(["page", "table"])),
      after: optional(part),
    }),
    result: pagesAnswer,
    handle: async (s, m, { view, parent, search, type, after, ...order }) => {
      const open = await openForReading(s, m, order);
      return { result: await readPageList(open, { viewId: view, parentId: parent, search, type, after }) };
    },
  });
  mountReading(api, {
    path: "/versions/page",
    summary: "One page of a version with its comments, the oldest first",
    input: z.strictObject({ ...shared, page: part, after: optional(pathText) }),
    result: pageAnswer,
    handle: async (s, m, { view, page, after, ...order }) => {
      const open = await openForReading(s, m, order);
      return { result: await readPagePage(open, { viewId: view, pageId: page, commentsAfter: after }) };
    },
  });
}

function mountTables(api: Api): void {
  /** A table inside a view of pages; absent = the view is the table. */
  const table = optional(part);
  mountReading(api, {
    path: "/versions/table",
    summary: "A table of a version: its columns, and its rows page by page",
    input: z.strictObject({
      ...shared,
      table,
      /** Its rows in its order. Absent = all rows, as stored. */
      layout: optional(wireText(100)),
      search,
      after: optional(part),
    }),
    result: tableAnswer,
    handle: async (s, m, { view, table, layout, search, after, ...order }) => {
      const open = await openForReading(s, m, order);
      const shown = layout === null ? "all" : { layoutId: layout };
      return { result: await readTablePage(open, { viewId: view, tableId: table, shown, search, after }) };
    },
  });
  mountReading(api, {
    path: "/versions/row",
    summary: "One row of a version's table with its comments, the oldest first",
    input: z.strictObject({ ...shared, table, row: part, after: optional(pathText) }),
    result: rowAnswer,
    handle: async (s, m, { view, table, row, after, ...order }) => {
      const open = await openForReading(s, m, order);
      const asked = { viewId: view, tableId: table, rowId: row, commentsAfter: after };
      return { result: await readRowPage(open, asked) };
    },
  });
}
