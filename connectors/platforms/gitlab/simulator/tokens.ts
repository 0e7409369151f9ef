import { randomBytes } from "node:crypto";
import type { GitlabWorld, Token } from "./state.ts";

/** Issues an access token with its refresh token. */
export function issueToken(world: GitlabWorld, grant: Pick<Token, "userId" | "scopes">): Token {
  const now = Date.now();
  const token: Token = {
    value: randomBytes(32).toString("hex"),
    userId: grant.userId,
    scopes: grant.scopes,
    createdAt: now,
    expiresAt: now + world.settings.tokenLifetimeMs,
    refreshToken: randomBytes(32).toString("hex"),
    isRevoked: false,
  };
  world.state.tokens.push(token);
  world.save();
  return token;
}

/**
 * Exchanges a refresh token for a new token and revokes the old pair. Returns null when it is invalid. A refresh token
 * does not expire.
 */
export function rotateToken(world: GitlabWorld, refreshToken: string): Token | null {
  const old = world.state.tokens.find((token) => token.refreshToken === refreshToken);
  if (!old || old.isRevoked) return null;
  old.isRevoked = true;
  return issueToken(world, { userId: old.userId, scopes: old.scopes });
}

/** Revokes a token by its value or its refresh token. */
export function revokeToken(world: GitlabWorld, value: string): void {
  for (const token of world.state.tokens) {
    if (token.value === value || token.refreshToken === value) token.isRevoked = true;
  }
  world.save();
}
