import fc from "fast-check";
import { expect, test } from "vitest";
import { safeNext } from "./safe-next.ts";

const APP = "https://app.example.test";

test("paths of our own site are kept; anything else becomes the home page", () => {
  for (const path of ["/", "/platform/dashboard/github?page=2#top", "/settings/profile"]) {
    expect(safeNext(APP, path)).toBe(path);
  }
  const wrong = [
    null,
    "",
    "//evil.example",
    "/\\evil.example",
    "\\/evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/\t/evil.example",
    "/a b",
    "/./\\evil.example/..//x",
    "/x/..//evil.example",
    "/identity/federation/start?provider=google",
    "/settings/../api/user/get-user-start-info",
    `/${"a".repeat(1000)}`,
  ];
  for (const path of wrong) expect([path, safeNext(APP, path)]).toEqual([path, "/"]);
});

test("no input leads the browser to another site", () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom("/", "\\", ".", ":", "@", "e", "%", "?", "#", "\t", "\n", "2", "f") }),
    fc.string({ unit: "binary" }),
    fc.webUrl(),
  );
  fc.assert(
    fc.property(text, fc.constantFrom("", "/", "//", "/\\"), (rest, prefix) => {
      const path = safeNext(APP, prefix + rest);
      expect(path.startsWith("/")).toBe(true);
      expect(new URL(path, APP).origin).toBe(APP);
    }),
    { numRuns: 200 },
  );
});
