import { expect, test } from "vitest";
import { safeNext, signInPath } from "./safe-next.ts";

test("after signing in a path of our own site is opened, never another site", () => {
  expect(safeNext("/platform/dashboard/x?q=1")).toBe("/platform/dashboard/x?q=1");
  for (const next of [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:x",
    "",
    null,
    "/a\nb",
    "/a b",
    "/\u00e4",
    "/a\u200b",
  ]) {
    expect(safeNext(next)).toBe("/");
  }
});

test("the requested page is in the sign-in URL", () => {
  expect(signInPath("/")).toBe("/auth/login");
  const next = new URL(signInPath("/a?b=c&d=e"), "https://x").searchParams.get("next");
  expect(next).toBe("/a?b=c&d=e");
});
