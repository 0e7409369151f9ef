import { Hono } from "hono";
import { html } from "hono/html";
import { webPage } from "#connectors/toolkit/simulator/web-page.ts";
import { ALMANAC } from "./oauth.ts";
import type { AlmanacWorld } from "./state.ts";

/** The web site: a page for each book, and for each page or row in it. */
export function webPages(world: AlmanacWorld): Hono {
  const app = new Hono();
  app.get("/", (c) => c.html(webPage(ALMANAC, "Almanac", html`<h1>Almanac</h1>`)));
  app.get("/b/:book/:thing?", (c) => {
    const book = world.state.books.find(({ id }) => id === c.req.param("book"));
    const thing = c.req.param("thing");
    if (!book) return c.html(webPage(ALMANAC, "Gone", html`<h1>There is no such book</h1>`), 404);
    const things = [...book.pages, ...book.registers, ...book.rows];
    const shown = thing === undefined ? things : things.filter(({ id }) => id === thing);
    const lines = shown.map(({ title }) => html`<li>${title}</li>`);
    return c.html(webPage(ALMANAC, book.name, html`<h1>${book.name}</h1><ul>${lines}</ul>`));
  });
  return app;
}
