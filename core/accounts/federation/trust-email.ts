import type { Claims } from "./claims.schema.ts";
import type { ProviderSetup } from "./providers.ts";

/**
 * How far a provider is trusted for an e-mail address. `none`: not at all. `verified`: the person can read the mailbox
 * now, which is enough for a new account. `authoritative`: the provider runs the mailbox, so the address is the
 * person's for as long as they have the account there; only this allows linking to an existing account (OpenID Connect
 * Core 5.7).
 */
export type EmailTrust = "none" | "verified" | "authoritative";

/** The domains of Google's own mailboxes. */
const GOOGLE_DOMAINS = ["gmail.com", "googlemail.com"];

/** Judges the e-mail address in the claims. A company's provider is trusted only for its own domain. */
export function trustEmail(setup: ProviderSetup, claims: Claims): EmailTrust {
  if (!claims.email) return "none";
  const domain = claims.email.slice(claims.email.lastIndexOf("@") + 1);
  if (setup.domain !== null) {
    // Companies' providers often omit `email_verified`. An explicit false is respected.
    return domain === setup.domain && claims.email_verified !== false ? "authoritative" : "none";
  }
  if (claims.email_verified !== true) return "none";
  const isOwn = GOOGLE_DOMAINS.includes(domain) || claims.hd?.toLowerCase() === domain;
  return isOwn ? "authoritative" : "verified";
}
