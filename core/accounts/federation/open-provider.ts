import {
  allowInsecureRequests,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from "openid-client";
import type { FederationDeps } from "./federation-deps.ts";
import type { ProviderSetup } from "./providers.ts";

/** Timeout of one provider request, in seconds. A person is waiting. */
const TIMEOUT_S = 10;

/**
 * Discovers a provider's endpoints (OpenID Connect Discovery) and returns the client configuration. ID token signatures
 * are checked even though the tokens come directly from the provider. Plain http is used only if the issuer's own URL
 * is http, which the settings allow only on localhost.
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
