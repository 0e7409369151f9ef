import { Hono } from "hono";
import { z } from "zod";
import { grantControl } from "#connectors/toolkit/simulator/grant-control.ts";
import type { OauthDesk } from "#connectors/toolkit/simulator/oauth-desk.ts";
import { makeBook, makeComment, makeFile, makePage, makeRegister, makeRow } from "./make.ts";
import { SCOPES } from "./oauth.ts";
import { NORA } from "./seed.ts";
import { fillBook } from "./seed-book.ts";
import type { AlmanacWorld, StoredBook } from "./state.ts";

const bookOrder = z.strictObject({
  name: z.string(),
  /** Name of a site; by default the first one. */
  site: z.string().optional(),
  content: z.enum(["empty", "full"]).default("empty"),
});
const files = z.array(z.strictObject({ name: z.string(), text: z.string() })).default([]);
const pageOrder = z.strictObject({
  title: z.string(),
  text: z.string().default(""),
  parentId: z.string().nullable().default(null),
  files,
});
const pageEdit = z.strictObject({
  title: z.string().optional(),
  text: z.string().optional(),
  isArchived: z.boolean().optional(),
});
const registerOrder = z.strictObject({
  title: z.string(),
  parentId: z.string().nullable().default(null),
  columns: z
    .array(z.strictObject({ name: z.string(), type: z.enum(["text", "number", "check"]) }))
    .default([]),
});
const rowOrder = z.strictObject({ registerId: z.string(), title: z.string(), files });
const rowEdit = z.strictObject({ title: z.string().optional(), isArchived: z.boolean().optional() });
const commentOrder = z.strictObject({ pageId: z.string(), text: z.string() });
const limitOrder = z.strictObject({ requestLimit: z.number().optional(), windowMs: z.number().optional() });

/** `/__sim/almanac/…`: lets tests and the demo cause what happens at Almanac without us. */
export function controlRoutes(world: AlmanacWorld, desk: OauthDesk): Hono {
  const app = new Hono().basePath("/almanac");
  app.onError((error, c) => c.json({ message: error.message }, 400));
  const personIdOf = (login: string): string => {
    const person = world.state.people.find((each) => each.login === login);
    if (!person) throw new Error(`There is nobody called ${login}`);
    return person.id;
  };
  app.route("/", grantControl(desk, { scopes: SCOPES, personIdOf }));
  app.post("/settings", async (c) => {
    Object.assign(world.settings, limitOrder.parse(await c.req.json()));
    world.windows.clear();
    return c.body(null, 204);
  });
  app.get("/sites", (c) => c.json({ sites: world.state.sites }));
  app.route("/", bookControl(world));
  app.route("/", contentControl(world));
  return app;
}

function bookControl(world: AlmanacWorld): Hono {
  const app = new Hono();
  app.get("/books", (c) => c.json({ books: world.state.books }));
  app.post("/books", async (c) => {
    const { name, site, content } = bookOrder.parse(await c.req.json());
    const home = world.state.sites.find((each) => site === undefined || each.name === site);
    if (!home) throw new Error(`There is no site ${site}`);
    const about = { description: "Everything about it.", sharing: "site" as const };
    const book = makeBook(world, { siteId: home.id, name, ...about });
    if (content === "full") fillBook(world, book);
    world.save();
    return c.json({ id: book.id });
  });
  app.get("/books/:book/fingerprint", (c) => c.json(findBook(world, c.req.param("book"))));
  app.post("/books/:book/delete", (c) => {
    const { id } = findBook(world, c.req.param("book"));
    world.state.books = world.state.books.filter((each) => each.id !== id);
    world.save();
    return c.body(null, 204);
  });
  return app;
}

function contentControl(world: AlmanacWorld): Hono {
  const app = new Hono();
  const author = NORA.name;
  const stored = (book: StoredBook, wanted: z.output<typeof files>) =>
    wanted.map(({ name, text }) => makeFile(world, book, name, new TextEncoder().encode(text)).id);
  app.use("*", async (_c, next) => {
    await next();
    world.save();
  });
  app.post("/books/:book/pages", async (c) => {
    const book = findBook(world, c.req.param("book"));
    const { title, text, parentId, files: wanted } = pageOrder.parse(await c.req.json());
    const fileIds = stored(book, wanted);
    const blocks = [
      { type: "text" as const, text },
      ...fileIds.map((fileId) => ({ type: "file" as const, fileId })),
    ];
    const own = { icon: null, isArchived: false, properties: [], blocks, fileIds, author };
    return c.json(makePage(world, book, { title, parentId, slot: null, ...own }));
  });
  app.post("/books/:book/pages/:page/edit", async (c) => {
    const book = findBook(world, c.req.param("book"));
    const page = found(book.pages, c.req.param("page"));
    const { text, ...facts } = pageEdit.parse(await c.req.json());
    Object.assign(page, facts, { editedAt: new Date().toISOString() });
    if (text !== undefined) page.blocks = [{ type: "text", text }, ...page.blocks.slice(1)];
    return c.body(null, 204);
  });
  app.post("/books/:book/registers", async (c) => {
    const book = findBook(world, c.req.param("book"));
    const { title, parentId, columns } = registerOrder.parse(await c.req.json());
    const made = columns.map((column, at) => ({ id: `c${at + 1}`, unit: null, ...column }));
    const own = { icon: null, text: "", isArchived: false, columns: made, layouts: [], slot: null };
    return c.json(makeRegister(world, book, { title, parentId, ...own }));
  });
  app.post("/books/:book/rows", async (c) => {
    const book = findBook(world, c.req.param("book"));
    const { registerId, title, files: wanted } = rowOrder.parse(await c.req.json());
    const fileIds = stored(book, wanted);
    const own = { isArchived: false, cells: {}, blocks: [], author };
    return c.json(makeRow(world, book, { registerId, title, fileIds, ...own }));
  });
  app.post("/books/:book/rows/:row/edit", async (c) => {
    const row = found(findBook(world, c.req.param("book")).rows, c.req.param("row"));
    Object.assign(row, rowEdit.parse(await c.req.json()), { editedAt: new Date().toISOString() });
    return c.body(null, 204);
  });
  app.post("/books/:book/comments", async (c) => {
    const book = findBook(world, c.req.param("book"));
    const { pageId, text } = commentOrder.parse(await c.req.json());
    return c.json(makeComment(world, book, { on: { pageId, rowId: null, registerId: null }, text, author }));
  });
  return app;
}

function findBook(world: AlmanacWorld, id: string): StoredBook {
  return found(world.state.books, id);
}

function found<T extends { id: string }>(all: readonly T[], id: string): T {
  const one = all.find((each) => each.id === id);
  if (!one) throw new Error(`There is no ${id}`);
  return one;
}
