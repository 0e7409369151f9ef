import { randomBytes } from "node:crypto";
import type { AuthorisationCode, GithubWorld, Installation, Token } from "./state.ts";

const HOUR_MS = 3_600_000;
/** Refresh tokens expire after six months. */
const REFRESH_LIFETIME_MS = 15_897_600_000;

/** Issues a user's access token with its refresh token. */
export function issueUserToken(
  world: GithubWorld,
  grant: Pick<AuthorisationCode, "login" | "scopes">,
): Token {
  const now = Date.now();
  return keep(world, {
    value: `ghu_${letters(36)}`,
    kind: "user",
    login: grant.login,
    installationId: null,
    scopes: grant.scopes,
    expiresAt: now + world.settings.tokenLifetimeMs,
    refreshToken: `ghr_${letters(76)}`,
    refreshExpiresAt: now + REFRESH_LIFETIME_MS,
    isRevoked: false,
  });
}

/** Issues an installation token that is valid for an hour. Such tokens are longer than forty characters. */
export function issueInstallationToken(world: GithubWorld, installation: Installation): Token {
  return keep(world, {
    value: `ghs_${world.settings.appId}_${letters(180)}`,
    kind: "installation",
    login: null,
    installationId: installation.id,
    scopes: null,
    expiresAt: Date.now() + HOUR_MS,
    refreshToken: null,
    refreshExpiresAt: 0,
    isRevoked: false,
  });
}

/** Exchanges a refresh token, which invalidates it and its access token. Returns null when it is not accepted. */
export function rotateToken(world: GithubWorld, refreshToken: string): Token | null {
  const old = world.state.tokens.find((token) => token.refreshToken === refreshToken);
  if (!old || old.isRevoked || old.refreshExpiresAt <= Date.now() || old.login === null) return null;
  old.isRevoked = true;
  return issueUserToken(world, { login: old.login, scopes: old.scopes });
}

/** Revokes one token. Returns false when it is unknown. */
export function revokeToken(world: GithubWorld, value: string): boolean {
  const token = world.state.tokens.find((known) => known.value === value);
  if (!token) return false;
  token.isRevoked = true;
  world.save();
  return true;
}

/** Revokes every token of the token's user. Returns false when the token is unknown. */
export function revokeGrant(world: GithubWorld, value: string): boolean {
  const token = world.state.tokens.find((known) => known.value === value);
  if (!token) return false;
  for (const other of world.state.tokens) if (other.login === token.login) other.isRevoked = true;
  world.save();
  return true;
}

function keep(world: GithubWorld, token: Token): Token {
  world.state.tokens.push(token);
  world.save();
  return token;
}

function letters(count: number): string {
  return randomBytes(count).toString("base64").replace(/[+/=]/g, "A").slice(0, count);
}
