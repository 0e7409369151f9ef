import { Hono } from "hono";
import { z } from "zod";
import { roleIn } from "../access.ts";
import {
  BACKGROUNDS,
  COLORS,
  createBoard,
  createLabel,
  deleteBoard,
  editBoard,
  setBoardMember,
} from "../boards.ts";
import { createList } from "../lists.ts";
import { inOrder } from "../positions.ts";
import { forbidden, invalid } from "../refused.ts";
import {
  renderBoard,
  renderCustomField,
  renderLabel,
  renderList,
  renderPluginData,
} from "../render-board.ts";
import { renderChecklist } from "../render-card.ts";
import { MEMBER_FIELDS, renderMember, renderMembership } from "../render-members.ts";
import type { BoardPrefs, Member, TrelloWorld } from "../state.ts";
import { findOrganization, isPaid, organizationOf } from "../store.ts";
import { pageOfCards } from "./card-pages.ts";
import { labelColor } from "./labels.ts";
import { boardSchema, nestBoard, showLabels, showLists, showMembers } from "./nested-board.ts";
import { CARD_PARTS, filterCards, membersOf, nestCards } from "./nested-cards.ts";
import { bool, flag, id, longText, name, place, readParameters, text } from "./parameters.ts";
import { type RestContext, type RestEnv, reach, reachMember, viewerOf } from "./reach.ts";

const voters = z.enum(["disabled", "members", "observers", "org", "public"]);
const prefShapes = {
  permissionLevel: z.enum(["org", "private", "public", "enterprise"]).optional(),
  voting: voters.optional(),
  comments: voters.optional(),
  invitations: z.enum(["members", "admins"]).optional(),
  selfJoin: bool.optional(),
  cardCovers: bool.optional(),
  hideVotes: bool.optional(),
  background: text.optional(),
  cardAging: z.enum(["pirate", "regular"]).optional(),
  calendarFeedEnabled: bool.optional(),
  isTemplate: bool.optional(),
};
const withPrefix = (sign: "_" | "/") =>
  Object.fromEntries(Object.entries(prefShapes).map(([key, shape]) => [`prefs${sign}${key}`, shape]));

const creation = z.object({
  name,
  desc: longText.default(""),
  defaultLabels: bool.default(true),
  defaultLists: bool.default(true),
  idOrganization: id.optional(),
  ...withPrefix("_"),
});
const change = z.object({
  name: name.optional(),
  desc: longText.optional(),
  closed: bool.optional(),
  subscribed: bool.optional(),
  idOrganization: text.optional(),
  ...withPrefix("/"),
  ...Object.fromEntries(COLORS.map((color) => [`labelNames/${color}`, text.optional()])),
});

/** `/boards…`. */
export function boardRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const create = async (c: RestContext) => {
    const order = await readParameters(c, world, creation);
    const viewer = viewerOf(c);
    const organization =
      order.idOrganization === undefined ? null : findOrganization(world, order.idOrganization);
    if (order.idOrganization !== undefined && !organization) throw invalid("idOrganization");
    if (organization && !["admin", "normal"].includes(roleIn(viewer, organization) ?? "")) throw forbidden();
    const board = createBoard(world, viewer, {
      name: order.name,
      desc: order.desc,
      organization,
      prefs: prefsOf(world, order, { sign: "_", viewer, hasOrganization: organization !== null }),
      hasDefaultLists: order.defaultLists,
      hasDefaultLabels: order.defaultLabels,
    });
    const { limits } = renderBoard(world, board, { viewer, fields: "all" });
    return c.json({ ...renderBoard(world, board, { viewer }), limits });
  };
  app.post("/boards", create);
  app.post("/boards/", create);
  app.get("/boards/:id", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    return c.json(nestBoard(world, board, viewerOf(c), await readParameters(c, world, boardSchema)));
  });
  app.put("/boards/:id", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"), "administer");
    const order = await readParameters(c, world, change);
    const viewer = viewerOf(c);
    const { prefs, idOrganization } = changeOf(world, order, viewer, board.idOrganization !== null);
    if (idOrganization !== undefined) board.idOrganization = idOrganization;
    if (order.subscribed !== undefined) {
      const others = (board.subscribers ?? []).filter((id) => id !== viewer.id);
      board.subscribers = order.subscribed ? [...others, viewer.id] : others;
    }
    editBoard(world, board, viewer, { name: order.name, desc: order.desc, isClosed: order.closed, prefs });
    for (const color of COLORS) {
      const label = (order as Record<string, unknown>)[`labelNames/${color}`];
      if (typeof label === "string") board.labelNames[color] = label;
    }
    return c.json(renderBoard(world, board, { viewer }));
  });
  app.delete("/boards/:id", (c) => {
    deleteBoard(world, reach(c, world, "board", c.req.param("id"), "administer").board);
    return c.json({ _value: null });
  });
  app.route("/", boardLists(world));
  app.route("/", boardParts(world));
  app.route("/", boardMembers(world));
  return app;
}

