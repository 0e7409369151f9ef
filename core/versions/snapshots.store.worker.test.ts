import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { alarm, exportRow, REVERIFY_AFTER_MS, run, snapshot } from "#core/database/ledger/index.ts";
import { commitTogether } from "#core/database/statements.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import {
  addAlarm,
  addExport,
  addItem,
  addRun,
  addSnapshot,
  columnsOf,
  ITEM,
  ledger,
  ORGANISATION,
} from "#tests/harness/ledger-rows.ts";
import { listRestorePointRows } from "./restore-points.store.ts";
import {
  expireSnapshots,
  findNewestSoundSnapshot,
  findSnapshot,
  findSnapshotOfAnyone,
  findSoundSnapshotBefore,
  listExpired,
  listLongUnverified,
  recordVerdict,
  revokeLinks,
} from "./snapshots.store.ts";

const NOW = Date.UTC(2026, 10, 3);
const ids = async () => (await columnsOf(snapshot, "id")).flat();

/** Deletes expired versions. Returns how many. */
async function expire(limit: number): Promise<number> {
  const expired = await listExpired(ledger, NOW, limit);
  await expireSnapshots(ledger, NOW, { ids: expired.map(({ id }) => id), kept: [] });
  return expired.length;
}

beforeEach(emptyEverything);

test("a version's run goes with it when it expires, and only then", async () => {
  const versions = { snp_1: 1, snp_2: 2, snp_3: 3, snp_4: 4 };
  for (const [id, takenAt] of Object.entries(versions))
    await addSnapshot({ id, takenAt, runId: `run of ${id}`, expiresAt: takenAt === 3 ? NOW + 1 : NOW });
  for (const id of Object.keys(versions)) await addRun({ id: `run of ${id}`, status: "succeeded" });
  await addRun({ id: "run_failed", status: "failed" });
  await addAlarm({ id: "alm_a", keptSnapshotId: "snp_2" });
  // All expired ones are listed before the alarm of snp_2 keeps it: the deletion asks again.
  await expireSnapshots(ledger, NOW, { ids: Object.keys(versions), kept: [] });
  expect(await ids()).toEqual(["snp_2", "snp_3", "snp_4"]);
  expect((await columnsOf(run, "id")).flat()).toEqual([
    "run of snp_2",
    "run of snp_3",
    "run of snp_4",
    "run_failed",
  ]);
});

test("a version is found only by its organisation, unless the caller checks that elsewhere", async () => {
  await addSnapshot({ id: "snp_a" });
  await addSnapshot({ id: "snp_b" });
  expect(await findSnapshot(ledger, ORGANISATION, "snp_a")).toMatchObject({ id: "snp_a" });
  expect(await findSnapshot(ledger, "org_b", "snp_a")).toBeNull();
  expect(await findSnapshot(ledger, ORGANISATION, "snp_c")).toBeNull();
  expect(await findSnapshotOfAnyone(ledger, "snp_b")).toMatchObject({ id: "snp_b" });
  expect(await findSnapshotOfAnyone(ledger, "snp_c")).toBeNull();
});

test("the newest undamaged version is of the same item and organisation", async () => {
  await addSnapshot({ id: "snp_1", takenAt: 1 });
  await addSnapshot({ id: "snp_2", takenAt: 2, verifyState: "queued" });
  await addSnapshot({ id: "snp_3", takenAt: 3, verifyState: "failed" });
  await addSnapshot({ id: "snp_4", takenAt: 4, itemId: "itm_b" });
  await addSnapshot({ id: "snp_5", takenAt: 5, organisationId: "org_b" });
  const newest = async (organisationId: string, itemId: string) =>
    (await findNewestSoundSnapshot(ledger, organisationId, itemId))?.id;
  const before = async (takenAt: number, itemId = ITEM) =>
    (await findSoundSnapshotBefore(ledger, { organisationId: ORGANISATION, itemId, takenAt }))?.id;

  expect(await newest(ORGANISATION, ITEM)).toBe("snp_2");
  expect(await newest(ORGANISATION, "itm_b")).toBe("snp_4");
  expect(await newest(ORGANISATION, "itm_c")).toBeUndefined();
  expect(await before(9)).toBe("snp_2");
  expect(await before(2)).toBe("snp_1");
  expect(await before(1)).toBeUndefined();
  expect(await before(4, "itm_b")).toBeUndefined();
});

