import { expect, test } from "vitest";
import { isLostConnection } from "./lost-connection.ts";

test("the words of every browser for a server out of reach are known, and a plain fault is not among them", () => {
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
