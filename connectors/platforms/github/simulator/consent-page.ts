import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { Account } from "./state.ts";

type Page = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The page on which a person chooses who they are and allows or denies the App. */
export function consentPage(order: {
  people: readonly Account[];
  appName: string;
  /** Parameters of the request; they travel on in the form. */
  query: Record<string, string>;
  scopes: readonly string[] | null;
}): Page {
  const carried = Object.entries(order.query).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const people = order.people.map(
    (person, index) => html`<label class="person">
      <input type="radio" name="login" value="${person.login}" ${raw(index === 0 ? "checked" : "")}>
      <img src="/avatars/${person.login}.svg" alt="" width="36" height="36">
      <span><strong>${person.name}</strong><small>${person.login}</small></span>
    </label>`,
  );
  const wishes = order.scopes ?? [
    "Read and write code",
    "Administer repositories",
    "Read organisation members",
  ];
  return layout(
    `Authorize ${order.appName}`,
    html`<h1>Authorize ${order.appName}</h1>
      <p class="quiet">${order.appName} would like to act on your behalf on this simulated GitHub.</p>
      <form method="post" action="/login/oauth/authorize">
        ${carried}
        <fieldset><legend>Sign in as</legend>${people}</fieldset>
        <fieldset><legend>It asks to</legend><ul>${wishes.map((wish) => html`<li>${wish}</li>`)}</ul></fieldset>
        <div class="actions">
          <button name="decision" value="cancel">Cancel</button>
          <button name="decision" value="authorize" class="primary">Authorize ${order.appName}</button>
        </div>
        <p class="quiet small">You will be sent back to ${new URL(order.query.redirect_uri || "http://localhost").host}.</p>
      </form>`,
  );
}

/** A page for requests that lead nowhere. */
export function errorPage(message: string): Page {
  return layout("Be careful!", html`<h1>Be careful!</h1><p>${message}</p>`);
}

/** The frame of every page of the simulated web site. */
export function layout(title: string, content: unknown): Page {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · simulated GitHub</title>
<style>
  :root { color-scheme: light dark; --line: #d1d9e0; --quiet: #59636e; --ground: #f6f8fa; --card: #fff; --ink: #1f2328; }
  @media (prefers-color-scheme: dark) {
    :root { --line: #3d444d; --quiet: #9198a1; --ground: #0d1117; --card: #151b23; --ink: #f0f6fc; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
  header { padding: 14px 24px; border-bottom: 1px solid var(--line); background: var(--card); font-weight: 600; }
  main { max-width: 620px; margin: 40px auto; padding: 28px; background: var(--card); border: 1px solid var(--line);
    border-radius: 10px; }
  h1 { margin: 0 0 6px; font-size: 22px; overflow-wrap: anywhere; }
  a { color: #4493f8; }
  fieldset { margin: 18px 0 0; padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; }
  legend { padding: 0 6px; color: var(--quiet); font-size: 13px; }
  ul { margin: 0; padding-left: 18px; }
  .person { display: flex; gap: 12px; align-items: center; padding: 8px 0; cursor: pointer; }
  .person img { border-radius: 50%; }
  .person small { display: block; color: var(--quiet); }
  .actions { display: grid; grid-template-columns: 1fr 2fr; gap: 12px; margin-top: 20px; }
  button { padding: 10px 16px; border: 1px solid var(--line); border-radius: 6px; background: var(--ground);
    color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
  button.primary { background: #1f883d; border-color: #1a7f37; color: #fff; }
  table { width: 100%; border-collapse: collapse; }
  td { padding: 6px 8px 6px 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
  code { font: 13px ui-monospace, monospace; }
  .badge { padding: 1px 8px; border: 1px solid var(--line); border-radius: 99px; color: var(--quiet); font-size: 12px; }
  .quiet { color: var(--quiet); } .small { font-size: 13px; }
</style></head>
<body><header>GitHub <span class="badge">simulated</span></header><main>${content}</main></body></html>`;
}
