import { html } from "hono/html";
import { type Page, type WebSite, webConsent, webPage } from "#connectors/toolkit/simulator/web-page.ts";
import type { DropboxPerson } from "./state.ts";

const DROPBOX: WebSite = {
  name: "Dropbox",
  light: { line: "#d6d2cb", quiet: "#6b645a", ground: "#f7f5f2", card: "#fff", ink: "#1e1919" },
  dark: { line: "#3c3835", quiet: "#a8a29b", ground: "#1a1918", card: "#252322", ink: "#f7f5f2" },
  link: "#0061fe",
  button: { ground: "#0061fe", line: "#0050d1" },
};

/** Descriptions of the scopes, as the consent page shows them. */
const SCOPES: Record<string, string> = {
  "account_info.read": "View basic information about your account",
  "files.metadata.read": "View information about the files in its folder",
  "files.metadata.write": "Edit information about the files in its folder",
  "files.content.read": "View the content of the files in its folder",
  "files.content.write": "Edit the content of the files in its folder",
};

/** The consent page, on which a person chooses an account and allows or denies the application. */
export function consentPage(order: {
  people: readonly DropboxPerson[];
  /** Parameters of the request, passed on as hidden form fields. */
  query: Record<string, string>;
  scopes: readonly string[];
}): Page {
  return webConsent(DROPBOX, {
    title: "Allow Holdfast",
    introduction: "Holdfast would like access to its own folder, Apps › Holdfast, in this simulated Dropbox.",
    action: "/oauth2/authorize",
    query: order.query,
    people: order.people.map(({ login, givenName, surname, email }) => ({
      login,
      name: `${givenName} ${surname}`,
      shown: email,
      picture: `/pictures/${login}.svg`,
    })),
    wishes: {
      title: "Holdfast will be able to",
      lines: order.scopes.map((scope) => html`${SCOPES[scope] ?? scope} <code>${scope}</code>`),
    },
    deny: "Cancel",
  });
}

/** The error page for invalid requests. */
export function errorPage(message: string): Page {
  return layout("Error", html`<h1>Something went wrong</h1><p>${message}</p>`);
}

/** The layout of every page of the simulated website. */
export function layout(title: string, content: unknown): Page {
  return webPage(DROPBOX, title, content);
}
