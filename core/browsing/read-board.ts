import type { BoardCard, BoardColumn, BoardView, SearchedCard } from "#connectors/contract/board-view.ts";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { SnapshotReader } from "#core/vault/index.ts";
import { fold } from "./fold.ts";
import {
  CARDS_PER_COLUMN,
  CARDS_PER_PAGE,
  LEAST_CARDS_PER_COLUMN,
  MOST_CARDS_AT_FIRST,
  NOTES_PER_PAGE,
} from "./limits.ts";
import type { OpenVersion } from "./open-for-reading.ts";
import type { BoardPage, CardPage, ColumnPage } from "./views.ts";

/** Which cards to return: those that match the search, with or without archived ones. */
export type BoardQuery = { search: string | null; hasArchived: boolean };

/** The column of cards whose own column is not in the version. */
const HOMELESS: BoardColumn = { id: "-", path: null, title: "", isArchived: false };

/** The version as a board. @throws AppError `err.not.found` when the platform has no boards */
export function openBoard(connector: PlatformConnector, view: SnapshotReader): BoardView {
  const board = connector.boardView?.(view);
  if (!board) throw new AppError("err.not.found");
  return board;
}

/** True when parts of the version can be restored: the platform supports it and the version is not damaged. */
export function canRestoreParts({
  connector,
  snapshot,
}: Pick<OpenVersion, "connector" | "snapshot">): boolean {
  return connector.restorePart !== undefined && snapshot.verifyState !== "failed";
}

/** All columns from left to right, each with its first cards. A search leaves out columns without a match. */
export async function readBoardPage(board: BoardView, query: BoardQuery): Promise<BoardPage> {
  const [facts, columns, cards] = [await board.facts(), await board.columns(), await board.cards()];
  const isWanted = wantedBy(query, columns);
  const shown = columns.filter((column) => query.hasArchived || !column.isArchived);
  const byColumn = groupCards(cards.filter(isWanted), shown);
  const groups = [...byColumn].filter(([, found]) => query.search === null || found.length > 0);
  const most = cardsAtFirst(groups.length);
  const away = new Set(columns.filter(({ isArchived }) => isArchived).map(({ id }) => id));
  return {
    facts,
    columns: groups.map(([column, found]) => columnPage(column, found, { from: 0, most })),
    cardCount: groups.reduce((sum, [, found]) => sum + found.length, 0),
    archivedCount: cards.filter(({ isArchived, columnId }) => isArchived || away.has(columnId)).length,
    archivedColumnCount: away.size,
  };
}

/** The cards of one column after a card. @throws AppError `err.not.found` when the column or card is missing */
export async function readBoardColumn(
  board: BoardView,
  query: BoardQuery & { columnId: string; after: string | null },
): Promise<ColumnPage> {
  const columns = await board.columns();
  const wanted = (await board.cards()).filter(wantedBy(query, columns));
  const group = [...groupCards(wanted, columns)].find(([{ id }]) => id === query.columnId);
  if (!group) throw new AppError("err.not.found");
  const [column, found] = group;
  const at = query.after === null ? -1 : found.findIndex(({ id }) => id === query.after);
  if (query.after !== null && at === -1) throw new AppError("err.not.found");
  return columnPage(column, found, { from: at + 1, most: CARDS_PER_PAGE });
}

/** One card with its newest comments and history, or an older page of them. @throws AppError `err.not.found` */
export async function readCardPage(
  board: BoardView,
  order: { cardId: string; commentsBefore: string | null; historyBefore: string | null },
): Promise<CardPage> {
  const card = await board.card(order.cardId);
  if (card === null) throw new AppError("err.not.found");
  const columns = await board.columns();
  const most = NOTES_PER_PAGE;
  return {
    card,
    column: columns.find(({ id }) => id === card.columnId)?.title ?? null,
    comments: await board.comments(card.id, { before: order.commentsBefore, most }),
    history: await board.history(card.id, { before: order.historyBefore, most }),
  };
}

/** How many cards of each column are shown at first. The more columns a board has, the fewer. */
export function cardsAtFirst(columnCount: number): number {
  const share = Math.floor(MOST_CARDS_AT_FIRST / Math.max(1, columnCount));
  return Math.min(CARDS_PER_COLUMN, Math.max(LEAST_CARDS_PER_COLUMN, share));
}

function wantedBy(
  { search, hasArchived }: BoardQuery,
  columns: readonly BoardColumn[],
): (card: SearchedCard) => boolean {
  const away = new Set(columns.filter(({ isArchived }) => isArchived).map(({ id }) => id));
  const needle = fold(search ?? "");
  return (card) => {
    if (!hasArchived && (card.isArchived || away.has(card.columnId))) return false;
    return needle === "" || fold(textOf(card)).includes(needle);
  };
}

function textOf({ title, tags, people, words }: SearchedCard): string {
  return [title, ...tags.map(({ name }) => name), ...people, words].join("\n");
}

function groupCards(
  cards: readonly SearchedCard[],
  columns: readonly BoardColumn[],
): Map<BoardColumn, SearchedCard[]> {
  const groups = new Map<BoardColumn, SearchedCard[]>(columns.map((column) => [column, []]));
  const byId = new Map(columns.map((column) => [column.id, column]));
  for (const card of cards) {
    const column = byId.get(card.columnId) ?? HOMELESS;
    const found = groups.get(column);
    if (found) found.push(card);
    else groups.set(column, [card]);
  }
  return groups;
}

function columnPage(
  column: BoardColumn,
  found: readonly SearchedCard[],
  { from, most }: { from: number; most: number },
): ColumnPage {
  const cards = found.slice(from, from + most);
  const last = cards.at(-1);
  return {
    ...column,
    cardCount: found.length,
    cards: cards.map(frontOf),
    next: last && from + cards.length < found.length ? last.id : null,
  };
}

function frontOf({ words: _words, ...front }: SearchedCard): BoardCard {
  return front;
}
