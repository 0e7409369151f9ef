import { expect, test } from "vitest";
import { httpFailure, retryTime } from "./http-failure.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const failure = (status: number, headers: Record<string, string> = {}, excerpt = "") =>
  httpFailure(status, new Headers(headers), excerpt, NOW);
const waitOf = (headers: Record<string, string>) => retryTime(new Headers(headers), NOW) - NOW;

test.each([
  [401, "unauthorized", "The git server does not accept our sign-in (401)."],
  [403, "forbidden", "The git server refuses access to this repository (403)."],
  [404, "gone", "The git server does not know this repository (404)."],
  [408, "unavailable", "The git server is not available (408)."],
  [410, "gone", "The repository is no longer available (410)."],
  [413, "unsupported", "The git server refuses a request of this size (413)."],
  [418, "malformed", "The git server gave an answer that git does not know (418)."],
  [429, "rate-limited", "The git server asks us to wait (429)."],
  [451, "gone", "The repository is no longer available (451)."],
  [499, "malformed", "The git server gave an answer that git does not know (499)."],
  [500, "unavailable", "The git server is not available (500)."],
  [599, "unavailable", "The git server is not available (599)."],
])("the status %i is %s: %s", (status, kind, message) => {
  expect(failure(status)).toMatchObject({ kind, message, status });
});

test("a 403 asks us to wait if its headers or its text say so, and only then", () => {
  expect(failure(403, { "retry-after": "5" })).toMatchObject({ kind: "rate-limited", retryAt: NOW + 5_000 });
  expect(failure(403, { "x-ratelimit-remaining": "0" }).kind).toBe("rate-limited");
  expect(failure(403, { "x-ratelimit-remaining": "1" }).kind).toBe("forbidden");
  for (const text of ["secondary RATE LIMIT", "abuse detection", "Too many requests"])
    expect(failure(403, {}, text)).toMatchObject({ kind: "rate-limited", retryAt: NOW + 60_000 });
  expect(failure(404, { "retry-after": "5" }).kind).toBe("gone");
});

test("a 503 may say how long the server will be unavailable; another status may not", () => {
  expect(failure(503, { "retry-after": "90" })).toMatchObject({ kind: "unavailable", retryAt: NOW + 90_000 });
  expect(failure(503)).toMatchObject({ kind: "unavailable", retryAt: null });
  expect(failure(500, { "retry-after": "90" }).retryAt).toBe(null);
});

test("the server's words are quoted on one line and cut, and a web page is not", () => {
  expect(failure(500, {}, "  no\n disk ").message).toBe(
    "The git server is not available (500). It said: no disk",
  );
  expect(failure(500, {}, "x".repeat(400)).message).toMatch(/ It said: x{300}$/);
  const bare = "The git server is not available (500).";
  expect(failure(500, {}, " \n ").message).toBe(bare);
  expect(failure(500, {}, " <html>").message).toBe(bare);
  expect(failure(500, { "content-type": "text/HTML; charset=utf-8" }, "sorry").message).toBe(bare);
});

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
