import { expect, test } from "vitest";
import { retryTime } from "./retry-time.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const waitOf = (headers: Record<string, string>) => retryTime(new Headers(headers), NOW) - NOW;

test("advice to wait is taken from Retry-After first, then from the quota, between a second and an hour", () => {
  const inSeconds = (seconds: number) => String(NOW / 1000 + seconds);
  const quota = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": inSeconds(90) };
  expect(waitOf({ "retry-after": " 30 ", ...quota })).toBe(30_000);
  expect(waitOf({ "retry-after": "soon", ...quota })).toBe(90_000);
  expect(waitOf(quota)).toBe(90_000);
  expect(waitOf({ "ratelimit-remaining": "0", "ratelimit-reset": inSeconds(80) })).toBe(80_000);
  expect(waitOf({ ...quota, "x-ratelimit-remaining": "3" })).toBe(60_000);
  expect(waitOf({ "x-ratelimit-remaining": "0" })).toBe(60_000);
  expect(waitOf({ ...quota, "x-ratelimit-reset": "tomorrow" })).toBe(60_000);
  expect(waitOf({ "retry-after": new Date(NOW + 120_000).toUTCString() })).toBe(120_000);
  expect(waitOf({ "retry-after": "1" })).toBe(1_000);
  expect(waitOf({ "retry-after": "0" })).toBe(1_000);
  expect(waitOf({ "retry-after": "3600" })).toBe(3_600_000);
  expect(waitOf({ "retry-after": "3601" })).toBe(3_600_000);
  // Date.parse would read these as years.
  for (const text of ["-5", "2.5"]) expect(waitOf({ "retry-after": text })).toBe(60_000);
  expect(waitOf({})).toBe(60_000);
});
