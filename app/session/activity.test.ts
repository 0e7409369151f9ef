import { expect, test } from "vitest";
import { AT_LEAST_EVERY_MS, nextReportAt, QUIET_MS } from "./activity.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const isTimeOff = false;

test("the last activity is reported once after it stops", () => {
  expect(nextReportAt({ lastActivityAt: NOON, lastReportAt: NOON - 30_000, isTimeOff })).toBe(
    NOON + QUIET_MS,
  );
  expect(nextReportAt({ lastActivityAt: NOON, lastReportAt: NOON, isTimeOff })).toBeNull();
  expect(nextReportAt({ lastActivityAt: NOON, lastReportAt: NOON + 1, isTimeOff })).toBeNull();
});

test("continuous activity is reported too", () => {
  const lastReportAt = NOON - AT_LEAST_EVERY_MS + 5_000;
  expect(nextReportAt({ lastActivityAt: NOON, lastReportAt, isTimeOff })).toBe(NOON + 5_000);
});

test("the server's ten minutes never end before the browser's: uses are recorded at most once a minute", () => {
  for (const notedBeforeMs of [0, 1, 30_000, 59_999, 60_000, 120_000]) {
    const lastActivityAt = NOON;
    let notedAt = NOON - notedBeforeMs;
    const at = nextReportAt({ lastActivityAt, lastReportAt: Math.min(notedAt, NOON - 1), isTimeOff });
    if (at !== null && at - notedAt >= 60_000) notedAt = at;
    expect(notedAt).toBeGreaterThanOrEqual(lastActivityAt);
  }
});

test("without an inactivity limit the page is reported even without activity", () => {
  const facts = { lastActivityAt: NOON, isTimeOff: true };
  for (const lastReportAt of [NOON + 1, NOON + 600_000]) {
    expect(nextReportAt({ ...facts, lastReportAt })).toBe(lastReportAt + AT_LEAST_EVERY_MS);
  }
});
