import { createHash, randomBytes } from "node:crypto";
import { type Context, Hono } from "hono";
import { consentPage, errorPage } from "./consent-page.ts";
import { findAccount, type GithubWorld, type Token } from "./state.ts";
import { issueUserToken, rotateToken } from "./tokens.ts";

/** Codes can be traded in for ten minutes. */
const CODE_LIFETIME_MS = 600_000;

/** The OAuth web flow below `/login/oauth`: consent page, code, tokens, refreshing. */
export function oauthApp(world: GithubWorld): Hono {
  const app = new Hono();
  app.get("/login/oauth/authorize", (c) => {
    const asked = readRequest(world, c.req.query());
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), asked.status);
    const people = world.state.accounts.filter(({ type }) => type === "User");
    return c.html(consentPage({ people, appName: "Holdfast", query: c.req.query(), scopes: asked.scopes }));
  });
  app.post("/login/oauth/authorize", async (c) => {
    const form = Object.fromEntries(
      Object.entries(await c.req.parseBody()).map(([key, value]) => [key, String(value)]),
    );
    const asked = readRequest(world, form);
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), asked.status);
    const target = new URL(asked.redirectUri);
    if (form.state) target.searchParams.set("state", form.state);
    if (form.decision !== "authorize") {
      target.searchParams.set("error", "access_denied");
      target.searchParams.set("error_description", "The user has denied your application access.");
      target.searchParams.set(
        "error_uri",
        "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-authorization-request-errors/#access-denied",
      );
      return c.redirect(target.href, 302);
    }
    const account = findAccount(world, form.login ?? "");
    if (!account) return c.html(errorPage("There is no such user."), 404);
    const code = randomBytes(10).toString("hex");
    world.state.codes.push({
      code,
      login: account.login,
      redirectUri: asked.redirectUri,
      codeChallenge: asked.codeChallenge,
      scopes: asked.scopes,
      expiresAt: Date.now() + CODE_LIFETIME_MS,
    });
    world.save();
    target.searchParams.set("code", code);
    return c.redirect(target.href, 302);
  });
  app.post("/login/oauth/access_token", async (c) => {
    const body = await readParameters(c);
    return answer(c, trade(world, body));
  });
  return app;
}

type AuthorisationRequest =
  | { kind: "right"; redirectUri: string; codeChallenge: string | null; scopes: string[] | null }
  | { kind: "wrong"; status: 400 | 404; message: string };

function readRequest(world: GithubWorld, query: Record<string, string>): AuthorisationRequest {
  const refuse = (status: 400 | 404, message: string): AuthorisationRequest => {
    world.refuse({ kind: "refused", method: "GET", path: "/login/oauth/authorize", status, reason: message });
    return { kind: "wrong", status, message };
  };
  if (query.client_id !== world.settings.clientId || world.state.isAppDeleted)
    return refuse(404, "There is no App with this client id.");
  const redirectUri = query.redirect_uri || world.settings.callbacks[0];
  if (!redirectUri || !isRegistered(world, redirectUri)) {
    return refuse(400, "The redirect_uri is not associated with this application.");
  }
  if (query.code_challenge && query.code_challenge_method !== "S256") {
    return refuse(400, "The code_challenge_method must be S256.");
  }
  const scopes = query.scope ? query.scope.split(/[\s,]+/).filter((scope) => scope !== "") : null;
  return { kind: "right", redirectUri, codeChallenge: query.code_challenge || null, scopes };
}

/** The path must be the registered one or below it; the port of a loopback address is free. */
function isRegistered(world: GithubWorld, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const url = new URL(redirectUri);
  const isLoopback = (host: string) => ["localhost", "127.0.0.1", "[::1]"].includes(host);
  return world.settings.callbacks.some((callback) => {
    const known = new URL(callback);
    const isSameHost = isLoopback(known.hostname)
      ? isLoopback(url.hostname)
      : known.host === url.host && known.protocol === url.protocol;
    const below = known.pathname.endsWith("/") ? known.pathname : `${known.pathname}/`;
    return isSameHost && (url.pathname === known.pathname || url.pathname.startsWith(below));
  });
}

type TokenAnswer =
  | { error: string; error_description: string; error_uri: string }
  | Record<string, string | number>;

function trade(world: GithubWorld, body: Record<string, string>): TokenAnswer {
  if (body.client_id !== world.settings.clientId || body.client_secret !== world.settings.clientSecret) {
    return fault("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.");
  }
  if (body.grant_type === "refresh_token") {
    const token = rotateToken(world, body.refresh_token ?? "");
    if (token) return grant(token);
    return fault("bad_refresh_token", "The refresh token passed is incorrect or expired.");
  }
  if (body.grant_type && body.grant_type !== "authorization_code") {
    return fault("unsupported_grant_type", "The grant type is not supported.");
  }
  const code = world.state.codes.find((known) => known.code === body.code);
  const bad = fault("bad_verification_code", "The code passed is incorrect or expired.");
  if (!code || code.expiresAt <= Date.now()) return bad;
  if (body.redirect_uri && body.redirect_uri !== code.redirectUri) {
    return fault(
      "redirect_uri_mismatch",
      "The redirect_uri MUST match the registered callback URL for this application.",
    );
  }
  if (code.codeChallenge) {
    const challenge = createHash("sha256")
      .update(body.code_verifier ?? "")
      .digest("base64url");
    if (challenge !== code.codeChallenge) return bad;
  }
  world.state.codes = world.state.codes.filter((known) => known !== code);
  return grant(issueUserToken(world, code));
}

function grant(token: Token): TokenAnswer {
  const seconds = (until: number) => Math.round((until - Date.now()) / 1000);
  return {
    access_token: token.value,
    expires_in: seconds(token.expiresAt),
    refresh_token: token.refreshToken ?? "",
    refresh_token_expires_in: seconds(token.refreshExpiresAt),
    scope: token.scopes?.join(",") ?? "",
    token_type: "bearer",
  };
}

function fault(error: string, description: string): TokenAnswer {
  return {
    error,
    error_description: description,
    error_uri:
      "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/",
  };
}

async function readParameters(c: Context): Promise<Record<string, string>> {
  const query = c.req.query();
  const text = await c.req.text();
  if (c.req.header("content-type")?.includes("json")) {
    return { ...query, ...(JSON.parse(text || "{}") as Record<string, string>) };
  }
  return { ...query, ...Object.fromEntries(new URLSearchParams(text)) };
}

/** Errors come with status 200 too: the body alone tells. */
function answer(c: Context, body: TokenAnswer): Response {
  c.header("Cache-Control", "no-store");
  if (c.req.header("accept")?.includes("json")) return c.json(body);
  const form = new URLSearchParams(Object.entries(body).map(([key, value]) => [key, String(value)]));
  return c.body(form.toString(), 200, { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" });
}
