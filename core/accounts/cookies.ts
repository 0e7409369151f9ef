import type { AccountsDeps } from "./deps.ts";

type CookieDeps = { settings: Pick<AccountsDeps["settings"], "PUBLIC_URL" | "RESTRICTED_MODE"> };

const PREFIX = "holdfast";

/**
 * Name of a cookie of ours. A browser takes a `__Host-` name from this host alone and by https, so no neighbour of ours
 * can slip one in (RFC 6265bis section 4.1.3.2).
 */
export function cookieName(deps: CookieDeps, name: string): string {
  return `${isSecure(deps) ? "__Host-" : ""}${PREFIX}.${name}`;
}

/**
 * A value for `Set-Cookie` that no script can read. `maxAgeMs` 0 removes the cookie, null keeps it until the browser
 * is closed. An embedded product is another site's frame: there the cookie is the frame's own (decision on sessions).
 */
export function formatCookie(
  deps: CookieDeps,
  { name, value, maxAgeMs }: { name: string; value: string; maxAgeMs: number | null },
): string {
  const isEmbedded = deps.settings.RESTRICTED_MODE === "on" && isSecure(deps);
  return [
    `${cookieName(deps, name)}=${value}`,
    ...(maxAgeMs === null ? [] : [`Max-Age=${Math.floor(maxAgeMs / 1000)}`]),
    "Path=/",
    "HttpOnly",
    ...(isSecure(deps) ? ["Secure"] : []),
    ...(isEmbedded ? ["SameSite=None", "Partitioned"] : ["SameSite=Lax"]),
  ].join("; ");
}

/** The value of a cookie of ours that the headers carry; null when there is none. */
export function readCookie(deps: CookieDeps, headers: Headers, name: string): string | null {
  const start = `${cookieName(deps, name)}=`;
  const pair = headers
    .get("Cookie")
    ?.split(";")
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  return pair ? pair.slice(start.length) : null;
}

/** True where people reach the app by https, so that cookies may be marked Secure. */
function isSecure(deps: CookieDeps): boolean {
  return deps.settings.PUBLIC_URL.startsWith("https:");
}
