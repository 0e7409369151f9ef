import {
  EXPIRED_KEY,
  endMarker,
  type KeyValue,
  LAST_PAGE_KEY,
  SIGNED_OUT_KEY,
  type Stores,
} from "./marker.ts";
import { safeNext } from "./safe-next.ts";

/** Pages that are never remembered as the last one (spec A-287). */
const NOT_REMEMBERED = /^\/(?:auth|checkout|verify-email|invite)(?:\/|$)/;

/**
 * Remembers the page somebody is on; the checkout makes the memory empty (spec ). The page is kept together
 * with whose it is, so that nobody is led to somebody else's page.
 */
export function rememberPage(local: KeyValue, page: { sub: string; path: string }): void {
  const { pathname } = new URL(page.path, "http://here");
  if (pathname === "/checkout" || pathname.startsWith("/checkout/")) local.removeItem(LAST_PAGE_KEY);
  if (!NOT_REMEMBERED.test(pathname)) local.setItem(LAST_PAGE_KEY, JSON.stringify(page));
}

/** The page on which a person was last; null when there is none, or it was another person's. */
export function lastPageOf(local: KeyValue, sub: string): string | null {
  const text = local.getItem(LAST_PAGE_KEY);
  if (text === null) return null;
  try {
    const page: unknown = JSON.parse(text);
    if (typeof page !== "object" || page === null || !("sub" in page) || !("path" in page)) return null;
    if (page.sub !== sub || typeof page.path !== "string") return null;
    const path = safeNext(page.path);
    return path === "/" ? null : path;
  } catch {
    return null;
  }
}

/**
 * Empties the storages at the end of a session and leaves the expiry marker (spec ). The last page stays
 * when the person did not choose to leave, and from the second sign-out of this browser on (spec A-240).
 */
export function clearStores(stores: Stores, { wasChosen, now }: { wasChosen: boolean; now: number }): void {
  const { local, session } = stores;
  const isFirst = local.getItem(SIGNED_OUT_KEY) === null;
  const lastPage = wasChosen && isFirst ? null : local.getItem(LAST_PAGE_KEY);
  endMarker(stores);
  local.clear();
  session.clear();
  if (lastPage !== null) local.setItem(LAST_PAGE_KEY, lastPage);
  if (wasChosen || !isFirst) local.setItem(SIGNED_OUT_KEY, "yes");
  local.setItem(EXPIRED_KEY, String(now));
}
