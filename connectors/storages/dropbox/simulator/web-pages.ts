import { Hono } from "hono";
import { html } from "hono/html";
import { findPerson } from "#connectors/toolkit/simulator/storage-site.ts";
import { errorPage, layout } from "./consent-page.ts";
import { entriesBelow, findEntry, usedBytes } from "./entries.ts";
import type { DropboxPerson, DropboxWorld } from "./state.ts";

/** Pages for people: the accounts and the content of their app folders. */
export function webPages(world: DropboxWorld): Hono {
  const app = new Hono();
  app.get("/", (c) => {
    const rows = world.state.people.map(
      (person) => html`<tr><td><a href="/home/${person.login}">${person.givenName} ${person.surname}</a></td>
        <td class="quiet">${inMegabytes(usedBytes(world, person))} of ${inMegabytes(person.allocatedBytes)}</td></tr>`,
    );
    return c.html(layout("Home", html`<h1>People</h1><table>${rows}</table>`));
  });
  app.get("/pictures/:file", (c) => {
    const initial = c.req.param("file").charAt(0).toUpperCase();
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#0061fe"/><text x="20" y="26" font-family="system-ui" font-size="16" font-weight="600" fill="#fff" text-anchor="middle">${initial.replace(/[^A-Z]/, "?")}</text></svg>`;
    return c.body(picture, 200, { "Content-Type": "image/svg+xml" });
  });
  app.get("/home/:login{[^/]+}/:path{.*}?", (c) => {
    const person = findPerson(world.state, c.req.param("login"));
    const folder = decodeURIComponent(c.req.path.split("/").slice(3).join("/"));
    const isThere = person !== null && (folder === "" || findEntry(world, person, `/${folder}`) !== null);
    if (!isThere) return c.html(errorPage("This folder does not exist, or has been deleted."), 404);
    return c.html(layout(folder || "Holdfast", folderPage(world, person, folder)));
  });
  return app;
}

function folderPage(world: DropboxWorld, person: DropboxPerson, folder: string) {
  const at = folder === "" ? "" : `/${folder}`;
  const rows = entriesBelow(world, person, at, false).map(({ pathDisplay, file }) => {
    const name = pathDisplay.split("/").at(-1) ?? "";
    const link = html`<a href="/home/${person.login}${encodeURI(pathDisplay)}">${name}</a>`;
    const size = file === null ? "Folder" : inMegabytes(file.sizeBytes);
    return html`<tr><td>${file === null ? link : name}</td><td class="quiet small">${size}</td></tr>`;
  });
  return html`<h1>Apps › Holdfast${at.split("/").join(" › ")}</h1>
    ${rows.length === 0 ? html`<p class="quiet">This folder is empty.</p>` : html`<table>${rows}</table>`}`;
}

function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
