import { z } from "zod";
import { CUSTOM_FIELDS_PLUGIN } from "../custom-fields.ts";
import { isId, timeOfId } from "../ids.ts";
import { inOrder } from "../positions.ts";
import { Refused } from "../refused.ts";
import type { Body } from "../render.ts";
import { renderPluginData } from "../render-board.ts";
import {
  cardView,
  renderAction,
  renderAttachment,
  renderCard,
  renderChecklist,
  renderFieldItems,
  renderSticker,
} from "../render-card.ts";
import { MEMBER_FIELDS, renderMember } from "../render-members.ts";
import type { Action, Board, Card, Member, TrelloWorld } from "../state.ts";
import { flag, text } from "./parameters.ts";

/** The parts of cards that a request can nest, by name without prefix. */
export const CARD_PARTS = {
  attachments: text.default("false"),
  attachment_fields: text.optional(),
  stickers: flag,
  sticker_fields: text.optional(),
  customFieldItems: flag,
  pluginData: flag,
  checklists: text.default("none"),
  checklist_fields: text.optional(),
  members: flag,
  member_fields: text.optional(),
  membersVoted: flag,
  memberVoted_fields: text.optional(),
  checkItemStates: flag,
  actions: text.default("none"),
  actions_limit: z.coerce.number().int().min(0).max(1_000).default(50),
};
const partsSchema = z.object(CARD_PARTS);
/** The requested parts of cards. */
export type CardParts = z.output<typeof partsSchema>;

/** Cards that match one of Trello's filters. */
export function filterCards(board: Board, filter: string): Card[] {
  const closedLists = new Set(board.lists.filter(({ isClosed }) => isClosed).map(({ id }) => id));
  const cards = inOrder(board.cards);
  switch (filter) {
    case "all":
      return cards;
    case "closed":
      return cards.filter(({ isClosed }) => isClosed);
    case "open":
      return cards.filter(({ isClosed }) => !isClosed);
    case "visible":
      return cards.filter(({ isClosed, idList }) => !isClosed && !closedLists.has(idList));
    case "none":
    case "false":
      return [];
    case "true":
      return cards.filter(({ isClosed, idList }) => !isClosed && !closedLists.has(idList));
    default:
      throw new Refused(400, "invalid value for filter");
  }
}

/**
 * Renders cards with the requested parts.
 * @throws Refused 403 `API_TOO_MANY_CARDS_REQUESTED` when there are too many cards for these parts
 */
export function nestCards(
  world: TrelloWorld,
  board: Board,
  cards: readonly Card[],
  order: { viewer: Member; fields?: string; parts: CardParts },
): Body[] {
  const { parts, viewer, fields } = order;
  requireFewEnough(world, cards.length, parts);
  const view = cardView(board, viewer, fields);
  const actions =
    parts.actions === "none" || parts.actions === "false" ? null : actionsByCard(board, parts.actions);
  return cards.map((card) => {
    const body = { ...renderCard(world, board, card, view) };
    if (parts.attachments === "true" || parts.attachments === "cover") {
      body.attachments = inOrder(card.attachments)
        .filter(({ id }) => parts.attachments === "true" || id === card.cover.idAttachment)
        .map((attachment) => renderAttachment(world, card, attachment, parts.attachment_fields));
    }
    if (parts.stickers) body.stickers = card.stickers.map((sticker) => renderSticker(world, sticker));
    // Field values are shown only if the board has the Power-Up.
    if (parts.customFieldItems && board.plugins.includes(CUSTOM_FIELDS_PLUGIN)) {
      body.customFieldItems = renderFieldItems(card);
    } else if (parts.customFieldItems) body.customFieldItems = [];
    if (parts.pluginData) {
      body.pluginData = card.pluginData.map((data) => renderPluginData("card", card.id, data));
    }
    if (parts.checklists === "all") {
      body.checklists = inOrder(card.checklists).map((list) => renderChecklist(board, card, list));
    }
    if (parts.members) body.members = membersOf(world, card.idMembers, parts.member_fields);
    if (parts.membersVoted) body.membersVoted = membersOf(world, card.membersVoted, parts.memberVoted_fields);
    if (actions) {
      const own = (actions.get(card.id) ?? []).slice(-parts.actions_limit).reverse();
      const shown = { hasCreator: true, hasReactions: false };
      body.actions = own.map((action) => renderAction(world, action, shown));
    }
    return body;
  });
}

