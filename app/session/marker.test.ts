import { expect, test } from "vitest";
import { clearStores, lastPageOf, rememberPage } from "./last-page.ts";
import {
  beginSession,
  endMarker,
  hasExpired,
  IDLE_MS,
  isTimeOff,
  type KeyValue,
  MARKER_KEY,
  readMarker,
  recordActivity,
  type Stores,
  sessionState,
} from "./marker.ts";
import { leaveNotice, takeNotice } from "./notice.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

test("[A-462] activity moves the end of the session to 600000 ms ahead", () => {
  const stores = freshStores();
  beginSession(stores, { sub: "usr_a", isRemembered: true, now: NOON });
  expect(readMarker(stores)).toEqual({ sub: "usr_a", expiresAt: NOON + 600_000 });
  recordActivity(stores, { sub: "usr_a", now: NOON + 5_000 });
  expect(readMarker(stores)?.expiresAt).toBe(NOON + 5_000 + 600_000);
});

test("[A-119] remembered sessions are marked in local storage, others in session storage", () => {
  const stores = freshStores();
  beginSession(stores, { sub: "usr_a", isRemembered: true, now: NOON });
  recordActivity(stores, { sub: "usr_a", now: NOON + 1 });
  expect([stores.local.getItem(MARKER_KEY) !== null, stores.session.getItem(MARKER_KEY)]).toEqual([
    true,
    null,
  ]);
  beginSession(stores, { sub: "usr_a", isRemembered: false, now: NOON });
  recordActivity(stores, { sub: "usr_a", now: NOON + 1 });
  expect([stores.local.getItem(MARKER_KEY), stores.session.getItem(MARKER_KEY) !== null]).toEqual([
    null,
    true,
  ]);
});

test("a signed-in page without a marker, or with another person's, creates one", () => {
  const stores = freshStores();
  expect(recordActivity(stores, { sub: "usr_a", now: NOON })).toEqual({
    sub: "usr_a",
    expiresAt: NOON + IDLE_MS,
  });
  expect(stores.session.getItem(MARKER_KEY)).not.toBeNull();
  expect(recordActivity(stores, { sub: "usr_b", now: NOON }).sub).toBe("usr_b");
  endMarker(stores);
  expect(readMarker(stores)).toBeNull();
});

test.each(["", "{", "null", "[]", '{"expiresAt":"soon"}', '{"sub":"usr_a"}'])(
  "a marker of %j is invalid",
  (text) => {
    const stores = freshStores();
    stores.local.setItem(MARKER_KEY, text);
    expect(readMarker(stores)).toBeNull();
  },
);

test.each([
  [600_000, { kind: "active", changesInMs: 540_000 }],
  [60_001, { kind: "active", changesInMs: 1 }],
  [60_000, { kind: "warning", leftMs: 60_000 }],
  [1, { kind: "warning", leftMs: 1 }],
  [0, { kind: "ended" }],
  [-5, { kind: "ended" }],
])("a session with %i ms left has the right state", (leftMs, state) => {
  expect(sessionState(NOON + leftMs, NOON)).toEqual(state);
});

test.each([
  ["?timeoff", true],
  ["?timeoff=1", true],
  ["?a=b&timeoff=true", true],
  ["?timeoff=0", false],
  ["?timeoff=false", false],
  ["?timeoffs=1", false],
  ["", false],
])("the query %j disables the inactivity logout: %s", (search, isOff) => {
  expect(isTimeOff(search)).toBe(isOff);
});

test("[A-287] the last page is stored, except on the way in, at the checkout, and from an e-mail or invitation", () => {
  const { local } = freshStores();
  rememberPage(local, { sub: "usr_a", path: "/settings?tab=2" });
  for (const path of ["/auth/login", "/auth", "/verify-email?content=x", "/invite?email=a"]) {
    rememberPage(local, { sub: "usr_a", path });
    expect(lastPageOf(local, "usr_a"), path).toBe("/settings?tab=2");
  }
  rememberPage(local, { sub: "usr_a", path: "/authors" });
  expect(lastPageOf(local, "usr_a")).toBe("/authors");
});

test("[A-288] the checkout clears the stored page", () => {
  for (const path of ["/checkout", "/checkout?step=2", "/checkout/card"]) {
    const { local } = freshStores();
    rememberPage(local, { sub: "usr_a", path: "/settings" });
    rememberPage(local, { sub: "usr_a", path });
    expect(lastPageOf(local, "usr_a"), path).toBeNull();
  }
});

test("another person's page, another site or an invalid URL is never opened", () => {
  const { local } = freshStores();
  rememberPage(local, { sub: "usr_a", path: "/settings" });
  expect(lastPageOf(local, "usr_b")).toBeNull();
  for (const text of ["{", "null", '{"sub":"usr_a"}', '{"sub":"usr_a","path":"//evil.example"}']) {
    local.setItem("last-page", text);
    expect(lastPageOf(local, "usr_a"), text).toBeNull();
  }
});

test("[A-236] [A-239] [A-240] leaving clears storage and marks the expiry; the last page is kept from the second time on", () => {
  const stores = freshStores();
  const signIn = () => {
    beginSession(stores, { sub: "usr_a", isRemembered: true, now: NOON });
    rememberPage(stores.local, { sub: "usr_a", path: "/audit" });
    stores.local.setItem("bulk", "rows");
    stores.session.setItem("draft", "text");
  };
  signIn();
  expect(hasExpired(stores)).toBe(false);
  clearStores(stores, { wasChosen: true, now: NOON });
  expect(hasExpired(stores)).toBe(true);
  expect(readMarker(stores)).toBeNull();
  expect(stores.local.getItem("bulk")).toBeNull();
  expect(stores.session.getItem("draft")).toBeNull();
  expect(lastPageOf(stores.local, "usr_a")).toBeNull();
  signIn();
  expect(hasExpired(stores)).toBe(false);
  clearStores(stores, { wasChosen: true, now: NOON });
  expect(lastPageOf(stores.local, "usr_a")).toBe("/audit");
});

test("after inactivity the last page is opened even the first time", () => {
  const stores = freshStores();
  rememberPage(stores.local, { sub: "usr_a", path: "/audit" });
  clearStores(stores, { wasChosen: false, now: NOON });
  expect(lastPageOf(stores.local, "usr_a")).toBe("/audit");
});

test("a notice is shown once by the next page", () => {
  const { session } = freshStores();
  leaveNotice(session, { title: "Unauthorized Access", text: "Authorization Required" });
  expect(takeNotice(session)).toEqual({ title: "Unauthorized Access", text: "Authorization Required" });
  expect(takeNotice(session)).toBeNull();
});

function freshStores(): Stores {
  return { local: memory(), session: memory() };
}

function memory(): KeyValue {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}
