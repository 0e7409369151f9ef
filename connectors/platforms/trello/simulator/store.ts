import type { Board, Card, Found, Member, Organization, TrelloState, TrelloWorld } from "./state.ts";

/** Builds the index of everything that has an id. */
export function indexOf(state: TrelloState): Map<string, Found> {
  const index = new Map<string, Found>();
  for (const board of state.boards) indexBoard(index, board);
  return index;
}

/** Adds a board and everything on it to the index. */
export function indexBoard(index: Map<string, Found>, board: Board): void {
  for (const key of [board.id, board.shortLink]) index.set(key, { kind: "board", board });
  for (const list of board.lists) index.set(list.id, { kind: "list", board, list });
  for (const label of board.labels) index.set(label.id, { kind: "label", board, label });
  for (const field of board.customFields) index.set(field.id, { kind: "customField", board, field });
  for (const action of board.actions) index.set(action.id, { kind: "action", board, action });
  for (const card of board.cards) indexCard(index, board, card);
}

/** Adds a card and its parts to the index. */
export function indexCard(index: Map<string, Found>, board: Board, card: Card): void {
  for (const key of [card.id, card.shortLink]) index.set(key, { kind: "card", board, card });
  for (const checklist of card.checklists)
    index.set(checklist.id, { kind: "checklist", board, card, checklist });
  for (const attachment of card.attachments) {
    index.set(attachment.id, { kind: "attachment", board, card, attachment });
  }
}

/** Removes a card and its parts from the index. */
export function forgetCard(index: Map<string, Found>, card: Card): void {
  for (const key of [card.id, card.shortLink]) index.delete(key);
  for (const { id } of [...card.checklists, ...card.attachments]) index.delete(id);
}

/** Removes a board and everything on it from the index. */
export function forgetBoard(index: Map<string, Found>, board: Board): void {
  for (const key of [board.id, board.shortLink]) index.delete(key);
  const things = [...board.lists, ...board.labels, ...board.customFields, ...board.actions];
  for (const { id } of things) index.delete(id);
  for (const card of board.cards) forgetCard(index, card);
}

/** Finds a thing of one kind by its id or short link; null when it is missing. */
export function find<K extends Found["kind"]>(
  world: TrelloWorld,
  kind: K,
  key: string,
): Extract<Found, { kind: K }> | null {
  const found = world.index.get(key);
  return found?.kind === kind ? (found as Extract<Found, { kind: K }>) : null;
}

/** Finds a member by id or username. */
export function findMember(world: TrelloWorld, key: string): Member | null {
  return world.state.members.find(({ id, username }) => id === key || username === key) ?? null;
}

/** Finds a workspace by id or short name. */
export function findOrganization(world: TrelloWorld, key: string): Organization | null {
  return world.state.organizations.find(({ id, name }) => id === key || name === key) ?? null;
}

/** The workspace of a board, or null. */
export function organizationOf(world: TrelloWorld, board: Board): Organization | null {
  return board.idOrganization === null ? null : findOrganization(world, board.idOrganization);
}

/** Whether the workspace has a paid plan; false without a workspace. */
export function isPaid(organization: Organization | null): boolean {
  return organization !== null && organization.plan !== "free";
}
