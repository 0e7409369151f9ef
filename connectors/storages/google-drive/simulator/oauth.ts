import { Hono } from "hono";
import {
  type ConsentRequest,
  readTokenRequest,
  sendBack,
  wrongConsent,
} from "#connectors/toolkit/simulator/oauth-desk.ts";
import { findPerson, tokenFault } from "#connectors/toolkit/simulator/storage-site.ts";
import { consentPage, errorPage } from "./consent-page.ts";
import type { DriveWorld } from "./state.ts";

/** The consent page (`accounts.google.com/o/oauth2/v2/auth`). */
export function consentRoutes(world: DriveWorld): Hono {
  const app = new Hono();
  app.get("/o/oauth2/v2/auth", (c) => {
    const asked = readRequest(world, c.req.query());
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 400);
    return c.html(consentPage({ people: world.state.people, query: c.req.query(), scopes: asked.scopes }));
  });
  app.post("/o/oauth2/v2/auth", async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const query = Object.fromEntries(form);
    const asked = readRequest(world, query);
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 400);
    const { redirectUri, codeChallenge, isOffline } = asked;
    if (query.decision !== "authorize") {
      return c.redirect(sendBack(redirectUri, { error: "access_denied", state: query.state }), 302);
    }
    const person = findPerson(world.state, query.login ?? "");
    if (person === null) return c.html(errorPage("There is no such person."), 404);
    // The person may untick scopes.
    const scopes = asked.scopes.filter((scope) => form.getAll("allowed").includes(scope));
    // Google issues a refresh token with the first consent, and later only if consent is requested again.
    const isFirst = !world.state.oauth.grants.some(
      (grant) => grant.personId === person.id && !grant.isRevoked && grant.refreshToken !== null,
    );
    const isKept = isOffline && (isFirst || (query.prompt ?? "").split(" ").includes("consent"));
    const order = { personId: person.id, redirectUri, codeChallenge, scopes, isOffline: isKept };
    const code = world.desk.issueCode(order);
    const outcome = { code, scope: scopes.join(" "), state: query.state };
    return c.redirect(sendBack(redirectUri, outcome), 302);
  });
  return app;
}

/** Exchanging codes and refresh tokens, and revoking grants (`oauth2.googleapis.com`). */
export function tokenRoutes(world: DriveWorld): Hono {
  const app = new Hono();
  app.post("/token", async (c) => {
    const form = await readTokenRequest(c.req.raw);
    const { desk, settings } = world;
    if (!desk.isClient(form))
      return tokenFault(c, world, "invalid_client", "The OAuth client was not found.");
    const isRefresh = form.grant_type === "refresh_token";
    if (!isRefresh && form.grant_type !== "authorization_code") {
      return tokenFault(c, world, "unsupported_grant_type", `Invalid grant_type: ${form.grant_type ?? ""}`);
    }
    const grant = isRefresh ? desk.findRenewable(form.refresh_token) : desk.redeem(form);
    if (grant === null) {
      const description = isRefresh ? "Token has been expired or revoked." : "Bad Request";
      return tokenFault(c, world, "invalid_grant", description);
    }
    return c.json({
      access_token: desk.issueAccess(grant).value,
      expires_in: Math.round(settings.tokenLifetimeMs / 1000) - 1,
      ...(isRefresh || grant.refreshToken === null ? {} : { refresh_token: grant.refreshToken }),
      scope: grant.scopes.join(" "),
      token_type: "Bearer",
    });
  });
  app.post("/revoke", async (c) => {
    const token = c.req.query("token") ?? new URLSearchParams(await c.req.text()).get("token") ?? "";
    if (world.desk.revoke(token)) return c.json({});
    return c.json({ error: "invalid_token", error_description: "Token expired or revoked" }, 400);
  });
  return app;
}

/** Reads the request. Google shows errors on its own page and does not redirect. */
function readRequest(world: DriveWorld, query: Record<string, string>): ConsentRequest {
  const wrong = wrongConsent(world, "/o/oauth2/v2/auth");
  const { settings, desk } = world;
  const redirectUri = query.redirect_uri ?? "";
  if (query.client_id !== settings.clientId) return wrong("Error 401: invalid_client");
  if (!desk.isRegistered(redirectUri)) return wrong("Error 400: redirect_uri_mismatch");
  if (query.response_type !== "code") return wrong("Error 400: unsupported_response_type");
  if (!["online", "offline", undefined].includes(query.access_type)) {
    return wrong("Error 400: invalid_request: Invalid access_type");
  }
  if (query.code_challenge && query.code_challenge_method !== "S256") {
    return wrong("Error 400: invalid_request: Invalid code_challenge_method");
  }
  const scopes = (query.scope ?? "").split(/\s+/).filter((scope) => scope !== "");
  if (scopes.length === 0) return wrong("Error 400: invalid_request: Missing required parameter: scope");
  const unknown = scopes.find((scope) => !settings.scopes.includes(scope));
  if (unknown !== undefined) return wrong(`Error 400: invalid_scope: ${unknown}`);
  return {
    kind: "right",
    redirectUri,
    codeChallenge: query.code_challenge || null,
    scopes,
    isOffline: query.access_type === "offline",
  };
}
