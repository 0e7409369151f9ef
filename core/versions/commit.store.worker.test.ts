import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import {
  item,
  manifest,
  manifestObject,
  objectRow,
  replica,
  run,
  snapshot,
  vaultObject,
} from "#core/database/ledger/index.ts";
import { findRun } from "#core/runs/index.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import {
  addItem,
  addManifest,
  addObject,
  addRun,
  addSnapshot,
  columnsOf,
  ITEM,
  ledger,
  ORGANISATION,
} from "#tests/harness/ledger-rows.ts";
import { commitSnapshot, type SnapshotCommit } from "./commit.store.ts";

const NOW = Date.UTC(2026, 10, 3);

const commit: SnapshotCommit = {
  hold: { runId: "run_a", epoch: 1, itemId: ITEM },
  organisationId: ORGANISATION,
  snapshotId: "snp_a",
  takenAt: NOW,
  committedAt: NOW,
  expiresAt: NOW + 9,
  draft: {
    manifest: {
      id: "man_a",
      root: { object: "obj_1", offset: 3, length: 4, method: 0, hash: "new hash" },
      entryCount: 5,
      sizeBytes: 600,
      objects: ["obj_1", "obj_2"],
    },
    completeness: {
      ...{ counts: {}, reported: {}, skipped: [], skippedCount: 2 },
      ...{ apiVersion: "1", account: "octo" },
    },
    previous: null,
    unchanged: false,
    newBytes: 70,
  },
  item: {
    name: "New Name",
    fullName: "octo/New Name",
    description: "What it is",
    details: { stars: 1 },
  },
  verifyRunId: "run_verify",
  copyTo: { storageId: "sto_a", kind: "s3", tryAt: NOW + 5 },
  bytesRead: 80,
};

beforeEach(async () => {
  await emptyEverything();
  await addItem({ activeRunId: "run_a", activeRunKind: "backup", lastError: "It broke.", lastErrorAt: 4 });
  await addItem({ id: "itm_b", lastError: "It broke.", lastErrorAt: 4 });
  await addRun({ id: "run_a", platform: "trello", connectionId: "con_z", createdAt: 2 });
  await addRun({ id: "run_b", itemId: "itm_b" });
  await addObject({ id: "obj_1", markedAt: 6 });
  await addObject({ id: "obj_2" });
  await addObject({ id: "obj_3", markedAt: 6 });
});

const everything = async () => [
  await columnsOf(manifest, "item_id, id, root_object, root_offset, root_length, root_method, root_hash"),
  await columnsOf(manifestObject, "item_id, manifest_id, object_id"),
  await columnsOf(vaultObject, "id, marked_at"),
  await columnsOf(snapshot, "id"),
  await columnsOf(item, "id, status, name, last_error"),
  await columnsOf(run, "id, status"),
  await columnsOf(replica, "snapshot_id"),
];

