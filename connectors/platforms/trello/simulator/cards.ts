import { addAction, cardRef, listRef } from "./actions.ts";
import { newId, newShortLink, timestamp } from "./ids.ts";
import { type Place, placeAmong } from "./positions.ts";
import { tooMany } from "./refused.ts";
import type { Board, Card, Cover, List, Member, TrelloWorld } from "./state.ts";
import { forgetCard, indexCard } from "./store.ts";

/** The cover of a card without one. */
export const NO_COVER: Cover = {
  color: null,
  idAttachment: null,
  idUploadedBackground: null,
  size: "normal",
  brightness: "light",
};

/** Fields of a card that can be set directly. */
export type CardFields = Pick<
  Card,
  | "name"
  | "desc"
  | "due"
  | "dueReminder"
  | "dueComplete"
  | "start"
  | "idLabels"
  | "idMembers"
  | "address"
  | "locationName"
  | "coordinates"
  | "cardRole"
  | "isTemplate"
  | "cover"
>;

/** Creates a card at a place in its list. */
export function createCard(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: { list: List; place?: Place; at?: number } & Partial<CardFields>,
): Card {
  const { list, place, at = Date.now(), ...fields } = order;
  const siblings = board.cards.filter(({ idList, isClosed }) => idList === list.id && !isClosed);
  if (board.cards.length >= world.settings.openCardLimit) {
    const open = board.cards.filter(({ isClosed }) => !isClosed).length;
    if (open >= world.settings.openCardLimit) throw tooMany("cards.openPerBoard");
  }
  board.lastIdShort += 1;
  const card: Card = {
    id: newId(world.state, at),
    shortLink: newShortLink(),
    idShort: board.lastIdShort,
    idList: list.id,
    name: "",
    desc: "",
    isClosed: false,
    pos: placeAmong(siblings, place ?? "bottom"),
    due: null,
    dueReminder: null,
    dueComplete: false,
    start: null,
    idLabels: [],
    idMembers: [],
    membersVoted: [],
    subscribers: [],
    address: null,
    locationName: null,
    coordinates: null,
    cardRole: null,
    isTemplate: false,
    cover: { ...NO_COVER },
    attachments: [],
    stickers: [],
    checklists: [],
    customFieldItems: [],
    pluginData: [],
    dateLastActivity: timestamp(at),
    ...fields,
  };
  board.cards.push(card);
  indexCard(world.index, board, card);
  addAction(world, board, { type: "createCard", by, card, list, at });
  for (const idMember of card.idMembers) noteMember(world, board, by, { card, idMember, isAdded: true, at });
  world.save();
  return card;
}

/** Changes a card and records the previous values in the history, one action per field. */
export function editCard(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: { card: Card; place?: Place; isClosed?: boolean; at?: number } & Partial<CardFields>,
): void {
  const { card, place, isClosed, at, ...fields } = order;
  const list = board.lists.find(({ id }) => id === card.idList);
  const note = (old: Record<string, unknown>) => {
    const now = Object.fromEntries(
      Object.keys(old).map((name) => [name, (card as unknown as Record<string, unknown>)[name]]),
    );
    addAction(world, board, { type: "updateCard", by, card, list, at, data: { old, card: now } });
  };
  const { idMembers, ...plain } = fields;
  for (const [name, value] of Object.entries(plain)) {
    const before = (card as unknown as Record<string, unknown>)[name];
    if (value === undefined || JSON.stringify(value) === JSON.stringify(before)) continue;
    Object.assign(card, { [name]: value });
    note({ [name]: before });
  }
  if (idMembers !== undefined) setMembers(world, board, by, { card, idMembers, at });
  if (isClosed !== undefined && isClosed !== card.isClosed) {
    card.isClosed = isClosed;
    addAction(world, board, {
      type: "updateCard",
      by,
      card,
      list,
      at,
      data: { old: { closed: !isClosed }, card: { closed: isClosed } },
    });
  }
  if (place !== undefined) {
    const siblings = board.cards.filter(
      (known) => known !== card && known.idList === card.idList && !known.isClosed,
    );
    const old = { pos: card.pos };
    card.pos = placeAmong(siblings, place);
    note(old);
  }
  world.save();
}

