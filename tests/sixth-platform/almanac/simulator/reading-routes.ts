import { Hono } from "hono";
import { type AlmanacEnv, bookOf, siteOf } from "./api-context.ts";
import { listOf } from "./lists.ts";
import { bytesOf } from "./make.ts";
import { missing } from "./refused.ts";
import type { AlmanacWorld, StoredBook } from "./state.ts";

const BOOK = "/sites/:site/books/:book";

/** The reading half of the API. */
export function readingRoutes(world: AlmanacWorld): Hono<AlmanacEnv> {
  const app = new Hono<AlmanacEnv>();
  app.get("/sites", (c) => {
    const { siteIds } = c.get("person");
    const own = world.state.sites.filter(({ id }) => siteIds.includes(id));
    return c.json(listOf(c, own));
  });
  app.get("/sites/:site", (c) => c.json(siteOf(world, c)));
  app.get("/sites/:site/books", (c) => {
    const { id } = siteOf(world, c);
    const name = c.req.query("name")?.toLowerCase() ?? "";
    const found = world.state.books.filter(
      (book) => book.siteId === id && book.name.toLowerCase().includes(name),
    );
    return c.json(listOf(c, found, factsOf));
  });
  app.get(BOOK, (c) => c.json(factsOf(bookOf(world, c))));
  for (const what of ["pages", "registers", "rows", "comments"] as const) {
    app.get(`${BOOK}/${what}`, (c) => {
      const ids = c.req.query("ids")?.split(",");
      const all: { id: string }[] = bookOf(world, c)[what];
      return c.json(listOf(c, ids === undefined ? all : all.filter(({ id }) => ids.includes(id))));
    });
  }
  app.get(`${BOOK}/readers`, (c) => {
    const { siteId, sharing } = bookOf(world, c);
    const own = world.state.people.filter(({ siteIds }) => sharing === "site" && siteIds.includes(siteId));
    return c.json({ readers: own.map(({ name, login }) => ({ name, login })) });
  });
  app.get(`${BOOK}/files/:file`, (c) => {
    const file = bookOf(world, c).files.find(({ id }) => id === c.req.param("file"));
    if (!file) throw missing("file");
    return c.body(bytesOf(world, file), 200, { "Content-Type": "application/octet-stream" });
  });
  return app;
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
