import { randomBytes } from "node:crypto";
import { type Context, Hono } from "hono";
import { challengeOf, isRegistered } from "#connectors/toolkit/simulator/oauth-desk.ts";
import { identifyToken, tokenOf } from "./access.ts";
import { consentPage, errorPage } from "./consent-page.ts";
import { findUser } from "./namespaces.ts";
import type { GitlabWorld, Token } from "./state.ts";
import { issueToken, revokeToken, rotateToken } from "./tokens.ts";

/** A code expires after ten minutes. */
const CODE_LIFETIME_MS = 600_000;

const INVALID_CLIENT =
  "Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.";
const INVALID_GRANT =
  "The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.";

/** The OAuth flow below `/oauth`: consent page, code, tokens, refresh, revocation. */
export function oauthApp(world: GitlabWorld): Hono {
  const app = new Hono();
  app.get("/oauth/authorize", (c) => {
    const asked = readRequest(world, c.req.query());
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 401);
    if (asked.kind === "refused") return c.redirect(asked.location, 302);
    return c.html(consentPage({ people: world.state.users, query: c.req.query(), scopes: asked.scopes }));
  });
  app.post("/oauth/authorize", async (c) => {
    const form = Object.fromEntries(
      Object.entries(await c.req.parseBody()).map(([key, value]) => [key, String(value)]),
    );
    const asked = readRequest(world, form);
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 401);
    if (asked.kind === "refused") return c.redirect(asked.location, 302);
    if (form.decision !== "authorize") {
      const description = "The resource owner or authorization server denied the request.";
      return c.redirect(sendBack(asked.redirectUri, form.state, "access_denied", description), 302);
    }
    const user = findUser(world, form.login ?? "");
    if (!user) return c.html(errorPage("There is no such user."), 404);
    const code = randomBytes(32).toString("hex");
    const { redirectUri, codeChallenge, scopes } = asked;
    const expiresAt = Date.now() + CODE_LIFETIME_MS;
    world.state.codes.push({ code, userId: user.id, redirectUri, codeChallenge, scopes, expiresAt });
    world.save();
    const target = new URL(redirectUri);
    target.searchParams.set("code", code);
    if (form.state) target.searchParams.set("state", form.state);
    return c.redirect(target.href, 302);
  });
  app.post("/oauth/token", async (c) => trade(c, world, await readParameters(c)));
  app.post("/oauth/revoke", async (c) => {
    const body = await readParameters(c);
    if (!isOurClient(world, body)) {
      return fault(c, world, 403, "unauthorized_client", "You are not authorized to revoke this token");
    }
    revokeToken(world, body.token ?? "");
    return c.json({});
  });
  app.get("/oauth/token/info", (c) => tokenInfo(c, world));
  return app;
}

type AuthorisationRequest =
  | { kind: "right"; redirectUri: string; codeChallenge: string | null; scopes: string[] }
  | { kind: "refused"; location: string }
  | { kind: "wrong"; message: string };

function readRequest(world: GitlabWorld, query: Record<string, string>): AuthorisationRequest {
  const note = (reason: string) =>
    world.refuse({ kind: "refused", method: "GET", path: "/oauth/authorize", status: 400, reason });
  const wrong = (message: string): AuthorisationRequest => {
    note(message);
    return { kind: "wrong", message };
  };
  if (query.client_id !== world.settings.clientId) return wrong(INVALID_CLIENT);
  const redirectUri = query.redirect_uri ?? "";
  if (!isRegistered(world.settings, redirectUri)) return wrong("The redirect URI included is not valid.");
  const refused = (error: string, description: string): AuthorisationRequest => {
    note(description);
    return { kind: "refused", location: sendBack(redirectUri, query.state, error, description) };
  };
  if (query.response_type !== "code") {
    const description = "The authorization server does not support this response type.";
    return refused("unsupported_response_type", description);
  }
  const scopes = (query.scope ?? "").split(/\s+/).filter((scope) => scope !== "");
  if (scopes.length === 0 || scopes.some((scope) => !world.settings.scopes.includes(scope))) {
    return refused("invalid_scope", "The requested scope is invalid, unknown, or malformed.");
  }
  if (query.code_challenge && query.code_challenge_method !== "S256") {
    return refused("invalid_code_challenge_method", "The code_challenge_method must be S256.");
  }
  return { kind: "right", redirectUri, codeChallenge: query.code_challenge || null, scopes };
}

