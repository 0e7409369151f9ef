import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SessionAnswer } from "#app/session/ask-session.ts";
import { CONFIRM_AFTER_MS, watchSession } from "./watch-session.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a session that the server refuses twice is over", async () => {
  for (const code of [4401, 1006, 1011]) {
    const { close, told } = watched(["over", "over"]);
    close(code);
    await vi.advanceTimersByTimeAsync(CONFIRM_AFTER_MS - 1);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect([code, told]).toEqual([code, ["over"]]);
  }
});

test("a session that this page has just renewed is not over", async () => {
  const { close, told } = watched(["over", "alive"], { readyState: 1 });
  close(4401);
  await vi.advanceTimersByTimeAsync(CONFIRM_AFTER_MS);
  expect(told).toEqual([]);
});

test("a session of another person is reported at once", async () => {
  const { close, told } = watched(["other"]);
  close(1006);
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual(["other"]);
});

test("while no socket can be opened, every failed attempt refetches", async () => {
  const { close, told, asked } = watched(["alive", "alive", "unknown"]);
  for (let attempt = 0; attempt < 3; attempt++) {
    close(1006);
    await vi.advanceTimersByTimeAsync(0);
  }
  expect(asked()).toBe(3);
  expect(told).toEqual(["alive", "alive"]);
});

test("a socket that may reconnect at once causes no check, and checks never overlap", async () => {
  const { close, asked } = watched(["over", "over"]);
  close(4408);
  expect(asked()).toBe(0);
  close(1006);
  close(1006);
  await vi.advanceTimersByTimeAsync(CONFIRM_AFTER_MS);
  expect(asked()).toBe(2);
});

test("nothing is reported after the end", async () => {
  const { close, told, watch } = watched(["over", "over"]);
  close(1006);
  watch.stop();
  await vi.advanceTimersByTimeAsync(CONFIRM_AFTER_MS);
  close(1006);
  await vi.advanceTimersByTimeAsync(CONFIRM_AFTER_MS);
  expect(told).toEqual([]);
});

function watched(answers: SessionAnswer[], { readyState = 3 } = {}) {
  const socket = Object.assign(new EventTarget(), { readyState });
  const told: string[] = [];
  const ask = vi.fn(async () => answers.shift() ?? "unknown");
  const say = (what: string) => () => void told.push(what);
  const watch = watchSession(socket, ask, { over: say("over"), other: say("other"), alive: say("alive") });
  const close = (code: number) => socket.dispatchEvent(Object.assign(new Event("close"), { code }));
  return { close, told, watch, asked: () => ask.mock.calls.length };
}
