import { expect, test, vi } from "vitest";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { progressEvent, progressOf, statusEvent } from "#tests/harness/view-fixtures.ts";
import { AWAY_SHOWN_MS, createLiveClient, type LiveSignal } from "./live-client.ts";
import { stepEvent, stepWelcome } from "./sequence.ts";

/** When the page's data was read. */
const READ_AT = Date.UTC(2026, 10, 3);

/** One event of each kind. A missing kind does not compile. */
const ITEM = { platform: "github", id: "itm_1" };
const EVERY_EVENT: { [Method in LiveEvent["method"]]: Extract<LiveEvent, { method: Method }> } = {
  "items-adding": { method: "items-adding", platform: "github", addedItems: 1, totalItems: 2 },
  "item-status": statusEvent(),
  "item-progress": { method: "item-progress", ...ITEM, progress: progressOf() },
  "items-changed": { method: "items-changed", platform: "github", ids: ["itm_1"] },
  "snapshot-verified": { method: "snapshot-verified", ...ITEM, snapshotId: "s", state: "verified", at: 1 },
  "zip-status": { method: "zip-status", ...ITEM, snapshotId: "s", status: "ready" },
  "copy-status": { method: "copy-status", ...ITEM, snapshotId: "s", status: "stored" },
  "connection-changed": { method: "connection-changed", platform: "github", connectionId: "con_1" },
  "subscription-changed": { method: "subscription-changed", platform: "github" },
  updateDashboardPlatformItemsAmount: { method: "updateDashboardPlatformItemsAmount", platform: "github" },
  "items-auto-added": { method: "items-auto-added", platform: "github", names: ["a"], count: 1, waiting: 0 },
};

test("consecutive numbers are fresh, repeated ones are dropped, a missing one is a gap", () => {
  expect(stepEvent({ last: 4 }, 5)).toEqual({ state: { last: 5 }, isFresh: true, isGap: false });
  expect(stepEvent({ last: 4 }, 4)).toEqual({ state: { last: 4 }, isFresh: false, isGap: false });
  expect(stepEvent({ last: 4 }, 7)).toEqual({ state: { last: 7 }, isFresh: true, isGap: true });
  expect(stepEvent({ last: null }, 7).isGap).toBe(true);
});

test("the first welcome sets the count; every later one means that events may be missing", () => {
  const quiet = (seq: number) => ({ seq, newestAt: 0 });
  expect(stepWelcome({ last: null }, quiet(4), READ_AT)).toEqual({
    state: { last: 4 },
    isFresh: true,
    isGap: false,
  });
  expect(stepWelcome({ last: 4 }, quiet(4), READ_AT).isGap).toBe(true);
  expect(stepWelcome({ last: 9 }, quiet(0), READ_AT)).toEqual({
    state: { last: 0 },
    isFresh: true,
    isGap: true,
  });
});

test("an event between loading a page and its first welcome is a gap, even with clock differences", () => {
  const isGap = (newestAt: number) => stepWelcome({ last: null }, { seq: 4, newestAt }, READ_AT).isGap;
  expect([READ_AT + 1, READ_AT, READ_AT - 999].map(isGap)).toEqual([true, true, true]);
  expect([READ_AT - 1_000, READ_AT - 60_000, 0].map(isGap)).toEqual([false, false, false]);
});

test("a page whose run ended before it connected refetches", () => {
  const { socket, heard } = connected();
  socket.say({ method: "welcome", seq: 10, newestAt: READ_AT + 5, running: [] });
  expect(heard).toEqual([{ kind: "resync" }]);
});

