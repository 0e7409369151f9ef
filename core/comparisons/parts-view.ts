import type { BoardView } from "#connectors/contract/board-view.ts";
import type { EntryRole } from "#connectors/contract/entry-role.ts";
import type { Note } from "#connectors/contract/note.ts";
import type { PagesView } from "#connectors/contract/pages-view.ts";
import type { TableView } from "#connectors/contract/table-view.ts";
import type { ThreadsView } from "#connectors/contract/thread-view.ts";
import type { View } from "#connectors/contract/view.ts";
import { cardValues, type PartValue, pageValues, rowValues, threadValues } from "./part-values.ts";

/** A part of any view, as comparisons use it. */
export type ComparedPart = {
  path: string;
  key: string | null;
  title: string;
  /** Its column, or its parent page; null = it has none. */
  place: { id: string; title: string } | null;
  /** Its position within `place`; null = no position. */
  rank: number | string | null;
  isArchived: boolean;
  values: PartValue[];
};

/** A view as comparisons use it: parts, and the entries that belong to them. */
export type PartsView = {
  roleOf(entry: { path: string; kind: string }): EntryRole | null;
  /** One part; null when the version does not have it. */
  part(id: string): Promise<ComparedPart | null>;
  comment(path: string): Promise<Note | null>;
};

/** Opens a view for a comparison. Files have no parts: they are compared by their trees. */
export async function openParts(view: Exclude<View, { kind: "files" }>): Promise<PartsView> {
  switch (view.kind) {
    case "board":
      return boardParts(await view.open());
    case "thread":
      return threadParts(await view.open());
    case "pages":
      return pageParts(await view.open());
    case "table":
      return rowParts(await view.open());
    default:
      return view satisfies never;
  }
}

function boardParts(board: BoardView): PartsView {
  return {
    roleOf: board.roleOf,
    comment: board.comment,
    async part(id) {
      const card = await board.card(id);
      if (card === null) return null;
      const column = (await board.columns()).find((each) => each.id === card.columnId);
      const { path, key, title, rank, isArchived } = card;
      const place = { id: card.columnId, title: column?.title ?? "" };
      return { path, key, title, place, rank, isArchived, values: cardValues(card, column?.title ?? null) };
    },
  };
}

/** For parts without a place that cannot be archived. */
const LOOSE = { place: null, rank: null, isArchived: false };

function threadParts(threads: ThreadsView): PartsView {
  return {
    roleOf: threads.roleOf,
    comment: threads.comment,
    async part(id) {
      const thread = await threads.thread(id);
      if (thread === null) return null;
      const { path, key, title } = thread;
      return { ...LOOSE, path, key, title, values: threadValues(thread) };
    },
  };
}

function pageParts(pages: PagesView): PartsView {
  return {
    roleOf: pages.roleOf,
    comment: pages.comment,
    async part(id) {
      const page = await pages.page(id);
      if (page === null) return null;
      const { path, title, isArchived } = page;
      const place = page.crumbs.at(-1) ?? null;
      return { ...LOOSE, path, key: null, title, place, isArchived, values: pageValues(page) };
    },
  };
}

function rowParts(table: TableView): PartsView {
  return {
    roleOf: table.roleOf,
    comment: table.comment,
    async part(id) {
      const row = await table.row(id);
      if (row === null) return null;
      const { columns } = await table.facts();
      const { path, key, title, isArchived } = row;
      return { ...LOOSE, path, key, title, isArchived, values: rowValues(row, columns) };
    },
  };
}
