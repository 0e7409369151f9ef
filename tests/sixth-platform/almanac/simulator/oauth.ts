import { randomBytes } from "node:crypto";
import { Hono } from "hono";
import {
  type ConsentRequest,
  type OauthDesk,
  type OauthGrant,
  readTokenRequest,
  sendBack,
  wrongConsent,
} from "#connectors/toolkit/simulator/oauth-desk.ts";
import { type WebSite, webConsent, webPage } from "#connectors/toolkit/simulator/web-page.ts";
import type { AlmanacWorld } from "./state.ts";

export const SCOPES = ["books", "readers", "offline"];
/** What a person reads about each scope on the consent page. */
const WISHES: Readonly<Record<string, string>> = {
  books: "Read and add to books of every site of yours",
  readers: "See who reads the books of your sites",
};

/** The looks of the simulated web site. */
export const ALMANAC: WebSite = {
  name: "Almanac",
  light: { line: "#ded6c8", quiet: "#6d6355", ground: "#faf6ee", card: "#fffdf8", ink: "#2c261d" },
  dark: { line: "#453d31", quiet: "#b5a993", ground: "#1d1913", card: "#27221a", ink: "#f1e9da" },
  link: "#9a5b13",
  button: { ground: "#8a4f0c", line: "#6f3f08" },
};

/** OAuth 2.0 with PKCE: consent page, code, tokens. A refresh token works once. */
export function oauthApp(world: AlmanacWorld, desk: OauthDesk): Hono {
  const app = new Hono();
  app.get("/authorize", (c) => {
    const asked = readConsent(world, desk, c.req.query());
    if (asked.kind === "wrong") return c.html(webPage(ALMANAC, "Not possible", asked.message), 400);
    const people = world.state.people.map(({ login, name, siteIds }) => ({
      ...{ login, name, picture: `/avatars/${login}.svg` },
      shown: siteIds.length === 1 ? "1 site" : `${siteIds.length} sites`,
    }));
    const order = {
      title: "Allow Holdfast",
      introduction:
        "An application called Holdfast asks for the books of your sites on this simulated Almanac.",
      ...{ action: "/authorize", query: c.req.query(), people, deny: "Deny" },
      wishes: {
        title: "Holdfast will be able to",
        lines: asked.scopes.flatMap((scope) => WISHES[scope] ?? []),
      },
    };
    return c.html(webConsent(ALMANAC, order));
  });
  app.post("/authorize", async (c) => {
    const form = Object.fromEntries(new URLSearchParams(await c.req.text()));
    const asked = readConsent(world, desk, form);
    if (asked.kind === "wrong") return c.html(webPage(ALMANAC, "Not possible", asked.message), 400);
    const { redirectUri, codeChallenge, scopes, isOffline } = asked;
    const { state } = form;
    if (form.decision !== "authorize")
      return c.redirect(sendBack(redirectUri, { error: "access_denied", state }), 302);
    const person = world.state.people.find(({ login }) => login === form.login);
    if (!person) return c.html(webPage(ALMANAC, "Not possible", "There is no such person."), 404);
    const code = desk.issueCode({ personId: person.id, redirectUri, codeChallenge, scopes, isOffline });
    return c.redirect(sendBack(redirectUri, { code, state }), 302);
  });
  app.post("/oauth/token", async (c) => {
    const form = await readTokenRequest(c.req.raw);
    c.header("Cache-Control", "no-store");
    if (!desk.isClient(form)) return c.json({ error: "invalid_client" }, 401);
    const grant =
      form.grant_type === "refresh_token"
        ? desk.findRenewable(form.refresh_token)
        : form.grant_type === "authorization_code"
          ? desk.redeem(form)
          : null;
    return grant === null ? c.json({ error: "invalid_grant" }, 400) : c.json(tokensOf(world, desk, grant));
  });
  return app;
}

/** Every answer carries a new refresh token; the one before works no more. */
function tokensOf({ settings, save }: AlmanacWorld, desk: OauthDesk, grant: OauthGrant) {
  if (grant.refreshToken !== null) grant.refreshToken = `alr_${randomBytes(36).toString("base64url")}`;
  save();
  return {
    access_token: desk.issueAccess(grant).value,
    token_type: "Bearer",
    expires_in: Math.ceil(settings.tokenLifetimeMs / 1_000),
    ...(grant.refreshToken === null ? {} : { refresh_token: grant.refreshToken }),
    scope: grant.scopes.join(" "),
  };
}

function readConsent(world: AlmanacWorld, desk: OauthDesk, query: Record<string, string>): ConsentRequest {
  const wrong = wrongConsent(world, "/authorize");
  const { redirect_uri: redirectUri = "", code_challenge: codeChallenge = "" } = query;
  if (query.client_id !== world.settings.clientId) return wrong("Unknown client.");
  if (!desk.isRegistered(redirectUri)) return wrong("The redirect_uri is not registered.");
  if (query.response_type !== "code") return wrong("The response_type must be code.");
  if (codeChallenge === "" || query.code_challenge_method !== "S256")
    return wrong("A code_challenge with the method S256 is required.");
  const scopes = (query.scope ?? "").split(" ").filter((scope) => scope !== "");
  if (scopes.some((scope) => !SCOPES.includes(scope))) return wrong("The scope is unknown.");
  return { kind: "right", redirectUri, codeChallenge, scopes, isOffline: scopes.includes("offline") };
}
