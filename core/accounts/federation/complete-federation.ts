import { authorizationCodeGrant, fetchUserInfo } from "openid-client";
import { AppError } from "#core/kernel/app-error.ts";
import { beginChallenge, needsSecondFactor } from "../challenge.ts";
import { createSession, endCarriedSession } from "../new-session.ts";
import { type AttemptDetails, spendAttempt } from "./attempt.ts";
import { federationRedirectUri } from "./begin-federation.ts";
import { type Claims, claimsSchema } from "./claims.schema.ts";
import type { FederationDeps } from "./federation-deps.ts";
import { findOrCreatePerson } from "./find-or-create-person.ts";
import { openProvider } from "./open-provider.ts";
import { findSetup, type ProviderSetup } from "./providers.ts";

/** The result of returning from a provider; `next` is a path in the app. */
export type FederationOutcome = { kind: "session" | "two_factor"; next: string; setCookie: string[] };

/**
 * Completes a sign-in through another service. Nothing is created when the response is invalid: the state is unknown,
 * expired, already used or from another browser; the response is from another issuer; the code does not belong to this
 * attempt; or a token does not validate. The provider's tokens are not stored.
 * @throws AppError `err.federation.failed`, `err.federation.email`, `err.federation.unverified`,
 * `err.federation.invited`; `details.provider` names the provider once it is known
 */
export async function completeFederation(
  deps: FederationDeps,
  { query, headers }: { query: URLSearchParams; headers: Headers },
): Promise<FederationOutcome> {
  const states = query.getAll("state");
  const attempt = states.length === 1 ? await spendAttempt(deps, { state: states[0] ?? "", headers }) : null;
  if (!attempt) throw new AppError("err.federation.failed");
  const { provider, details } = attempt;
  const setup = findSetup(deps.settings, provider);
  // The settings changed during the attempt.
  if (setup?.issuer !== details.issuer)
    throw new AppError("err.federation.failed", { details: { provider } });
  const claims = await askForClaims(deps, { setup, details, query }).catch((cause: unknown) => {
    throw new AppError("err.federation.failed", { cause, details: { provider } });
  });
  const { userId } = await findOrCreatePerson(deps, { setup, claims });
  const { next } = details;
  if (await needsSecondFactor(deps, userId)) {
    const { setCookie } = await beginChallenge(deps, { userId, isRemembered: false });
    return { kind: "two_factor", next, setCookie };
  }
  await endCarriedSession(deps, headers);
  const { setCookie } = await createSession(deps, { userId, isRemembered: false });
  return { kind: "session", next, setCookie };
}

/**
 * Exchanges the code for tokens and reads the claims. If the ID token has no e-mail, as some providers leave it out,
 * queries the userinfo endpoint.
 */
async function askForClaims(
  deps: Pick<FederationDeps, "settings" | "fetch">,
  { setup, details, query }: { setup: ProviderSetup; details: AttemptDetails; query: URLSearchParams },
): Promise<Claims> {
  const config = await openProvider(deps, setup);
  const url = new URL(`${federationRedirectUri(deps.settings.PUBLIC_URL)}?${query}`);
  const tokens = await authorizationCodeGrant(config, url, {
    expectedState: query.get("state") ?? "",
    expectedNonce: details.nonce,
    pkceCodeVerifier: details.codeVerifier,
    idTokenExpected: true,
  });
  const idClaims = tokens.claims();
  if (idClaims?.email !== undefined) return claimsSchema.parse(idClaims);
  const userInfo = await fetchUserInfo(config, tokens.access_token, idClaims?.sub ?? "");
  return claimsSchema.parse({ ...userInfo, ...idClaims });
}