test("a check's result is set on every version of the manifest, only by the running check", async () => {
  await addSnapshot({ id: "snp_1", manifestId: "man_a", verifyState: "queued", verifiedAt: null });
  await addSnapshot({ id: "snp_2", manifestId: "man_a", verifyState: "queued", verifiedAt: null });
  await addSnapshot({ id: "snp_3", manifestId: "man_b", verifyState: "queued", verifiedAt: null });
  await addSnapshot({ id: "snp_4", manifestId: "man_a", itemId: "itm_b", verifyState: "queued" });
  await addRun({ id: "run_a", kind: "verify" });
  await addRun({ id: "run_b", kind: "verify", status: "failed" });
  const record = async (runId: string, epoch: number) => {
    const key = { itemId: ITEM, manifestId: "man_a", runId, epoch };
    const verdict = {
      state: "failed",
      at: NOW,
      text: "A record is gone.",
      restoreObstacle: "Not taken.",
      unreachable: { objects: 2, bytes: 30 },
    } as const;
    return (await commitTogether(ledger, [recordVerdict(ledger, key, verdict)]))[0]!.results.length;
  };
  expect([await record("run_a", 0), await record("run_b", 1), await record("run_a", 1)]).toEqual([0, 0, 2]);
  const facts = "id, restore_obstacle, unreachable_objects, unreachable_bytes";
  expect(await columnsOf(snapshot, facts)).toEqual([
    ["snp_1", "Not taken.", 2, 30],
    ["snp_2", "Not taken.", 2, 30],
    ["snp_3", null, null, null],
    ["snp_4", null, null, null],
  ]);
  expect(await columnsOf(snapshot, "id, verify_state, verified_at, verify_text")).toEqual([
    ["snp_1", "failed", NOW, "A record is gone."],
    ["snp_2", "failed", NOW, "A record is gone."],
    ["snp_3", "queued", null, null],
    ["snp_4", "queued", 20, null],
  ]);
});

test("links to ZIPs of a damaged manifest are revoked once, by the running check", async () => {
  await addExport({ id: "exp_1", manifestId: "man_a" });
  await addExport({ id: "exp_2", manifestId: "man_a", revokedAt: 5 });
  await addExport({ id: "exp_3", manifestId: "man_b" });
  await addExport({ id: "exp_4", manifestId: "man_a", itemId: "itm_b" });
  await addRun({ id: "run_a", kind: "verify" });
  const key = { itemId: ITEM, manifestId: "man_a" };
  const revoke = (epoch: number) =>
    commitTogether(ledger, [revokeLinks(ledger, key, { hold: { runId: "run_a", epoch }, at: NOW })]);
  const revoked = () => columnsOf(exportRow, "id, revoked_at");
  await revoke(0);
  expect(await revoked()).toContainEqual(["exp_1", null]);
  await revoke(1);
  expect(await revoked()).toEqual([
    ["exp_1", NOW],
    ["exp_2", 5],
    ["exp_3", null],
    ["exp_4", null],
  ]);
});