test("a commit makes a version visible with its manifest, the item's state, the check and the copy that are due", async () => {
  expect(await commitSnapshot(ledger, commit)).toBe(true);
  expect((await ledger.select().from(manifest))[0]).toEqual({
    ...{
      item: expect.any(Number),
      itemId: ITEM,
      id: "man_a",
      organisationId: ORGANISATION,
      rootObject: "obj_1",
      rootOffset: 3,
    },
    ...{ rootLength: 4, rootMethod: 0, rootHash: "new hash", entryCount: 5, sizeBytes: 600 },
    ...{ completeness: commit.draft.completeness, createdAt: NOW, seq: 1 },
  });
  expect(await columnsOf(manifestObject, "item_id, manifest_id, object_id")).toEqual([
    [ITEM, "man_a", "obj_1"],
    [ITEM, "man_a", "obj_2"],
  ]);
  expect(await columnsOf(vaultObject, "id, marked_at")).toEqual([
    ["obj_1", null],
    ["obj_2", null],
    ["obj_3", 6],
  ]);
  expect((await ledger.select().from(snapshot))[0]).toMatchObject({
    ...{ id: "snp_a", organisationId: ORGANISATION, itemId: ITEM, runId: "run_a", takenAt: NOW },
    ...{ manifestId: "man_a", sizeBytes: 600, newBytes: 70, skippedCount: 2, verifyState: "queued" },
    ...{ verifiedAt: null, expiresAt: NOW + 9 },
  });
  const [mine, other] = await ledger.select().from(item).orderBy(item.id);
  expect(mine).toMatchObject({
    ...{ status: "backuped", lastBackupAt: NOW, lastSnapshotId: "snp_a", sizeBytes: 600, name: "New Name" },
    ...{ fullName: "octo/New Name", nameFolded: "new name", description: "What it is" },
    ...{ details: { stars: 1 }, lastError: null, lastErrorAt: null },
    ...{ activeRunId: null, activeRunKind: null },
  });
  expect(other).toMatchObject({ status: "initialized", name: "old name", lastError: "It broke." });
  const of = { organisationId: ORGANISATION, itemId: ITEM, platform: "trello" };
  expect(await findRun(ledger, "run_verify")).toMatchObject({
    ...{ ...of, connectionId: "con_z", kind: "verify", trigger: "system", status: "queued", epoch: 0 },
    ...{ snapshotId: "snp_a", leaseUntil: NOW, createdAt: NOW },
  });
  expect(await findRun(ledger, "run_a")).toMatchObject({
    ...{ status: "succeeded", finishedAt: NOW, snapshotId: "snp_a", bytesRead: 80, bytesStored: 70 },
    report: null,
  });
  expect((await ledger.select().from(replica))[0]).toMatchObject({
    ...{ ...of, snapshotId: "snp_a", storageId: "sto_a", kind: "s3", status: "waiting" },
    ...{ nextTryAt: NOW + 5, createdAt: NOW },
  });
});

test("without a storage no copy is queued", async () => {
  expect(await commitSnapshot(ledger, { ...commit, copyTo: null })).toBe(true);
  expect(await columnsOf(replica, "snapshot_id")).toEqual([]);
});

test.each<[string, () => unknown]>([
  ["the run was taken over", () => ledger.update(run).set({ epoch: 2 }).where(eq(run.id, "run_a"))],
  ["the run is over", () => ledger.update(run).set({ status: "failed" }).where(eq(run.id, "run_a"))],
  [
    "prune has taken what it needs",
    () => ledger.update(objectRow).set({ status: "deleting" }).where(eq(objectRow.id, "obj_2")),
  ],
  ["what it needs is gone", () => ledger.delete(objectRow).where(eq(objectRow.id, "obj_2"))],
])("a commit has no effect when %s", async (_, happen) => {
  await addManifest({ id: "man_a", objects: ["obj_old"] });
  await addSnapshot({ id: "snp_old", manifestId: "man_a", verifyState: "failed" });
  await happen();
  const before = await everything();
  expect(await commitSnapshot(ledger, commit)).toBe(false);
  expect(await everything()).toEqual(before);
});

test("a repeated state keeps its stored manifest unless that one is damaged", async () => {
  await addManifest({ id: "man_a", objects: ["obj_old"] });
  await addManifest({ id: "man_b", objects: ["obj_b"] });
  await addManifest({ id: "man_a", itemId: "itm_b", objects: ["obj_b"] });
  await addSnapshot({ id: "snp_1", manifestId: "man_a", verifyState: "intact" });
  await addSnapshot({ id: "snp_2", manifestId: "man_b", verifyState: "failed" });
  await addSnapshot({ id: "snp_3", manifestId: "man_a", itemId: "itm_b", verifyState: "failed" });
  expect(await commitSnapshot(ledger, commit)).toBe(true);
  expect(await columnsOf(manifest, "item_id, id, root_object")).toEqual([
    [ITEM, "man_a", "obj_root"],
    [ITEM, "man_b", "obj_root"],
    ["itm_b", "man_a", "obj_root"],
  ]);
  expect(await columnsOf(manifestObject, "item_id, manifest_id, object_id")).toEqual([
    [ITEM, "man_a", "obj_old"],
    [ITEM, "man_b", "obj_b"],
    ["itm_b", "man_a", "obj_b"],
  ]);
  // It is a change all the same, so its run keeps a row.
  expect(await findRun(ledger, "run_a")).toMatchObject({ status: "succeeded", snapshotId: "snp_a" });
  expect(await columnsOf(snapshot, "id, run_created_at")).toContainEqual(["snp_a", null]);
});

