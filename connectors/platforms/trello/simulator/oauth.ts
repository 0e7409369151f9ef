import { randomBytes } from "node:crypto";
import { type Context, Hono } from "hono";
import {
  challengeOf,
  isRegistered,
  readParameters,
  sendBack,
} from "#connectors/toolkit/simulator/oauth-desk.ts";
import { consentPage, errorPage } from "./consent-page.ts";
import type { Token, TrelloWorld } from "./state.ts";
import { findMember } from "./store.ts";
import { issueOauthToken, revokeToken, rotateToken } from "./tokens.ts";

/** A code expires after ten minutes. */
const CODE_LIFETIME_MS = 600_000;

/** Trello's granular scopes, and the one for a refresh token. */
export const OAUTH_SCOPES: readonly string[] = [
  ...["board", "member", "organization", "enterprise"].flatMap((thing) => [
    `read:${thing}:trello`,
    `write:${thing}:trello`,
  ]),
  ...["write:board:membership:trello", "write:organization:membership:trello", "offline_access"],
];

/** OAuth 2.0 with PKCE as at `auth.atlassian.com`: consent page, code, tokens, refresh, revocation. */
export function oauthApp(world: TrelloWorld): Hono {
  const app = new Hono();
  app.get("/authorize", (c) => {
    const asked = readRequest(world, c.req.query());
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 400);
    if (asked.kind === "refused") return c.redirect(asked.location, 302);
    return c.html(
      consentPage({
        people: world.state.members,
        action: "/authorize",
        query: c.req.query(),
        scopes: asked.scopes,
        lasting: null,
        target: new URL(asked.redirectUri).host,
      }),
    );
  });
  app.post("/authorize", async (c) => {
    const form = Object.fromEntries(
      Object.entries(await c.req.parseBody()).map(([key, value]) => [key, String(value)]),
    );
    const asked = readRequest(world, form);
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 400);
    if (asked.kind === "refused") return c.redirect(asked.location, 302);
    const { redirectUri, codeChallenge, scopes } = asked;
    if (form.decision !== "authorize") {
      const denied = { error: "access_denied", error_description: "User did not authorize the request" };
      return c.redirect(sendBack(redirectUri, { ...denied, state: form.state }), 302);
    }
    const member = findMember(world, form.login ?? "");
    if (!member) return c.html(errorPage("There is no such person."), 404);
    const code = randomBytes(32).toString("base64url");
    const expiresAt = Date.now() + CODE_LIFETIME_MS;
    world.state.codes.push({ code, idMember: member.id, redirectUri, codeChallenge, scopes, expiresAt });
    world.save();
    return c.redirect(sendBack(redirectUri, { code, state: form.state }), 302);
  });
  // The published path, and the one of Atlassian's other products.
  for (const path of ["/authorize/oauth/token", "/oauth/token"]) {
    app.post(path, async (c) => trade(c, world, await readParameters(c.req.raw)));
  }
  app.post("/oauth/revoke", async (c) => {
    const body = await readParameters(c.req.raw);
    if (!isOurClient(world, body)) return fault(c, world, 401, "access_denied", "Unauthorized");
    revokeToken(world, body.token ?? "");
    return c.body(null, 200);
  });
  return app;
}

type AuthorisationRequest =
  | { kind: "right"; redirectUri: string; codeChallenge: string; scopes: string[] }
  | { kind: "refused"; location: string }
  | { kind: "wrong"; message: string };

function readRequest(world: TrelloWorld, query: Record<string, string>): AuthorisationRequest {
  const note = (reason: string) =>
    world.refuse({ kind: "refused", method: "GET", path: "/authorize", status: 400, reason });
  const wrong = (message: string): AuthorisationRequest => {
    note(message);
    return { kind: "wrong", message };
  };
  if (query.client_id !== world.settings.clientId) return wrong("Unknown client.");
  const redirectUri = query.redirect_uri ?? "";
  if (!isRegistered(world.settings, redirectUri)) return wrong("The redirect_uri is not registered.");
  const refused = (error: string, error_description: string): AuthorisationRequest => {
    note(error_description);
    return {
      kind: "refused",
      location: sendBack(redirectUri, { error, error_description, state: query.state }),
    };
  };
  if (query.response_type !== "code") {
    return refused("unsupported_response_type", "Unsupported response type.");
  }
  const scopes = (query.scope ?? "").split(/\s+/).filter((scope) => scope !== "");
  if (scopes.length === 0 || scopes.some((scope) => !OAUTH_SCOPES.includes(scope))) {
    return refused("invalid_scope", "The requested scope is invalid, unknown, or malformed.");
  }
  // Trello requires PKCE of every client.
  if (!query.code_challenge || query.code_challenge_method !== "S256") {
    return refused("invalid_request", "A code_challenge with method S256 is required.");
  }
  return { kind: "right", redirectUri, codeChallenge: query.code_challenge, scopes };
}

function isOurClient(world: TrelloWorld, body: Record<string, string>): boolean {
  return body.client_id === world.settings.clientId && body.client_secret === world.settings.clientSecret;
}

function trade(c: Context, world: TrelloWorld, body: Record<string, string>): Response {
  c.header("Cache-Control", "no-store");
  if (!isOurClient(world, body)) return fault(c, world, 401, "access_denied", "Unauthorized");
  if (body.grant_type === "refresh_token") {
    const token = rotateToken(world, body.refresh_token ?? "");
    return token
      ? c.json(grant(token))
      : fault(c, world, 403, "unauthorized_client", "refresh_token is invalid");
  }
  if (body.grant_type !== "authorization_code") {
    return fault(c, world, 400, "unsupported_grant_type", "Unsupported grant type.");
  }
  const code = world.state.codes.find((known) => known.code === body.code);
  // A code works once, even if the exchange fails.
  world.state.codes = world.state.codes.filter((known) => known !== code);
  const isRight =
    code !== undefined &&
    code.expiresAt > Date.now() &&
    body.redirect_uri === code.redirectUri &&
    challengeOf(body.code_verifier ?? "") === code.codeChallenge;
  if (!isRight) return fault(c, world, 403, "invalid_grant", "Invalid authorization code");
  return c.json(grant(issueOauthToken(world, code)));
}

function grant(token: Token): Record<string, string | number> {
  return {
    access_token: token.value,
    token_type: "Bearer",
    expires_in: Math.round(((token.expiresAt ?? 0) - token.createdAt) / 1000),
    scope: token.scopes.join(" "),
    ...(token.refreshToken === null ? {} : { refresh_token: token.refreshToken }),
  };
}

function fault(
  c: Context,
  world: TrelloWorld,
  status: 400 | 401 | 403,
  error: string,
  description: string,
): Response {
  // An expired grant is normal; a wrong client or request is a mistake, so it is recorded.
  if (error !== "invalid_grant" && error !== "unauthorized_client") {
    world.refuse({ kind: "refused", method: c.req.method, path: c.req.path, status, reason: description });
  }
  return c.json({ error, error_description: description }, status);
}
