import { addAction } from "./actions.ts";
import { newId } from "./ids.ts";
import { type Place, placeAmong } from "./positions.ts";
import { tooMany } from "./refused.ts";
import type { Board, List, Member, TrelloWorld } from "./state.ts";

/** Creates a list. */
export function createList(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: { name: string; place?: Place; at?: number },
): List {
  const open = board.lists.filter(({ isClosed }) => !isClosed);
  if (open.length >= world.settings.openListLimit) throw tooMany("lists.openPerBoard");
  const list: List = {
    id: newId(world.state, order.at),
    name: order.name,
    isClosed: false,
    // By default a list goes to the top.
    pos: placeAmong(board.lists, order.place ?? "top"),
    subscribers: [],
  };
  board.lists.push(list);
  world.index.set(list.id, { kind: "list", board, list });
  addAction(world, board, { type: "createList", by, list, at: order.at });
  world.save();
  return list;
}

/** Changes a list and records the previous values in the history. */
export function editList(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: { list: List; name?: string; isClosed?: boolean; place?: Place; at?: number },
): void {
  const { list, at } = order;
  const note = (old: Record<string, unknown>) =>
    addAction(world, board, { type: "updateList", by, list, at, data: { old } });
  if (order.name !== undefined && order.name !== list.name) {
    const old = { name: list.name };
    list.name = order.name;
    note(old);
  }
  if (order.isClosed !== undefined && order.isClosed !== list.isClosed) {
    list.isClosed = order.isClosed;
    note({ closed: !order.isClosed });
  }
  if (order.place !== undefined) {
    const others = board.lists.filter((known) => known !== list);
    const old = { pos: list.pos };
    list.pos = placeAmong(others, order.place);
    note(old);
  }
  world.save();
}
