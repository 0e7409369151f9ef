import { randomUUID } from "node:crypto";
import { newSecret } from "./ids.ts";
import type { JiraWorld, Token } from "./state.ts";

/** Issues an access token, with a refresh token when `offline_access` was granted. */
export function issueToken(
  world: JiraWorld,
  grant: { accountId: string; cloudIds: string[]; scopes: string[]; grantId?: string },
): Token {
  const now = Date.now();
  const isOffline = grant.scopes.includes("offline_access");
  const token: Token = {
    grantId: grant.grantId ?? randomUUID(),
    value: newSecret("eyJraWQiOiJhdXRo.", 90),
    accountId: grant.accountId,
    cloudIds: grant.cloudIds,
    scopes: grant.scopes,
    expiresAt: now + world.settings.tokenLifetimeMs,
    refreshToken: isOffline ? newSecret("eyJraWQiOiI1MWE2.", 60) : null,
    refreshExpiresAt: isOffline ? now + world.settings.refreshLifetimeMs : null,
    isRevoked: false,
  };
  world.state.tokens.push(token);
  world.save();
  return token;
}

/**
 * Exchanges a refresh token, which works once. The access token that came with it stays valid until it expires.
 * @returns null when the refresh token is unknown, used, expired or revoked
 */
export function rotateToken(world: JiraWorld, refreshToken: string): Token | null {
  const old = world.state.tokens.find((token) => token.refreshToken === refreshToken);
  if (!old || old.isRevoked || (old.refreshExpiresAt ?? 0) <= Date.now()) return null;
  old.refreshToken = null;
  const { accountId, scopes, grantId } = old;
  // The sites are those of the grant as it is now.
  return issueToken(world, { accountId, cloudIds: old.cloudIds, scopes, grantId });
}