function requireFewEnough(world: TrelloWorld, count: number, parts: CardParts): void {
  const { plainCardLimit, nestedCardLimit, actionCardLimit } = world.settings;
  const hasActions = parts.actions !== "none" && parts.actions !== "false";
  const hasParts =
    parts.attachments !== "false" ||
    parts.checklists === "all" ||
    parts.stickers ||
    parts.customFieldItems ||
    parts.pluginData ||
    parts.members ||
    parts.membersVoted;
  const limit = hasActions ? actionCardLimit : hasParts ? nestedCardLimit : plainCardLimit;
  if (count <= limit) return;
  const message = "Too many cards were requested. Request fewer cards, or fewer nested resources.";
  throw new Refused(403, { error: "API_TOO_MANY_CARDS_REQUESTED", message });
}

/** Nested members. */
export function membersOf(world: TrelloWorld, ids: readonly string[], fields?: string): Body[] {
  return world.state.members
    .filter(({ id }) => ids.includes(id))
    .map((member) => renderMember(world, member, { fields, standard: MEMBER_FIELDS }));
}

function actionsByCard(board: Board, filter: string): Map<string, Action[]> {
  const byCard = new Map<string, Action[]>();
  for (const action of board.actions) {
    if (action.idCard === null || !isWantedAction(action, filter)) continue;
    const own = byCard.get(action.idCard);
    if (own) own.push(action);
    else byCard.set(action.idCard, [action]);
  }
  return byCard;
}

/** Whether an action matches a filter: `all`, or comma-separated types, each optionally with the changed field. */
export function isWantedAction(action: Action, filter: string): boolean {
  if (filter === "all" || filter === "true") return true;
  return filter.split(",").some((wanted) => {
    const [type, field] = wanted.split(":");
    if (type !== action.type) return false;
    const old = action.data.old as Record<string, unknown> | undefined;
    return field === undefined || (old !== undefined && field in old);
  });
}

/** Two optional bounds of a list. */
export type Bounds = { before?: string | undefined; since?: string | undefined };

/**
 * Returns a filter for things between two bounds, each a time or an id. An id is compared with the thing's id; a time
 * with its date, or else with the creation time in its id.
 * @throws Refused 400 for a bound that is neither
 */
export function within({ before, since }: Bounds): (thing: { id: string; date?: string }) => boolean {
  const dateOf = (thing: { id: string; date?: string }) =>
    thing.date ?? new Date(timeOfId(thing.id)).toISOString();
  const isBefore = boundary(
    before,
    "before",
    (thing, id) => thing.id < id,
    (thing, at) => dateOf(thing) < at,
  );
  const isSince = boundary(
    since,
    "since",
    (thing, id) => thing.id > id,
    (thing, at) => dateOf(thing) >= at,
  );
  return (thing) => isBefore(thing) && isSince(thing);
}

type Compare = (thing: { id: string; date?: string }, bound: string) => boolean;

function boundary(
  bound: string | undefined,
  parameter: string,
  byId: Compare,
  byMoment: Compare,
): (thing: { id: string; date?: string }) => boolean {
  if (bound === undefined) return () => true;
  if (isId(bound)) return (thing) => byId(thing, bound);
  if (Number.isNaN(Date.parse(bound))) throw new Refused(400, `invalid value for ${parameter}`);
  const at = new Date(bound).toISOString();
  return (thing) => byMoment(thing, at);
}
