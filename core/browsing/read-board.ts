import type { BoardCard, BoardColumn, BoardView, SearchedCard } from "#connectors/contract/board-view.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { fold } from "#core/kernel/fold.ts";
import { compareRanks, type FirstCards, firstCards } from "./first-cards.ts";
import {
  CARDS_PER_COLUMN,
  CARDS_PER_PAGE,
  LEAST_CARDS_PER_COLUMN,
  MOST_CARDS_AT_FIRST,
  NOTES_PER_PAGE,
} from "./limits.ts";
import { readView, type Viewed } from "./open-view.ts";
import type { BoardPage, CardPage, ColumnPage } from "./views.ts";

/** Which cards to return: those that match the search, with or without archived ones. */
export type BoardQuery = { search: string | null; hasArchived: boolean };

/** Holds the cards whose own column is not in the version. */
const HOMELESS: BoardColumn = { id: "-", path: null, title: "", isArchived: false };

/**
 * All columns from left to right, each with its first cards. With a search, only columns with matching cards.
 *
 * @throws AppError `err.not.found` when the version has no such board, `err.version.unreadable`
 */
export async function readBoardPage(
  open: Viewed,
  { viewId, ...query }: BoardQuery & { viewId: string | null },
): Promise<BoardPage> {
  return await readView(open, { kind: "board", id: viewId }, async (board, view) => ({
    view,
    ...(await boardPage(board, query)),
  }));
}

/** The same for an open board. Keeps only the cards that are shown. */
export async function boardPage(board: BoardView, query: BoardQuery): Promise<Omit<BoardPage, "view">> {
  const columns = await board.columns();
  const isWanted = wantedBy(query, columns);
  const groups = new Map<BoardColumn, FirstCards>();
  for (const column of columns)
    if (query.search === null && (query.hasArchived || !column.isArchived)) groups.set(column, firstCards());
  const columnOf = columnFinder(columns);
  let archivedCount = 0;
  let filled = 0;
  for await (const card of board.cards({ comments: query.search !== null })) {
    const column = columnOf(card);
    if (card.isArchived || column.isArchived) archivedCount += 1;
    if (!isWanted(card)) continue;
    const group = groups.get(column) ?? firstCards();
    groups.set(column, group);
    if (group.count === 0) filled += 1;
    group.add(frontOf(card), cardsAtFirst(filled));
  }
  const inOrder = [...columns, HOMELESS].flatMap((column) => {
    const group = groups.get(column);
    return group ? [{ column, group }] : [];
  });
  const most = cardsAtFirst(inOrder.length);
  return {
    words: board.words,
    facts: await board.facts(),
    columns: inOrder.map(({ column, group }) => columnPage(column, group, { most, before: 0 })),
    cardCount: inOrder.reduce((sum, { group }) => sum + group.count, 0),
    archivedCount,
    // A column without an entry is made for its cards only, which are counted.
    archivedColumnCount: columns.filter(({ isArchived, path }) => isArchived && path !== null).length,
  };
}

/**
 * The cards of one column after a given card.
 *
 * @throws AppError `err.not.found` for a missing board, column or card, `err.version.unreadable`
 */
export async function readBoardColumn(
  open: Viewed,
  { viewId, ...query }: BoardQuery & { viewId: string | null; columnId: string; after: string | null },
): Promise<ColumnPage> {
  return await readView(open, { kind: "board", id: viewId }, (board) => boardColumn(board, query));
}

/** The same for an open board. @throws AppError `err.not.found` for a missing column or card */
export async function boardColumn(
  board: BoardView,
  query: BoardQuery & { columnId: string; after: string | null },
): Promise<ColumnPage> {
  const columns = await board.columns();
  const columnOf = columnFinder(columns);
  const column = [...columns, HOMELESS].find(({ id }) => id === query.columnId);
  const last = query.after === null ? null : await board.card(query.after);
  if (!column || (query.after !== null && (last === null || columnOf(last) !== column)))
    throw new AppError("err.not.found");
  const isWanted = wantedBy(query, columns);
  const behind = firstCards();
  let before = 0;
  let isPast = false;
  for await (const card of board.cards({ comments: query.search !== null })) {
    if (columnOf(card) !== column || !isWanted(card)) continue;
    // Cards of equal rank keep the order of the list.
    const isBehind =
      last === null || compareRanks(card, last) > 0 || (isPast && compareRanks(card, last) === 0);
    if (card.id === last?.id) isPast = true;
    if (isBehind) behind.add(frontOf(card), CARDS_PER_PAGE);
    else before += 1;
  }
  if (column === HOMELESS && before + behind.count === 0) throw new AppError("err.not.found");
  return columnPage(column, behind, { most: CARDS_PER_PAGE, before });
}

/**
 * Returns one card with a page of its comments and history.
 * @throws AppError `err.not.found`, `err.version.unreadable`
 */
export async function readCardPage(
  open: Viewed,
  order: { viewId: string | null; cardId: string; commentsAfter: string | null; historyAfter: string | null },
): Promise<CardPage> {
  return await readView(open, { kind: "board", id: order.viewId }, async (board, view) => {
    const card = await board.card(order.cardId);
    if (card === null) throw new AppError("err.not.found");
    const columns = await board.columns();
    const most = NOTES_PER_PAGE;
    return {
      view,
      words: board.words,
      card,
      column: columns.find(({ id }) => id === card.columnId)?.title ?? null,
      comments: await board.comments(card.id, { after: order.commentsAfter, most }),
      history: await board.history(card.id, { after: order.historyAfter, most }),
    };
  });
}

/** How many cards each column shows at first. The more columns a board has, the fewer. */
export function cardsAtFirst(columnCount: number): number {
  const share = Math.floor(MOST_CARDS_AT_FIRST / Math.max(1, columnCount));
  return Math.min(CARDS_PER_COLUMN, Math.max(LEAST_CARDS_PER_COLUMN, share));
}

function wantedBy(
  { search, hasArchived }: BoardQuery,
  columns: readonly BoardColumn[],
): (card: SearchedCard) => boolean {
  const columnOf = columnFinder(columns);
  const needle = fold(search ?? "");
  return (card) => {
    if (!hasArchived && (card.isArchived || columnOf(card).isArchived)) return false;
    return needle === "" || fold(textOf(card)).includes(needle);
  };
}

function columnFinder(columns: readonly BoardColumn[]): (card: { columnId: string }) => BoardColumn {
  const byId = new Map(columns.map((column) => [column.id, column]));
  return ({ columnId }) => byId.get(columnId) ?? HOMELESS;
}

function textOf({ key, title, tags, people, badges, words }: SearchedCard): string {
  return [key, title, ...tags.map(({ name }) => name), ...people, ...badges, words].join("\n");
}

/** @param before Number of cards in the column before those of the group. */
function columnPage(
  column: BoardColumn,
  group: FirstCards,
  { most, before }: { most: number; before: number },
): ColumnPage {
  const cards = group.cards.slice(0, most);
  const last = cards.at(-1);
  return {
    ...column,
    cardCount: before + group.count,
    cards,
    next: last && cards.length < group.count ? last.id : null,
  };
}

function frontOf({ words: _words, ...front }: SearchedCard): BoardCard {
  return front;
}
