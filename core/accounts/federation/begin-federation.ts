import { buildAuthorizationUrl, calculatePKCECodeChallenge } from "openid-client";
import { AppError } from "#core/kernel/app-error.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { countForAddress, type Limit } from "../limits.ts";
import { beginAttempt, randomSecret } from "./attempt.ts";
import type { FederationDeps } from "./federation-deps.ts";
import { openProvider } from "./open-provider.ts";
import { assertDomain, findSetup, type SignInProvider } from "./providers.ts";
import { safeNext } from "./safe-next.ts";

/** Each attempt costs a row and two requests to the provider. A whole office may share one network address. */
const BEGUN: Limit = {
  name: "federation-begun",
  most: 200,
  windowMs: 15 * MINUTE_MS,
  code: "err.attempts.limit",
};

/** The OpenID Connect scopes to request. */
const SCOPE = "openid email profile";

/** The redirect URI that is registered at the providers. */
export function federationRedirectUri(publicUrl: string): string {
  return `${publicUrl}/identity/federation/callback`;
}

/**
 * Begins a sign-in through another service: authorization code flow with PKCE (S256), `state` and `nonce` (OpenID
 * Connect Core, RFC 9700).
 * @returns the provider URL to send the browser to, and cookies to set
 * @throws AppError `err.federation.absent`, `err.federation.domain`, `err.federation.failed`, `err.attempts.limit`
 */
export async function beginFederation(
  deps: Pick<FederationDeps, "control" | "clock" | "settings" | "fetch">,
  order: { provider: string; domain: string | null; next: string | null },
  headers: Headers,
): Promise<{ url: string; setCookie: string[] }> {
  const setup = findSetup(deps.settings, order.provider);
  if (!setup) throw new AppError("err.federation.absent");
  assertDomain(setup, order.domain);
  await countForAddress(deps, BEGUN, headers);
  const config = await openProvider(deps, setup).catch((cause: unknown) => {
    throw new AppError("err.federation.failed", { cause });
  });
  const [nonce, codeVerifier] = [randomSecret(), randomSecret()];
  const { PUBLIC_URL } = deps.settings;
  const details = { issuer: setup.issuer, nonce, codeVerifier, next: safeNext(PUBLIC_URL, order.next) };
  const { state, setCookie } = await beginAttempt(deps, { setup, details, headers });
  const url = buildAuthorizationUrl(config, {
    redirect_uri: federationRedirectUri(PUBLIC_URL),
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    ...PROMPTS[setup.provider],
  });
  return { url: url.href, setCookie };
}

/** A person may be signed in to several Google accounts and must choose one. At a company's provider they have one. */
const PROMPTS: Record<SignInProvider, Record<string, string>> = {
  google: { prompt: "select_account" },
  enterprise: {},
  okta: {},
};
