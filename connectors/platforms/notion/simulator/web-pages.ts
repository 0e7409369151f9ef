import { Hono } from "hono";
import { html } from "hono/html";
import { initialsPicture } from "#connectors/toolkit/simulator/initials-picture.ts";
import { webPage } from "#connectors/toolkit/simulator/web-page.ts";
import { NOTION } from "./consent-page.ts";
import { readId } from "./ids.ts";
import { markdownOf } from "./reading/markdown.ts";
import { databaseTitle, pageUrl, plainText, titleOf } from "./render.ts";
import type { Database, NotionWorld, Page } from "./state.ts";
import { childrenOf, isInTrash } from "./store.ts";

/** The web site: a page for each page and each database, and the pictures of people. */
export function webPages(world: NotionWorld): Hono {
  const app = new Hono();
  const gone = html`<h1>This page could not be found</h1>`;
  app.get("/", (c) => c.html(webPage(NOTION, "Notion", html`<h1>Notion</h1>${workspaces(world)}`)));
  app.get("/avatars/:login", (c) =>
    c.body(initialsPicture(c.req.param("login")), 200, { "Content-Type": "image/svg+xml" }),
  );
  app.get("/p/:name", (c) => {
    const id = readId(c.req.param("name").slice(-32)) ?? "";
    const page = world.state.pages[id];
    const database = world.state.databases[id];
    if ((!page && !database) || isInTrash(world, id)) return c.html(webPage(NOTION, "Gone", gone), 404);
    const title = page ? titleOf(page) : plainText(databaseTitle(world, database!));
    const content = page ? pageContent(world, page) : tableContent(world, database!);
    return c.html(webPage(NOTION, title || "Untitled", html`<h1>${title || "Untitled"}</h1>${content}`));
  });
  return app;
}

function workspaces(world: NotionWorld) {
  return world.state.workspaces.map(
    ({ name, rootIds }) => html`<h2>${name}</h2><ul>${rootIds.map((id) => link(world, id))}</ul>`,
  );
}

function pageContent(world: NotionWorld, page: Page) {
  const below = childrenOf(world, page.id).filter((id) => world.state.pages[id] ?? world.state.databases[id]);
  const { markdown } = markdownOf(world, page.id);
  return html`<ul>${below.map((id) => link(world, id))}</ul><pre style="white-space: pre-wrap">${markdown}</pre>`;
}

function tableContent(world: NotionWorld, database: Database) {
  return database.dataSourceIds.map((id) => {
    const { title, rowIds } = world.state.dataSources[id]!;
    const rows = rowIds.filter((row) => world.state.pages[row]?.isTrashed === false).slice(0, 100);
    return html`<h2>${plainText(title)}</h2><ul>${rows.map((row) => link(world, row))}</ul>`;
  });
}

function link(world: NotionWorld, id: string) {
  const page = world.state.pages[id];
  const database = world.state.databases[id];
  const title = page ? titleOf(page) : database ? plainText(databaseTitle(world, database)) : "";
  return html`<li><a href="${pageUrl(world, id, title)}">${title || "Untitled"}</a></li>`;
}
