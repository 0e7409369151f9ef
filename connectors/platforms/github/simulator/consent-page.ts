import { html } from "hono/html";
import { type Page, type WebSite, webConsent, webPage } from "#connectors/toolkit/simulator/web-page.ts";
import type { Account } from "./state.ts";

const GITHUB: WebSite = {
  name: "GitHub",
  light: { line: "#d1d9e0", quiet: "#59636e", ground: "#f6f8fa", card: "#fff", ink: "#1f2328" },
  dark: { line: "#3d444d", quiet: "#9198a1", ground: "#0d1117", card: "#151b23", ink: "#f0f6fc" },
  link: "#4493f8",
  button: { ground: "#1f883d", line: "#1a7f37" },
};

/** The App's permissions, in GitHub's words. */
const PERMISSIONS = ["Read and write code", "Administer repositories", "Read organisation members"];

/** The page where a person chooses an account and allows or denies the App. */
export function consentPage(order: {
  people: readonly Account[];
  appName: string;
  /** Parameters of the request, which the form passes on. */
  query: Record<string, string>;
  scopes: readonly string[] | null;
}): Page {
  return webConsent(GITHUB, {
    title: `Authorize ${order.appName}`,
    introduction: `${order.appName} would like to act on your behalf on this simulated GitHub.`,
    action: "/login/oauth/authorize",
    query: order.query,
    people: order.people.map(({ login, name }) => {
      return { login, name, shown: login, picture: `/avatars/${login}.svg` };
    }),
    wishes: { title: "It asks to", lines: order.scopes ?? PERMISSIONS },
    deny: "Cancel",
  });
}

/** The page for invalid requests. */
export function errorPage(message: string): Page {
  return layout("Be careful!", html`<h1>Be careful!</h1><p>${message}</p>`);
}

/** The layout of every page of the simulated web site. */
export function layout(title: string, content: unknown): Page {
  return webPage(GITHUB, title, content);
}
