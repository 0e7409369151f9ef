import { html } from "hono/html";
import { type Page as WebPage, type WebSite, webPage } from "#connectors/toolkit/simulator/web-page.ts";
import { type SignedIn, topOf } from "./consent-parts.ts";
import { databaseTitle, plainText, titleOf } from "./render.ts";
import type { NotionWorld } from "./state.ts";
import { findThing } from "./store.ts";

export const NOTION: WebSite = {
  name: "Notion",
  light: { line: "#e9e9e7", quiet: "#787774", ground: "#f7f6f3", card: "#fff", ink: "#37352f" },
  dark: { line: "#373737", quiet: "#9b9b9b", ground: "#191919", card: "#202020", ink: "#e3e2e0" },
  link: "#2383e2",
  button: { ground: "#2383e2", line: "#1f74c8" },
};

/** The first page of the consent: who signs in, and for which workspace. */
export function personPage(world: NotionWorld, query: Record<string, string>): WebPage {
  const places = world.state.people.flatMap((person) =>
    world.state.workspaces
      .filter(({ id }) => person.workspaceIds.includes(id))
      .map((workspace) => ({ person, workspace })),
  );
  const choices = places.map(
    ({ person, workspace }, index) => html`<label class="person">
      <input type="radio" name="place" value="${person.login} ${workspace.id}" ${index === 0 ? "checked" : ""}>
      <img src="/avatars/${person.login}" alt="" width="36" height="36">
      <span><strong>${person.name}</strong><small>${workspace.name} · ${person.email}</small></span>
    </label>`,
  );
  return webPage(
    NOTION,
    "Sign in",
    html`<h1>Connect with Holdfast</h1>
      <p class="quiet">An application called Holdfast asks for access to a workspace of this simulated Notion.</p>
      <form method="get" action="/v1/oauth/authorize">
        ${carried(query)}
        <fieldset><legend>Sign in as</legend>${choices}</fieldset>
        <div class="actions"><button class="primary">Select pages</button></div>
      </form>`,
  );
}

/** The second page: which pages at the top of the workspace the application may see. */
export function pickerPage(
  world: NotionWorld,
  { person, workspace }: SignedIn,
  query: Record<string, string>,
): WebPage {
  const pages = topOf(world, workspace).map(
    (id) =>
      html`<li><label><input type="checkbox" name="page" value="${id}" checked> ${nameOf(world, id)}</label></li>`,
  );
  return webPage(
    NOTION,
    "Select pages",
    html`<h1>Select pages</h1>
      <p class="quiet">${person.name}, which pages of ${workspace.name} may Holdfast see? What is below them is included.</p>
      <form method="post" action="/v1/oauth/authorize">
        ${carried(query)}
        <fieldset><legend>Pages</legend><ul>${pages}</ul></fieldset>
        <div class="actions">
          <button name="decision" value="cancel">Cancel</button>
          <button name="decision" value="allow" class="primary">Allow access</button>
        </div>
      </form>`,
  );
}

/** The page that shows why a request is wrong; it does not send back. */
export function errorPage(message: string): WebPage {
  return webPage(NOTION, "Error", html`<h1>This request is not valid</h1><p>${message}</p>`);
}

function carried(query: Record<string, string>) {
  const own = Object.entries(query).filter(([name]) => !["page", "decision"].includes(name));
  return own.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

function nameOf(world: NotionWorld, id: string): string {
  const found = findThing(world, id);
  const title =
    found?.kind === "page"
      ? titleOf(found.thing)
      : found?.kind === "database"
        ? plainText(databaseTitle(world, found.thing))
        : "";
  return title || "Untitled";
}
