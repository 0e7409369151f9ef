import { expect, test } from "vitest";
import { maySwitchDaily } from "./may-switch-daily.ts";

test("Pro has the switches, and any running plan that includes fewer items than are protected", () => {
  const pro = { hasProFeatures: true, isActive: true };
  const essential = { hasProFeatures: false, isActive: true };
  const ended = { hasProFeatures: false, isActive: false };
  expect(maySwitchDaily(pro, { used: 1, limit: 10 })).toBe(true);
  expect(maySwitchDaily(essential, { used: 10, limit: 10 })).toBe(false);
  expect(maySwitchDaily(essential, { used: 11, limit: 10 })).toBe(true);
  expect(maySwitchDaily(ended, { used: 11, limit: 10 })).toBe(false);
});