test("the run of an unchanged version is folded into it at once, and a taken over one is not", async () => {
  await addManifest({ id: "man_a", objects: ["obj_old"] });
  await addSnapshot({ id: "snp_1", manifestId: "man_a", verifyState: "intact" });
  await ledger.update(run).set({ attempts: 3, startedAt: 4, createdBy: "usr_a" }).where(eq(run.id, "run_a"));
  const facts =
    "id, run_trigger, run_created_by, run_created_at, run_started_at, run_finished_at, run_attempts, run_bytes_read";

  const unchanged = { ...commit, draft: { ...commit.draft, unchanged: true } };

  expect(await commitSnapshot(ledger, { ...unchanged, hold: { ...commit.hold, epoch: 2 } })).toBe(false);
  // Refused, because a version that began later is there.
  await ledger.update(run).set({ beganAt: NOW }).where(eq(run.id, "run_a"));
  await addSnapshot({ id: "snp_later", manifestId: "man_a", takenAt: NOW + 1 });
  expect(await commitSnapshot(ledger, unchanged)).toBe(false);
  await ledger.delete(snapshot).where(eq(snapshot.id, "snp_later"));
  expect(await findRun(ledger, "run_a")).toMatchObject({ status: "running" });
  expect(await commitSnapshot(ledger, { ...unchanged, committedAt: NOW + 1 })).toBe(true);
  expect(await columnsOf(snapshot, facts)).toEqual([
    ["snp_1", ...Array(7).fill(null)],
    ["snp_a", "user", "usr_a", 2, 4, NOW + 1, 3, 80],
  ]);
  // Its check and its copy are due as those of any other version.
  expect(await columnsOf(run, "id, kind")).toEqual([
    ["run_b", "backup"],
    ["run_verify", "verify"],
  ]);
  expect(await columnsOf(replica, "snapshot_id, item_id")).toEqual([["snp_a", ITEM]]);
  expect(await columnsOf(item, "id, last_snapshot_id, active_run_id")).toContainEqual([ITEM, "snp_a", null]);
  // A message that comes again finds no run to end.
  const before = await everything();
  expect(await commitSnapshot(ledger, { ...unchanged, snapshotId: "snp_again", takenAt: NOW + 2 })).toBe(
    false,
  );
  expect(await everything()).toEqual(before);
});

test("a state with a damaged manifest gets a new location", async () => {
  await addManifest({ id: "man_a", objects: ["obj_old"] });
  await addManifest({ id: "man_b", objects: ["obj_b"] });
  await addManifest({ id: "man_a", itemId: "itm_b", objects: ["obj_b"] });
  await addSnapshot({ id: "snp_1", manifestId: "man_a", verifyState: "failed" });
  expect(await commitSnapshot(ledger, commit)).toBe(true);
  expect((await everything()).slice(0, 2)).toEqual([
    [
      [ITEM, "man_a", "obj_1", 3, 4, 0, "new hash"],
      [ITEM, "man_b", "obj_root", 1, 2, 8, "root hash"],
      ["itm_b", "man_a", "obj_root", 1, 2, 8, "root hash"],
    ],
    [
      [ITEM, "man_a", "obj_1"],
      [ITEM, "man_a", "obj_2"],
      [ITEM, "man_b", "obj_b"],
      ["itm_b", "man_a", "obj_b"],
    ],
  ]);
});