function sendBack(
  redirectUri: string,
  state: string | undefined,
  error: string,
  description: string,
): string {
  const target = new URL(redirectUri);
  target.searchParams.set("error", error);
  target.searchParams.set("error_description", description);
  if (state) target.searchParams.set("state", state);
  return target.href;
}

function isOurClient(world: GitlabWorld, body: Record<string, string>): boolean {
  return body.client_id === world.settings.clientId && body.client_secret === world.settings.clientSecret;
}

function trade(c: Context, world: GitlabWorld, body: Record<string, string>): Response {
  c.header("Cache-Control", "no-store");
  if (!isOurClient(world, body)) return fault(c, world, 401, "invalid_client", INVALID_CLIENT);
  if (body.grant_type === "refresh_token") {
    const token = rotateToken(world, body.refresh_token ?? "");
    return token ? c.json(grant(token)) : fault(c, world, 400, "invalid_grant", INVALID_GRANT);
  }
  if (body.grant_type !== "authorization_code") {
    const description = "The authorization grant type is not supported by the authorization server.";
    return fault(c, world, 400, "unsupported_grant_type", description);
  }
  const code = world.state.codes.find((known) => known.code === body.code);
  const isRight =
    code !== undefined &&
    code.expiresAt > Date.now() &&
    body.redirect_uri === code.redirectUri &&
    (code.codeChallenge === null || code.codeChallenge === challengeOf(body.code_verifier ?? ""));
  if (!isRight) return fault(c, world, 400, "invalid_grant", INVALID_GRANT);
  world.state.codes = world.state.codes.filter((known) => known !== code);
  return c.json(grant(issueToken(world, code)));
}

function grant(token: Token): Record<string, string | number> {
  return {
    access_token: token.value,
    token_type: "Bearer",
    expires_in: Math.round((token.expiresAt - token.createdAt) / 1000),
    refresh_token: token.refreshToken ?? "",
    scope: token.scopes.join(" "),
    created_at: Math.floor(token.createdAt / 1000),
  };
}

function tokenInfo(c: Context, world: GitlabWorld): Response {
  const identity = identifyToken(
    world,
    tokenOf((name) => c.req.header(name), new URL(c.req.url).searchParams),
  );
  if (identity.kind !== "user") {
    return c.json({ error: "invalid_token", error_description: "The access token is invalid" }, 401);
  }
  const { token, user } = identity;
  return c.json({
    resource_owner_id: user.id,
    scope: token.scopes,
    expires_in: Math.round((token.expiresAt - Date.now()) / 1000),
    application: { uid: world.settings.clientId },
    created_at: Math.floor(token.createdAt / 1000),
    scopes: token.scopes,
    expires_in_seconds: Math.round((token.expiresAt - Date.now()) / 1000),
  });
}

function fault(
  c: Context,
  world: GitlabWorld,
  status: 400 | 401 | 403,
  error: string,
  description: string,
): Response {
  // An expired grant is normal; a wrong client or request is a mistake, so it is recorded.
  if (error !== "invalid_grant") {
    world.refuse({ kind: "refused", method: c.req.method, path: c.req.path, status, reason: description });
  }
  return c.json({ error, error_description: description }, status);
}

/** Reads parameters from a form or JSON. The client may authenticate with Basic authentication. */
async function readParameters(c: Context): Promise<Record<string, string>> {
  const text = await c.req.text();
  const isJson = c.req.header("content-type")?.includes("json") === true;
  const body = isJson
    ? (JSON.parse(text || "{}") as Record<string, string>)
    : Object.fromEntries(new URLSearchParams(text));
  const basic = /^basic\s+(.+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  const [id, secret] = basic ? Buffer.from(basic, "base64").toString().split(":", 2) : [];
  const client: Record<string, string> =
    id === undefined ? {} : { client_id: id, client_secret: secret ?? "" };
  return { ...c.req.query(), ...body, ...client };
}
