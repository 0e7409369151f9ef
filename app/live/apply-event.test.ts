import { expect, test } from "vitest";
import type { LiveEvent } from "#core/live/events.schema.ts";
import { itemOf, progressEvent, progressOf, rowOf, statusEvent } from "#tests/harness/view-fixtures.ts";
import { applyHistoryEvent, refetchesHistory } from "./apply-history-event.ts";
import { applyItemEvent, refetchesList } from "./apply-item-event.ts";

const first = { itemId: "itm_1", page: 0, perPage: 10 };
const running = itemOf({ activeRun: progressOf() });

test("[P-195] [P-196] a successful backup of another day sets the last backup and adds its size", () => {
  const [item] = applyItemEvent([running, itemOf({ id: "itm_2" })], statusEvent());
  expect(item).toMatchObject({ lastBackupAt: 2_000, sizeBytes: 1_070, versionCount: 4, lastError: null });
});

test("[P-197] a repeated event changes nothing", () => {
  const once = applyItemEvent([running], statusEvent());
  expect(applyItemEvent(once, statusEvent())).toBe(once);
});

test("[P-198] [P-199] success and failure return the item to idle", () => {
  expect(applyItemEvent([running], statusEvent())[0]?.activeRun).toBeNull();
  const failed = applyItemEvent(
    [running],
    statusEvent({ status: "failed", errorText: "GitHub answered 502." }),
  );
  expect(failed[0]).toMatchObject({
    activeRun: null,
    lastBackupAt: 500,
    lastError: { text: "GitHub answered 502.", at: 2_000 },
  });
});

test("the end of another run keeps the shown one running", () => {
  const items = applyItemEvent([running], statusEvent({ runId: "run_0" }));
  expect(items[0]?.activeRun?.runId).toBe("run_1");
});

test("the end of a restore keeps last backup, size and error", () => {
  const restoring = itemOf({ activeRun: progressOf({ kind: "restore" }) });
  for (const status of ["success", "failed"] as const) {
    const [item] = applyItemEvent([restoring], statusEvent({ type: "restore", status, errorText: "no" }));
    expect(item).toEqual(itemOf());
  }
});

test("the first successful backup ends the initial state; a deleted item stays deleted", () => {
  const [fresh] = applyItemEvent([itemOf({ status: "initialized", lastBackupAt: null })], statusEvent());
  expect(fresh?.status).toBe("backuped");
  const [gone] = applyItemEvent([itemOf({ status: "deleted" })], statusEvent());
  expect(gone?.status).toBe("deleted");
});

test("queued, running and progress are shown on the item with their kind", () => {
  for (const type of ["backup", "restore"] as const) {
    const [queued] = applyItemEvent([itemOf()], statusEvent({ type, status: "queued" }));
    expect(queued?.activeRun).toMatchObject({ kind: type, status: "queued", startedAt: null });
  }
  const [moved] = applyItemEvent([itemOf()], progressEvent({ done: 43 }));
  expect(moved?.activeRun).toMatchObject({ done: 43, total: 100 });
  const [kept] = applyItemEvent([running], statusEvent({ status: "running" }));
  expect(kept?.activeRun).toMatchObject({ done: 42, status: "running" });
});

test("checks and ZIPs are not shown as the item's action", () => {
  const items = [itemOf()];
  expect(applyItemEvent(items, progressEvent({ kind: "verify" }))).toBe(items);
  expect(applyItemEvent(items, progressEvent({ kind: "export" }))).toBe(items);
});

test("the ribbon's running day becomes good, and a failure never hides a good version of the day", () => {
  const today = { date: "2026-11-20", state: "running", versions: 0, isRestored: false } as const;
  const good = applyItemEvent([itemOf({ ribbon: [today] })], statusEvent());
  expect(good[0]?.ribbon).toEqual([{ ...today, state: "good", versions: 1 }]);
  const failure = statusEvent({ status: "failed", errorText: "no" });
  expect(applyItemEvent([itemOf({ ribbon: [today] })], failure)[0]?.ribbon[0]?.state).toBe("failed");
  const second = itemOf({ ribbon: [{ ...today, versions: 1 }] });
  expect(applyItemEvent([second], failure)[0]?.ribbon[0]?.state).toBe("good");
});

