import { newId, timestamp } from "./ids.ts";
import type { Action, Board, Card, List, Member, TrelloWorld } from "./state.ts";

/** How an action references a board. */
export const boardRef = ({ id, name, shortLink }: Board) => ({ id, name, shortLink });
/** How an action references a list. */
export const listRef = ({ id, name }: List) => ({ id, name });
/** How an action references a card. */
export const cardRef = ({ id, name, idShort, shortLink }: Card) => ({ id, name, idShort, shortLink });

/**
 * Adds an entry to a board's history and updates the last activity of board and card.
 * @param order.at epoch milliseconds; default = now
 */
export function addAction(
  world: TrelloWorld,
  board: Board,
  order: {
    type: string;
    by: Member;
    card?: Card;
    list?: List;
    data?: Record<string, unknown>;
    at?: number;
  },
): Action {
  const at = order.at ?? Date.now();
  const action: Action = {
    id: newId(world.state, at),
    type: order.type,
    date: timestamp(at),
    idMemberCreator: order.by.id,
    idCard: order.card?.id ?? null,
    idList: order.list?.id ?? null,
    data: {
      ...order.data,
      ...(order.card
        ? { card: { ...cardRef(order.card), ...(order.data?.card as object | undefined) } }
        : {}),
      ...(order.list ? { list: listRef(order.list) } : {}),
      board: boardRef(board),
    },
    reactions: [],
  };
  const last = board.actions.at(-1);
  board.actions.push(action);
  if (last && last.id > action.id) board.actions.sort((one, other) => (one.id < other.id ? -1 : 1));
  world.index.set(action.id, { kind: "action", board, action });
  if (board.dateLastActivity < action.date) board.dateLastActivity = action.date;
  if (order.card && order.card.dateLastActivity < action.date) order.card.dateLastActivity = action.date;
  return action;
}

/** Adds a comment. */
export function addComment(
  world: TrelloWorld,
  board: Board,
  order: { card: Card; by: Member; text: string; at?: number },
): Action {
  const list = board.lists.find(({ id }) => id === order.card.idList);
  return addAction(world, board, {
    type: "commentCard",
    by: order.by,
    card: order.card,
    list,
    at: order.at,
    data: { text: order.text, textData: { emoji: {} } },
  });
}

/** Edits a comment. Its date stays; `dateLastEdited` holds the time of the edit. */
export function editComment(action: Action, text: string, at: number = Date.now()): void {
  action.data = { ...action.data, text, dateLastEdited: timestamp(at) };
}

/** Deletes an action. At Trello a deleted comment leaves no trace. */
export function deleteAction(world: TrelloWorld, board: Board, action: Action): void {
  board.actions = board.actions.filter((known) => known !== action);
  world.index.delete(action.id);
}

/** The number of comments per card of a board. */
export function commentCounts(board: Board): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type, idCard } of board.actions) {
    if (type === "commentCard" && idCard !== null) counts.set(idCard, (counts.get(idCard) ?? 0) + 1);
  }
  return counts;
}
