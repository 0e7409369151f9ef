import { beforeEach, expect, test } from "vitest";
import { exportRow, item, replica, restoreJournal, run } from "#core/database/ledger/index.ts";
import { commitTogether } from "#core/database/statements.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import {
  addExport,
  addItem,
  addReplica,
  addRun,
  addSnapshot,
  columnsOf,
  ITEM,
  ledger,
  ORGANISATION,
} from "#tests/harness/ledger-rows.ts";
import { COPY_AGAIN_MS, QUEUE_PATIENCE_MS } from "./limits.ts";
import { restartRun } from "./restart.store.ts";
import {
  attemptsInARow,
  claimRun,
  createRuns,
  failRun,
  findJournalEntry,
  findRun,
  listLostRuns,
  lockItem,
  markRun,
  parkRun,
  postponeRuns,
  recentDurations,
  recordJournalEntry,
  saveCursor,
  saveExpectedEnd,
  succeedRun,
  supersedeRun,
  unlockItem,
} from "./runs.store.ts";

const NOW = Date.UTC(2026, 10, 3);
const mine = { runId: "run_a", epoch: 1, itemId: ITEM };
const stale = { ...mine, epoch: 0 };

beforeEach(emptyEverything);

test("a queued run keeps its order and is lost only after a minute; queueing it again changes nothing", async () => {
  const order = {
    id: "run_a",
    organisationId: ORGANISATION,
    connectionId: "con_a",
    itemId: ITEM,
    platform: "github",
    kind: "export",
    trigger: "schedule",
    order: { target: "new" },
    snapshotId: "snp_a",
    createdBy: "usr_a",
  } as const;
  await createRuns(ledger, [order, { ...order, id: "run_b", snapshotId: null, createdBy: null }], NOW);
  await createRuns(ledger, [{ ...order, kind: "backup" }], NOW + 1);
  await createRuns(ledger, [], NOW);

  expect(await findRun(ledger, "run_a")).toMatchObject({
    ...order,
    status: "queued",
    epoch: 0,
    createdAt: NOW,
    leaseUntil: NOW + MINUTE_MS,
  });
  expect(await findRun(ledger, "run_b")).toMatchObject({ snapshotId: null, createdBy: null });
  expect(await findRun(ledger, "run_c")).toBeNull();
});

test("claiming with the current epoch succeeds once; it clears the wait and keeps the first start", async () => {
  await addRun({ id: "run_a", status: "queued", epoch: 4, attempts: 2, waitingUntil: 7, startedAt: null });
  const claim = { runId: "run_a", leaseUntil: NOW + 5, now: NOW };

  expect(await claimRun(ledger, { ...claim, epoch: 3 })).toBeNull();
  expect(await claimRun(ledger, { ...claim, epoch: 4 })).toMatchObject({
    status: "running",
    epoch: 5,
    attempts: 3,
    waitingUntil: null,
    startedAt: NOW,
    leaseUntil: NOW + 5,
  });
  expect(await claimRun(ledger, { ...claim, epoch: 4 })).toBeNull();
  const again = await claimRun(ledger, { ...claim, epoch: 5, now: NOW + 9 });
  expect(again).toMatchObject({ epoch: 6, startedAt: NOW });
});

test.each(["succeeded", "failed"] as const)("a run that has %s cannot be claimed", async (status) => {
  await addRun({ id: "run_a", status, epoch: 1 });
  expect(await claimRun(ledger, { runId: "run_a", epoch: 1, leaseUntil: NOW, now: NOW })).toBeNull();
});

