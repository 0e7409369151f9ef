import { expect, test } from "vitest";
import { cookieText } from "./browser-cookie.ts";

test("a choice is kept for a year on our own site, and apart for the site whose frame shows ours", () => {
  const cookie = { name: "rail", value: "min" };
  expect(cookieText(cookie, false)).toBe("rail=min; Path=/; Max-Age=31536000; SameSite=Lax");
  expect(cookieText({ ...cookie, path: "/auth", maxAgeSeconds: 60 }, true)).toBe(
    "rail=min; Path=/auth; Max-Age=60; SameSite=None; Secure; Partitioned",
  );
});
