import { expect, test } from "vitest";
import { freeNames } from "./create-once.ts";

test("candidate names fit the platform's limit and never split a character", () => {
  const names = freeNames("x".repeat(100), 100);
  expect(names).toHaveLength(50);
  expect(new Set(names).size).toBe(50);
  expect(Math.max(...names.map((name) => name.length))).toBe(100);
  expect(freeNames("🏗".repeat(60), 101).every((name) => name.isWellFormed())).toBe(true);
});
