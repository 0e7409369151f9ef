import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";

/** A page, or a part of one. */
export type Page = HtmlEscapedString | Promise<HtmlEscapedString>;

type Ground = { line: string; quiet: string; ground: string; card: string; ink: string };

/** The name and colours of a simulated website, in light and dark mode. */
export type WebSite = {
  name: string;
  light: Ground;
  dark: Ground;
  link: string;
  button: { ground: string; line: string };
};

/** A person to sign in as. */
type WebPerson = { login: string; name: string; shown: string; picture: string };

/** The content of a consent page. */
type Consent = {
  title: string;
  introduction: string;
  /** Target URL of the form. */
  action: string;
  /** Parameters of the request, passed on as hidden form fields. */
  query: Record<string, string>;
  people: readonly WebPerson[];
  wishes: { title: string; lines: readonly (string | Page)[] };
  deny: string;
  /** Host of the redirect target; null = none. Absent = that of the query's `redirect_uri`. */
  target?: string | null;
};

/** The layout of every page of a simulated website. */
export function webPage(site: WebSite, title: string, content: unknown): Page {
  const colours = ({ line, quiet, ground, card, ink }: Ground) =>
    raw(`--line: ${line}; --quiet: ${quiet}; --ground: ${ground}; --card: ${card}; --ink: ${ink};`);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · simulated ${site.name}</title>
<style>
  :root { color-scheme: light dark; ${colours(site.light)} }
  @media (prefers-color-scheme: dark) { :root { ${colours(site.dark)} } }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
  header { padding: 14px 24px; border-bottom: 1px solid var(--line); background: var(--card); font-weight: 600; }
  main { max-width: 640px; margin: 40px auto; padding: 28px; background: var(--card); border: 1px solid var(--line);
    border-radius: 10px; }
  h1 { margin: 0 0 6px; font-size: 22px; overflow-wrap: anywhere; }
  h2 { margin: 24px 0 6px; font-size: 16px; }
  a { color: ${raw(site.link)}; }
  fieldset { margin: 18px 0 0; padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; }
  legend { padding: 0 6px; color: var(--quiet); font-size: 13px; }
  ul { margin: 0; padding-left: 18px; }
  ul:has(input) { padding: 0; list-style: none; }
  .person { display: flex; gap: 12px; align-items: center; padding: 8px 0; cursor: pointer; }
  .person img { border-radius: 50%; }
  .person small { display: block; color: var(--quiet); }
  .actions { display: grid; grid-template-columns: 1fr 2fr; gap: 12px; margin-top: 20px; }
  button { padding: 10px 16px; border: 1px solid var(--line); border-radius: 6px; background: var(--ground);
    color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
  button.primary { background: ${raw(site.button.ground)}; border-color: ${raw(site.button.line)}; color: #fff; }
  table { width: 100%; border-collapse: collapse; }
  td { padding: 6px 8px 6px 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
  code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere; }
  .badge { padding: 1px 8px; border: 1px solid var(--line); border-radius: 99px; color: var(--quiet); font-size: 12px; }
  .quiet { color: var(--quiet); } .small { font-size: 13px; }
</style></head>
<body><header>${site.name} <span class="badge">simulated</span></header><main>${content}</main></body></html>`;
}

/** The consent page, on which a person chooses an account and allows or denies an application. */
export function webConsent(site: WebSite, consent: Consent): Page {
  const { title, introduction, action, query, wishes, deny } = consent;
  const { target = new URL(query.redirect_uri || "http://localhost").host } = consent;
  const carried = Object.entries(query).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const people = consent.people.map(
    ({ login, name, shown, picture }, index) => html`<label class="person">
      <input type="radio" name="login" value="${login}" ${raw(index === 0 ? "checked" : "")}>
      <img src="${picture}" alt="" width="36" height="36">
      <span><strong>${name}</strong><small>${shown}</small></span>
    </label>`,
  );
  return webPage(
    site,
    title,
    html`<h1>${title}</h1>
      <p class="quiet">${introduction}</p>
      <form method="post" action="${action}">
        ${carried}
        <fieldset><legend>Sign in as</legend>${people}</fieldset>
        <fieldset><legend>${wishes.title}</legend><ul>${wishes.lines.map((wish) => html`<li>${wish}</li>`)}</ul></fieldset>
        <div class="actions">
          <button name="decision" value="cancel">${deny}</button>
          <button name="decision" value="authorize" class="primary">${title}</button>
        </div>
        ${target === null ? "" : html`<p class="quiet small">You will be sent back to ${target}.</p>`}
      </form>`,
  );
}
