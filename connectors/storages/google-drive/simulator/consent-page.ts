import { html } from "hono/html";
import { type Page, type WebSite, webConsent, webPage } from "#connectors/toolkit/simulator/web-page.ts";
import { type DrivePerson, FILE_SCOPE } from "./state.ts";

const GOOGLE: WebSite = {
  name: "Google",
  light: { line: "#dadce0", quiet: "#5f6368", ground: "#f8fafd", card: "#fff", ink: "#1f1f1f" },
  dark: { line: "#444746", quiet: "#a8abaa", ground: "#131314", card: "#1e1f20", ink: "#e3e3e3" },
  link: "#0b57d0",
  button: { ground: "#0b57d0", line: "#0842a0" },
};

/** Google's descriptions of the scopes. */
const SCOPES: Record<string, string> = {
  [FILE_SCOPE]: "See, edit, create, and delete only the specific Google Drive files you use with this app",
};

/** The consent page, on which a person chooses an account and the scopes to allow. */
export function consentPage(order: {
  people: readonly DrivePerson[];
  /** Parameters of the request, passed on as hidden form fields. */
  query: Record<string, string>;
  scopes: readonly string[];
}): Page {
  return webConsent(GOOGLE, {
    title: "Allow Holdfast",
    introduction: "Holdfast wants access to your Google Account, in this simulated Google.",
    action: "/o/oauth2/v2/auth",
    query: order.query,
    people: order.people.map(({ login, name, email }) => ({
      login,
      name,
      shown: email,
      picture: `/pictures/${login}.svg`,
    })),
    wishes: {
      title: "Select what Holdfast can access",
      lines: order.scopes.map(
        (scope) => html`<label><input type="checkbox" name="allowed" value="${scope}" checked>
          ${SCOPES[scope] ?? scope}</label>`,
      ),
    },
    deny: "Cancel",
  });
}

/** The error page for invalid requests. */
export function errorPage(message: string): Page {
  return layout("Error 400", html`<h1>Access blocked: this request is invalid</h1><p>${message}</p>`);
}

/** The layout of every page of the simulated website. */
export function layout(title: string, content: unknown): Page {
  return webPage(GOOGLE, title, content);
}
