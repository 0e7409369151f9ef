import { html, raw } from "hono/html";
import { type Page, type WebSite, webConsent, webPage } from "#connectors/toolkit/simulator/web-page.ts";
import type { Member } from "./state.ts";

const TRELLO: WebSite = {
  name: "Trello",
  light: { line: "#dcdfe4", quiet: "#626f86", ground: "#f7f8f9", card: "#fff", ink: "#172b4d" },
  dark: { line: "#3c454c", quiet: "#9fadbc", ground: "#161a1d", card: "#22272b", ink: "#dee4ea" },
  link: "#0c66e4",
  button: { ground: "#0c66e4", line: "#0055cc" },
};

/** Descriptions of the scopes, in Trello's words. */
const SCOPES: Record<string, string> = {
  read: "Read your boards and workspaces",
  write: "Change your boards and workspaces",
  account: "See your e-mail address",
  "read:board:trello": "Read cards, lists, and comments in boards",
  "read:member:trello": "Read your e-mail address, name, avatar and memberships",
  "read:organization:trello": "Read workspaces",
  "write:board:trello": "Create and update cards, lists, and comments in boards",
  "write:board:membership:trello": "Add, remove, or modify memberships on boards",
  "write:organization:trello": "Update workspaces",
  offline_access: "Keep access while you are away",
};

/** The page on which people choose their user and allow or deny the application. */
export function consentPage(order: {
  people: readonly Member[];
  /** The form's action URL. */
  action: string;
  /** Parameters of the request; the form passes them on. */
  query: Record<string, string>;
  scopes: readonly string[];
  /** How long the access lasts, in words; null when the request does not say. */
  lasting: string | null;
  /** Host to redirect to; null = none. */
  target: string | null;
}): Page {
  return webConsent(TRELLO, {
    title: "Authorize Holdfast",
    introduction: "An application called Holdfast asks for access to your account on this simulated Trello.",
    action: order.action,
    query: order.query,
    people: order.people.map(({ username, fullName }) => ({
      login: username,
      name: fullName,
      shown: `@${username}`,
      picture: `/avatars/${username}.svg`,
    })),
    wishes: {
      title: "Holdfast will be able to",
      lines: [
        ...order.scopes.map((scope) => html`${SCOPES[scope] ?? scope} <code>${scope}</code>`),
        ...(order.lasting === null ? [] : [`The access lasts ${order.lasting}.`]),
      ],
    },
    deny: "Deny",
    target: order.target,
  });
}

/** The page for failed requests. */
export function errorPage(message: string): Page {
  return layout("Something went wrong", html`<h1>Something went wrong</h1><p>${message}</p>`);
}

/** The page that shows the token when the request has no return URL. */
export function tokenPage(token: string): Page {
  return layout("Your token", html`<h1>You have granted access</h1><p>Your token:</p><code>${token}</code>`);
}

/** The frame of every page of the simulated web site. */
export function layout(title: string, content: unknown): Page {
  return webPage(TRELLO, title, content);
}

/** Makes the content use the page's full width, for boards. */
export function wide(content: unknown): Page {
  return html`<style>${raw(`
    main { max-width: none; margin: 24px; }
    .board { display: flex; gap: 12px; overflow-x: auto; align-items: flex-start; }
    .list { flex: 0 0 260px; padding: 10px; border-radius: 10px; background: var(--ground); }
    .list h2 { margin: 0 0 8px; font-size: 15px; overflow-wrap: anywhere; }
    .card { margin: 0 0 8px; padding: 8px 10px; border: 1px solid var(--line); border-radius: 8px;
      background: var(--card); overflow-wrap: anywhere; }
    .label { display: inline-block; margin: 0 4px 4px 0; padding: 0 8px; border-radius: 4px; color: #fff;
      font-size: 12px; background: #44546f; }`)}</style>${content}`;
}