test("[P-414] events reach the screens, and a gap or a reconnect makes them refetch", () => {
  const { client, socket, heard } = connected();
  socket.open();
  socket.say({ method: "welcome", seq: 10, newestAt: 0, running: [] });
  expect(heard).toEqual([]);
  socket.say({ seq: 11, event: statusEvent() });
  socket.say({ seq: 11, event: statusEvent() });
  expect(heard).toEqual([{ kind: "event", event: statusEvent() }]);
  socket.say({ seq: 13, event: statusEvent({ id: "itm_2" }) });
  expect(heard.slice(1)).toEqual([
    { kind: "event", event: statusEvent({ id: "itm_2" }) },
    { kind: "resync" },
  ]);
  socket.drop();
  socket.open();
  socket.say({ method: "welcome", seq: 20, newestAt: 0, running: [] });
  expect(client.status()).toBe("open");
  expect(heard.at(-1)).toEqual({ kind: "resync" });
});

test.each(Object.values(EVERY_EVENT))("[P-414] the message $method reaches the screens", (event) => {
  const { socket, heard } = connected();
  socket.say({ method: "welcome", seq: 10, newestAt: 0, running: [] });
  socket.say({ seq: 11, event });
  expect(heard).toEqual([{ kind: "event", event }]);
});

test("a lasting disconnection is reported, a short one is not", () => {
  vi.useFakeTimers();
  const { client, socket } = connected();
  socket.open();
  socket.drop();
  vi.advanceTimersByTime(AWAY_SHOWN_MS - 1);
  expect(client.status()).toBe("open");
  socket.open();
  vi.advanceTimersByTime(AWAY_SHOWN_MS);
  expect(client.status()).toBe("open");
  socket.drop();
  vi.advanceTimersByTime(AWAY_SHOWN_MS - 500);
  socket.drop();
  vi.advanceTimersByTime(500);
  expect(client.status()).toBe("reconnecting");
  socket.open();
  expect(client.status()).toBe("open");
  vi.useRealTimers();
});

test("active runs come from the welcome and are updated by events", () => {
  const { client, socket } = connected();
  let changes = 0;
  client.onChange(() => changes++);
  socket.say({ method: "welcome", seq: 1, newestAt: 0, running: [] });
  socket.say({ seq: 2, event: progressEvent() });
  expect(Object.keys(client.jobs().jobs)).toEqual(["run_1"]);
  socket.say({ seq: 3, event: statusEvent() });
  expect(client.jobs().jobs).toEqual({});
  expect(changes).toBe(3);
});

test("a socket that never opened is still connecting; invalid and unknown messages are ignored", () => {
  const { client, socket, heard } = connected();
  socket.drop();
  expect(client.status()).toBe("connecting");
  socket.say({ method: "welcome", seq: 1, newestAt: 0, running: [] });
  socket.sayRaw("not json");
  socket.say({ seq: 2, event: { method: "something-new" } });
  expect(heard).toEqual([]);
  socket.say({ seq: 3, event: statusEvent() });
  expect(heard.at(-1)).toEqual({ kind: "resync" });
});

test("progress that arrives after the end of its run is dropped", () => {
  const { socket, heard } = connected();
  socket.say({ method: "welcome", seq: 1, newestAt: 0, running: [] });
  socket.say({ seq: 2, event: progressEvent() });
  socket.say({ seq: 3, event: statusEvent() });
  socket.say({ seq: 4, event: progressEvent({ done: 99 }) });
  expect(heard).toEqual([
    { kind: "event", event: progressEvent() },
    { kind: "event", event: statusEvent() },
  ]);
});

test("a detached socket is ignored", () => {
  const { socket, heard, detach } = connected();
  socket.say({ method: "welcome", seq: 1, newestAt: 0, running: [] });
  detach();
  socket.say({ seq: 2, event: statusEvent() });
  expect(heard).toEqual([]);
});

function connected() {
  const target = new EventTarget();
  const client = createLiveClient({ readAt: () => READ_AT });
  const heard: LiveSignal[] = [];
  client.subscribe((signal) => heard.push(signal));
  const detach = client.attach(target);
  const sayRaw = (data: string) => target.dispatchEvent(new MessageEvent("message", { data }));
  const socket = {
    open: () => target.dispatchEvent(new Event("open")),
    drop: () => target.dispatchEvent(new Event("close")),
    say: (message: unknown) => sayRaw(JSON.stringify(message)),
    sayRaw,
  };
  return { client, socket, heard, detach };
}
