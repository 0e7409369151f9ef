import { Hono } from "hono";
import { z } from "zod";
import { roleOn } from "../access.ts";
import { addComment, deleteAction, editComment } from "../actions.ts";
import { newId } from "../ids.ts";
import { forbidden, missing, Refused } from "../refused.ts";
import { renderBoard, renderList } from "../render-board.ts";
import { renderAction, renderReaction } from "../render-card.ts";
import type { Action, Board, TrelloWorld } from "../state.ts";
import { CARD_PARTS, isWantedAction, nestCards, within } from "./nested-cards.ts";
import { flag, name, readParameters, text } from "./parameters.ts";
import { type RestContext, type RestEnv, reach, reachOrganization, viewerOf } from "./reach.ts";

const listing = z.object({
  filter: text.default("all"),
  fields: text.optional(),
  limit: z.coerce.number().int().min(0).max(1_000).default(50),
  page: z.coerce.number().int().min(0).default(0),
  before: text.optional(),
  since: text.optional(),
  idModels: text.optional(),
  format: z.enum(["list", "count", "minimal"]).default("list"),
  display: flag,
  entities: flag,
  member: z.stringbool().default(true),
  member_fields: text.optional(),
  memberCreator: z.stringbool().default(true),
  memberCreator_fields: text.optional(),
  reactions: flag,
});

/** Newest first; 50 by default, 1,000 at most. The offset, page times limit, is also at most 1,000. */
async function answer(c: RestContext, world: TrelloWorld, actions: readonly Action[]): Promise<Response> {
  const order = await readParameters(c, world, listing);
  if (order.page * order.limit > 1_000) throw new Refused(400, "invalid value for page");
  const models = order.idModels?.split(",");
  const isInBounds = within(order);
  const wanted = actions.filter(
    (action) =>
      isWantedAction(action, order.filter) &&
      isInBounds(action) &&
      (models === undefined || models.some((id) => id === action.idCard || id === action.idList)),
  );
  if (order.format === "count") return c.json({ _value: wanted.length });
  const view = {
    fields: order.fields,
    hasCreator: order.memberCreator,
    creatorFields: order.memberCreator_fields,
    hasReactions: order.reactions,
  };
  const start = order.page * order.limit;
  return c.json(
    [...wanted]
      .reverse()
      .slice(start, start + order.limit)
      .map((own) => renderAction(world, own, view)),
  );
}

/** The history of boards, lists and cards, and comments. */
export function actionRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/boards/:id/actions", (c) =>
    answer(c, world, reach(c, world, "board", c.req.param("id")).board.actions),
  );
  app.get("/cards/:id/actions", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const own = board.actions.filter(({ idCard }) => idCard === card.id);
    // By default a card's actions are comments and moves.
    const hasFilter = c.req.query("filter") !== undefined;
    return answer(
      c,
      world,
      hasFilter ? own : own.filter((action) => isWantedAction(action, "commentCard,updateCard:idList")),
    );
  });
  app.get("/lists/:id/actions", (c) => {
    const { board, list } = reach(c, world, "list", c.req.param("id"));
    return answer(
      c,
      world,
      board.actions.filter(({ idList }) => idList === list.id),
    );
  });
  app.get("/organizations/:id/actions", (c) => {
    const organization = reachOrganization(c, world, c.req.param("id"));
    const boards = world.state.boards.filter(({ idOrganization }) => idOrganization === organization.id);
    return answer(
      c,
      world,
      boards.flatMap(({ actions }) => actions).sort((one, other) => (one.id < other.id ? -1 : 1)),
    );
  });
  app.get("/actions/:id/:part{board|card|list}", async (c) => {
    const { board, action } = reach(c, world, "action", c.req.param("id"));
    const { fields } = await readParameters(c, world, z.object({ fields: text.optional() }));
    const viewer = viewerOf(c);
    const part = c.req.param("part");
    if (part === "board") return c.json(renderBoard(world, board, { viewer, fields, standard: "all" }));
    const list = board.lists.find(({ id }) => id === action.idList);
    if (part === "list") {
      if (!list) throw missing();
      return c.json(renderList(world, board, list, viewer, fields));
    }
    const card = board.cards.find(({ id }) => id === action.idCard);
    if (!card) throw missing();
    const parts = z.object(CARD_PARTS).parse({});
    return c.json(nestCards(world, board, [card], { viewer, fields, parts })[0]);
  });
  app.get("/actions/:id", async (c) => {
    const { action } = reach(c, world, "action", c.req.param("id"));
    const schema = z.object({ fields: text.optional(), display: flag, entities: flag, reactions: flag });
    const { fields, reactions } = await readParameters(c, world, schema);
    return c.json(renderAction(world, action, { fields, hasCreator: true, hasReactions: reactions }));
  });
  app.route("/", commentRoutes(world));
  app.route("/", reactionRoutes(world));
  return app;
}

function commentRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const body = z.object({ text: name });
  const shown = { hasCreator: true, hasReactions: false };
  app.post("/cards/:id/actions/comments", async (c) => {
    // A separate preference decides who may comment.
    const { board, card } = reach(c, world, "card", c.req.param("id"), "read");
    const order = await readParameters(c, world, body);
    if (!mayComment(world, c, board)) throw forbidden();
    const action = addComment(world, board, { card, by: viewerOf(c), text: order.text });
    world.save();
    return c.json({ ...renderAction(world, action, shown), entities: [] });
  });
  const change = async (c: RestContext, found: { board: Board; action: Action }) => {
    const order = await readParameters(c, world, body);
    requireOwn(c, found.action);
    editComment(found.action, order.text);
    world.save();
    return c.json(renderAction(world, found.action, shown));
  };
  const remove = (c: RestContext, { board, action }: { board: Board; action: Action }) => {
    const isAdmin = roleOn(world, viewerOf(c), board) === "admin";
    if (!isAdmin) requireOwn(c, action);
    if (action.type !== "commentCard") throw new Refused(400, "only comments may be deleted");
    deleteAction(world, board, action);
    world.save();
    return c.json({ _value: null });
  };
  app.put("/actions/:id", (c) => change(c, reach(c, world, "action", c.req.param("id"), "read")));
  app.delete("/actions/:id", (c) => remove(c, reach(c, world, "action", c.req.param("id"), "read")));
  app.put("/cards/:id/actions/:idAction/comments", (c) =>
    change(c, reach(c, world, "action", c.req.param("idAction"), "read")),
  );
  app.delete("/cards/:id/actions/:idAction/comments", (c) =>
    remove(c, reach(c, world, "action", c.req.param("idAction"), "read")),
  );
  return app;
}

function reactionRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/actions/:id/reactions", async (c) => {
    const { action } = reach(c, world, "action", c.req.param("id"));
    await readParameters(c, world, z.object({ member: flag, emoji: flag }));
    return c.json(action.reactions.map((reaction) => renderReaction(action, reaction)));
  });
  app.post("/actions/:id/reactions", async (c) => {
    const { action } = reach(c, world, "action", c.req.param("id"), "read");
    const { native } = await readParameters(c, world, z.object({ native: text }));
    const reaction = { id: newId(world.state), idMember: viewerOf(c).id, emoji: native };
    action.reactions.push(reaction);
    world.save();
    return c.json(renderReaction(action, reaction));
  });
  return app;
}

function mayComment(world: TrelloWorld, c: RestContext, board: Board): boolean {
  const role = roleOn(world, viewerOf(c), board);
  switch (board.prefs.comments) {
    case "disabled":
      return false;
    case "members":
      return role === "admin" || role === "normal";
    case "observers":
      return role !== "reader";
    default:
      return true;
  }
}

function requireOwn(c: RestContext, action: Action): void {
  if (action.type !== "commentCard") throw new Refused(400, "only comments may be changed");
  if (action.idMemberCreator !== viewerOf(c).id) throw forbidden();
}