test("an item has one run at a time: another starts when the first releases it or ends", async () => {
  await addItem();
  await addItem({ id: "itm_b" });
  await addRun({ id: "run_a" });
  await addRun({ id: "run_b", kind: "restore" });
  const lock = (runId: string, epoch = 1) =>
    lockItem(ledger, { runId, epoch, itemId: ITEM, kind: "restore" });

  expect(await lock("run_a", 0)).toBe("busy");
  expect(await lock("run_a")).toBe("locked");
  expect(await lock("run_a")).toBe("locked");
  expect(await lock("run_b")).toBe("busy");
  const unlock = (hold: typeof mine) => commitTogether(ledger, [unlockItem(ledger, hold)]);
  await unlock({ ...mine, runId: "run_b" });
  await unlock(stale);
  expect(await columnsOf(item, "id, active_run_id, active_run_kind")).toEqual([
    [ITEM, "run_a", "restore"],
    ["itm_b", null, null],
  ]);

  await unlock(mine);
  expect(await columnsOf(item, "active_run_id, active_run_kind")).toEqual([
    [null, null],
    [null, null],
  ]);
  expect(await lock("run_b")).toBe("locked");
  await ledger.update(run).set({ status: "failed" });
  await addRun({ id: "run_c", kind: "verify" });
  expect(await lock("run_c")).toBe("locked");
});

test("only the holder of a running run writes its progress, expected end and cursor", async () => {
  await addRun({ id: "run_a", attempts: 3 });
  await addRun({ id: "run_b", kind: "restore" });
  const mark = { phase: "Reading", done: 1, total: 2, unit: "objects", bytesRead: 5, leaseUntil: NOW };
  const write = async (hold: typeof mine) => {
    await saveExpectedEnd(ledger, hold, NOW + 9);
    return [
      await markRun(ledger, hold, mark),
      await saveCursor(ledger, hold, { cursor: { at: 1 }, advancedAt: NOW }),
    ];
  };

  expect(await write(stale)).toEqual([false, false]);
  expect(await findRun(ledger, "run_a")).toMatchObject({ phase: null, cursor: null, expectedEndAt: null });
  expect(await write(mine)).toEqual([true, true]);
  const written = { ...mark, cursor: { at: 1 }, expectedEndAt: NOW + 9, advancedAt: NOW, advancedAttempt: 3 };
  expect(await findRun(ledger, "run_a")).toMatchObject(written);
  await saveCursor(ledger, mine, { cursor: { at: 2 }, advancedAt: null });
  expect(await findRun(ledger, "run_a")).toMatchObject({ ...written, cursor: { at: 2 } });
  expect(await findRun(ledger, "run_b")).toMatchObject({ phase: null, cursor: null, expectedEndAt: null });

  await ledger.update(run).set({ status: "queued", phase: null, cursor: null, expectedEndAt: null });
  expect(await write(mine)).toEqual([false, false]);
  expect(await findRun(ledger, "run_a")).toMatchObject({ phase: null, cursor: null, expectedEndAt: null });
});

test("only slices since the last progress count as consecutive faults", () => {
  expect(attemptsInARow({ attempts: 4, advancedAttempt: 0 })).toBe(4);
  expect(attemptsInARow({ attempts: 4, advancedAttempt: 1 })).toBe(4);
  expect(attemptsInARow({ attempts: 4, advancedAttempt: 3 })).toBe(2);
});

test("a parked run keeps its cursor; one whose slice was over resets the count", async () => {
  await addRun({ id: "run_a", cursor: { at: 1 }, advancedAt: 5, advancedAttempt: 2 });
  await addRun({ id: "run_b", kind: "restore", cursor: null });
  const park = { at: NOW, waitingUntil: NOW + 3, attempts: 4, errorText: "It is late." };

  expect(await parkRun(ledger, stale, park)).toBe(false);
  expect(await parkRun(ledger, mine, park)).toBe(true);
  expect(await parkRun(ledger, mine, park)).toBe(false);
  expect(await findRun(ledger, "run_a")).toMatchObject({
    status: "queued",
    leaseUntil: NOW + QUEUE_PATIENCE_MS,
    waitingUntil: NOW + 3,
    attempts: 4,
    errorText: "It is late.",
    cursor: { at: 1 },
    advancedAt: 5,
    advancedAttempt: 2,
  });
  expect(await findRun(ledger, "run_b")).toMatchObject({ status: "running" });

  const over = {
    at: NOW,
    cursor: { at: 2 },
    waitingUntil: null,
    attempts: 0,
    errorText: null,
    advancedAt: NOW,
  };
  await ledger.update(run).set({ status: "running" });
  expect(await parkRun(ledger, mine, over)).toBe(true);
  expect(await findRun(ledger, "run_a")).toMatchObject({
    cursor: { at: 2 },
    waitingUntil: null,
    attempts: 0,
    errorText: null,
    advancedAt: NOW,
    advancedAttempt: 0,
  });
});