const filterSchema = z.object({ filter: text.optional(), fields: text.optional() });

/** The lists of a board and their cards. */
function boardLists(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/boards/:id/lists/:filter?", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    const { filter, fields, cards } = await readParameters(
      c,
      world,
      filterSchema.extend({ cards: text.default("none") }),
    );
    const wanted = c.req.param("filter") ?? filter ?? "open";
    return c.json(showLists(world, board, { viewer: viewerOf(c), filter: wanted, fields, cards }));
  });
  app.post("/boards/:id/lists", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    const order = await readParameters(c, world, z.object({ name, pos: place.optional() }));
    const list = createList(world, board, viewerOf(c), { name: order.name, place: order.pos });
    return c.json(renderList(world, board, list, viewerOf(c)));
  });
  const cards = z.object({
    ...CARD_PARTS,
    filter: text.optional(),
    fields: text.optional(),
    limit: z.coerce.number().int().min(1).max(1_000).optional(),
    before: text.optional(),
    since: text.optional(),
  });
  app.get("/boards/:id/cards/:filter?", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    const order = await readParameters(c, world, cards);
    const named = c.req.param("filter");
    if (named !== undefined && !/^[a-z]+$/.test(named)) {
      const { card } = reach(c, world, "card", named);
      return c.json(
        nestCards(world, board, [card], { viewer: viewerOf(c), parts: order, fields: order.fields })[0],
      );
    }
    const found = pageOfCards(filterCards(board, named ?? order.filter ?? "visible"), order);
    return c.json(
      nestCards(world, board, found, { viewer: viewerOf(c), parts: order, fields: order.fields }),
    );
  });
  return app;
}

/** Labels, checklists, custom fields and power-ups of a board, one kind per route. */
function boardParts(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/boards/:id/labels", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    const schema = z.object({
      fields: text.optional(),
      limit: z.coerce.number().int().min(0).max(1_000).default(50),
      offset: z.coerce.number().int().min(0).default(0),
    });
    const { fields, limit, offset } = await readParameters(c, world, schema);
    return c.json(showLabels(world, board, { fields, limit: limit === 0 ? 1_000 : limit, offset }));
  });
  app.post("/boards/:id/labels", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    const order = await readParameters(c, world, z.object({ name: text, color: labelColor }));
    return c.json(renderLabel(board, createLabel(world, board, order)));
  });
  app.get("/boards/:id/checklists", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    await readParameters(c, world, filterSchema);
    return c.json(
      board.cards.flatMap((card) =>
        inOrder(card.checklists).map((checklist) => renderChecklist(board, card, checklist)),
      ),
    );
  });
  app.get("/boards/:id/customFields", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    await readParameters(c, world, z.object({}));
    return c.json(inOrder(board.customFields).map((field) => renderCustomField(world, board, field)));
  });
  app.get("/boards/:id/pluginData", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    await readParameters(c, world, z.object({}));
    return c.json(board.pluginData.map((data) => renderPluginData("board", board.id, data)));
  });
  app.get("/boards/:id/boardPlugins", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    await readParameters(c, world, z.object({}));
    return c.json(board.plugins.map((idPlugin) => ({ id: idPlugin, idBoard: board.id, idPlugin })));
  });
  return app;
}

