import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { nextWindowStart } from "./throttle-window.ts";

const at = (text: string) => Date.parse(text);

test("[P-213] a 24-hour window ends at the next midnight UTC, and midnight itself belongs to the new day", () => {
  const cases: [string, string][] = [
    ["2026-03-01T00:00:00.000Z", "2026-03-02T00:00:00.000Z"],
    ["2026-03-01T00:00:00.001Z", "2026-03-02T00:00:00.000Z"],
    ["2026-03-01T23:59:59.999Z", "2026-03-02T00:00:00.000Z"],
    ["2028-02-28T12:00:00.000Z", "2028-02-29T00:00:00.000Z"],
  ];
  for (const [now, end] of cases) {
    expect(new Date(nextWindowStart(at(now), DAY_MS)).toISOString()).toBe(end);
  }
});

test("[P-215] a 10-minute window ends at the next full ten minutes", () => {
  expect(nextWindowStart(at("2026-03-01T10:04:00Z"), 10 * MINUTE_MS)).toBe(at("2026-03-01T10:10:00Z"));
  expect(nextWindowStart(at("2026-03-01T10:10:00Z"), 10 * MINUTE_MS)).toBe(at("2026-03-01T10:20:00Z"));
});

test("every boundary is aligned, later than now, and at most one window away", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e12, max: 4e12 }),
      fc.integer({ min: 1, max: 400 * DAY_MS }),
      (now, windowMs) => {
        const end = nextWindowStart(now, windowMs);
        expect(end).toBeGreaterThan(now);
        expect(end - now).toBeLessThanOrEqual(windowMs);
        expect(Math.abs(end % windowMs)).toBe(0);
      },
    ),
  );
});

test("all times in one window have the same boundary", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 2, max: 7 * DAY_MS }),
      (now, windowMs) => {
        const end = nextWindowStart(now, windowMs);
        expect(nextWindowStart(end - 1, windowMs)).toBe(end);
        expect(nextWindowStart(end - windowMs, windowMs)).toBe(end);
        expect(nextWindowStart(end, windowMs)).toBe(end + windowMs);
      },
    ),
  );
});

test("a window without a length is refused", () => {
  for (const windowMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => nextWindowStart(0, windowMs)).toThrow(RangeError);
  }
});