test("a failed backup records the reason on its item and frees it; a fenced one changes nothing", async () => {
  await addItem({ activeRunId: "run_a", activeRunKind: "backup" });
  await addItem({ id: "itm_b" });
  await addRun({ id: "run_a", waitingUntil: 4 });
  await addRun({ id: "run_b", kind: "restore" });
  const failure = { code: "err.not.found", text: "It is gone.", now: NOW };
  const fail = async (hold: typeof mine) => {
    const results = await commitTogether(ledger, failRun(ledger, { ...hold, kind: "backup" }, failure));
    return results.at(-1)!.results.length;
  };

  expect(await fail(stale)).toBe(0);
  const errors = () => columnsOf(item, "id, last_error, last_error_at, active_run_id");
  expect(await errors()).toEqual([
    [ITEM, null, null, "run_a"],
    ["itm_b", null, null, null],
  ]);
  expect(await fail(mine)).toBe(1);
  expect(await errors()).toEqual([
    [ITEM, "It is gone.", NOW, null],
    ["itm_b", null, null, null],
  ]);
  expect(await findRun(ledger, "run_a")).toMatchObject({
    status: "failed",
    errorCode: "err.not.found",
    errorText: "It is gone.",
    finishedAt: NOW,
    leaseUntil: null,
    waitingUntil: null,
  });
  expect(await findRun(ledger, "run_b")).toMatchObject({ status: "running" });
  expect(await fail(mine)).toBe(0);
});

test("a failed export fails its ZIP; a failed restore does not change the item's state", async () => {
  await addItem();
  await addExport({ id: "exp_a", runId: "run_a", status: "pending" });
  await addExport({ id: "exp_b", runId: "run_b", status: "pending" });
  await addExport({ id: "exp_c", runId: "run_a", status: "expired" });
  await addRun({ id: "run_a", kind: "export" });
  await addRun({ id: "run_r", kind: "restore" });
  const failure = { code: "err.internal", text: "It broke.", now: NOW };

  await commitTogether(ledger, failRun(ledger, { ...stale, kind: "export" }, failure));
  expect(await columnsOf(exportRow, "id, status")).toContainEqual(["exp_a", "pending"]);
  await commitTogether(ledger, failRun(ledger, { ...mine, runId: "run_r", kind: "restore" }, failure));
  await commitTogether(ledger, failRun(ledger, { ...mine, kind: "export" }, failure));
  expect(await columnsOf(exportRow, "id, status")).toEqual([
    ["exp_a", "failed"],
    ["exp_b", "pending"],
    ["exp_c", "expired"],
  ]);
  expect(await columnsOf(item, "last_error")).toEqual([[null]]);
});

test("a failed copy is retried with growing delays, and not at all with a revoked grant", async () => {
  await addRun({ id: "run_a", kind: "replicate" });
  const copy = { runId: "run_a", status: "waiting" } as const;
  await addReplica({ snapshotId: "snp_1", ...copy, attempts: 0 });
  await addReplica({ snapshotId: "snp_2", ...copy, attempts: 1 });
  await addReplica({ snapshotId: "snp_3", ...copy, attempts: 40 });
  await addReplica({ snapshotId: "snp_4", ...copy, status: "expired" });
  await addReplica({ snapshotId: "snp_5", ...copy, runId: "run_b" });
  const fail = (hold: typeof mine, code: string) =>
    commitTogether(
      ledger,
      failRun(ledger, { ...hold, kind: "replicate" }, { code, text: "It is full.", now: NOW }),
    );
  const columns = "snapshot_id, status, run_id, attempts, error_text, next_try_at";

  await fail(stale, "err.platform.full");
  expect((await columnsOf(replica, columns))[0]).toEqual(["snp_1", "waiting", "run_a", 0, null, null]);
  await fail(mine, "err.platform.full");
  expect(await columnsOf(replica, columns)).toEqual([
    ["snp_1", "failed", null, 1, "It is full.", NOW + 15 * MINUTE_MS],
    ["snp_2", "failed", null, 2, "It is full.", NOW + HOUR_MS],
    ["snp_3", "failed", null, 41, "It is full.", NOW + COPY_AGAIN_MS.at(-1)!],
    ["snp_4", "expired", "run_a", 0, null, null],
    ["snp_5", "waiting", "run_b", 0, null, null],
  ]);

  await addRun({ id: "run_d", kind: "replicate" });
  await addReplica({ snapshotId: "snp_6", runId: "run_d" });
  await fail({ ...mine, runId: "run_d" }, "err.connection.unauthorized");
  expect((await columnsOf(replica, columns)).at(-1)).toEqual([
    "snp_6",
    "failed",
    null,
    1,
    "It is full.",
    null,
  ]);
});

