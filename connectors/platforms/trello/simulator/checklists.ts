import { addAction } from "./actions.ts";
import { newId } from "./ids.ts";
import { type Place, placeAmong } from "./positions.ts";
import { tooMany } from "./refused.ts";
import type { Board, Card, CheckItem, Checklist, Member, TrelloWorld } from "./state.ts";

/** Adds an empty checklist to a card. */
export function createChecklist(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: { card: Card; name: string; place?: Place; at?: number },
): Checklist {
  const { card, at } = order;
  if (card.checklists.length >= world.settings.checklistLimit) throw tooMany("checklists.perCard");
  const pos = placeAmong(card.checklists, order.place ?? "bottom");
  const checklist: Checklist = { id: newId(world.state, at), name: order.name, pos, checkItems: [] };
  card.checklists.push(checklist);
  world.index.set(checklist.id, { kind: "checklist", board, card, checklist });
  const data = { checklist: { id: checklist.id, name: checklist.name } };
  addAction(world, board, { type: "addChecklistToCard", by, card, at, data });
  world.save();
  return checklist;
}

/** Deletes a checklist from its card. */
export function deleteChecklist(
  world: TrelloWorld,
  board: Board,
  by: Member,
  { card, checklist }: { card: Card; checklist: Checklist },
): void {
  card.checklists = card.checklists.filter((known) => known !== checklist);
  world.index.delete(checklist.id);
  const data = { checklist: { id: checklist.id, name: checklist.name } };
  addAction(world, board, { type: "removeChecklistFromCard", by, card, data });
  world.save();
}

/** Adds an item. */
export function createCheckItem(
  world: TrelloWorld,
  board: Board,
  order: { card: Card; checklist: Checklist; name: string; place?: Place; at?: number } & Partial<
    Pick<CheckItem, "state" | "due" | "dueReminder" | "idMember">
  >,
): CheckItem {
  const { card, checklist, name, place, at, ...fields } = order;
  if (checklist.checkItems.length >= world.settings.checkItemLimit) throw tooMany("checkItems.perChecklist");
  const item: CheckItem = {
    id: newId(world.state, at),
    name,
    pos: placeAmong(checklist.checkItems, place ?? "bottom"),
    state: "incomplete",
    due: null,
    dueReminder: null,
    idMember: null,
    ...fields,
  };
  checklist.checkItems.push(item);
  touch(world, board, card, at);
  return item;
}

/** Changes an item; a change of `state` is recorded in the history. */
export function editCheckItem(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: { card: Card; checklist: Checklist; item: CheckItem; place?: Place; at?: number } & Partial<
    Pick<CheckItem, "name" | "state" | "due" | "dueReminder" | "idMember">
  >,
): void {
  const { card, checklist, item, place, at, ...fields } = order;
  const hasTurned = fields.state !== undefined && fields.state !== item.state;
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) Object.assign(item, { [name]: value });
  if (place !== undefined) {
    const others = checklist.checkItems.filter((known) => known !== item);
    item.pos = placeAmong(others, place);
  }
  if (hasTurned) {
    const data = {
      checklist: { id: checklist.id, name: checklist.name },
      checkItem: { id: item.id, name: item.name, state: item.state },
    };
    addAction(world, board, { type: "updateCheckItemStateOnCard", by, card, at, data });
  }
  touch(world, board, card, at);
}

/** Deletes an item. */
export function deleteCheckItem(
  world: TrelloWorld,
  board: Board,
  { card, checklist, item }: { card: Card; checklist: Checklist; item: CheckItem },
): void {
  checklist.checkItems = checklist.checkItems.filter((known) => known !== item);
  touch(world, board, card);
}

function touch(world: TrelloWorld, board: Board, card: Card, at: number = Date.now()): void {
  const date = new Date(at).toISOString();
  if (card.dateLastActivity < date) card.dateLastActivity = date;
  if (board.dateLastActivity < date) board.dateLastActivity = date;
  world.save();
}
