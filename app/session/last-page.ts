import {
  EXPIRED_KEY,
  endMarker,
  type KeyValue,
  LAST_PAGE_KEY,
  SIGNED_OUT_KEY,
  type Stores,
} from "./marker.ts";
import { safeNext } from "./safe-next.ts";

/** Pages that are never stored as the last page (spec A-287). */
const NOT_REMEMBERED = /^\/(?:auth|checkout|verify-email|invite)(?:\/|$)/;

/**
 * Stores the user's current page; the checkout clears it (spec ). The page is stored with its user, so that
 * nobody is sent to another user's page.
 */
export function rememberPage(local: KeyValue, page: { sub: string; path: string }): void {
  const { pathname } = new URL(page.path, "http://here");
  if (pathname === "/checkout" || pathname.startsWith("/checkout/")) local.removeItem(LAST_PAGE_KEY);
  if (!NOT_REMEMBERED.test(pathname)) local.setItem(LAST_PAGE_KEY, JSON.stringify(page));
}

/** The user's last page; null if there is none or it belongs to another user. */
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
 * Clears the storages at the end of a session and sets the expiry marker (spec ). Keeps the last page if
 * the user did not choose to sign out, and from this browser's second sign-out on (spec A-240).
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
