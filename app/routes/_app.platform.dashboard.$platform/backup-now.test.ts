import { expect, test } from "vitest";
import { backupNowState } from "./backup-now.ts";

const NOW = Date.parse("2026-11-20T08:48:00Z");
const words = { role: "role", reconnect: "reconnect", again: (left: string) => `again in ${left}` };
const facts = {
  canManage: true,
  hasProFeatures: true,
  canUserBackup: true,
  isTokenValid: true,
  opensAt: null,
};

test("[P-213] after use the button is disabled until its window ends and shows the time left", () => {
  const opensAt = Date.parse("2026-11-20T14:00:00Z");
  expect(backupNowState({ ...facts, opensAt }, NOW, words)).toEqual({
    kind: "off",
    reason: "again in 5 h 12 m",
  });
  expect(backupNowState({ ...facts, opensAt }, opensAt - 1, words)).toEqual({
    kind: "off",
    reason: "again in 1 m",
  });
  expect(backupNowState({ ...facts, opensAt }, opensAt, words)).toEqual({ kind: "open" });
});

test("[P-233] without the plan, pressing opens the upgrade dialog", () => {
  expect(backupNowState({ ...facts, hasProFeatures: false }, NOW, words)).toEqual({ kind: "upgrade" });
});

test("[P-232] only members who may manage, on a plan that includes it, can press it", () => {
  expect(backupNowState({ ...facts, canManage: false }, NOW, words)).toEqual({ kind: "off", reason: "role" });
  expect(backupNowState({ ...facts, canManage: false, hasProFeatures: false }, NOW, words).kind).toBe("off");
  expect(backupNowState(facts, NOW, words)).toEqual({ kind: "open" });
});

test("a refused token must be renewed first", () => {
  expect(backupNowState({ ...facts, isTokenValid: false }, NOW, words)).toEqual({
    kind: "off",
    reason: "reconnect",
  });
});

test("[P-310] the server's permission to back up takes precedence", () => {
  expect(backupNowState({ ...facts, canUserBackup: false }, NOW, words)).toEqual({
    kind: "off",
    reason: "role",
  });
});
