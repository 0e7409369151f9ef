import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { type LiveEvent, liveMessageSchema, liveWelcomeSchema } from "#core/live/events.schema.ts";
import { type LiveListener, listenTo } from "#tests/harness/live-listener.ts";
import { CLOSE_RECONNECT, CLOSE_REVOKED } from "./account-hub.ts";
import { formatSocketOwner, SOCKET_HEADER, type SocketOwner } from "./live-socket.ts";
import { accountHub, livePublisher } from "./stubs.ts";

let organisations = 0;
const freshHub = () => accountHub(env, `org_hub${organisations++}`);
type Hub = ReturnType<typeof freshHub>;

async function open(hub: Hub, owner: Partial<SocketOwner> = {}): Promise<LiveListener> {
  const header = formatSocketOwner({ userId: "usr_1", sessionId: "ses_1", platforms: "all", ...owner });
  const headers = { upgrade: "websocket", [SOCKET_HEADER]: header };
  const listener = listenTo(await hub.fetch("https://account-hub/ws", { headers }));
  await listener.until(() => listener.heard.length > 0);
  return listener;
}

const progress = (runId: string, done: number, platform = "alpha"): LiveEvent => ({
  method: "item-progress",
  platform,
  id: `itm_${runId}`,
  progress: {
    runId,
    kind: "backup",
    status: "running",
    phase: "Receiving objects",
    done,
    total: 100,
    unit: "objects",
    bytesRead: done * 10,
    startedAt: 1,
    expectedEndAt: null,
    waitingUntil: null,
    fault: null,
  },
});

const ended = (runId: string, platform = "alpha"): LiveEvent => ({
  method: "item-status",
  platform,
  id: `itm_${runId}`,
  type: "backup",
  status: "success",
  date: 1,
  data_size: 5,
  actionProcess: null,
  runId,
  errorText: null,
});

const adding = (addedItems: number, platform = "alpha"): LiveEvent => ({
  method: "items-adding",
  platform,
  addedItems,
  totalItems: 9,
});

const welcomeOf = (listener: LiveListener) => liveWelcomeSchema.parse(listener.heard[0]);
const messagesOf = (listener: LiveListener) =>
  listener.heard.filter((heard) => "event" in heard).map((heard) => liveMessageSchema.parse(heard));
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);

test("a live message has method, platform, addedItems and totalItems", async () => {
  const hub = freshHub();
  const screen = await open(hub);
  await hub.publish([adding(3)]);
  await screen.until(() => messagesOf(screen).length === 1);
  expect(messagesOf(screen)[0]).toEqual({
    seq: 1,
    event: { method: "items-adding", platform: "alpha", addedItems: 3, totalItems: 9 },
  });
});

test("of a thousand concurrent claims exactly one succeeds, and all get the same reopening time", async () => {
  const hub = freshHub();
  const now = Date.now();
  const claims = await Promise.all(numbers(0, 1000).map(() => hub.claim("item:itm_1", now, DAY_MS)));
  expect(claims.filter((claim) => claim.kind === "claimed")).toHaveLength(1);
  expect(new Set(claims.map((claim) => claim.opensAt))).toEqual(
    new Set([(Math.floor(now / DAY_MS) + 1) * DAY_MS]),
  );
});

test("a window reopens exactly at its boundary", async () => {
  const hub = freshHub();
  const now = Date.now();
  const { opensAt } = await hub.claim("item:itm_1", now, DAY_MS);
  expect((await hub.claim("item:itm_1", opensAt - 1, DAY_MS)).kind).toBe("closed");
  expect(await hub.claim("item:itm_1", opensAt, DAY_MS)).toEqual({
    kind: "claimed",
    opensAt: opensAt + DAY_MS,
  });
});

