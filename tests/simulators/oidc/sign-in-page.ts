import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { OidcPerson, OidcProviderName } from "./people.ts";

type Page = HtmlEscapedString | Promise<HtmlEscapedString>;

const TITLES: Record<OidcProviderName, string> = {
  google: "Google",
  enterprise: "Meridian single sign-on",
  okta: "Northwind single sign-on",
};

/** The page on which a person chooses an account and allows the sign-in, or cancels. */
export function signInPage(order: { provider: OidcProviderName; people: readonly OidcPerson[] }): Page {
  const { provider } = order;
  const people = order.people.map(
    (person, index) => html`<label class="person">
      <input type="radio" name="subject" value="${person.subject}" ${raw(index === 0 ? "checked" : "")}>
      <span><strong>${person.givenName} ${person.familyName}</strong><small>${person.email}${
        person.isEmailVerified ? "" : " (not verified)"
      }</small></span>
    </label>`,
  );
  return layout(
    provider,
    html`<h1>Sign in with ${TITLES[provider]}</h1>
      <p class="quiet">Holdfast will learn your name and your email.</p>
      <form method="post">
        <fieldset><legend>Choose an account</legend>${people}
          <label class="person"><input type="radio" name="subject" value="">
            <span><strong>Another account</strong></span></label>
          <label>Email <input type="email" name="email" autocomplete="off"></label>
          <label>Name <input name="name" autocomplete="off"></label>
          <label><input type="checkbox" name="is_verified" value="1" checked> The email is verified</label>
          ${
            provider === "google"
              ? html`<label><input type="checkbox" name="is_hosted" value="1"> A Workspace account of the email's domain</label>`
              : ""
          }
        </fieldset>
        <div class="actions">
          <button name="decision" value="cancel">Cancel</button>
          <button name="decision" value="continue" class="primary">Continue</button>
        </div>
      </form>`,
  );
}

/** An error page for invalid requests. */
export function oidcErrorPage(provider: OidcProviderName, message: string): Page {
  return layout(provider, html`<h1>Something is wrong</h1><p>${message}</p>`);
}

function layout(provider: OidcProviderName, content: unknown): Page {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${TITLES[provider]} · simulated</title>
<style>
  :root { color-scheme: light dark; --line: #d5d8de; --quiet: #5f6570; --ground: #f4f5f8; --card: #fff; --ink: #1d2026; }
  @media (prefers-color-scheme: dark) {
    :root { --line: #3b3f47; --quiet: #9aa0ab; --ground: #101216; --card: #191c21; --ink: #eff1f4; }
  }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
  main { max-width: 460px; margin: 48px auto; padding: 28px; background: var(--card); border: 1px solid var(--line);
    border-radius: 12px; }
  h1 { margin: 0 0 6px; font-size: 21px; overflow-wrap: anywhere; }
  fieldset { display: grid; gap: 8px; margin: 18px 0 0; padding: 12px 16px; border: 1px solid var(--line); border-radius: 8px; }
  legend { padding: 0 6px; color: var(--quiet); font-size: 13px; }
  input:not([type="radio"], [type="checkbox"]) { display: block; width: 100%; padding: 8px 10px; border: 1px solid var(--line);
    border-radius: 6px; background: var(--ground); color: inherit; font: inherit; }
  .person { display: flex; gap: 12px; align-items: center; padding: 4px 0; cursor: pointer; }
  .person small { display: block; color: var(--quiet); }
  .actions { display: grid; grid-template-columns: 1fr 2fr; gap: 12px; margin-top: 20px; }
  button { padding: 10px 16px; border: 1px solid var(--line); border-radius: 6px; background: var(--ground);
    color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
  button.primary { background: #2b5fc4; border-color: #244fa3; color: #fff; }
  .quiet { color: var(--quiet); }
</style></head><body><main>${content}</main></body></html>`;
}