test("versions are checked again if the last check is missing or long ago; one per idle item", async () => {
  const queued = { verifyState: "queued", verifiedAt: null } as const;
  await addSnapshot({ id: "snp_1", itemId: "itm_1", ...queued, takenAt: 9 });
  await addSnapshot({ id: "snp_2", itemId: "itm_2", ...queued, takenAt: 8 });
  await addSnapshot({ id: "snp_3", itemId: "itm_3", ...queued, takenAt: 10 });
  await addSnapshot({ id: "snp_4", itemId: "itm_4", verifiedAt: 4 });
  await addSnapshot({ id: "snp_5", itemId: "itm_5", verifiedAt: 3 });
  await addSnapshot({ id: "snp_6", itemId: "itm_6", verifiedAt: 5 });
  await addSnapshot({ id: "snp_7", itemId: "itm_7", verifiedAt: 1 });
  await addSnapshot({ id: "snp_8", itemId: "itm_8", ...queued, takenAt: 1 });
  await addSnapshot({ id: "snp_9", itemId: "itm_4", verifiedAt: 2 });
  await addRun({ id: "run_7", itemId: "itm_7", kind: "verify", status: "queued" });
  await addRun({ id: "run_8", itemId: "itm_8", kind: "verify", status: "running" });
  await addRun({ id: "run_5", itemId: "itm_5", kind: "verify", status: "succeeded" });
  await addRun({ id: "run_4", itemId: "itm_4", kind: "backup", status: "running" });
  for (let item = 1; item < 9; item++) await addItem({ id: `itm_${item}`, connectionId: `con_${item}` });
  const now = REVERIFY_AFTER_MS + 5;
  const list = async (limit: number) => {
    const { versions, hasMore } = await listLongUnverified(ledger, { now, unprovenBefore: 10, limit });
    return [versions.map(({ itemId }) => itemId), hasMore] as const;
  };
  expect(await list(9)).toEqual([["itm_2", "itm_1", "itm_4", "itm_5"], false]);
  // No run says any more which account a version is of: it was folded into the version.
  const { versions } = await listLongUnverified(ledger, { now, unprovenBefore: 10, limit: 1 });
  expect(versions).toEqual([
    {
      ...{ snapshotId: "snp_2", itemId: "itm_2", organisationId: ORGANISATION, verifiedAt: null },
      ...{ connectionId: "con_2", platform: "github" },
    },
  ]);
  expect(await list(1)).toEqual([["itm_2"], true]);
  // Two versions of one item are one to check, and another item may come behind them.
  await addSnapshot({ id: "snp_10", itemId: "itm_4", verifiedAt: 2, takenAt: 11 });
  expect(await list(2)).toEqual([["itm_2", "itm_1"], true]);
  await ledger.delete(snapshot).where(eq(snapshot.verifyState, "queued"));
  await ledger.update(snapshot).set({ expiresAt: 2 * now });
  expect(await list(2)).toEqual([["itm_4"], true]);
});

test("expired versions are deleted, but never an item's newest, newest good or newest verified one", async () => {
  const due = { expiresAt: NOW } as const;
  await addSnapshot({ id: "snp_1", ...due, takenAt: 1 });
  await addSnapshot({ id: "snp_2", ...due, takenAt: 2, verifyState: "intact" });
  await addSnapshot({ id: "snp_3", ...due, takenAt: 3, verifyState: "queued" });
  await addSnapshot({ id: "snp_4", ...due, takenAt: 4, verifyState: "failed" });
  await addSnapshot({ id: "snp_5", ...due, takenAt: 5, verifyState: "failed" });
  await addSnapshot({ id: "snp_6", itemId: "itm_b", takenAt: 1, expiresAt: NOW + 1 });
  await addSnapshot({ id: "snp_7", itemId: "itm_b", takenAt: 2, expiresAt: NOW + 1 });
  expect(await expire(9)).toBe(2);
  expect(await ids()).toEqual(["snp_2", "snp_3", "snp_5", "snp_6", "snp_7"]);
  expect(await expire(9)).toBe(0);
});

test("of versions that began at the same time one counts as the newest, and the others go", async () => {
  for (const id of ["snp_1", "snp_2", "snp_3"])
    await addSnapshot({ id, takenAt: 1, verifyState: "intact", expiresAt: NOW });
  expect(await expire(9)).toBe(2);
  expect(await ids()).toEqual(["snp_3"]);
});

