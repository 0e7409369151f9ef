import { Hono } from "hono";
import {
  type ConsentRequest,
  readTokenRequest,
  sendBack,
  wrongConsent,
} from "#connectors/toolkit/simulator/oauth-desk.ts";
import { findPerson, tokenFault } from "#connectors/toolkit/simulator/storage-site.ts";
import { consentPage, errorPage } from "./consent-page.ts";
import type { DropboxWorld } from "./state.ts";

/** The consent page (`www.dropbox.com/oauth2/authorize`). */
export function consentRoutes(world: DropboxWorld): Hono {
  const app = new Hono();
  app.get("/oauth2/authorize", (c) => {
    const asked = readRequest(world, c.req.query());
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 400);
    return c.html(consentPage({ people: world.state.people, query: c.req.query(), scopes: asked.scopes }));
  });
  app.post("/oauth2/authorize", async (c) => {
    const body = Object.entries(await c.req.parseBody()).map(([key, value]) => [key, String(value)]);
    const form = Object.fromEntries(body) as Record<string, string>;
    const asked = readRequest(world, form);
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 400);
    const { redirectUri, codeChallenge, scopes, isOffline } = asked;
    if (form.decision !== "authorize") {
      const error_description = "The user chose not to give your app access to their Dropbox account.";
      const refusal = { error: "access_denied", error_description, state: form.state };
      return c.redirect(sendBack(redirectUri, refusal), 302);
    }
    const person = findPerson(world.state, form.login ?? "");
    if (person === null) return c.html(errorPage("There is no such person."), 404);
    const code = world.desk.issueCode({ personId: person.id, redirectUri, codeChallenge, scopes, isOffline });
    return c.redirect(sendBack(redirectUri, { code, state: form.state }), 302);
  });
  return app;
}

/** Exchanging codes and refresh tokens (`api.dropboxapi.com/oauth2/token`). Refresh tokens do not rotate. */
export function tokenRoutes(world: DropboxWorld): Hono {
  const app = new Hono();
  app.post("/oauth2/token", async (c) => {
    const form = await readTokenRequest(c.req.raw);
    const { desk, settings, state } = world;
    if (!desk.isClient(form))
      return tokenFault(c, world, "invalid_client", "Invalid client_id or client_secret");
    if (form.grant_type === "refresh_token") {
      const grant = desk.findRenewable(form.refresh_token);
      if (grant === null) return tokenFault(c, world, "invalid_grant", "refresh token is invalid or revoked");
      const { value } = desk.issueAccess(grant);
      return c.json({
        access_token: value,
        token_type: "bearer",
        expires_in: Math.round(settings.tokenLifetimeMs / 1000),
      });
    }
    if (form.grant_type !== "authorization_code") {
      return tokenFault(c, world, "unsupported_grant_type", "grant_type is not supported");
    }
    const grant = desk.redeem(form);
    if (grant === null) return tokenFault(c, world, "invalid_grant", "code doesn't exist or has expired");
    const person = state.people.find(({ id }) => id === grant.personId);
    return c.json({
      access_token: desk.issueAccess(grant).value,
      token_type: "bearer",
      expires_in: Math.round(settings.tokenLifetimeMs / 1000),
      ...(grant.refreshToken === null ? {} : { refresh_token: grant.refreshToken }),
      scope: grant.scopes.join(" "),
      uid: String(state.people.findIndex(({ id }) => id === grant.personId) + 1_234_567),
      account_id: person?.id ?? "",
    });
  });
  return app;
}

/** Reads the request. Dropbox shows errors on its own page and does not redirect. */
function readRequest(world: DropboxWorld, query: Record<string, string>): ConsentRequest {
  const wrong = wrongConsent(world, "/oauth2/authorize");
  const { settings, desk } = world;
  const redirectUri = query.redirect_uri ?? "";
  if (query.client_id !== settings.clientId) return wrong(`Invalid client_id: "${query.client_id ?? ""}".`);
  if (!desk.isRegistered(redirectUri)) return wrong(`Invalid redirect_uri: "${redirectUri}".`);
  if (query.response_type !== "code") return wrong('Invalid response_type: must be "code".');
  if (!["online", "offline", undefined].includes(query.token_access_type)) {
    return wrong('Invalid token_access_type: must be "online" or "offline".');
  }
  if (query.code_challenge && query.code_challenge_method !== "S256") {
    return wrong('Invalid code_challenge_method: must be "S256".');
  }
  const asked = (query.scope ?? "").split(/\s+/).filter((scope) => scope !== "");
  const unknown = asked.find((scope) => !settings.scopes.includes(scope));
  if (unknown !== undefined) return wrong(`Invalid scope: "${unknown}" is not enabled for this app.`);
  return {
    kind: "right",
    redirectUri,
    codeChallenge: query.code_challenge || null,
    scopes: asked.length === 0 ? [...settings.scopes] : asked,
    isOffline: query.token_access_type === "offline",
  };
}
