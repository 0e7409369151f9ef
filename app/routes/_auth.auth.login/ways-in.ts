/** Which ways in beside the password this installation offers, and the one this browser used last. */
export type WaysIn = {
  google: boolean;
  enterprise: boolean;
  /** The second configuration, for the one organisation whose links carry `?okta` (spec A-468). */
  okta: boolean;
  lastUsed: Way | null;
  /** Why the last way in led nowhere, as the address says. */
  failure: { text: string; isAtDomain: boolean } | null;
};

export const WAYS = ["google", "enterprise", "okta"] as const;
export type Way = (typeof WAYS)[number];

/** Cookie with the way that was used last; sent to the sign-in pages alone. */
const COOKIE = "way";

/** Where a federated sign-in starts. */
export function federationPath(choice: { provider: Way; domain?: string; next: string | null }): string {
  const query = new URLSearchParams({ provider: choice.provider });
  if (choice.domain !== undefined) query.set("domain", choice.domain);
  if (choice.next !== null) query.set("next", choice.next);
  return `/identity/federation/start?${query}`;
}

/** Keeps for a year which way was used. */
export function rememberWay(way: Way): void {
  // biome-ignore lint/suspicious/noDocumentCookie: -- the Cookie Store API is not everywhere yet
  document.cookie = `${COOKIE}=${way}; Path=/auth; Max-Age=31536000; SameSite=Lax`;
}

/** The way that a request's cookies name. */
export function lastUsedWay(cookies: string | null): Way | null {
  const found = /(?:^|;\s*)way=(\w+)/.exec(cookies ?? "")?.[1];
  return WAYS.find((way) => way === found) ?? null;
}