test("a run that created a version succeeds only if the version exists", async () => {
  await addRun({ id: "run_a", errorText: "Again.", waitingUntil: 3, cursor: { at: 1 } });
  await addRun({ id: "run_b", kind: "restore" });
  const success = { now: NOW, snapshotId: "snp_a", bytesRead: 5, bytesStored: 6, report: { skipped: 0 } };
  const succeed = async (hold: typeof mine, snapshotId: string | null = success.snapshotId) => {
    const [result] = await commitTogether(ledger, [succeedRun(ledger, hold, { ...success, snapshotId })]);
    return result!.results.length;
  };

  expect(await succeed(mine)).toBe(0);
  await addSnapshot({ id: "snp_a" });
  expect(await succeed(stale)).toBe(0);
  expect(await succeed(mine)).toBe(1);
  expect(await findRun(ledger, "run_a")).toMatchObject({
    ...{ status: "succeeded", finishedAt: NOW, snapshotId: "snp_a", bytesRead: 5, bytesStored: 6 },
    ...{ report: { skipped: 0 }, leaseUntil: null, waitingUntil: null, cursor: null, errorText: null },
  });
  expect(await findRun(ledger, "run_b")).toMatchObject({ status: "running" });
  expect(await succeed(mine)).toBe(0);

  await addRun({ id: "run_e", kind: "verify", snapshotId: "snp_gone" });
  expect(await succeed({ ...mine, runId: "run_e" }, null)).toBe(1);
  expect(await findRun(ledger, "run_e")).toMatchObject({ snapshotId: "snp_gone" });
});

test("a run is lost when its lease has expired, queued or running, unless it was extended", async () => {
  await addRun({ id: "run_1", status: "queued", leaseUntil: NOW, epoch: 3, kind: "verify" });
  await addRun({ id: "run_2", status: "running", leaseUntil: NOW - 1 });
  await addRun({ id: "run_3", kind: "restore", status: "running", leaseUntil: NOW + 1 });
  await addRun({ id: "run_4", status: "failed", leaseUntil: NOW - 1 });
  const ids = async (limit = 9) => (await listLostRuns(ledger, NOW, limit)).map(({ id }) => id).sort();

  expect(await ids()).toEqual(["run_1", "run_2"]);
  const first = { id: "run_1", organisationId: ORGANISATION, kind: "verify", epoch: 3 };
  expect(await listLostRuns(ledger, NOW, 9)).toContainEqual(first);
  expect(await ids(1)).toHaveLength(1);
  await postponeRuns(ledger, [], NOW + 5);
  await postponeRuns(ledger, ["run_1", "run_4"], NOW + 5);
  expect(await ids()).toEqual(["run_2"]);
  expect(await columnsOf(run, "id, lease_until")).toEqual([
    ["run_1", NOW + 5],
    ["run_2", NOW - 1],
    ["run_3", NOW + 1],
    ["run_4", NOW - 1],
  ]);
});

