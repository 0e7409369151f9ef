import { randomBytes } from "node:crypto";
import { newId } from "./ids.ts";
import type { Token, TrelloWorld } from "./state.ts";

/** Issues a legacy token, as the token page does. */
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

/** Issues an OAuth 2.0 access token, with a refresh token when `offline_access` is granted. */
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
 * Exchanges a refresh token, which works once. Its old access token stays valid until it expires.
 * @returns null when the refresh token is unknown, used or revoked
 */
export function rotateToken(world: TrelloWorld, refreshToken: string): Token | null {
  const old = world.state.tokens.find((token) => token.refreshToken === refreshToken);
  if (!old || old.isRevoked) return null;
  old.refreshToken = null;
  return issueOauthToken(world, { idMember: old.idMember, scopes: old.scopes });
}

/** Revokes a token by its value or its refresh token. Returns false when it is unknown or already revoked. */
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
