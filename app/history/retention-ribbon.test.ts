import { expect, test } from "vitest";
import type { RibbonDay } from "#core/inventory/views.ts";
import { ribbonCellClass, ribbonKeys, ribbonSummary } from "./retention-ribbon.tsx";

const day = (change: Partial<RibbonDay>): RibbonDay => ({
  date: "2026-11-20",
  state: "good",
  versions: 1,
  isRestored: false,
  ...change,
});

test("every state has its own shape, two versions stack, a restore and today have rings", () => {
  const shapes = (
    ["good", "retried", "failed", "missed", "paused", "none", "running", "expired"] as const
  ).map((state) => ribbonCellClass(day({ state, versions: 0 }), false));
  expect(new Set(shapes).size).toBe(8);
  expect(ribbonCellClass(day({ versions: 2 }), false)).toBe("s");
  expect(ribbonCellClass(day({ state: "failed", versions: 1 }), false)).toBe("s b-f");
  expect(ribbonCellClass(day({ isRestored: true }), true)).toBe("k r d");
});

test("the ribbon has a text alternative that skips days before the item existed", () => {
  expect(ribbonSummary([day({ state: "none", versions: 0 })])).toBe("No version yet");
  const days = [day({ state: "none" }), day({}), day({ state: "retried" }), day({ state: "failed" })];
  expect(ribbonSummary(days)).toBe("2 of 3 days good, 1 after a retry, 1 failed");
});

test("the key explains the shapes that are shown, and today", () => {
  const words = (...days: RibbonDay[]) => ribbonKeys(days).map(([, word]) => word);
  expect(words(day({ state: "none", versions: 0 }), day({}))).toEqual(["one run a day", "today"]);
  expect(words(day({ versions: 2 }), day({ state: "failed", versions: 0 }))).toEqual([
    "two runs a day",
    "failed",
    "today",
  ]);
  expect(words(day({ isRestored: true }))).toEqual(["one run a day", "restored", "today"]);
});
