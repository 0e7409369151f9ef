import { expect, test } from "vitest";
import { STALE_AFTER_MS as WATCHED_MS } from "#core/inventory/limits.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { itemOf, progressOf } from "#tests/harness/view-fixtures.ts";
import { canSelect, isInProgress, itemState, STALE_AFTER_MS } from "./item-state.ts";

const NOW = Date.parse("2026-11-20T13:26:00Z");
const HOUR = 3_600_000;

const itemView = (change: Partial<ItemView> = {}) => itemOf({ lastBackupAt: NOW - HOUR / 2, ...change });

test("each state has its own label, and the most urgent one wins", () => {
  const failed = { text: "403", at: NOW - 1000 };
  const cases = [
    [itemView(), "protected"],
    [itemView({ activeRun: progressOf() }), "backingUp"],
    [itemView({ activeRun: progressOf({ kind: "restore" }), lastError: failed }), "restoring"],
    [itemView({ activeRun: progressOf({ status: "queued" }) }), "waiting"],
    [itemView({ status: "initialized", lastBackupAt: null }), "firstBackup"],
    [itemView({ status: "initialized", lastBackupAt: null, lastError: failed }), "failed"],
    [itemView({ lastError: failed }), "failed"],
    [itemView({ isDaily: false }), "paused"],
    [itemView({ lastBackupAt: NOW - 31 * HOUR }), "stale"],
    [itemView({ isDaily: false, lastBackupAt: NOW - 31 * HOUR }), "paused"],
    [itemView({ status: "deleted", isDaily: false }), "deleted"],
    [itemView({ alarm: "Half is gone." }), "alarm"],
    [itemView({ alarm: "Half is gone.", lastError: failed }), "alarm"],
    [itemView({ alarm: "Half is gone.", status: "deleted", isDaily: false }), "alarm"],
    [itemView({ alarm: "Half is gone.", activeRun: progressOf({ status: "queued" }) }), "alarm"],
    [itemView({ alarm: "Half is gone.", activeRun: progressOf() }), "backingUp"],
  ] as const;
  for (const [item, state] of cases) expect(itemState(item, NOW, true)).toBe(state);
});

test("an error older than the newest version is not shown", () => {
  expect(itemState(itemView({ lastError: { text: "x", at: NOW - 5 * HOUR } }), NOW, true)).toBe("protected");
});

test("[P-188] items with a running action or a pending first backup are in progress", () => {
  for (const kind of ["backup", "restore"] as const) {
    for (const status of ["queued", "running"] as const) {
      expect(isInProgress(itemView({ activeRun: progressOf({ kind, status }) }))).toBe(true);
    }
  }
  expect(isInProgress(itemView({ status: "initialized" }))).toBe(true);
  expect(isInProgress(itemView({ status: "deleted" }))).toBe(false);
  expect(isInProgress(itemView({ activeRun: progressOf({ kind: "verify" }) }))).toBe(false);
});

test("[P-179] [P-287] an item with a pending first backup or a running action cannot be selected", () => {
  expect(canSelect(itemView({ status: "initialized" }))).toBe(false);
  for (const kind of ["backup", "restore"] as const) {
    for (const status of ["queued", "running"] as const) {
      expect(canSelect(itemView({ activeRun: progressOf({ kind, status }) }))).toBe(false);
    }
  }
  expect(canSelect(itemView())).toBe(true);
});

test("while the platform refuses our access, no item is shown as protected", () => {
  const failed = { text: "Refused.", at: NOW };
  for (const item of [
    itemView(),
    itemView({ lastError: failed }),
    itemView({ isDaily: false }),
    itemView({ lastBackupAt: NOW - 31 * HOUR }),
    itemView({ status: "initialized", lastBackupAt: null }),
    itemView({ activeRun: progressOf({ status: "queued" }) }),
  ])
    expect(itemState(item, NOW, false)).toBe("disconnected");
  expect(itemState(itemView({ status: "deleted", isDaily: false }), NOW, false)).toBe("deleted");
  expect(itemState(itemView({ alarm: "Half is gone." }), NOW, false)).toBe("alarm");
});

test("an item is shown as stale when the watch for stale items reports it", () => {
  expect(STALE_AFTER_MS).toBe(WATCHED_MS);
});
