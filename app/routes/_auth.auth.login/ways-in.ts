import { storeCookie } from "#app/session/browser-cookie.ts";

/** The sign-in methods besides the password that this installation offers, and the one this browser used last. */
export type WaysIn = {
  google: boolean;
  enterprise: boolean;
  /** The second configuration, for the one organisation whose links have `?okta` (spec A-468). */
  okta: boolean;
  lastUsed: Way | null;
  /** Why the last sign-in failed, according to the URL. */
  failure: { text: string; isAtDomain: boolean } | null;
};

export const WAYS = ["google", "enterprise", "okta"] as const;
export type Way = (typeof WAYS)[number];

/** Cookie with the last used method; sent only to the sign-in pages. */
const COOKIE = "way";

/** The URL that starts a federated sign-in. */
export function federationPath(choice: { provider: Way; domain?: string; next: string | null }): string {
  const query = new URLSearchParams({ provider: choice.provider });
  if (choice.domain !== undefined) query.set("domain", choice.domain);
  if (choice.next !== null) query.set("next", choice.next);
  return `/identity/federation/start?${query}`;
}

/** Stores the used method for a year. */
export function rememberWay(way: Way): void {
  storeCookie({ name: COOKIE, value: way, path: "/auth" });
}

/** The method in a request's cookies. */
export function lastUsedWay(cookies: string | null): Way | null {
  const found = /(?:^|;\s*)way=(\w+)/.exec(cookies ?? "")?.[1];
  return WAYS.find((way) => way === found) ?? null;
}
