import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

/** A site at which the simulated app is installed, and who looks at its page; a tick has no person. */
export type ForgeCaller = {
  cloudId: string;
  installationId: string;
  siteUrl?: string;
  accountId?: string;
  license?: Record<string, unknown>;
};

/** Signs invocation tokens as Forge does (contract `atlassian/forge-invocation-token.schema.json`). */
export type ForgeIssuer = {
  jwks: { keys: JWK[] };
  /** `changes` replace claims, for tokens that Forge would not issue. */
  sign(caller: ForgeCaller, changes?: Record<string, unknown>): Promise<string>;
};

/** How long the documented token lives. */
const LIFE_SECONDS = 25;

/** An issuer with a key of its own. */
export async function createForgeIssuer(appId: string, now: () => number = Date.now): Promise<ForgeIssuer> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const kid = crypto.randomUUID();
  return {
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" }] },
    sign: (caller, changes = {}) => {
      const at = Math.floor(now() / 1000);
      const claims = { ...claimsOf(appId, caller), iat: at, nbf: at, exp: at + LIFE_SECONDS, ...changes };
      return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid, typ: "JWT" }).sign(privateKey);
    },
  };
}

/** A call of the page has a context with its site and person. An event has neither. */
function claimsOf(appId: string, caller: ForgeCaller): Record<string, unknown> {
  const { cloudId, installationId, siteUrl, accountId, license } = caller;
  const apiBaseUrl = `https://api.atlassian.com/ex/jira/${cloudId}`;
  const isPage = accountId !== undefined;
  return {
    app: {
      id: appId,
      version: "1",
      appVersion: "1.0.0",
      installationId,
      apiBaseUrl,
      installation: { id: installationId, contexts: [{ name: "jira", apiBaseUrl, cloudId }] },
      environment: { type: "PRODUCTION", id: "ari:cloud:ecosystem::environment/simulated/production" },
      module: isPage ? { type: "jira:globalPage", key: "main-page" } : { type: "core:endpoint", key: "tick" },
      ...(license ? { license } : {}),
    },
    ...(isPage
      ? {
          context: { cloudId, moduleKey: "main-page", ...(siteUrl ? { siteUrl } : {}) },
          principal: accountId,
        }
      : {}),
    aud: appId,
    iss: "forge/invocation-token",
    jti: crypto.randomUUID(),
  };
}
