import { randomBytes } from "node:crypto";
import { newId } from "./ids.ts";
import type { Token, TrelloWorld } from "./state.ts";

/** Issues a token of the older kind, as the token page does. */
export function issueLegacyToken(
  world: TrelloWorld,
  grant: { idMember: string; scopes: string[]; lifetimeMs: number | null },
): Token {
  const now = Date.now();
  return keep(world, {
    value: `ATTA${randomBytes(36).toString("hex")}`,
    kind: "legacy",
    idMember: grant.idMember,
    scopes: grant.scopes,
    createdAt: now,
    expiresAt: grant.lifetimeMs === null ? null : now + grant.lifetimeMs,
    refreshToken: null,
  });
}

/** Issues an access token of OAuth 2.0, with a refresh token when `offline_access` was granted. */
export function issueOauthToken(world: TrelloWorld, grant: { idMember: string; scopes: string[] }): Token {
  const now = Date.now();
  const isOffline = grant.scopes.includes("offline_access");
  return keep(world, {
    value: randomBytes(120).toString("base64url"),
    kind: "oauth2",
    idMember: grant.idMember,
    scopes: grant.scopes,
    createdAt: now,
    expiresAt: now + world.settings.tokenLifetimeMs,
    refreshToken: isOffline ? randomBytes(90).toString("base64url") : null,
  });
}

/**
 * Trades a refresh token in: it works once. The access token that came with it lives on until its hour is over.
 * @returns null when the refresh token is unknown, used or revoked
 */
export function rotateToken(world: TrelloWorld, refreshToken: string): Token | null {
  const old = world.state.tokens.find((token) => token.refreshToken === refreshToken);
  if (!old || old.isRevoked) return null;
  old.refreshToken = null;
  return issueOauthToken(world, { idMember: old.idMember, scopes: old.scopes });
}

/** Revokes what a token or refresh token stands for. False when nobody knows it. */
export function revokeToken(world: TrelloWorld, value: string): boolean {
  const token = world.state.tokens.find((known) => known.value === value || known.refreshToken === value);
  if (!token || token.isRevoked) return false;
  token.isRevoked = true;
  world.save();
  return true;
}

function keep(world: TrelloWorld, token: Omit<Token, "id" | "isRevoked">): Token {
  const kept = { id: newId(world.state), ...token, isRevoked: false };
  world.state.tokens.push(kept);
  world.save();
  return kept;
}
