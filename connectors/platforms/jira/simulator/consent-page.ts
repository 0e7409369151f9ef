import { html } from "hono/html";
import { type Page, type WebSite, webConsent, webPage } from "#connectors/toolkit/simulator/web-page.ts";
import { SCOPES } from "./scopes.ts";
import type { JiraWorld } from "./state.ts";
import { siteUrl } from "./store.ts";

const ATLASSIAN: WebSite = {
  name: "Jira",
  light: { line: "#dcdfe4", quiet: "#626f86", ground: "#f7f8f9", card: "#fff", ink: "#172b4d" },
  dark: { line: "#3c454c", quiet: "#9fadbc", ground: "#161a1d", card: "#22272b", ink: "#dee4ea" },
  link: "#0c66e4",
  button: { ground: "#0c66e4", line: "#0055cc" },
};

/** The page on which people choose their account and a site, and allow or deny the application. */
export function consentPage(
  world: JiraWorld,
  order: { query: Record<string, string>; scopes: readonly string[]; target: string },
): Page {
  const { people, sites } = world.state;
  const members = people.filter(({ accountType, isActive }) => accountType === "atlassian" && isActive);
  const options = sites.map(
    ({ cloudId, name }) =>
      html`<option value="${cloudId}">${name} · ${siteUrl(world, sites.find((site) => site.cloudId === cloudId)!)}</option>`,
  );
  return webConsent(ATLASSIAN, {
    title: "Accept",
    introduction: "Holdfast is requesting access to your Atlassian account on this simulated Jira.",
    action: "/authorize",
    query: order.query,
    people: members.map(({ email, displayName }) => ({
      login: email,
      name: displayName,
      shown: email,
      picture: `/avatars/${encodeURIComponent(displayName)}.svg`,
    })),
    wishes: {
      title: "In the site that you choose, it would like to",
      lines: [
        ...order.scopes.map((scope) => html`${SCOPES[scope] ?? scope} <code>${scope}</code>`),
        html`<label>Use app on <select name="site" required style="max-width: 100%">${options}</select></label>`,
      ],
    },
    deny: "Cancel",
    target: order.target,
  });
}

/** The page for failed requests. */
export function errorPage(message: string): Page {
  return layout("Something went wrong", html`<h1>Something went wrong</h1><p>${message}</p>`);
}

/** The frame of every page of the simulated web site. */
export function layout(title: string, content: unknown): Page {
  return webPage(ATLASSIAN, title, content);
}
