import type { Claims } from "./claims.schema.ts";
import type { ProviderSetup } from "./providers.ts";

/**
 * How far a provider is believed about an e-mail. `none`: not at all. `verified`: the person reads that mailbox now,
 * enough for a new account. `authoritative`: the provider runs the mailbox itself, so the address is the person's as
 * long as the account is; only then may an account that stands already be opened by it (OpenID Connect Core 5.7).
 */
export type EmailTrust = "none" | "verified" | "authoritative";

/** Google's own mailboxes. */
const GOOGLE_DOMAINS = ["gmail.com", "googlemail.com"];

/** Judges the e-mail of the claims. A company speaks for its own domain and for no other. */
export function trustEmail(setup: ProviderSetup, claims: Claims): EmailTrust {
  if (!claims.email) return "none";
  const domain = claims.email.slice(claims.email.lastIndexOf("@") + 1);
  if (setup.domain !== null) {
    // Companies' providers often leave the claim out; a plain "no" is taken at its word.
    return domain === setup.domain && claims.email_verified !== false ? "authoritative" : "none";
  }
  if (claims.email_verified !== true) return "none";
  const isOwn = GOOGLE_DOMAINS.includes(domain) || claims.hd?.toLowerCase() === domain;
  return isOwn ? "authoritative" : "verified";
}