/** Moves a card to another list. A card that moves to another board loses its labels and field values. */
export function moveCard(
  world: TrelloWorld,
  from: Board,
  by: Member,
  order: { card: Card; board: Board; list: List; place?: Place; at?: number },
): void {
  const { card, board, list, at } = order;
  const before = from.lists.find(({ id }) => id === card.idList);
  const siblings = board.cards.filter(
    (known) => known !== card && known.idList === list.id && !known.isClosed,
  );
  card.pos = placeAmong(siblings, order.place ?? "bottom");
  card.idList = list.id;
  if (board === from) {
    const data = {
      old: { idList: before?.id },
      card: { idList: list.id },
      listBefore: before ? listRef(before) : undefined,
      listAfter: listRef(list),
    };
    addAction(world, board, { type: "updateCard", by, card, at, data });
  } else {
    from.cards = from.cards.filter((known) => known !== card);
    board.lastIdShort += 1;
    Object.assign(card, { idShort: board.lastIdShort, idLabels: [], customFieldItems: [] });
    card.idMembers = card.idMembers.filter((id) => board.memberships.some(({ idMember }) => idMember === id));
    board.cards.push(card);
    indexCard(world.index, board, card);
    moveHistory(world, from, { board, card });
    addAction(world, from, { type: "moveCardFromBoard", by, at, data: { card: cardRef(card) } });
    addAction(world, board, { type: "moveCardToBoard", by, card, list, at });
  }
  world.save();
}

/** Moves a card's history, including its comments, to another board. */
function moveHistory(world: TrelloWorld, from: Board, { board, card }: { board: Board; card: Card }): void {
  const own = from.actions.filter(({ idCard }) => idCard === card.id);
  from.actions = from.actions.filter(({ idCard }) => idCard !== card.id);
  board.actions = [...board.actions, ...own].sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const action of own) world.index.set(action.id, { kind: "action", board, action });
}

/** Deletes a card permanently, with its comments; the rest of its history keeps its ids. */
export function deleteCard(world: TrelloWorld, board: Board, by: Member, card: Card): void {
  const list = board.lists.find(({ id }) => id === card.idList);
  for (const action of board.actions) {
    if (action.idCard !== card.id) continue;
    if (action.type === "commentCard") world.index.delete(action.id);
    else
      action.data = {
        ...action.data,
        card: { id: card.id, idShort: card.idShort, shortLink: card.shortLink },
      };
  }
  board.actions = board.actions.filter(({ type, idCard }) => type !== "commentCard" || idCard !== card.id);
  board.cards = board.cards.filter((known) => known !== card);
  forgetCard(world.index, card);
  const { id, idShort, shortLink } = card;
  addAction(world, board, { type: "deleteCard", by, list, data: { card: { id, idShort, shortLink } } });
  world.save();
}

/** Votes for a card, or removes the vote. */
export function setVote(
  world: TrelloWorld,
  board: Board,
  by: Member,
  { card, hasVoted, at }: { card: Card; hasVoted: boolean; at?: number },
): void {
  card.membersVoted = card.membersVoted.filter((id) => id !== by.id);
  if (hasVoted) card.membersVoted.push(by.id);
  addAction(world, board, { type: "voteOnCard", by, card, at, data: { voted: hasVoted } });
  world.save();
}

function setMembers(
  world: TrelloWorld,
  board: Board,
  by: Member,
  { card, idMembers, at }: { card: Card; idMembers: string[]; at?: number },
): void {
  const before = card.idMembers;
  card.idMembers = idMembers;
  for (const idMember of idMembers.filter((id) => !before.includes(id))) {
    noteMember(world, board, by, { card, idMember, isAdded: true, at });
  }
  for (const idMember of before.filter((id) => !idMembers.includes(id))) {
    noteMember(world, board, by, { card, idMember, isAdded: false, at });
  }
}

function noteMember(
  world: TrelloWorld,
  board: Board,
  by: Member,
  order: { card: Card; idMember: string; isAdded: boolean; at?: number },
): void {
  const { card, idMember, isAdded, at } = order;
  const type = isAdded ? "addMemberToCard" : "removeMemberFromCard";
  const name = world.state.members.find(({ id }) => id === idMember)?.fullName;
  addAction(world, board, { type, by, card, at, data: { idMember, member: { id: idMember, name } } });
}
