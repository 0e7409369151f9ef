import { html } from "hono/html";
import { type Page, type WebSite, webConsent, webPage } from "#connectors/toolkit/simulator/web-page.ts";
import type { User } from "./state.ts";

const GITLAB: WebSite = {
  name: "GitLab",
  light: { line: "#dcdcde", quiet: "#626168", ground: "#fbfafd", card: "#fff", ink: "#333238" },
  dark: { line: "#434248", quiet: "#a4a3a8", ground: "#1f1e24", card: "#28272d", ink: "#ececef" },
  link: "#7759c2",
  button: { ground: "#7759c2", line: "#694cc0" },
};

/** Descriptions of the scopes, in GitLab's words. */
const SCOPES: Record<string, string> = {
  api: "Access the API on your behalf",
  read_api: "Read the API on your behalf",
  read_user: "Read your personal information",
  read_repository: "Allows read-only access to the repository",
  write_repository: "Allows read-write access to the repository",
};

/** The page on which people choose their user and allow or deny the application. */
export function consentPage(order: {
  people: readonly User[];
  /** Parameters of the request; the form passes them on. */
  query: Record<string, string>;
  scopes: readonly string[];
}): Page {
  return webConsent(GITLAB, {
    title: "Authorize Holdfast",
    introduction:
      "An application called Holdfast is requesting access to your account on this simulated GitLab.",
    action: "/oauth/authorize",
    query: order.query,
    people: order.people.map(({ username, name }) => {
      const picture = `/uploads/-/avatars/${username}.svg`;
      return { login: username, name, shown: `@${username}`, picture };
    }),
    wishes: {
      title: "This application will be able to",
      lines: order.scopes.map((scope) => html`${SCOPES[scope] ?? scope} <code>${scope}</code>`),
    },
    deny: "Deny",
  });
}

/** The page for failed requests. */
export function errorPage(message: string): Page {
  return layout("An error has occurred", html`<h1>An error has occurred</h1><p>${message}</p>`);
}

/** The frame of every page of the simulated web site. */
export function layout(title: string, content: unknown): Page {
  return webPage(GITLAB, title, content);
}