test("windows of items and places are separate, are read in bulk, and can be released", async () => {
  const hub = freshHub();
  const now = Date.now();
  const { opensAt } = await hub.claim("item:itm_1", now, DAY_MS);
  await hub.claim("place:repository:plc_1", now, DAY_MS);
  const keys = ["item:itm_1", "item:itm_2", "place:repository:plc_1"];
  expect(await hub.opensAt(keys, now)).toEqual({
    "item:itm_1": opensAt,
    "place:repository:plc_1": opensAt,
  });
  expect((await hub.opensAt(keys, opensAt))["item:itm_1"]).toBeUndefined();
  await hub.release("item:itm_1", opensAt + 1);
  expect((await hub.claim("item:itm_1", now, DAY_MS)).kind).toBe("closed");
  await hub.release("item:itm_1");
  expect((await hub.claim("item:itm_1", now, DAY_MS)).kind).toBe("claimed");
});

test("an eviction keeps windows, counts and progress, and open screens stay connected", async () => {
  const hub = freshHub();
  const now = Date.now();
  const screen = await open(hub, { platforms: ["alpha"] });
  await hub.publish([adding(1), progress("run_1", 40)]);
  const { opensAt } = await hub.claim("item:itm_1", now, DAY_MS);
  await screen.until(() => messagesOf(screen).length === 2);
  await evictDurableObject(hub);
  expect(await hub.claim("item:itm_1", now, DAY_MS)).toEqual({ kind: "closed", opensAt });
  await hub.publish([adding(2), adding(2, "beta")]);
  await screen.until(() => messagesOf(screen).length === 3);
  expect(messagesOf(screen).map((message) => message.seq)).toEqual([1, 2, 3]);
  const second = await open(hub);
  expect(welcomeOf(second).seq).toBe(4);
  expect(welcomeOf(second).running.map((run) => run.progress.done)).toEqual([40]);
});

test("sequence numbers have no gaps for any rights, and nobody receives events of other platforms", async () => {
  const hub = freshHub();
  const owner = await open(hub);
  const member = await open(hub, { userId: "usr_2", sessionId: "ses_2", platforms: ["beta"] });
  await hub.publish([adding(1), adding(2, "beta"), adding(3), adding(4, "beta"), adding(5)]);
  await owner.until(() => messagesOf(owner).length === 5);
  await member.until(() => messagesOf(member).length === 2);
  expect(messagesOf(owner).map((message) => message.seq)).toEqual([1, 2, 3, 4, 5]);
  expect(messagesOf(member).map((message) => message.seq)).toEqual([1, 2]);
  expect(messagesOf(member).every((message) => message.event.platform === "beta")).toBe(true);
  const late = await open(hub, { platforms: ["beta"] });
  expect(welcomeOf(late).seq).toBe(2);
});

test("a welcome has the time of the newest visible event, also after an eviction; progress does not count", async () => {
  const hub = freshHub();
  await hub.publish([progress("run_1", 40)]);
  expect(welcomeOf(await open(hub)).newestAt).toBe(0);
  const before = Date.now();
  await hub.publish([adding(1, "beta")]);
  await evictDurableObject(hub);
  expect(welcomeOf(await open(hub)).newestAt).toBeGreaterThanOrEqual(before);
  expect(welcomeOf(await open(hub, { platforms: ["beta"] })).newestAt).toBeGreaterThanOrEqual(before);
  expect(welcomeOf(await open(hub, { platforms: ["alpha"] })).newestAt).toBe(0);
});

test("a burst of progress is throttled, stays in order and ends with the latest value", async () => {
  const hub = freshHub();
  const screen = await open(hub);
  await hub.publish(numbers(1, 60).map((done) => progress("run_1", done)));
  const done = () =>
    messagesOf(screen).map(({ event }) => (event.method === "item-progress" ? event.progress.done : -1));
  await screen.until(() => done().at(-1) === 60);
  expect(done()).toEqual([1, 60]);
  expect(messagesOf(screen).map((message) => message.seq)).toEqual([1, 2]);
});

test("the end of a run is sent at once, before pending progress, and removes its progress for good", async () => {
  const hub = freshHub();
  const screen = await open(hub);
  await hub.publish([progress("run_1", 1), progress("run_1", 2), ended("run_1"), progress("run_1", 3)]);
  await hub.publish([progress("run_2", 7), progress("run_2", 8)]);
  await screen.until(() => messagesOf(screen).length === 4);
  const told = messagesOf(screen).map(({ event }) =>
    event.method === "item-progress" ? `${event.progress.runId} ${event.progress.done}` : event.method,
  );
  expect(told).toEqual(["run_1 1", "item-status", "run_2 7", "run_2 8"]);
  expect(welcomeOf(await open(hub)).running.map((run) => run.id)).toEqual(["itm_run_2"]);
});

