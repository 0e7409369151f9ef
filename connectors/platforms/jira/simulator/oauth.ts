import { type Context, Hono } from "hono";
import {
  challengeOf,
  isRegistered,
  readParameters,
  sendBack,
} from "#connectors/toolkit/simulator/oauth-desk.ts";
import { consentPage, errorPage } from "./consent-page.ts";
import { newSecret } from "./ids.ts";
import { SCOPES } from "./scopes.ts";
import type { JiraWorld, Token } from "./state.ts";
import { findPerson, siteUrl } from "./store.ts";
import { issueToken, rotateToken } from "./tokens.ts";

/** A code expires after ten minutes. */
const CODE_LIFETIME_MS = 600_000;

/** OAuth 2.0 (3LO) as at `auth.atlassian.com`: consent page with the choice of a site, code, rotating tokens. */
export function oauthApp(world: JiraWorld): Hono {
  const app = new Hono();
  app.get("/authorize", (c) => {
    const asked = readRequest(world, c.req.query());
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 400);
    if (asked.kind === "refused") return c.redirect(asked.location, 302);
    const target = new URL(asked.redirectUri).host;
    return c.html(consentPage(world, { query: c.req.query(), scopes: asked.scopes, target }));
  });
  app.post("/authorize", async (c) => {
    const form = Object.fromEntries(
      Object.entries(await c.req.parseBody()).map(([key, value]) => [key, String(value)]),
    );
    const asked = readRequest(world, form);
    if (asked.kind === "wrong") return c.html(errorPage(asked.message), 400);
    if (asked.kind === "refused") return c.redirect(asked.location, 302);
    const { redirectUri, scopes } = asked;
    if (form.decision !== "authorize") {
      const denied = { error: "access_denied", error_description: "User did not authorize the request" };
      return c.redirect(sendBack(redirectUri, { ...denied, state: form.state }), 302);
    }
    const person = findPerson(world, form.login ?? "");
    if (!person) return c.html(errorPage("There is no such person."), 404);
    const { accountId } = person;
    const site = world.state.sites.find(({ cloudId }) => cloudId === form.site);
    if (!site?.members.some((member) => member.accountId === accountId)) {
      const message = `${person.displayName} has no access to Jira on this site.`;
      return c.html(errorPage(message), 403);
    }
    const code = newSecret("", 32);
    const expiresAt = Date.now() + CODE_LIFETIME_MS;
    const challenge = form.code_challenge === undefined ? {} : { challenge: form.code_challenge };
    const { cloudId } = site;
    world.state.codes.push({ code, accountId, cloudId, redirectUri, scopes, expiresAt, ...challenge });
    world.save();
    return c.redirect(sendBack(redirectUri, { code, state: form.state }), 302);
  });
  app.post("/oauth/token", async (c) => trade(c, world, await readParameters(c.req.raw)));
  app.get("/oauth/token/accessible-resources", (c) => {
    const value = /^bearer\s+(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const token = world.state.tokens.find((known) => known.value === value);
    if (!token || token.isRevoked || (token.expiresAt ?? 0) <= Date.now()) {
      return c.json({ code: 401, message: "Unauthorized" }, 401);
    }
    const sites = world.state.sites.filter(({ cloudId }) => token.cloudIds.includes(cloudId));
    const scopes = token.scopes.filter((scope) => scope !== "offline_access");
    return c.json(
      sites.map((site) => ({
        id: site.cloudId,
        url: siteUrl(world, site),
        name: site.name,
        scopes,
        avatarUrl: `${world.url}/avatars/${encodeURIComponent(site.name)}.svg`,
      })),
    );
  });
  return app;
}

type AuthorisationRequest =
  | { kind: "right"; redirectUri: string; scopes: string[] }
  | { kind: "refused"; location: string }
  | { kind: "wrong"; message: string };

function readRequest(world: JiraWorld, query: Record<string, string>): AuthorisationRequest {
  const note = (reason: string) =>
    world.refuse({ kind: "refused", method: "GET", path: "/authorize", status: 400, reason });
  const wrong = (message: string): AuthorisationRequest => {
    note(message);
    return { kind: "wrong", message };
  };
  if (query.audience !== "api.atlassian.com") return wrong("The audience must be api.atlassian.com.");
  if (query.client_id !== world.settings.clientId) return wrong("Unknown client.");
  const redirectUri = query.redirect_uri ?? "";
  if (!isRegistered(world.settings, redirectUri)) return wrong("redirect_uri is not registered for client.");
  const refused = (error: string, error_description: string): AuthorisationRequest => {
    note(error_description);
    const location = sendBack(redirectUri, { error, error_description, state: query.state });
    return { kind: "refused", location };
  };
  if (query.response_type !== "code") {
    return refused("unsupported_response_type", "Unsupported response type.");
  }
  if (query.prompt !== "consent") return refused("invalid_request", "prompt=consent is required.");
  if (!query.state) return refused("invalid_request", "The state is required for security.");
  const scopes = (query.scope ?? "").split(/\s+/).filter((scope) => scope !== "");
  const unknown = scopes.filter((scope) => !(scope in SCOPES));
  if (scopes.length === 0 || unknown.length > 0) {
    return refused(
      "invalid_scope",
      `The requested scope is invalid, unknown, or malformed: ${unknown.join(" ")}`,
    );
  }
  return { kind: "right", redirectUri, scopes };
}

function trade(c: Context, world: JiraWorld, body: Record<string, string>): Response {
  c.header("Cache-Control", "no-store");
  const { clientId, clientSecret } = world.settings;
  if (body.client_id !== clientId || body.client_secret !== clientSecret) {
    return fault(c, world, 401, "access_denied", "Unauthorized");
  }
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
  if (!code || code.expiresAt <= Date.now() || body.redirect_uri !== code.redirectUri) {
    return fault(c, world, 403, "invalid_grant", "Invalid authorization code");
  }
  if (code.challenge !== undefined && challengeOf(body.code_verifier ?? "") !== code.challenge) {
    return fault(c, world, 403, "invalid_grant", "Failed to verify code verifier");
  }
  return c.json(grant(issueToken(world, grantedSites(world, code))));
}

/**
 * The sites of a new grant: the chosen one, and those that the person chose before. Atlassian keeps one grant for each
 * application and person, so that earlier sites stay accessible.
 */
function grantedSites(
  world: JiraWorld,
  { accountId, cloudId, scopes }: { accountId: string; cloudId: string; scopes: string[] },
) {
  const earlier = world.state.tokens
    .filter((token) => token.accountId === accountId && !token.isRevoked)
    .flatMap(({ cloudIds }) => cloudIds);
  const cloudIds = [...new Set([cloudId, ...earlier])];
  for (const token of world.state.tokens) {
    if (token.accountId === accountId && !token.isRevoked) token.cloudIds = cloudIds;
  }
  return { accountId, cloudIds, scopes };
}

function grant(token: Token): Record<string, string | number> {
  return {
    access_token: token.value,
    ...(token.refreshToken === null ? {} : { refresh_token: token.refreshToken }),
    expires_in: Math.round(((token.expiresAt ?? 0) - Date.now()) / 1000),
    token_type: "Bearer",
    scope: token.scopes.join(" "),
  };
}

function fault(
  c: Context,
  world: JiraWorld,
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
