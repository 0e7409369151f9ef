import { expect, test } from "vitest";
import type { RestoreCost } from "#connectors/contract/restore-plan.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#core/kernel/clock.ts";
import { expectedDuration } from "./expected-duration.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const FREE = { pausedUntil: null, quotas: {} };
const LIMITS = [
  { of: "calls", resource: "core", most: 5_000, periodMs: HOUR_MS },
  { of: "creations", resource: null, most: 500, periodMs: HOUR_MS },
] as const;
const cost = (more: Partial<RestoreCost> = {}): RestoreCost => ({
  reads: 0,
  writes: 0,
  creations: 0,
  waitMs: 0,
  bytes: 0,
  limits: LIMITS,
  ...more,
});

test("a small restore takes the sum of its pauses, responses and bytes", () => {
  expect(expectedDuration(cost(), FREE, NOW)).toBe(0);
  const small = cost({ reads: 20, writes: 20, waitMs: 30 * SECOND_MS, bytes: 40 * 1024 * 1024 });
  expect(expectedDuration(small, FREE, NOW)).toBe(50 * SECOND_MS);
});

test("remaining quota is used first, then the reset is awaited", () => {
  const quota = (remaining: number) => ({
    pausedUntil: null,
    quotas: { core: { remaining, resetAt: NOW + 30 * MINUTE_MS } },
  });
  const hundred = cost({ reads: 100 });
  const work = 25 * SECOND_MS;
  expect(expectedDuration(hundred, quota(100), NOW)).toBe(work);
  expect(expectedDuration(hundred, quota(0), NOW)).toBe(30 * MINUTE_MS + work);
  expect(expectedDuration(hundred, quota(60), NOW)).toBe(30 * MINUTE_MS + (work * 40) / 100);
  // The figures of an ended period no longer count.
  const old = { pausedUntil: null, quotas: { core: { remaining: 0, resetAt: NOW - 1 } } };
  expect(expectedDuration(hundred, old, NOW)).toBe(work);
});

test("500 creations per hour make a long restore long, and a current pause comes first", () => {
  const many = cost({ writes: 5_000, creations: 5_000, waitMs: 5_000 * 750 });
  const ms = expectedDuration(many, FREE, NOW);
  expect(ms).toBeGreaterThanOrEqual(9 * HOUR_MS);
  expect(ms).toBeLessThan(10 * HOUR_MS);
  const paused = { pausedUntil: NOW + MINUTE_MS, quotas: {} };
  expect(expectedDuration(many, paused, NOW)).toBe(ms + MINUTE_MS);
});

test("more calls never take less time, and less quota never makes a restore shorter", () => {
  let before = 0;
  for (let calls = 0; calls < 30_000; calls += 313) {
    const one = cost({ writes: calls, creations: Math.floor(calls / 3), waitMs: calls * 400 });
    const ms = expectedDuration(one, FREE, NOW);
    expect(ms).toBeGreaterThanOrEqual(before);
    before = ms;
    let shorter = 0;
    for (const remaining of [5_000, 2_500, 100, 0]) {
      const left = { pausedUntil: null, quotas: { core: { remaining, resetAt: NOW + 20 * MINUTE_MS } } };
      const timed = expectedDuration(one, left, NOW);
      expect(timed).toBeGreaterThanOrEqual(shorter);
      shorter = timed;
    }
  }
});
