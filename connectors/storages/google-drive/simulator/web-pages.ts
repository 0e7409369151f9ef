import { Hono } from "hono";
import { html } from "hono/html";
import { errorPage, layout } from "./consent-page.ts";
import { isInTrash, usedBytes } from "./files.ts";
import type { DriveWorld } from "./state.ts";

/** Pages for people: the accounts and the content of their folders. */
export function webPages(world: DriveWorld): Hono {
  const app = new Hono();
  app.get("/", (c) => {
    const rows = world.state.people.map(
      (person) => html`<tr><td><a href="/drive/folders/${person.rootId}">${person.name}</a></td>
        <td class="quiet">${inMegabytes(usedBytes(world, person))} used</td></tr>`,
    );
    return c.html(layout("Drive", html`<h1>People</h1><table>${rows}</table>`));
  });
  app.get("/pictures/:file", (c) => {
    const initial = c.req.param("file").charAt(0).toUpperCase();
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#146c2e"/><text x="20" y="26" font-family="system-ui" font-size="16" font-weight="600" fill="#fff" text-anchor="middle">${initial.replace(/[^A-Z]/, "?")}</text></svg>`;
    return c.body(picture, 200, { "Content-Type": "image/svg+xml" });
  });
  app.get("/drive/folders/:id", (c) => {
    const id = c.req.param("id");
    const folder = world.state.files.find((file) => file.id === id);
    const isRoot = world.state.people.some(({ rootId }) => rootId === id);
    if (folder === undefined && !isRoot) {
      return c.html(errorPage("This folder does not exist, or has been deleted."), 404);
    }
    const rows = world.state.files
      .filter((file) => file.parentId === id && !isInTrash(world, file))
      .map(({ id: child, name, content }) =>
        content === null
          ? html`<tr><td><a href="/drive/folders/${child}">${name}</a></td><td class="quiet small">Folder</td></tr>`
          : html`<tr><td>${name}</td><td class="quiet small">${inMegabytes(content.sizeBytes)}</td></tr>`,
      );
    const empty = html`<p class="quiet">This folder is empty.</p>`;
    const name = folder?.name ?? "My Drive";
    return c.html(
      layout(name, html`<h1>${name}</h1>${rows.length === 0 ? empty : html`<table>${rows}</table>`}`),
    );
  });
  return app;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
