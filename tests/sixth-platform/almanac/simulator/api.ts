import { type Context, Hono } from "hono";
import { z } from "zod";
import type { OauthDesk } from "#connectors/toolkit/simulator/oauth-desk.ts";
import { listOf } from "./lists.ts";
import { bytesOf, makeBook, makeComment, makeFile, makePage, makeRegister, makeRow } from "./make.ts";
import { bookOrder, commentsOrder, fileQuery, pageOrder, registerOrder, rowsOrder } from "./orders.ts";
import { countRequest, rateLimitAnswer } from "./rate-limit.ts";
import { missing, Refused } from "./refused.ts";
import type { AlmanacWorld, Person, StoredBook } from "./state.ts";

/** Almanac's API: lists in pages by cursor, and requests that make things once by their ids. */
export function apiApp(world: AlmanacWorld, desk: OauthDesk): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    const status = error instanceof Refused ? error.status : error instanceof z.ZodError ? 400 : 500;
    const message = error instanceof z.ZodError ? z.prettifyError(error) : error.message;
    if (status === 400 || status === 500) note(world, c, status, message);
    return c.json({ message }, status);
  });
  app.use("*", async (c, next) => {
    const token = /^Bearer (.+)$/.exec(c.req.header("authorization") ?? "")?.[1];
    const identity = token === undefined ? null : desk.identify(token);
    if (identity?.kind !== "live") return c.json({ message: "The token is not valid." }, 401);
    const { grant } = identity;
    const isUpload = c.req.method === "POST" && c.req.path.endsWith("/files");
    const wait = countRequest(world, grant.id, isUpload);
    if (wait !== null) {
      const limit = { kind: "rate-limit", shape: "site", retryAfter: String(wait) } as const;
      const { status, headers, body } = rateLimitAnswer(limit);
      return new Response(body, { status, headers });
    }
    const person = world.state.people.find(({ id }) => id === grant.personId);
    if (person === undefined) return c.json({ message: "The person is gone." }, 401);
    await next();
    if (c.req.method !== "GET") world.save();
  });
  const personOf = (c: Context): Person => {
    const token = c.req.header("authorization")?.slice("Bearer ".length) ?? "";
    const identity = desk.identify(token);
    const personId = identity.kind === "live" ? identity.grant.personId : null;
    const person = world.state.people.find(({ id }) => id === personId);
    if (!person) throw new Refused(401, "The token is not valid.");
    return person;
  };
  const siteOf = (c: Context) => {
    const id = c.req.param("site");
    const site = personOf(c).siteIds.includes(id ?? "")
      ? world.state.sites.find((one) => one.id === id)
      : null;
    if (!site) throw missing("site");
    return site;
  };
  const bookOf = (c: Context): StoredBook => {
    const { id } = siteOf(c);
    const book = world.state.books.find((one) => one.siteId === id && one.id === c.req.param("book"));
    if (!book) throw missing("book");
    return book;
  };
  /** Makes what a request asks for, unless a request of that id did. */
  const once = (requestId: string, make: () => string[]): { id: string }[] => {
    world.state.made[requestId] ??= make();
    return world.state.made[requestId].map((id) => ({ id }));
  };

  app.get("/sites", (c) => {
    const { siteIds } = personOf(c);
    return c.json(
      listOf(
        c,
        world.state.sites.filter(({ id }) => siteIds.includes(id)),
      ),
    );
  });
  app.get("/sites/:site", (c) => c.json(siteOf(c)));
  app.get("/sites/:site/books", (c) => {
    const { id } = siteOf(c);
    const name = c.req.query("name")?.toLowerCase() ?? "";
    const found = world.state.books.filter(
      (book) => book.siteId === id && book.name.toLowerCase().includes(name),
    );
    return c.json(listOf(c, found, factsOf));
  });
  app.post("/sites/:site/books", async (c) => {
    const siteId = siteOf(c).id;
    const { requestId, ...order } = bookOrder.parse(await c.req.json());
    return c.json(once(requestId, () => [makeBook(world, { siteId, ...order }).id])[0], 201);
  });
  app.get("/sites/:site/books/:book", (c) => c.json(factsOf(bookOf(c))));
  for (const what of ["pages", "registers", "rows", "comments"] as const) {
    app.get(`/sites/:site/books/:book/${what}`, (c) => {
      const ids = c.req.query("ids")?.split(",");
      const all: { id: string }[] = bookOf(c)[what];
      return c.json(listOf(c, ids === undefined ? all : all.filter(({ id }) => ids.includes(id))));
    });
  }
  app.post("/sites/:site/books/:book/pages", async (c) => {
    const [book, author] = [bookOf(c), personOf(c).name];
    const { requestId, ...order } = pageOrder.parse(await c.req.json());
    return c.json(once(requestId, () => [makePage(world, book, { ...order, author }).id])[0], 201);
  });
  app.post("/sites/:site/books/:book/registers", async (c) => {
    const book = bookOf(c);
    const { requestId, ...order } = registerOrder.parse(await c.req.json());
    return c.json(once(requestId, () => [makeRegister(world, book, order).id])[0], 201);
  });
  app.post("/sites/:site/books/:book/rows", async (c) => {
    const [book, author] = [bookOf(c), personOf(c).name];
    const { requestId, registerId, rows } = rowsOrder.parse(await c.req.json());
    const make = () => rows.map((row) => makeRow(world, book, { ...row, registerId, author }).id);
    return c.json({ items: once(requestId, make) }, 201);
  });
  app.post("/sites/:site/books/:book/comments", async (c) => {
    const [book, author] = [bookOf(c), personOf(c).name];
    const { requestId, on, comments } = commentsOrder.parse(await c.req.json());
    const make = () => comments.map(({ text }) => makeComment(world, book, { on, text, author }).id);
    return c.json({ items: once(requestId, make) }, 201);
  });
  app.post("/sites/:site/books/:book/files", async (c) => {
    const book = bookOf(c);
    const { requestId, name } = fileQuery.parse(c.req.query());
    const bytes = new Uint8Array(await c.req.arrayBuffer());
    if (bytes.length > world.settings.fileBytes) throw new Refused(413, "The file is too large.");
    return c.json(once(requestId, () => [makeFile(world, book, name, bytes).id])[0], 201);
  });
  app.get("/sites/:site/books/:book/files/:file", (c) => {
    const file = bookOf(c).files.find(({ id }) => id === c.req.param("file"));
    if (!file) throw missing("file");
    return c.body(bytesOf(world, file), 200, { "Content-Type": "application/octet-stream" });
  });
  app.notFound((c) => {
    note(world, c, 404, "There is no such call.");
    return c.json({ message: "There is no such call." }, 404);
  });
  return app;
}

function note(world: AlmanacWorld, c: Context, status: number, reason: string): void {
  const { method, path } = c.req;
  world.refuse({ kind: status === 404 ? "unknown" : "refused", method, path, status, reason });
}

/** A book as lists show it. */
function factsOf({ id, name, description, sharing, contents, ...held }: StoredBook) {
  const { pages, registers, rows, comments } = held;
  const files = [...pages, ...rows].flatMap((each) => each.files);
  return {
    ...{ id, name, description, sharing, contents },
    sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
    counts: {
      ...{ page: pages.length, register: registers.length, row: rows.length },
      ...{ comment: comments.length, file: files.length },
    },
  };
}
