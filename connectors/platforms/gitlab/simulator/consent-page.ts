import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { User } from "./state.ts";

type Page = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What the scopes say to a person, in GitLab's words. */
const SCOPES: Record<string, string> = {
  api: "Access the API on your behalf",
  read_api: "Read the API on your behalf",
  read_user: "Read your personal information",
  read_repository: "Allows read-only access to the repository",
  write_repository: "Allows read-write access to the repository",
};

/** The page on which a person chooses who they are and allows or denies the application. */
export function consentPage(order: {
  people: readonly User[];
  /** Parameters of the request; they travel on in the form. */
  query: Record<string, string>;
  scopes: readonly string[];
}): Page {
  const carried = Object.entries(order.query).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const people = order.people.map(
    (person, index) => html`<label class="person">
      <input type="radio" name="login" value="${person.username}" ${raw(index === 0 ? "checked" : "")}>
      <img src="/uploads/-/avatars/${person.username}.svg" alt="" width="36" height="36">
      <span><strong>${person.name}</strong><small>@${person.username}</small></span>
    </label>`,
  );
  return layout(
    "Authorize Holdfast",
    html`<h1>Authorize Holdfast</h1>
      <p class="quiet">An application called Holdfast is requesting access to your account on this simulated GitLab.</p>
      <form method="post" action="/oauth/authorize">
        ${carried}
        <fieldset><legend>Sign in as</legend>${people}</fieldset>
        <fieldset><legend>This application will be able to</legend>
          <ul>${order.scopes.map((scope) => html`<li>${SCOPES[scope] ?? scope} <code>${scope}</code></li>`)}</ul></fieldset>
        <div class="actions">
          <button name="decision" value="cancel">Deny</button>
          <button name="decision" value="authorize" class="primary">Authorize Holdfast</button>
        </div>
        <p class="quiet small">You will be sent back to ${new URL(order.query.redirect_uri ?? "http://localhost").host}.</p>
      </form>`,
  );
}

/** A page for requests that lead nowhere. */
export function errorPage(message: string): Page {
  return layout("An error has occurred", html`<h1>An error has occurred</h1><p>${message}</p>`);
}

/** The frame of every page of the simulated web site. */
export function layout(title: string, content: unknown): Page {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · simulated GitLab</title>
<style>
  :root { color-scheme: light dark; --line: #dcdcde; --quiet: #626168; --ground: #fbfafd; --card: #fff; --ink: #333238; }
  @media (prefers-color-scheme: dark) {
    :root { --line: #434248; --quiet: #a4a3a8; --ground: #1f1e24; --card: #28272d; --ink: #ececef; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
  header { padding: 14px 24px; border-bottom: 1px solid var(--line); background: var(--card); font-weight: 600; }
  main { max-width: 640px; margin: 40px auto; padding: 28px; background: var(--card); border: 1px solid var(--line);
    border-radius: 10px; }
  h1 { margin: 0 0 6px; font-size: 22px; overflow-wrap: anywhere; }
  h2 { margin: 24px 0 6px; font-size: 16px; }
  a { color: #7759c2; }
  fieldset { margin: 18px 0 0; padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; }
  legend { padding: 0 6px; color: var(--quiet); font-size: 13px; }
  ul { margin: 0; padding-left: 18px; }
  .person { display: flex; gap: 12px; align-items: center; padding: 8px 0; cursor: pointer; }
  .person img { border-radius: 50%; }
  .person small { display: block; color: var(--quiet); }
  .actions { display: grid; grid-template-columns: 1fr 2fr; gap: 12px; margin-top: 20px; }
  button { padding: 10px 16px; border: 1px solid var(--line); border-radius: 6px; background: var(--ground);
    color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
  button.primary { background: #7759c2; border-color: #694cc0; color: #fff; }
  table { width: 100%; border-collapse: collapse; }
  td { padding: 6px 8px 6px 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
  code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
  .badge { padding: 1px 8px; border: 1px solid var(--line); border-radius: 99px; color: var(--quiet); font-size: 12px; }
  .quiet { color: var(--quiet); } .small { font-size: 13px; }
</style></head>
<body><header>GitLab <span class="badge">simulated</span></header><main>${content}</main></body></html>`;
}
