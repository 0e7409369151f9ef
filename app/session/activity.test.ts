import { expect, test } from "vitest";
import { AT_LEAST_EVERY_MS, nextReportAt, QUIET_MS } from "./activity.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const isTimeOff = false;

test("the server hears of the last activity once things are quiet, and not twice", () => {
  expect(nextReportAt({ lastActivityAt: NOON, lastReportAt: NOON - 30_000, isTimeOff })).toBe(
    NOON + QUIET_MS,
  );
  expect(nextReportAt({ lastActivityAt: NOON, lastReportAt: NOON, isTimeOff })).toBeNull();
  expect(nextReportAt({ lastActivityAt: NOON, lastReportAt: NOON + 1, isTimeOff })).toBeNull();
});

test("somebody who never rests is reported all the same", () => {
  const lastReportAt = NOON - AT_LEAST_EVERY_MS + 5_000;
  expect(nextReportAt({ lastActivityAt: NOON, lastReportAt, isTimeOff })).toBe(NOON + 5_000);
});

test("the server's ten minutes never end before the browser's: it notes a use at most once a minute", () => {
  for (const notedBeforeMs of [0, 1, 30_000, 59_999, 60_000, 120_000]) {
    const lastActivityAt = NOON;
    let notedAt = NOON - notedBeforeMs;
    const at = nextReportAt({ lastActivityAt, lastReportAt: Math.min(notedAt, NOON - 1), isTimeOff });
    if (at !== null && at - notedAt >= 60_000) notedAt = at;
    expect(notedAt).toBeGreaterThanOrEqual(lastActivityAt);
  }
});

test("where inactivity ends nothing, the server hears of the page although nobody does anything", () => {
  const facts = { lastActivityAt: NOON, isTimeOff: true };
  for (const lastReportAt of [NOON + 1, NOON + 600_000]) {
    expect(nextReportAt({ ...facts, lastReportAt })).toBe(lastReportAt + AT_LEAST_EVERY_MS);
  }
});
