import type { AccountsDeps } from "./deps.ts";

type CookieDeps = { settings: Pick<AccountsDeps["settings"], "PUBLIC_URL" | "RESTRICTED_MODE" | "FRAME"> };

const PREFIX = "holdfast";

/**
 * The full name of a cookie. Browsers accept a `__Host-` name only from this host and over https, so no neighbouring
 * subdomain can set one (RFC 6265bis section 4.1.3.2).
 */
export function cookieName(deps: CookieDeps, name: string): string {
  return `${isSecure(deps) ? "__Host-" : ""}${PREFIX}.${name}`;
}

/**
 * A `Set-Cookie` value with HttpOnly. `maxAgeMs` 0 removes the cookie; null keeps it until the browser closes. When the
 * product is embedded in another site's frame, the cookie is partitioned to that frame (decision on sessions).
 */
export function formatCookie(
  deps: CookieDeps,
  { name, value, maxAgeMs }: { name: string; value: string; maxAgeMs: number | null },
): string {
  const { FRAME, RESTRICTED_MODE } = deps.settings;
  const isFramed = FRAME !== undefined;
  const isEmbedded = isFramed || (RESTRICTED_MODE === "on" && isSecure(deps));
  return [
    `${cookieName(deps, name)}=${value}`,
    ...(maxAgeMs === null ? [] : [`Max-Age=${Math.floor(maxAgeMs / 1000)}`]),
    "Path=/",
    "HttpOnly",
    // Browsers take Partitioned only with Secure, which they also accept from this machine over http.
    ...(isFramed || isSecure(deps) ? ["Secure"] : []),
    ...(isEmbedded ? ["SameSite=None", "Partitioned"] : ["SameSite=Lax"]),
  ].join("; ");
}

/** The value of one of our cookies; null when it is absent. */
export function readCookie(deps: CookieDeps, headers: Headers, name: string): string | null {
  const start = `${cookieName(deps, name)}=`;
  const pair = headers
    .get("Cookie")
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  return pair ? pair.slice(start.length) : null;
}

/** True when the app is served over https, so that cookies may be marked Secure. */
function isSecure(deps: CookieDeps): boolean {
  return deps.settings.PUBLIC_URL.startsWith("https:");
}