test("events of other items and kinds do not change the list", () => {
  const items = [itemOf()];
  const others: LiveEvent[] = [
    statusEvent({ id: "itm_9" }),
    { method: "items-adding", platform: "github", addedItems: 1, totalItems: 2 },
    { method: "items-changed", platform: "github", ids: ["itm_1"] },
    {
      method: "snapshot-verified",
      platform: "github",
      id: "itm_1",
      snapshotId: "s",
      state: "verified",
      at: 1,
    },
    { method: "zip-status", platform: "github", id: "itm_1", snapshotId: "s", status: "ready" },
    { method: "connection-changed", platform: "github", connectionId: "con_1" },
  ];
  for (const event of others) expect(applyItemEvent(items, event)).toBe(items);
});

test("lists refetch when rows were added or removed or the connection changed, only for their own account", () => {
  const account = { platform: "github", connectionId: "con_1" };
  const changed: LiveEvent = { method: "items-changed", platform: "github", ids: ["itm_1"] };
  expect(refetchesList(changed, account)).toBe(true);
  expect(refetchesList({ ...changed, connectionId: "con_1" }, account)).toBe(true);
  expect(refetchesList({ ...changed, connectionId: "con_2" }, account)).toBe(false);
  expect(refetchesList(changed, { ...account, platform: "gitlab" })).toBe(false);
  const connection = (connectionId: string): LiveEvent => ({
    method: "connection-changed",
    platform: "github",
    connectionId,
  });
  expect(refetchesList(connection("con_1"), account)).toBe(true);
  expect(refetchesList(connection("con_2"), account)).toBe(false);
  expect(refetchesList(statusEvent({ status: "running" }), account)).toBe(false);
  expect(refetchesList(statusEvent(), account)).toBe(true);
  expect(refetchesList(statusEvent({ status: "failed" }), account)).toBe(true);
});

test("[P-200] only the first page of the open history changes", () => {
  const view = { rows: [rowOf()], total: 11 };
  expect(applyHistoryEvent(view, statusEvent({ status: "running" }), { ...first, page: 1 })).toBe(view);
  expect(applyHistoryEvent(view, statusEvent({ id: "itm_2" }), first)).toBe(view);
  expect(applyHistoryEvent(view, statusEvent({ status: "running" }), first).rows).toHaveLength(2);
});

test("[P-202] [P-204] a new entry goes on top and counts, and the page keeps its length", () => {
  const rows = Array.from({ length: 10 }, (_, index) => rowOf({ key: `run_old_${index}` }));
  const next = applyHistoryEvent({ rows, total: 40 }, statusEvent({ status: "running" }), first);
  expect(next.rows[0]).toMatchObject({ key: "run_1", status: "running", canRestore: false });
  expect(next.rows).toHaveLength(10);
  expect(next.rows.at(-1)?.key).toBe("run_old_8");
  expect(next.total).toBe(41);
});

test("[P-201] [P-205] the result replaces the entry in progress and can be restored", () => {
  const started = applyHistoryEvent({ rows: [rowOf()], total: 1 }, statusEvent({ status: "running" }), first);
  const done = applyHistoryEvent(started, statusEvent(), first);
  expect(done.rows.map((row) => row.key)).toEqual(["run_1", "run_0"]);
  expect(done.rows[0]).toMatchObject({ status: "success", canRestore: true, date: 2_000, newBytes: 70 });
  expect(done.rows[0]?.progress).toBeNull();
  expect(done.total).toBe(2);
  expect(applyHistoryEvent(done, statusEvent(), first)).toBe(done);
});

test("[P-205] an entry in progress with another run id is also replaced, but only one of its type", () => {
  const rows = [
    rowOf({ key: "run_a", status: "queued", date: 900 }),
    rowOf({ key: "run_b", type: "restore", status: "running", date: 800 }),
    rowOf(),
  ];
  const next = applyHistoryEvent({ rows, total: 3 }, statusEvent(), first);
  expect(next.rows.map((row) => row.key)).toEqual(["run_1", "run_b", "run_0"]);
  expect(next.total).toBe(3);
});