test("a backup overtaken by a later version ends as superseded and frees its item; otherwise it stays open", async () => {
  await addItem({ activeRunId: "run_a", activeRunKind: "backup" });
  await addRun({ id: "run_a", beganAt: NOW });
  await addRun({ id: "run_b", itemId: "itm_b", beganAt: NOW });
  await addSnapshot({ id: "snp_other", itemId: "itm_b", takenAt: NOW + 5 });
  expect(await supersedeRun(ledger, mine, NOW + 9)).toBeNull();
  await addSnapshot({ id: "snp_early", takenAt: NOW - 1 });
  expect(await supersedeRun(ledger, mine, NOW + 9)).toBeNull();
  await addSnapshot({ id: "snp_late", takenAt: NOW + 3 });
  expect(await supersedeRun(ledger, stale, NOW + 9)).toBeNull();
  expect(await columnsOf(item, "active_run_id")).toEqual([["run_a"]]);

  expect(await supersedeRun(ledger, mine, NOW + 9)).toBe(NOW + 3);
  expect(await columnsOf(item, "active_run_id, active_run_kind")).toEqual([[null, null]]);
  expect(await findRun(ledger, "run_a")).toMatchObject({ status: "superseded", finishedAt: NOW + 9 });
  expect(await findRun(ledger, "run_b")).toMatchObject({ status: "running" });
});

test("a run that starts again waits for nothing, and only its holder starts it again", async () => {
  await addRun({ id: "run_a", waitingUntil: NOW + 5, attempts: 2 });
  await addRun({ id: "run_b", kind: "restore" });
  expect(await restartRun(ledger, stale, { phase: "Starting again", now: NOW })).toBe(false);
  expect(await restartRun(ledger, mine, { phase: "Starting again", now: NOW })).toBe(true);
  expect(await findRun(ledger, "run_a")).toMatchObject({
    ...{ status: "queued", attempts: 1, waitingUntil: null, leaseUntil: NOW + QUEUE_PATIENCE_MS },
  });
  expect(await findRun(ledger, "run_b")).toMatchObject({ status: "running" });
});

test("the durations of a kind's last three successful runs are returned, newest first", async () => {
  const good = { status: "succeeded", startedAt: 100 } as const;
  for (const n of [1, 2, 3, 4]) {
    await addRun({ id: `run_${n}`, ...good, finishedAt: 100 + n, createdAt: n });
  }
  await addRun({ id: "run_failed", ...good, status: "failed", finishedAt: 900, createdAt: 10 });
  await addRun({ id: "run_kind", ...good, kind: "restore", finishedAt: 900, createdAt: 10 });
  await addRun({ id: "run_unstarted", ...good, startedAt: null, finishedAt: 900, createdAt: 3.5 });
  await addRun({ id: "run_item", ...good, itemId: "itm_b", finishedAt: 900, createdAt: 10 });
  expect(await recentDurations(ledger, ITEM, "backup")).toEqual([4, 3]);
  expect(await recentDurations(ledger, "itm_c", "backup")).toEqual([]);
});

test("only the holder writes a restore's journal, and an equal entry is no progress", async () => {
  await addRun({ id: "run_a", kind: "restore", attempts: 2 });
  await addRun({ id: "run_b", kind: "restore" });
  const record = (hold: typeof mine, value: string, now: number) =>
    recordJournalEntry(ledger, hold, { key: "issue 1", value, now });

  expect(await record(stale, "made", NOW)).toEqual({ isOurs: false, isNews: false });
  expect(await findJournalEntry(ledger, "run_a", "issue 1")).toBeNull();
  expect(await record(mine, "made", NOW)).toEqual({ isOurs: true, isNews: true });
  expect(await findRun(ledger, "run_a")).toMatchObject({ advancedAt: NOW, advancedAttempt: 2 });
  expect(await record(mine, "made", NOW + 1)).toEqual({ isOurs: true, isNews: false });
  expect(await findRun(ledger, "run_a")).toMatchObject({ advancedAt: NOW });
  expect(await record(mine, "closed", NOW + 2)).toEqual({ isOurs: true, isNews: true });
  expect(await findJournalEntry(ledger, "run_a", "issue 1")).toBe("closed");
  expect(await findJournalEntry(ledger, "run_b", "issue 1")).toBeNull();
  expect(await findJournalEntry(ledger, "run_a", "issue 2")).toBeNull();
  expect(await columnsOf(restoreJournal, "run_id, key, created_at")).toEqual([["run_a", "issue 1", NOW]]);
  expect(await findRun(ledger, "run_b")).toMatchObject({ advancedAt: null });

  await ledger.update(run).set({ status: "queued" });
  expect(await record(mine, "lost", NOW)).toEqual({ isOurs: false, isNews: false });
});
