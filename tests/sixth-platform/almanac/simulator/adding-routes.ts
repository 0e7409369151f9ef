import { Hono } from "hono";
import { type AlmanacEnv, bookOf, siteOf } from "./api-context.ts";
import { makeBook, makeComment, makeFile, makePage, makeRegister, makeRow } from "./make.ts";
import { bookOrder, commentsOrder, fileQuery, pageOrder, registerOrder, rowsOrder } from "./orders.ts";
import { Refused } from "./refused.ts";
import type { AlmanacWorld } from "./state.ts";

const BOOK = "/sites/:site/books/:book";

/** The adding half of the API. A request that has an id makes what it asks for once, and answers the same again. */
export function addingRoutes(world: AlmanacWorld): Hono<AlmanacEnv> {
  const app = new Hono<AlmanacEnv>();
  const once = (requestId: string, make: () => string[]): { id: string }[] => {
    world.state.made[requestId] ??= make();
    return world.state.made[requestId].map((id) => ({ id }));
  };
  app.post("/sites/:site/books", async (c) => {
    const siteId = siteOf(world, c).id;
    const { requestId, ...order } = bookOrder.parse(await c.req.json());
    return c.json(once(requestId, () => [makeBook(world, { siteId, ...order }).id])[0], 201);
  });
  app.post(`${BOOK}/pages`, async (c) => {
    const [book, author] = [bookOf(world, c), c.get("person").name];
    const { requestId, ...order } = pageOrder.parse(await c.req.json());
    return c.json(once(requestId, () => [makePage(world, book, { ...order, author }).id])[0], 201);
  });
  app.post(`${BOOK}/registers`, async (c) => {
    const book = bookOf(world, c);
    const { requestId, ...order } = registerOrder.parse(await c.req.json());
    return c.json(once(requestId, () => [makeRegister(world, book, order).id])[0], 201);
  });
  app.post(`${BOOK}/rows`, async (c) => {
    const [book, author] = [bookOf(world, c), c.get("person").name];
    const { requestId, registerId, rows } = rowsOrder.parse(await c.req.json());
    const make = () => rows.map((row) => makeRow(world, book, { ...row, registerId, author }).id);
    return c.json({ items: once(requestId, make) }, 201);
  });
  app.post(`${BOOK}/comments`, async (c) => {
    const [book, author] = [bookOf(world, c), c.get("person").name];
    const { requestId, on, comments } = commentsOrder.parse(await c.req.json());
    const make = () => comments.map(({ text }) => makeComment(world, book, { on, text, author }).id);
    return c.json({ items: once(requestId, make) }, 201);
  });
  app.post(`${BOOK}/files`, async (c) => {
    const book = bookOf(world, c);
    const { requestId, name } = fileQuery.parse(c.req.query());
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    if (bytes.length > world.settings.fileBytes) throw new Refused(413, "The file is too large.");
    return c.json(once(requestId, () => [makeFile(world, book, name, bytes).id])[0], 201);
  });
  return app;
}