test("a failed run shows its reason and cannot be restored", () => {
  const next = applyHistoryEvent(
    { rows: [], total: 0 },
    statusEvent({ status: "failed", errorText: "GitHub answered 502." }),
    first,
  );
  expect(next.rows[0]).toMatchObject({
    status: "failed",
    errorText: "GitHub answered 502.",
    canRestore: false,
  });
});

test("progress updates its row, adds one for an unknown run, and never revives an ended one", () => {
  const view = { rows: [rowOf()], total: 1 };
  const opened = applyHistoryEvent(view, progressEvent(), first);
  expect(opened.rows[0]).toMatchObject({ key: "run_1", status: "running", date: 1_000, type: "backup" });
  const moved = applyHistoryEvent(opened, progressEvent({ done: 50 }), first);
  expect(moved.rows[0]?.progress?.done).toBe(50);
  expect(moved.total).toBe(2);
  const ended = applyHistoryEvent(moved, statusEvent(), first);
  expect(applyHistoryEvent(ended, progressEvent({ done: 99 }), first)).toBe(ended);
  expect(applyHistoryEvent(ended, statusEvent({ status: "running" }), first)).toBe(ended);
  expect(applyHistoryEvent(view, progressEvent({ kind: "verify" }), first)).toBe(view);
});

test("a check and a ZIP are shown on the row of their version", () => {
  const view = { rows: [rowOf(), rowOf({ key: "run_9", snapshotId: "snp_9" })], total: 2 };
  const verified = applyHistoryEvent(
    view,
    {
      method: "snapshot-verified",
      platform: "github",
      id: "itm_1",
      snapshotId: "snp_9",
      state: "failed",
      at: 77,
    },
    first,
  );
  expect(verified.rows[1]?.verify).toEqual({ state: "failed", at: 77, text: null });
  expect(verified.rows[0]).toBe(view.rows[0]);
  const zip: LiveEvent = {
    method: "zip-status",
    platform: "github",
    id: "itm_1",
    snapshotId: "snp_0",
    status: "pending",
  };
  expect(applyHistoryEvent(view, zip, first).rows[0]?.zip.status).toBe("pending");
  expect(applyHistoryEvent(view, { ...zip, snapshotId: "unknown" }, first)).toBe(view);
});

test("a copy is shown on the row of its version, but not without a storage", () => {
  const copy = {
    kind: "bucket",
    status: "copying",
    path: "GitHub/api/one.zip",
    sizeBytes: null,
    storedAt: null,
    text: null,
    nextTryAt: null,
  } as const;
  const view = { rows: [rowOf({ copy }), rowOf({ key: "run_9", snapshotId: "snp_9" })], total: 2 };
  const stored: LiveEvent = {
    method: "copy-status",
    platform: "github",
    id: "itm_1",
    snapshotId: "snp_0",
    status: "stored",
  };
  expect(applyHistoryEvent(view, stored, first).rows[0]?.copy).toEqual({ ...copy, status: "stored" });
  expect(applyHistoryEvent(view, { ...stored, snapshotId: "snp_9" }, first).rows[1]?.copy).toBeNull();
  expect(refetchesHistory(stored, "itm_1")).toBe(true);
  expect(refetchesHistory(stored, "itm_2")).toBe(false);
});

test("the open history refetches after events that have less data than a row", () => {
  expect(refetchesHistory(statusEvent(), "itm_1")).toBe(true);
  expect(refetchesHistory(statusEvent({ status: "running" }), "itm_1")).toBe(false);
  expect(refetchesHistory(statusEvent(), "itm_2")).toBe(false);
  expect(refetchesHistory(progressEvent(), "itm_1")).toBe(false);
  expect(refetchesHistory({ method: "items-changed", platform: "github", ids: ["itm_1"] }, "itm_1")).toBe(
    true,
  );
});
