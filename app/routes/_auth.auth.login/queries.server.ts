import type { AppLoadContext } from "@remix-run/cloudflare";
import { listSignInProviders } from "#core/accounts/index.ts";
import { DOMAIN_FAILURE, failureText } from "./failure-text.ts";
import { lastUsedWay, type WaysIn } from "./ways-in.ts";

/**
 * The configured sign-in methods besides the password. Restricted mode hides the company's own sign-in (spec A-035),
 * and a host's frame all of them.
 * With `?okta`, the second configuration replaces the first (spec A-468).
 */
export function waysIn(context: AppLoadContext, request: Request): WaysIn {
  const { settings } = context.services;
  // Their pages refuse to be framed.
  const offered = new Set(settings.FRAME ? [] : listSignInProviders(settings));
  const isRestricted = settings.RESTRICTED_MODE === "on";
  const { searchParams } = new URL(request.url);
  const okta = searchParams.has("okta") && offered.has("okta");
  const failure = searchParams.get("failure");
  const enterprise = offered.has("enterprise") && !isRestricted && !okta;
  return {
    google: offered.has("google"),
    enterprise,
    okta,
    lastUsed: lastUsedWay(request.headers.get("Cookie")),
    failure:
      failure === null
        ? null
        : { text: failureText(failure), isAtDomain: failure === DOMAIN_FAILURE && enterprise },
  };
}
