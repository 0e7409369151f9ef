import { expect, test } from "vitest";
import { isLostConnection } from "./lost-connection.ts";

test("every browser's messages for an unreachable server are recognised, and a plain error is not", () => {
  for (const words of [
    "Failed to fetch",
    "network error",
    "NetworkError when attempting to fetch resource.",
    "Load failed",
  ]) {
    expect(isLostConnection(new TypeError(words))).toBe(true);
  }
  expect(isLostConnection(new TypeError("Cannot read properties of undefined (reading 'name')"))).toBe(false);
  expect(isLostConnection(new Error("Failed to fetch"))).toBe(false);
  expect(isLostConnection({ status: 500 })).toBe(false);
});
