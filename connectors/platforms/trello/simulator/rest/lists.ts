import { Hono } from "hono";
import { z } from "zod";
import { editCard, moveCard } from "../cards.ts";
import { createList, editList } from "../lists.ts";
import { renderBoard, renderList } from "../render-board.ts";
import type { TrelloWorld } from "../state.ts";
import { CARD_PARTS, filterCards, nestCards } from "./nested-cards.ts";
import { bool, id, name, place, readParameters, text } from "./parameters.ts";
import { type RestEnv, reach, reachNamed, viewerOf } from "./reach.ts";

/** `/lists…`. */
export function listRoutes(world: TrelloWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/lists", async (c) => {
    const schema = z.object({ name, idBoard: id, pos: place.optional() });
    const order = await readParameters(c, world, schema);
    const { board } = reachNamed(c, world, "board", { id: order.idBoard, parameter: "idBoard" });
    const list = createList(world, board, viewerOf(c), { name: order.name, place: order.pos });
    return c.json(
      renderList(world, board, list, viewerOf(c), "id,name,closed,color,idBoard,pos,type,datasource,limits"),
    );
  });
  app.get("/lists/:id", async (c) => {
    const { board, list } = reach(c, world, "list", c.req.param("id"));
    const { fields } = await readParameters(c, world, z.object({ fields: text.optional() }));
    return c.json(renderList(world, board, list, viewerOf(c), fields ?? "name,closed,color,idBoard,pos"));
  });
  app.put("/lists/:id", async (c) => {
    const { board, list } = reach(c, world, "list", c.req.param("id"));
    const schema = z.object({
      name: name.optional(),
      closed: bool.optional(),
      pos: place.optional(),
      subscribed: bool.optional(),
    });
    const order = await readParameters(c, world, schema);
    const viewer = viewerOf(c);
    if (order.subscribed !== undefined) {
      list.subscribers = list.subscribers.filter((idMember) => idMember !== viewer.id);
      if (order.subscribed) list.subscribers.push(viewer.id);
    }
    editList(world, board, viewer, { list, name: order.name, isClosed: order.closed, place: order.pos });
    return c.json(renderList(world, board, list, viewer, "id,name,closed,color,idBoard,pos"));
  });
  app.put("/lists/:id/closed", async (c) => {
    const { board, list } = reach(c, world, "list", c.req.param("id"));
    const { value } = await readParameters(c, world, z.object({ value: bool }));
    editList(world, board, viewerOf(c), { list, isClosed: value });
    return c.json(renderList(world, board, list, viewerOf(c), "id,name,closed,color,idBoard,pos"));
  });
  app.get("/lists/:id/board", async (c) => {
    const { board } = reach(c, world, "list", c.req.param("id"));
    const { fields } = await readParameters(c, world, z.object({ fields: text.optional() }));
    return c.json(renderBoard(world, board, { viewer: viewerOf(c), fields, standard: "all" }));
  });
  app.get("/lists/:id/cards", async (c) => {
    const { board, list } = reach(c, world, "list", c.req.param("id"));
    const schema = z.object({ ...CARD_PARTS, filter: text.default("open"), fields: text.optional() });
    const order = await readParameters(c, world, schema);
    const cards = filterCards(board, order.filter).filter(({ idList }) => idList === list.id);
    return c.json(
      nestCards(world, board, cards, { viewer: viewerOf(c), parts: order, fields: order.fields }),
    );
  });
  app.post("/lists/:id/archiveAllCards", (c) => {
    const { board, list } = reach(c, world, "list", c.req.param("id"));
    for (const card of board.cards.filter(({ idList }) => idList === list.id)) {
      editCard(world, board, viewerOf(c), { card, isClosed: true });
    }
    return c.json({});
  });
  app.post("/lists/:id/moveAllCards", async (c) => {
    const { board, list } = reach(c, world, "list", c.req.param("id"));
    const order = await readParameters(c, world, z.object({ idBoard: id, idList: id }));
    const target = reachNamed(c, world, "list", { id: order.idList, parameter: "idList" });
    const cards = board.cards.filter(({ idList }) => idList === list.id);
    for (const card of cards) {
      moveCard(world, board, viewerOf(c), { card, board: target.board, list: target.list });
    }
    return c.json(
      cards.map((card) => ({ id: card.id, idBoard: target.board.id, idList: card.idList, pos: card.pos })),
    );
  });
  return app;
}
