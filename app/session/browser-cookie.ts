/** A choice of this browser that the server reads with the next page. */
export type BrowserCookie = { name: string; value: string; path?: string; maxAgeSeconds?: number };

const YEAR_SECONDS = 31_536_000;

/** Stores a choice in this browser, by default for a year. */
export function storeCookie(cookie: BrowserCookie): void {
  // biome-ignore lint/suspicious/noDocumentCookie: -- the Cookie Store API is not everywhere yet
  document.cookie = cookieText(cookie, window.parent !== window);
}

/** The value for `document.cookie`. In another site's frame browsers accept only cookies that are kept apart for that site. */
export function cookieText(
  { name, value, path = "/", maxAgeSeconds = YEAR_SECONDS }: BrowserCookie,
  isFramed: boolean,
): string {
  const kind = isFramed ? "SameSite=None; Secure; Partitioned" : "SameSite=Lax";
  return `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; ${kind}`;
}