test("a screen that connects during a run receives the latest progress of the runs it may see", async () => {
  const hub = freshHub();
  await hub.publish([progress("run_1", 10), progress("run_1", 55), progress("run_2", 20, "beta")]);
  const welcome = welcomeOf(await open(hub, { platforms: ["alpha"] }));
  expect(welcome.running).toEqual([
    { platform: "alpha", id: "itm_run_1", progress: expect.objectContaining({ runId: "run_1", done: 55 }) },
  ]);
});

test("revoking closes only the sockets of that person or session", async () => {
  const hub = freshHub();
  const laptop = await open(hub, { userId: "usr_1", sessionId: "ses_laptop" });
  const phone = await open(hub, { userId: "usr_1", sessionId: "ses_phone" });
  const colleague = await open(hub, { userId: "usr_2", sessionId: "ses_colleague" });
  expect(await hub.revoke({ sessionId: "ses_laptop" })).toEqual({ closed: 1 });
  await laptop.until(() => laptop.closedWith !== null);
  expect(laptop.closedWith).toBe(CLOSE_REVOKED);
  expect(phone.closedWith).toBeNull();
  await hub.revoke({ userId: "usr_1" });
  await phone.until(() => phone.closedWith !== null);
  await hub.publish([adding(1)]);
  await colleague.until(() => messagesOf(colleague).length === 1);
  expect(colleague.closedWith).toBeNull();
  expect(messagesOf(laptop)).toEqual([]);
});

test("a closing client is answered, and a ping gets a pong", async () => {
  const screen = await open(freshHub());
  screen.socket.send("ping");
  await screen.until(() => screen.heard.some((heard) => heard.pong === true));
  screen.socket.close(1000, "Leaving the page");
  await screen.until(() => screen.closedWith !== null);
  expect(screen.closedWith).toBe(1000);
});

test("a socket that bypasses the route is refused", async () => {
  const hub = freshHub();
  for (const header of [null, "{", "%E0%A4%A", encodeURIComponent('{"userId":""}')]) {
    const headers = new Headers({ upgrade: "websocket" });
    if (header !== null) headers.set(SOCKET_HEADER, header);
    expect((await hub.fetch("https://account-hub/ws", { headers })).status).toBe(400);
  }
});

test("cleanup deletes expired windows and keeps the others", async () => {
  const hub = freshHub();
  const now = Date.now();
  await hub.claim("item:long-ago", now - 3 * DAY_MS, DAY_MS);
  await hub.claim("item:today", now, 365 * DAY_MS);
  await runDurableObjectAlarm(hub);
  const before = now - 3 * DAY_MS;
  const open = await hub.opensAt(["item:long-ago", "item:today"], before);
  expect(open["item:long-ago"]).toBeUndefined();
  expect(open["item:today"]).toBeGreaterThan(now);
});

test("publishing to an unreachable hub is no error for the publisher", async () => {
  const unreachable = { getByName: () => ({ publish: () => Promise.reject(new Error("overloaded")) }) };
  const publisher = livePublisher({ ...env, ACCOUNT_HUB: unreachable as unknown as typeof env.ACCOUNT_HUB });
  await expect(publisher.publish("org_1", [adding(1)])).resolves.toBeUndefined();
  const screen = await open(accountHub(env, "org_published"));
  await livePublisher(env).publish("org_published", [adding(MINUTE_MS)]);
  await screen.until(() => messagesOf(screen).length === 1);
});

test("a person whose rights changed must reconnect; others stay connected", async () => {
  const hub = freshHub();
  const [changed, other] = [await open(hub), await open(hub, { userId: "usr_2", sessionId: "ses_2" })];
  expect(await hub.revoke({ userId: "usr_1", mayReturn: true })).toEqual({ closed: 1 });
  await changed.until(() => changed.closedWith !== null);
  expect(changed.closedWith).toBe(CLOSE_RECONNECT);
  expect(other.closedWith).toBeNull();
});
