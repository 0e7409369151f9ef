import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { type Entrance, LEASE_MS } from "./session-copies.ts";
import { accountHub } from "./stubs.ts";

let organisations = 0;
const freshHub = () => accountHub(env, `org_copies${organisations++}`);
type Hub = ReturnType<typeof freshHub>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);

async function learn(hub: Hub, key: string, userId = "usr_1"): Promise<void> {
  const { ticket } = await hub.enter(key);
  const learned = { userId, sessionId: `ses_${key}`, facts: `{"of":"${key}"}` };
  expect(await hub.learn(key, ticket, learned)).toEqual({ kind: "learned" });
}

type Known = Extract<Entrance, { kind: "known" }>;

async function known(hub: Hub, key: string): Promise<Known> {
  const answer = await hub.enter(key);
  if (answer.kind === "unknown") throw new Error(`${key} is not known`);
  return answer;
}

const changed = (method: "connection-changed" | "subscription-changed" | "items-adding"): LiveEvent => {
  if (method === "connection-changed") return { method, platform: "alpha", connectionId: "con_1" };
  if (method === "subscription-changed") return { method, platform: "alpha" };
  return { method, platform: "alpha", addedItems: 1, totalItems: 9 };
};

test("a copy is vouched for from the ticket on for a minute, and kept for half a day", async () => {
  const hub = freshHub();
  const { kind, ticket } = await hub.enter("a");
  expect(kind).toBe("unknown");
  pass(LEASE_MS - 10);
  await hub.learn("a", ticket, { userId: "usr_1", sessionId: "ses_a", facts: "{}" });
  expect(await known(hub, "a")).toMatchObject({ facts: "{}", isLeased: true });
  pass(10);
  expect((await known(hub, "a")).isLeased).toBe(false);
  pass(12 * HOUR_MS);
  expect((await hub.enter("a")).kind).toBe("unknown");
});

test("a revocation drops the copies of its person, ends every lease, and refuses what was read before", async () => {
  const hub = freshHub();
  for (const key of ["a", "b"]) await learn(hub, key);
  await learn(hub, "c", "usr_2");
  const { ticket } = await hub.enter("d");
  await hub.revoke({ userId: "usr_1" });
  expect([(await hub.enter("a")).kind, (await hub.enter("b")).kind]).toEqual(["unknown", "unknown"]);
  expect((await known(hub, "c")).isLeased).toBe(false);
  const late = { userId: "usr_1", sessionId: "ses_d", facts: "{}" };
  expect(await hub.learn("d", ticket, late)).toEqual({ kind: "refused" });
  expect((await hub.enter("d")).kind).toBe("unknown");
  await learn(hub, "c", "usr_2");
  await hub.revoke({ sessionId: "ses_c", mayReturn: true });
  expect((await hub.enter("c")).kind).toBe("unknown");
});

test("an eviction ends leases and refuses earlier tickets; the copies stay as guesses", async () => {
  const hub = freshHub();
  await learn(hub, "a");
  const { ticket } = await hub.enter("a");
  await evictDurableObject(hub);
  expect(await known(hub, "a")).toMatchObject({ facts: '{"of":"a"}', isLeased: false });
  const early = { userId: "usr_1", sessionId: "ses_a", facts: "{}" };
  expect(await hub.learn("a", ticket, early)).toEqual({ kind: "refused" });
});

test("every event but progress changes the revision, and a changed connection or subscription ends the leases too", async () => {
  const hub = freshHub();
  await learn(hub, "a");
  const first = await known(hub, "a");
  expect((await known(hub, "a")).revision).toBe(first.revision);
  await hub.publish([changed("items-adding")]);
  const second = await known(hub, "a");
  expect(second).toMatchObject({ isLeased: true });
  expect(second.revision).not.toBe(first.revision);
  await hub.publish([changed("connection-changed")]);
  const third = await known(hub, "a");
  expect(third).toMatchObject({ isLeased: false });
  expect(third.revision).not.toBe(second.revision);
  await learn(hub, "a");
  expect(await known(hub, "a")).toMatchObject({ isLeased: true });
  await hub.publish([changed("subscription-changed")]);
  expect(await known(hub, "a")).toMatchObject({ isLeased: false });
});

test("pages read at the newest bookmark, and at the primary for a minute after a change without one", async () => {
  const hub = freshHub();
  await learn(hub, "a");
  expect((await known(hub, "a")).start).toBe("first-primary");
  pass(MINUTE_MS);
  expect((await known(hub, "a")).start).toBe("first-unconstrained");
  const { revision } = await known(hub, "a");
  await hub.changed("00000002-x");
  await hub.changed("00000001-x");
  expect((await known(hub, "a")).start).toBe("00000002-x");
  expect((await known(hub, "a")).revision).not.toBe(revision);
  await hub.changed(null);
  expect((await known(hub, "a")).start).toBe("first-primary");
  pass(MINUTE_MS);
  expect((await known(hub, "a")).start).toBe("00000002-x");
});

test("a hub keeps two hundred copies at most, the newest, and sweeps the old ones away", async () => {
  const hub = freshHub();
  for (let i = 0; i < 205; i++) {
    pass(1);
    await learn(hub, `key${i}`);
  }
  const kinds = await Promise.all([0, 4, 5, 204].map(async (i) => (await hub.enter(`key${i}`)).kind));
  expect(kinds).toEqual(["unknown", "unknown", "known", "known"]);
  pass(13 * HOUR_MS);
  expect(await runDurableObjectAlarm(hub)).toBe(true);
  pass(-13 * HOUR_MS);
  expect((await hub.enter("key204")).kind).toBe("unknown");
});

test("closed windows are listed up to a thousand", async () => {
  const hub = freshHub();
  const now = Date.now();
  expect(await hub.closed(now)).toEqual({});
  const { opensAt } = await hub.claimAll(["item:a", "item:b"], now, MINUTE_MS);
  expect(await hub.closed(now)).toEqual({ "item:a": opensAt, "item:b": opensAt });
  expect(await hub.closed(opensAt)).toEqual({});
  const many = Array.from({ length: 999 }, (_, i) => `item:${i}`);
  await hub.claimAll(many, now, MINUTE_MS);
  expect(await hub.closed(now)).toBeNull();
});
