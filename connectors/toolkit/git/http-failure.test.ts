import { expect, test } from "vitest";
import { httpFailure } from "./http-failure.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const failure = (status: number, headers: Record<string, string> = {}, excerpt = "") =>
  httpFailure(status, new Headers(headers), excerpt, NOW);

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