/** Members of a board. */
function boardMembers(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/boards/:id/memberships", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    const schema = z.object({
      filter: z.enum(["all", "admins", "normal", "none"]).default("all"),
      activity: flag,
      orgMemberType: flag,
      member: flag,
      member_fields: text.optional(),
    });
    const { filter, member, member_fields } = await readParameters(c, world, schema);
    const wanted = { all: null, admins: "admin", normal: "normal", none: "" }[filter];
    const shown = board.memberships.filter(({ memberType }) => wanted === null || memberType === wanted);
    return c.json(
      shown.map((membership) => ({
        ...renderMembership(membership),
        ...(member ? { member: membersOf(world, [membership.idMember], member_fields)[0] } : {}),
      })),
    );
  });
  app.get("/boards/:id/members", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"));
    const schema = z.object({ filter: text.default("all"), fields: text.optional() });
    const { filter, fields } = await readParameters(c, world, schema);
    return c.json(showMembers(world, board, { filter, fields, standard: "fullName,username" }));
  });
  app.put("/boards/:id/members/:idMember", async (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"), "administer");
    const schema = z.object({ type: z.enum(["admin", "normal", "observer"]), allowBillableGuest: flag });
    const { type } = await readParameters(c, world, schema);
    const member = reachMember(c, world, c.req.param("idMember"));
    // Observers require a paid workspace.
    if (type === "observer" && !isPaid(organizationOf(world, board))) throw invalid("type");
    setBoardMember(world, board, viewerOf(c), { member, memberType: type });
    const members = showMembers(world, board, { filter: "all", standard: MEMBER_FIELDS });
    return c.json({ id: board.id, members, memberships: board.memberships.map(renderMembership) });
  });
  app.delete("/boards/:id/members/:idMember", (c) => {
    const { board } = reach(c, world, "board", c.req.param("id"), "administer");
    const member = reachMember(c, world, c.req.param("idMember"));
    setBoardMember(world, board, viewerOf(c), { member, memberType: null });
    const members = board.memberships.flatMap(({ idMember }) =>
      world.state.members.filter((known) => known.id === idMember),
    );
    const shown = members.map((known) => renderMember(world, known, { standard: MEMBER_FIELDS }));
    return c.json({ ...renderBoard(world, board, { viewer: viewerOf(c) }), members: shown });
  });
  return app;
}

function changeOf(
  world: TrelloWorld,
  order: z.output<typeof change>,
  viewer: Member,
  hasOrganization: boolean,
): { prefs: Partial<BoardPrefs>; idOrganization: string | null | undefined } {
  const prefs = prefsOf(world, order, { sign: "/", viewer, hasOrganization });
  const asked = order.idOrganization;
  if (asked === undefined) return { prefs, idOrganization: undefined };
  if (asked === "" || asked === "null") return { prefs, idOrganization: null };
  const organization = findOrganization(world, asked);
  if (!organization) throw invalid("idOrganization");
  if (roleIn(viewer, organization) === null) throw forbidden();
  return { prefs, idOrganization: organization.id };
}

function prefsOf(
  world: TrelloWorld,
  order: Record<string, unknown>,
  { sign, viewer, hasOrganization }: { sign: "_" | "/"; viewer: Member; hasOrganization: boolean },
): Partial<BoardPrefs> {
  const prefs: Record<string, unknown> = {};
  for (const key of Object.keys(prefShapes)) {
    const value = order[`prefs${sign}${key}`];
    if (value !== undefined) prefs[key] = value;
  }
  const { background, permissionLevel } = prefs as Partial<BoardPrefs>;
  if (background !== undefined && !(background in BACKGROUNDS)) {
    const own = world.state.backgrounds.some(
      (known) => known.id === background && known.idMember === viewer.id,
    );
    if (!own) throw invalid(`prefs${sign}background`);
  }
  if (permissionLevel === "org" && !hasOrganization) throw invalid(`prefs${sign}permissionLevel`);
  return prefs as Partial<BoardPrefs>;
}
