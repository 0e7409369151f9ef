/**
 * The browser's own record of a session. It never holds the token, which is an HttpOnly cookie, only a marker with the
 * time at which inactivity ends the session. All functions depend only on the two storages and a time.
 */

/** A session without activity ends after this long (spec ). */
export const IDLE_MS = 600_000;
/** How long before the end the user is warned. */
export const WARNING_MS = 60_000;

/** Keys in the browser's storage. */
export const MARKER_KEY = "session";
export const LAST_PAGE_KEY = "last-page";
export const EXPIRED_KEY = "session-expired";
export const SIGNED_OUT_KEY = "signed-out-before";

/** The part of a browser storage that is used here. */
export type KeyValue = Pick<Storage, "getItem" | "setItem" | "removeItem" | "clear">;

/**
 * The two storages. With "remember me" the marker is in `local`, otherwise in `session`, which ends with the tab (spec
 * Everything else is in `local`.
 */
export type Stores = { local: KeyValue; session: KeyValue };

export type Marker = {
  /** The session's user; null while unknown. */
  sub: string | null;
  /** When inactivity ends the session, in epoch ms. */
  expiresAt: number;
};

/** The marker of the current session; null when this browser knows of none. */
export function readMarker({ local, session }: Stores): Marker | null {
  return parseMarker(local.getItem(MARKER_KEY)) ?? parseMarker(session.getItem(MARKER_KEY));
}

/**
 * Starts a session. Call it after every sign-in, before leaving the sign-in page. Replaces the marker and removes the
 * expiry marker of an earlier session.
 */
export function beginSession(
  stores: Stores,
  { sub, isRemembered, now }: { sub: string | null; isRemembered: boolean; now: number },
): Marker {
  endMarker(stores);
  stores.local.removeItem(EXPIRED_KEY);
  const marker = { sub, expiresAt: now + IDLE_MS };
  (isRemembered ? stores.local : stores.session).setItem(MARKER_KEY, JSON.stringify(marker));
  return marker;
}

/**
 * Records activity: the session lasts ten more minutes (spec A-286). A signed-in page without a marker (a new tab of a
 * session that is not remembered) starts one.
 */
export function recordActivity(stores: Stores, { sub, now }: { sub: string; now: number }): Marker {
  const found = readMarker(stores);
  if (found === null || found.sub !== sub) {
    const isRemembered = found !== null && stores.local.getItem(MARKER_KEY) !== null;
    return beginSession(stores, { sub, isRemembered, now });
  }
  const marker = { ...found, expiresAt: now + IDLE_MS };
  const home = stores.local.getItem(MARKER_KEY) === null ? stores.session : stores.local;
  home.setItem(MARKER_KEY, JSON.stringify(marker));
  return marker;
}

/** Removes the marker from both storages. */
export function endMarker({ local, session }: Stores): void {
  local.removeItem(MARKER_KEY);
  session.removeItem(MARKER_KEY);
}

/**
 * True when a session ended in this browser and no new one has begun. A 403 then means that the user must sign in
 * (A-423).
 */
export function hasExpired({ local }: Stores): boolean {
  return local.getItem(EXPIRED_KEY) !== null;
}

export type SessionState =
  | { kind: "active"; changesInMs: number }
  | { kind: "warning"; leftMs: number }
  | { kind: "ended" };

/** The session's state: active, in its last minute, or over (spec A-289). Times in epoch ms. */
export function sessionState(expiresAt: number, now: number): SessionState {
  const leftMs = expiresAt - now;
  if (leftMs <= 0) return { kind: "ended" };
  return leftMs <= WARNING_MS
    ? { kind: "warning", leftMs }
    : { kind: "active", changesInMs: leftMs - WARNING_MS };
}

/** True when the URL disables the logout for inactivity, e.g. `?timeoff=1` or `?timeoff` (spec A-291). */
export function isTimeOff(search: string): boolean {
  const value = new URLSearchParams(search).get("timeoff");
  return value !== null && value !== "0" && value !== "false";
}

/** The browser's storages. @throws DOMException when the browser blocks storage */
export function browserStores(): Stores {
  return { local: window.localStorage, session: window.sessionStorage };
}

function parseMarker(text: string | null): Marker | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("expiresAt" in value)) return null;
    const { expiresAt } = value;
    if (typeof expiresAt !== "number" || !Number.isFinite(expiresAt)) return null;
    return { sub: "sub" in value && typeof value.sub === "string" ? value.sub : null, expiresAt };
  } catch {
    return null;
  }
}