test("a version that a run reads or an alarm keeps stays past its time; a limit takes the oldest first", async () => {
  const due = { takenAt: 1 };
  await addSnapshot({ id: "snp_1", ...due, expiresAt: 3 });
  await addSnapshot({ id: "snp_2", ...due, expiresAt: 2 });
  await addSnapshot({ id: "snp_3", ...due, expiresAt: 1 });
  await addSnapshot({ id: "snp_4", ...due, expiresAt: 5 });
  await addSnapshot({ id: "snp_5", ...due, expiresAt: 6 });
  await addSnapshot({ id: "snp_6", ...due, expiresAt: 7 });
  await addSnapshot({ id: "snp_last", takenAt: 9, expiresAt: NOW + 1 });
  const reading = { kind: "restore", snapshotId: "snp_1" } as const;
  await addRun({ id: "run_1", ...reading, status: "running" });
  await addRun({ id: "run_2", ...reading, snapshotId: "snp_2", kind: "export", status: "queued" });
  await addRun({ id: "run_3", ...reading, snapshotId: "snp_3", status: "succeeded" });
  await addRun({ id: "run_4", ...reading, snapshotId: "snp_4", kind: "backup", status: "running" });
  await addRun({ id: "run_5", ...reading, snapshotId: "snp_5", itemId: "itm_b", status: "running" });
  await addAlarm({ id: "alm_a", keptSnapshotId: "snp_6" });

  expect(await expire(1)).toBe(1);
  expect(await ids()).not.toContain("snp_3");
  expect(await expire(9)).toBe(2);
  expect(await ids()).toEqual(["snp_1", "snp_2", "snp_6", "snp_last"]);
  await ledger.update(alarm).set({ acknowledgedAt: 5 });
  expect(await expire(9)).toBe(1);
  expect(await ids()).toEqual(["snp_1", "snp_2", "snp_last"]);
});

test("a version that gets more time stays, and one that something keeps by now is not deleted", async () => {
  await addSnapshot({ id: "snp_1", takenAt: 1, expiresAt: NOW });
  await addSnapshot({ id: "snp_2", takenAt: 2, expiresAt: NOW });
  await addSnapshot({ id: "snp_last", takenAt: 9, expiresAt: NOW + 9 });
  expect(await listExpired(ledger, NOW, 9)).toEqual([
    { id: "snp_1", organisationId: ORGANISATION, platform: null, takenAt: 1 },
    { id: "snp_2", organisationId: ORGANISATION, platform: null, takenAt: 2 },
  ]);
  await addRun({ id: "run_1", kind: "restore", snapshotId: "snp_2", status: "running" });
  const order = { ids: ["snp_2"], kept: [{ id: "snp_1", until: NOW + 5 }] };
  await expireSnapshots(ledger, NOW, order);
  expect(await columnsOf(snapshot, "id, expires_at")).toEqual([
    ["snp_1", NOW + 5],
    ["snp_2", NOW],
    ["snp_last", NOW + 9],
  ]);
});

test("ZIPs expire, ready or still pending", async () => {
  await addExport({ id: "exp_1", expiresAt: NOW });
  await addExport({ id: "exp_2", expiresAt: NOW, status: "pending" });
  await addExport({ id: "exp_3", expiresAt: NOW, status: "failed" });
  await addExport({ id: "exp_4", expiresAt: NOW + 1 });
  await expire(9);
  expect(await columnsOf(exportRow, "id, status")).toEqual([
    ["exp_1", "expired"],
    ["exp_2", "expired"],
    ["exp_3", "failed"],
    ["exp_4", "ready"],
  ]);
});

test("restore points are the newest undamaged versions of each item, newest first", async () => {
  await addSnapshot({ id: "snp_1", takenAt: 1 });
  await addSnapshot({ id: "snp_2", takenAt: 2, verifyState: "queued", sizeBytes: 7 });
  await addSnapshot({ id: "snp_3", takenAt: 3, verifyState: "failed" });
  await addSnapshot({ id: "snp_4", takenAt: 2 });
  await addSnapshot({ id: "snp_5", takenAt: 5, itemId: "itm_b" });
  await addSnapshot({ id: "snp_6", takenAt: 5, itemId: "itm_c" });
  await addSnapshot({ id: "snp_7", takenAt: 6, organisationId: "org_b" });
  const list = (itemIds: string[], most: number) =>
    listRestorePointRows(ledger, ORGANISATION, { itemIds, most });
  const point = { itemId: ITEM, snapshotId: "snp_2", takenAt: 2, sizeBytes: 7, verifyState: "queued" };
  expect(await list(["itm_b", ITEM], 2)).toMatchObject([
    { snapshotId: "snp_4" },
    point,
    { snapshotId: "snp_5" },
  ]);
  expect((await list([ITEM], 9)).map(({ snapshotId }) => snapshotId)).toEqual(["snp_4", "snp_2", "snp_1"]);
});
