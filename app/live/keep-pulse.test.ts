import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepPulse } from "./keep-pulse.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a dead connection is reopened", () => {
  const { sent, reconnects } = pulseOn();
  vi.advanceTimersByTime(30_000);
  expect(sent).toEqual(["ping"]);
  expect(reconnects()).toBe(0);
  vi.advanceTimersByTime(8_000);
  expect(reconnects()).toBe(1);
});

test("any received message counts as an answer", () => {
  const { sent, reconnects, target } = pulseOn();
  vi.advanceTimersByTime(31_000);
  target.dispatchEvent(new Event("message"));
  vi.advanceTimersByTime(28_000);
  expect(reconnects()).toBe(0);
  vi.advanceTimersByTime(1_000);
  expect(sent).toEqual(["ping", "ping"]);
});

test("a page that becomes visible pings at once, but only once", () => {
  const { pulse, sent } = pulseOn();
  pulse.ask();
  pulse.ask();
  expect(sent).toEqual(["ping"]);
});

test("a closed socket is not pinged, and nothing happens after the end", () => {
  const closed = pulseOn({ readyState: 3 });
  vi.advanceTimersByTime(60_000);
  expect([closed.sent, closed.reconnects()]).toEqual([[], 0]);
  const open = pulseOn();
  open.pulse.ask();
  open.pulse.stop();
  vi.advanceTimersByTime(60_000);
  expect([open.sent, open.reconnects()]).toEqual([["ping"], 0]);
});

function pulseOn({ readyState = 1 } = {}) {
  const sent: unknown[] = [];
  let reconnects = 0;
  const target = new EventTarget();
  const pulse = keepPulse({
    readyState,
    send: (data: string) => sent.push(data),
    addEventListener: target.addEventListener.bind(target),
    reconnect: () => void reconnects++,
  });
  return { pulse, sent, target, reconnects: () => reconnects };
}
