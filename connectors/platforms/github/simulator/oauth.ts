import { createHash, randomBytes } from "node:crypto";
import { type Context, Hono } from "hono";
import { consentPage, errorPage } from "./consent-page.ts";
import { findAccount, type GithubWorld, type Token } from "./state.ts";
import { issueUserToken, rotateToken } from "./tokens.ts";

/** Codes expire after ten minutes. */
const CODE_LIFETIME_MS = 600_000;

/** The OAuth web flow below `/login/oauth`: consent page, code, tokens, refresh. */
export function oauthApp(world: GithubWorld): Hono {
  const app = new Hono();
  app.get("/login/oauth/authorize", (c) => {
    const asked = readRequest(world, c.req.query(), AUTHORIZE);
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), asked.status);
    const people = world.state.accounts.filter(({ type }) => type === "User");
    return c.html(consentPage({ people, appName: "Holdfast", query: c.req.query(), scopes: asked.scopes }));
  });
  app.post("/login/oauth/authorize", async (c) => {
    const form = Object.fromEntries(
      Object.entries(await c.req.parseBody()).map(([key, value]) => [key, String(value)]),
    );
    const asked = readRequest(world, form, [...AUTHORIZE, "decision"]);
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
    const wrong =
      body === null
        ? "the body cannot be read"
        : Object.entries(body).find(([name, value]) => !TRADE.includes(name) || typeof value !== "string");
    if (body === null || wrong !== undefined) {
      const reason =
        typeof wrong === "string" ? wrong : `the parameter ${wrong?.[0]} is not known or no text`;
      world.refuse({ kind: "refused", method: "POST", path: c.req.path, status: 400, reason });
      return c.json({ error: "invalid_request", error_description: reason, error_uri: TROUBLE }, 400);
    }
    return answer(c, trade(world, body));
  });
  return app;
}

/** Parameters of the consent page and of the code exchange, as GitHub documents them. */
const AUTHORIZE = [
  "client_id",
  "redirect_uri",
  "login",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method",
  "allow_signup",
  "prompt",
  "response_type",
];
const TRADE = [
  "client_id",
  "client_secret",
  "code",
  "redirect_uri",
  "code_verifier",
  "grant_type",
  "refresh_token",
  "repository_id",
  "state",
];

type AuthorisationRequest =
  | { kind: "right"; redirectUri: string; codeChallenge: string | null; scopes: string[] | null }
  | { kind: "wrong"; status: 400 | 404; message: string };

function readRequest(
  world: GithubWorld,
  query: Record<string, string>,
  known: readonly string[],
): AuthorisationRequest {
  const refuse = (status: 400 | 404, message: string): AuthorisationRequest => {
    world.refuse({ kind: "refused", method: "GET", path: "/login/oauth/authorize", status, reason: message });
    return { kind: "wrong", status, message };
  };
  if (query.client_id !== world.settings.clientId || world.state.isAppDeleted)
    return refuse(404, "There is no App with this client id.");
  const unknown = Object.keys(query).find((name) => !known.includes(name));
  if (unknown !== undefined) return refuse(400, `The parameter ${unknown} is not known.`);
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

/** The path must be a registered one or below it. A loopback address may use any port. */
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

const TROUBLE =
  "https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors/";

function fault(error: string, description: string): TokenAnswer {
  return {
    error,
    error_description: description,
    error_uri: TROUBLE,
  };
}

/** Reads the parameters; null when the JSON body is malformed. */
async function readParameters(c: Context): Promise<Record<string, string> | null> {
  const query = c.req.query();
  const text = await c.req.text();
  if (c.req.header("content-type")?.includes("json")) {
    try {
      return { ...query, ...(JSON.parse(text || "{}") as Record<string, string>) };
    } catch {
      return null;
    }
  }
  return { ...query, ...Object.fromEntries(new URLSearchParams(text)) };
}

/** Errors also have status 200; only the body differs. */
function answer(c: Context, body: TokenAnswer): Response {
  c.header("Cache-Control", "no-store");
  if (c.req.header("accept")?.includes("json")) return c.json(body);
  const form = new URLSearchParams(Object.entries(body).map(([key, value]) => [key, String(value)]));
  return c.body(form.toString(), 200, { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" });
}
