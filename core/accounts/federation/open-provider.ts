import {
  allowInsecureRequests,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from "openid-client";
import type { FederationDeps } from "./federation-deps.ts";
import type { ProviderSetup } from "./providers.ts";

/** Longest wait for one answer of a provider, in seconds; a person waits with it. */
const TIMEOUT_S = 10;

/**
 * Asks a provider for its addresses (OpenID Connect Discovery) and makes ready to speak with it. Signatures of ID
 * tokens are checked although they come straight from the provider. Plain http is spoken only with an issuer whose
 * own address says so, which the settings allow on this machine alone.
 */
export function openProvider(
  deps: Pick<FederationDeps, "fetch">,
  setup: ProviderSetup,
): Promise<Configuration> {
  const issuer = new URL(setup.issuer);
  return discovery(issuer, setup.clientId, setup.clientSecret, undefined, {
    [customFetch]: (url, init) => deps.fetch(url, init as RequestInit),
    timeout: TIMEOUT_S,
    execute: [enableNonRepudiationChecks, ...(issuer.protocol === "http:" ? [allowInsecureRequests] : [])],
  });
}
