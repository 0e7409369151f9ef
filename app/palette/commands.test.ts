import { expect, test } from "vitest";
import type { HistoryRow } from "#core/backups/views.ts";
import type { FoundItem } from "#core/inventory/views.ts";
import { foundCommands, generalCommands, hasWords, itemCommands, pageCommands, wordsOf } from "./commands.ts";
import { addressOf } from "./run-command.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;
const AT = { timeZone: "Europe/Berlin", now: NOW };

const item = (facts: Partial<FoundItem> = {}): FoundItem => ({
  id: "itm_1",
  platform: "p",
  kind: "board",
  connectionId: "con_1",
  name: "plans",
  fullName: "meridian/plans",
  status: "backuped",
  lastBackupAt: NOW - HOUR,
  activeRunKind: null,
  backupNowOpensAt: null,
  isConnected: true,
  canRestore: true,
  canBackUp: true,
  ...facts,
});

const shell = {
  isRestricted: false,
  hasProPlan: true,
  helpUrl: "",
  platforms: [],
  can: { backUp: true, restore: true },
};

const linesOf = (one: FoundItem) =>
  itemCommands(one, [], AT)[0]?.commands.map(({ does, reason }) => [does, reason ?? null]);

test("a label matches when it contains every word, in any case", () => {
  expect(hasWords("Audit trail", wordsOf("  TRAIL au "))).toBe(true);
  expect(hasWords("Audit trail", wordsOf("audit log"))).toBe(false);
  expect(hasWords("Audit trail", [])).toBe(true);
});

test("commands that the member may never run are left out, those that must wait say why", () => {
  expect(linesOf(item({ canRestore: false, canBackUp: false }))).toEqual([["history", null]]);
  expect(linesOf(item({ canBackUp: false }))).toEqual([
    ["history", null],
    ["restore", null],
  ]);
  const reasons = (facts: Partial<FoundItem>) =>
    linesOf(item(facts))
      ?.slice(1)
      .map(([, reason]) => reason);
  expect(reasons({})).toEqual([null, null]);
  expect(reasons({ activeRunKind: "backup" })).toEqual(Array(2).fill("another action is running"));
  expect(reasons({ isConnected: false })).toEqual(Array(2).fill("reconnect first"));
  expect(reasons({ status: "deleted" })).toEqual(["gone at the platform", null]);
  expect(reasons({ lastBackupAt: null })).toEqual([null, "no version yet"]);
  expect(reasons({ backupNowOpensAt: NOW + 5 * HOUR })).toEqual(["again in 5 h", null]);
  expect(reasons({ backupNowOpensAt: NOW - 1 })).toEqual([null, null]);
});

test("an item is opened, or is one for a command that the member may run on it", () => {
  const reader = item({ canRestore: false, canBackUp: false });
  const lines = (scope: Parameters<typeof foundCommands>[1], one = item()) =>
    foundCommands([one], scope, NOW).map(({ does, reason, detail, note }) => [does, reason, detail, note]);
  const told = ["meridian/plans", "backed up 1 h ago"];
  expect(lines({ kind: "all" })).toEqual([["choose-item", undefined, ...told]]);
  expect(lines({ kind: "pick", verb: "back-up" })).toEqual([["back-up", null, ...told]]);
  expect(lines({ kind: "pick", verb: "restore" }, reader)).toEqual([
    ["restore", "ask an owner for Read/Write", ...told],
  ]);
  expect(lines({ kind: "pick", verb: "back-up" }, item({ canBackUp: false }))[0]?.[1]).toBe("Pro plan");
});

test("the newest five versions of an item that can be opened follow its commands, with seconds where a minute repeats", () => {
  const row = (snapshotId: string | null, change: Partial<HistoryRow> = {}) =>
    ({ type: "backup", status: "success", snapshotId, date: NOW, ...change }) as HistoryRow;
  const rows = [row("r", { type: "restore" }), row("f", { status: "failed" }), row(null)];
  const good = ["a", "b", "c", "d", "e", "f"].map((id, at) => row(id, { date: NOW - at * 30_000 }));
  const [, versions] = itemCommands(item(), [...rows, ...good], AT);
  expect(versions?.commands.map(({ label, note }) => [label, note])).toEqual([
    ["Fri 20 Nov 13:00", "newest"],
    ["Fri 20 Nov 12:59:30", undefined],
    ["Fri 20 Nov 12:59:00", undefined],
    ["Fri 20 Nov 12:58:30", undefined],
    ["Fri 20 Nov 12:58:00", undefined],
  ]);
  expect(versions?.commands.map(addressOf).at(-1)).toBe("/platform/backups/p/version?id=itm_1&version=e");
});

test("a restore opens the history with its dialog", () => {
  const [group] = itemCommands(item(), [], AT);
  expect(group?.commands.map(addressOf)).toEqual([
    "/platform/backups/p?id=itm_1",
    null,
    "/platform/backups/p?id=itm_1&run=true",
  ]);
});

test("pages and commands are those that the sidebar and the rights allow", () => {
  const ids = (view: typeof shell) => [...pageCommands(view), ...generalCommands(view)].map(({ id }) => id);
  expect(ids(shell)).toEqual(
    expect.arrayContaining(["page:/", "page:/runs", "page:/subscriptions", "pick:back-up", "pick:restore"]),
  );
  const restricted = ids({
    ...shell,
    isRestricted: true,
    hasProPlan: false,
    can: { backUp: false, restore: false },
  });
  for (const id of [
    "page:/subscriptions",
    "page:/audit",
    "page:/settings/storage",
    "pick:back-up",
    "pick:restore",
  ])
    expect(restricted).not.toContain(id);
  expect(new Set(ids(shell)).size).toBe(ids(shell).length);
});
