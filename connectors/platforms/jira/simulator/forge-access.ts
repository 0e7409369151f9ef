import { randomUUID } from "node:crypto";
import { newSecret } from "./ids.ts";
import type { JiraWorld, Site, Token } from "./state.ts";

/** The least that a token lives which an hourly call brings (Forge's documentation, "scheduled triggers"). */
export const FORGE_TOKEN_MS = 2 * 60 * 60 * 1000;

const APP_ACCOUNT = "712020:00000000-f01d-4fa5-8000-000000000001";

/**
 * A token that Forge passes to the app's remote: of the app's own account at a site, or of a person. It has no more scopes than
 * the app's manifest declares, and is a JWT, of which only the end is documented.
 */
export function issueForgeToken(
  world: JiraWorld,
  site: Site,
  order: { scopes: readonly string[]; accountId?: string; lifeMs?: number },
): Token {
  const expiresAt = Date.now() + (order.lifeMs ?? FORGE_TOKEN_MS);
  const payload = { exp: Math.floor(expiresAt / 1000) };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const token: Token = {
    grantId: randomUUID(),
    value: `${part({ alg: "RS256", typ: "JWT" })}.${part(payload)}.${newSecret("", 60)}`,
    accountId: order.accountId ?? appAccount(world, site),
    cloudIds: [site.cloudId],
    scopes: order.scopes.filter((scope) => !/^read:app-(user|system)-token$/.test(scope)),
    expiresAt,
    refreshToken: null,
    refreshExpiresAt: null,
    isRevoked: false,
    isForge: true,
  };
  world.state.tokens.push(token);
  world.save();
  return token;
}

/** The app's account, a member without global rights: whether Jira gives it any is not proved. */
function appAccount(world: JiraWorld, site: Site): string {
  if (!world.state.people.some(({ accountId }) => accountId === APP_ACCOUNT)) {
    world.state.people.push({
      accountId: APP_ACCOUNT,
      email: "holdfast-app@connect.example",
      displayName: "Holdfast",
      timeZone: "Etc/UTC",
      isActive: true,
      accountType: "app",
    });
  }
  if (!site.members.some(({ accountId }) => accountId === APP_ACCOUNT)) {
    const users = site.groups[0];
    site.members.push({ accountId: APP_ACCOUNT, isAdmin: false, groupIds: users ? [users.id] : [] });
  }
  return APP_ACCOUNT;
}
