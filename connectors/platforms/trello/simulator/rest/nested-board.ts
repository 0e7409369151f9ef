import { z } from "zod";
import { inOrder } from "../positions.ts";
import { Refused } from "../refused.ts";
import { type Body, pick } from "../render.ts";
import {
  renderBoard,
  renderCustomField,
  renderLabel,
  renderList,
  renderPluginData,
} from "../render-board.ts";
import { renderAction, renderChecklist } from "../render-card.ts";
import { renderMember, renderMembership, renderOrganization } from "../render-members.ts";
import type { Board, Member, TrelloWorld } from "../state.ts";
import { organizationOf } from "../store.ts";
import { CARD_PARTS, type CardParts, filterCards, isWantedAction, nestCards } from "./nested-cards.ts";
import { flag, text } from "./parameters.ts";

const count = z.coerce.number().int().min(0).max(1_000);
const cardParts = Object.fromEntries(
  Object.entries(CARD_PARTS).map(([name, shape]) => [`card_${name}`, shape]),
);

/** What one request can read of a board. */
export const boardSchema = z.object({
  fields: text.optional(),
  actions: text.default("none"),
  actions_limit: count.default(50),
  action_fields: text.optional(),
  action_memberCreator: z.stringbool().default(true),
  action_reactions: flag,
  boardStars: z.enum(["mine", "none"]).default("none"),
  cards: text.default("none"),
  card_fields: text.optional(),
  ...cardParts,
  checklists: text.default("none"),
  checklist_fields: text.optional(),
  customFields: flag,
  labels: text.default("none"),
  label_fields: text.optional(),
  labels_limit: count.default(50),
  lists: text.default("none"),
  list_fields: text.optional(),
  members: text.default("none"),
  member_fields: text.optional(),
  memberships: text.default("none"),
  organization: flag,
  organization_fields: text.optional(),
  organization_pluginData: flag,
  pluginData: flag,
  boardPlugins: flag,
  myPrefs: flag,
  tags: flag,
});
type BoardOrder = z.output<typeof boardSchema>;

/** A board with all requested parts nested in it. */
export function nestBoard(world: TrelloWorld, board: Board, viewer: Member, order: BoardOrder): Body {
  const body: Body = { ...renderBoard(world, board, { viewer, fields: order.fields }) };
  if (isAsked(order.cards)) {
    const cards = filterCards(board, order.cards);
    const parts = partsOf(order);
    body.cards = nestCards(world, board, cards, { viewer, fields: order.card_fields, parts });
  }
  if (isAsked(order.lists)) {
    body.lists = showLists(world, board, {
      viewer,
      filter: order.lists,
      fields: order.list_fields,
      cards: "none",
    });
  }
  if (isAsked(order.labels)) {
    body.labels = showLabels(world, board, {
      fields: order.label_fields,
      limit: order.labels_limit,
      offset: 0,
    });
  }
  if (isAsked(order.checklists)) {
    body.checklists = board.cards.flatMap((card) =>
      inOrder(card.checklists).map((checklist) =>
        pick(world, renderChecklist(board, card, checklist), order.checklist_fields, "all"),
      ),
    );
  }
  if (order.customFields) {
    body.customFields = inOrder(board.customFields).map((field) => renderCustomField(world, board, field));
  }
  if (isAsked(order.members)) {
    const fields = order.member_fields;
    body.members = showMembers(world, board, {
      filter: order.members,
      fields,
      standard: NESTED_MEMBER_FIELDS,
    });
  }
  if (isAsked(order.memberships)) body.memberships = board.memberships.map(renderMembership);
  if (order.pluginData)
    body.pluginData = board.pluginData.map((data) => renderPluginData("board", board.id, data));
  if (order.boardPlugins) {
    body.boardPlugins = board.plugins.map((idPlugin) => ({ id: idPlugin, idBoard: board.id, idPlugin }));
  }
  if (order.boardStars === "mine") {
    const isStarred = board.starredBy.includes(viewer.id);
    body.boardStars = isStarred ? [{ id: board.id, idBoard: board.id, pos: 65_536 }] : [];
  }
  if (order.organization_pluginData) body.organizationPluginData = [];
  if (order.tags) body.tags = [];
  if (order.myPrefs) body.myPrefs = { showSidebar: true, emailPosition: "bottom", idEmailList: null };
  if (order.organization) {
    const organization = organizationOf(world, board);
    const view = { fields: order.organization_fields, standard: "name,displayName" };
    body.organization = organization === null ? null : renderOrganization(world, organization, view);
  }
  if (isAsked(order.actions)) body.actions = showActions(world, board, order);
  return body;
}

const NESTED_MEMBER_FIELDS = "avatarHash,avatarUrl,fullName,initials,username";

function isAsked(value: string): boolean {
  return value !== "none" && value !== "false";
}

function partsOf(order: BoardOrder): CardParts {
  const values = order as unknown as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(CARD_PARTS).map((name) => [name, values[`card_${name}`]]),
  ) as unknown as CardParts;
}

function showActions(world: TrelloWorld, board: Board, order: BoardOrder): Body[] {
  const wanted = board.actions.filter((action) => isWantedAction(action, order.actions));
  return wanted
    .slice(wanted.length - Math.min(order.actions_limit, wanted.length))
    .reverse()
    .map((action) =>
      renderAction(world, action, {
        fields: order.action_fields,
        hasCreator: order.action_memberCreator,
        hasReactions: order.action_reactions,
      }),
    );
}

/** Lists that match one of Trello's filters. */
export function showLists(
  world: TrelloWorld,
  board: Board,
  order: { viewer: Member; filter: string; fields?: string; cards: string },
): Body[] {
  const { viewer, filter, fields } = order;
  const isWanted = { all: null, open: false, true: false, closed: true }[filter];
  if (isWanted === undefined) throw new Refused(400, "invalid value for filter");
  return inOrder(board.lists)
    .filter(({ isClosed }) => isWanted === null || isClosed === isWanted)
    .map((list) => {
      const body = renderList(world, board, list, viewer, fields);
      if (!isAsked(order.cards)) return body;
      const cards = filterCards(board, order.cards).filter(({ idList }) => idList === list.id);
      const parts = z.object(CARD_PARTS).parse({});
      return { ...body, cards: nestCards(world, board, cards, { viewer, parts }) };
    });
}

/** Labels; 50 by default, 1,000 at most. */
export function showLabels(
  world: TrelloWorld,
  board: Board,
  { fields, limit, offset }: { fields?: string; limit: number; offset: number },
): Body[] {
  return board.labels
    .slice(offset, offset + limit)
    .map((label) => pick(world, renderLabel(board, label), fields, "all"));
}

/** Members of a board. */
export function showMembers(
  world: TrelloWorld,
  board: Board,
  order: { filter: string; fields?: string; standard: string },
): Body[] {
  const types: Record<string, string | null> = { all: null, true: null, admins: "admin", normal: "normal" };
  const wanted = types[order.filter];
  if (wanted === undefined) throw new Refused(400, "invalid value for filter");
  return board.memberships
    .filter(({ memberType }) => wanted === null || memberType === wanted)
    .flatMap(({ idMember }) => world.state.members.filter(({ id }) => id === idMember))
    .map((member) => renderMember(world, member, { fields: order.fields, standard: order.standard }));
}
