import { Hono } from "hono";
import { z } from "zod";
import {
  createCheckItem,
  createChecklist,
  deleteCheckItem,
  deleteChecklist,
  editCheckItem,
} from "../checklists.ts";
import { inOrder, placeAmong } from "../positions.ts";
import { invalid, missing } from "../refused.ts";
import { renderCheckItem, renderChecklist } from "../render-card.ts";
import type { Board, Card, Checklist, TrelloWorld } from "../state.ts";
import { bool, id, moment, name, place, readParameters, text } from "./parameters.ts";
import { type RestContext, type RestEnv, reach, reachNamed, viewerOf } from "./reach.ts";

const reminder = z.union([z.null(), z.literal("").transform(() => null), z.coerce.number().int()]);
const person = z.union([z.null(), z.literal("").transform(() => null), id]);

/** Checklists and their items. */
export function checklistRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const create = (
    c: RestContext,
    found: { board: Board; card: Card },
    order: { name: string; pos?: number | "top" | "bottom" },
  ) => {
    const { board, card } = found;
    const checklist = createChecklist(world, board, viewerOf(c), {
      card,
      name: order.name,
      place: order.pos,
    });
    return c.json({ ...renderChecklist(board, card, checklist), limits: {} });
  };
  app.post("/checklists", async (c) => {
    const schema = z.object({ idCard: id, name, pos: place.optional() });
    const { idCard, ...order } = await readParameters(c, world, schema);
    return create(c, reachNamed(c, world, "card", { id: idCard, parameter: "idCard" }), order);
  });
  app.post("/cards/:id/checklists", async (c) => {
    const found = reach(c, world, "card", c.req.param("id"));
    return create(c, found, await readParameters(c, world, z.object({ name, pos: place.optional() })));
  });
  app.get("/cards/:id/checklists", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    await readParameters(c, world, z.object({ filter: text.optional(), fields: text.optional() }));
    return c.json(inOrder(card.checklists).map((checklist) => renderChecklist(board, card, checklist)));
  });
  app.get("/checklists/:id", async (c) => {
    const { board, card, checklist } = reach(c, world, "checklist", c.req.param("id"));
    await readParameters(c, world, z.object({ fields: text.optional(), checkItems: text.optional() }));
    return c.json(renderChecklist(board, card, checklist));
  });
  app.put("/checklists/:id", async (c) => {
    const { board, card, checklist } = reach(c, world, "checklist", c.req.param("id"));
    const schema = z.object({ name: name.optional(), pos: place.optional() });
    const order = await readParameters(c, world, schema);
    if (order.name !== undefined) checklist.name = order.name;
    const others = card.checklists.filter((own) => own !== checklist);
    if (order.pos !== undefined) checklist.pos = placeAmong(others, order.pos);
    world.save();
    return c.json(renderChecklist(board, card, checklist));
  });
  app.delete("/checklists/:id", (c) => {
    const { board, card, checklist } = reach(c, world, "checklist", c.req.param("id"));
    deleteChecklist(world, board, viewerOf(c), { card, checklist });
    return c.json({ limits: {} });
  });
  app.route("/", itemRoutes(world));
  return app;
}

function itemRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const creation = z.object({
    name,
    pos: place.optional(),
    checked: bool.default(false),
    due: moment.optional(),
    dueReminder: reminder.optional(),
    idMember: person.optional(),
  });
  app.get("/checklists/:id/checkItems", async (c) => {
    const { checklist } = reach(c, world, "checklist", c.req.param("id"));
    await readParameters(c, world, z.object({ filter: text.optional(), fields: text.optional() }));
    return c.json(inOrder(checklist.checkItems).map((item) => renderCheckItem(checklist, item)));
  });
  app.post("/checklists/:id/checkItems", async (c) => {
    const { board, card, checklist } = reach(c, world, "checklist", c.req.param("id"));
    const order = await readParameters(c, world, creation);
    requirePerson(board, order.idMember);
    const item = createCheckItem(world, board, {
      card,
      checklist,
      name: order.name,
      place: order.pos,
      state: order.checked ? "complete" : "incomplete",
      due: order.due ?? null,
      dueReminder: order.dueReminder ?? null,
      idMember: order.idMember ?? null,
    });
    return c.json({ ...renderCheckItem(checklist, item), limits: {} });
  });
  app.delete("/checklists/:id/checkItems/:idCheckItem", (c) => {
    const { board, card, checklist } = reach(c, world, "checklist", c.req.param("id"));
    deleteCheckItem(world, board, { card, ...itemOf([checklist], c.req.param("idCheckItem")) });
    return c.json({ limits: {} });
  });
  app.get("/cards/:id/checkItemStates", (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    const done = card.checklists
      .flatMap(({ checkItems }) => checkItems)
      .filter(({ state }) => state === "complete");
    return c.json(done.map((item) => ({ id: item.id, idCheckItem: item.id, state: item.state })));
  });
  app.get("/cards/:id/checkItem/:idCheckItem", (c) => {
    const { card } = reach(c, world, "card", c.req.param("id"));
    const { checklist, item } = itemOf(card.checklists, c.req.param("idCheckItem"));
    return c.json(renderCheckItem(checklist, item));
  });
  app.put("/cards/:id/checkItem/:idCheckItem", async (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    const schema = z.object({
      name: name.optional(),
      state: z
        .union([
          z.enum(["complete", "incomplete"]),
          bool.transform((is) => (is ? ("complete" as const) : ("incomplete" as const))),
        ])
        .optional(),
      pos: place.optional(),
      due: moment.optional(),
      dueReminder: reminder.optional(),
      idMember: person.optional(),
    });
    const { pos, ...order } = await readParameters(c, world, schema);
    requirePerson(board, order.idMember);
    const found = itemOf(card.checklists, c.req.param("idCheckItem"));
    editCheckItem(world, board, viewerOf(c), { card, ...found, ...order, place: pos });
    return c.json(renderCheckItem(found.checklist, found.item));
  });
  app.delete("/cards/:id/checkItem/:idCheckItem", (c) => {
    const { board, card } = reach(c, world, "card", c.req.param("id"));
    deleteCheckItem(world, board, { card, ...itemOf(card.checklists, c.req.param("idCheckItem")) });
    return c.json({ limits: {} });
  });
  return app;
}

function itemOf(checklists: readonly Checklist[], wanted: string) {
  for (const checklist of checklists) {
    const item = checklist.checkItems.find((own) => own.id === wanted);
    if (item) return { checklist, item };
  }
  throw missing();
}

function requirePerson(board: Board, idMember: string | null | undefined): void {
  if (!idMember) return;
  if (!board.memberships.some((own) => own.idMember === idMember)) throw invalid("idMember");
}
