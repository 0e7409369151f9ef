import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";
import { REPLACE_BLOCKED_STORAGE } from "./blocked-storage.ts";

test("a storage that the browser blocks is replaced by one that lasts as long as the page", () => {
  const given = { getItem: () => "kept" };
  const window = Object.defineProperty({ sessionStorage: given }, "localStorage", {
    get: () => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    },
    configurable: true,
  }) as unknown as Window;
  runInContext(REPLACE_BLOCKED_STORAGE, createContext({ window }));
  expect(window.sessionStorage).toBe(given);
  const { localStorage } = window;
  expect(localStorage.getItem("session")).toBeNull();
  localStorage.setItem("session", "one");
  localStorage.setItem("last-page", "two");
  localStorage.removeItem("session");
  expect([localStorage.getItem("session"), localStorage.getItem("last-page")]).toEqual([null, "two"]);
  localStorage.clear();
  expect(localStorage.getItem("last-page")).toBeNull();
});
