import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { item, manifest, manifestObject, objectRow, run } from "#core/database/ledger/index.ts";
import { findRun } from "#core/runs/index.ts";
import type { ListedManifest } from "#core/vault/index.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import {
  addCompanion,
  addItem,
  addManifest,
  addObject,
  addRun,
  columnsOf,
  ITEM,
  ledger,
  ORGANISATION,
} from "#tests/harness/ledger-rows.ts";
import {
  commitRepack,
  hasOtherOpenRun,
  listManifests,
  listPacks,
  listRepackCandidates,
  type RepackCommit,
} from "./repack.store.ts";

const NOW = Date.UTC(2026, 10, 3);
const key = { organisationId: ORGANISATION, itemId: ITEM };
const span = { from: 10, until: 20, quietSince: 5, leastPacks: 3, leastBytes: 1_000, limit: 9 };

beforeEach(emptyEverything);

/** Adds an item whose packs were written at these times. */
async function addPacked(id: string, times: readonly number[], storedBytes = 1): Promise<void> {
  await addItem({ id });
  for (const [n, createdAt] of times.entries()) {
    await addObject({ id: `${id} ${n}`, itemId: id, createdAt, storedBytes });
  }
}
const candidates = async (limit = 9) =>
  (await listRepackCandidates(ledger, { ...span, limit })).map(({ itemId }) => itemId).sort();

test("an item is considered if it has at least two packs of the range and they are many or large", async () => {
  await addPacked("itm_many", [1, 2, 10]);
  await addPacked("itm_large", [1, 19], 500);
  await addPacked("itm_few", [1, 19], 499);
  await addPacked("itm_single", [10], 5_000);
  await addPacked("itm_early", [1, 2, 9]);
  await addPacked("itm_late", [1, 2, 20]);
  expect(await candidates()).toEqual(["itm_large", "itm_many"]);
  expect(await candidates(1)).toHaveLength(1);
  expect(await listRepackCandidates(ledger, span)).toContainEqual({
    ...{ itemId: "itm_many", organisationId: ORGANISATION, connectionId: "con_a", platform: "github" },
  });
});

test("a deleted item, a recently repacked one, and objects that are not stored packs do not count", async () => {
  for (const id of ["itm_deleted", "itm_quiet", "itm_kind", "itm_status", "itm_written"]) {
    await addPacked(id, [1, 2, 10]);
  }
  await addPacked("itm_old_run", [1, 2, 10]);
  await addPacked("itm_other_run", [1, 2, 10]);
  await setItem("itm_deleted", { status: "deleted" });
  await setObject("itm_kind 0", { kind: "stream" });
  await setObject("itm_status 0", { status: "deleting" });
  await setObject("itm_written 2", { kind: "manifest" });
  await addObject({ id: "itm_written 3", itemId: "itm_written" });
  const repack = { kind: "repack", status: "failed" } as const;
  await addRun({ id: "run_1", itemId: "itm_quiet", ...repack, createdAt: 5 });
  await addRun({ id: "run_2", itemId: "itm_old_run", ...repack, createdAt: 4 });
  await addRun({ id: "run_3", itemId: "itm_other_run", kind: "backup", createdAt: 9 });
  expect(await candidates()).toEqual(["itm_old_run", "itm_other_run"]);
});

test("an item's manifests are listed by number with their objects, only of its organisation", async () => {
  await addManifest({ id: "man_b", createdAt: 2, rootMethod: 0, objects: ["obj_2"] });
  await addManifest({ id: "man_c", createdAt: 1, objects: ["obj_1", "obj_2"] });
  await addManifest({ id: "man_a", createdAt: 2 });
  await addManifest({ id: "man_d", itemId: "itm_b", objects: ["obj_3"] });
  const root = { object: "obj_root", offset: 1, length: 2, method: 8, hash: "root hash" };
  const size = { entryCount: 3, sizeBytes: 100 };
  expect(await listManifests(ledger, { ...key, organisationId: "org_b" })).toEqual([]);
  expect(await listManifests(ledger, key)).toEqual([
    { id: "man_b", seq: 1, root: { ...root, method: 0 }, ...size, objects: ["obj_2"] },
    { id: "man_c", seq: 2, root, ...size, objects: ["obj_1", "obj_2"] },
    { id: "man_a", seq: 3, root, ...size, objects: [] },
  ]);
});

test("an item's stored packs are listed with their size and whether they have companions", async () => {
  await addObject({ id: "obj_1", sizeBytes: 5 });
  await addObject({ id: "obj_2", sizeBytes: 6 });
  await addObject({ id: "obj_3", kind: "stream" });
  await addObject({ id: "obj_4", status: "reserved" });
  await addObject({ id: "obj_5", itemId: "itm_b" });
  await addCompanion({ sourceObjectId: "obj_2", objectId: "obj_1" });
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(await listPacks(ledger, { ...key, organisationId: "org_b" })).toEqual([]);
  expect((await listPacks(ledger, key)).sort(byId)).toEqual([
    { id: "obj_1", sizeBytes: 5, hasCompanion: false },
    { id: "obj_2", sizeBytes: 6, hasCompanion: true },
  ]);
});

test("another open run of the item blocks the repack", async () => {
  await addRun({ id: "run_a", kind: "repack" });
  await addRun({ id: "run_b", status: "succeeded" });
  await addRun({ id: "run_c", itemId: "itm_b" });
  const isBusy = () => hasOtherOpenRun(ledger, { runId: "run_a", itemId: ITEM });
  expect(await isBusy()).toBe(false);
  await addRun({ id: "run_d", status: "queued" });
  expect(await isBusy()).toBe(true);
  await setRun("run_d", { status: "running" });
  expect(await isBusy()).toBe(true);
});

/** Adds an item with two manifests, of which the first is moved. */
async function planned(): Promise<RepackCommit> {
  await addRun({ id: "run_a", kind: "repack", cursor: { at: 1 }, errorText: "Again.", waitingUntil: 5 });
  await addRun({ id: "run_b", kind: "repack", itemId: "itm_b" });
  for (const id of ["obj_old", "obj_new", "obj_kept"]) await addObject({ id });
  await addManifest({ id: "man_a", createdAt: 1, objects: ["obj_old", "obj_kept"] });
  await addManifest({ id: "man_b", createdAt: 2, objects: ["obj_kept"] });
  await addManifest({ id: "man_a", itemId: "itm_b", objects: ["obj_old"] });
  const before = await listManifests(ledger, key);
  const moved: ListedManifest = {
    ...before[0]!,
    root: { object: "obj_new", offset: 7, length: 8, method: 0, hash: "new hash" },
    objects: ["obj_new", "obj_kept"],
  };
  const hold = { runId: "run_a", epoch: 1, itemId: ITEM };
  return { hold, before, after: [moved, before[1]!], now: NOW, bytesStored: 9, report: { freed: 4 } };
}
const places = () =>
  columnsOf(manifest, "item_id, id, root_object, root_offset, root_length, root_method, root_hash");
const needs = () => columnsOf(manifestObject, "item_id, manifest_id, object_id");

test("a repack moves manifests to their new locations with their objects and ends its run", async () => {
  const commit = await planned();
  expect(await commitRepack(ledger, commit)).toBe(true);
  expect(await places()).toEqual([
    [ITEM, "man_a", "obj_new", 7, 8, 0, "new hash"],
    [ITEM, "man_b", "obj_root", 1, 2, 8, "root hash"],
    ["itm_b", "man_a", "obj_root", 1, 2, 8, "root hash"],
  ]);
  expect(await needs()).toEqual([
    [ITEM, "man_a", "obj_kept"],
    [ITEM, "man_a", "obj_new"],
    [ITEM, "man_b", "obj_kept"],
    ["itm_b", "man_a", "obj_old"],
  ]);
  expect(await findRun(ledger, "run_a")).toMatchObject({
    ...{ status: "succeeded", finishedAt: NOW, bytesStored: 9, report: { freed: 4 } },
    ...{ leaseUntil: null, waitingUntil: null, cursor: null, errorText: null },
  });
  expect(await findRun(ledger, "run_b")).toMatchObject({ status: "running" });
});

test("a repack that moves nothing only ends its own run", async () => {
  const commit = await planned();
  const nothing = { ...commit, after: commit.before };
  expect(await commitRepack(ledger, { ...nothing, hold: { ...commit.hold, epoch: 0 } })).toBe(false);
  expect(await commitRepack(ledger, nothing)).toBe(true);
  expect(await findRun(ledger, "run_a")).toMatchObject({ status: "succeeded", bytesStored: 9, bytesRead: 0 });
});

test.each<[string, () => Promise<unknown>]>([
  ["the run was taken over", () => setRun("run_a", { epoch: 2 })],
  ["the run is over", () => setRun("run_a", { status: "failed" })],
  ["another run of the item is open", () => addRun({ id: "run_c", status: "queued" })],
  ["the item has got another manifest", () => addManifest({ id: "man_c" })],
  ["a manifest is gone", () => ledger.run(`DELETE FROM manifest_row WHERE id = 'man_b'`)],
  ["a manifest was replaced", () => ledger.run(`UPDATE manifest_row SET id = 'man_x' WHERE id = 'man_b'`)],
  [
    "a manifest has got another number",
    () => ledger.run(`UPDATE manifest_row SET seq = 9 WHERE id = 'man_b'`),
  ],
  ["a root has moved to another object", () => ledger.run(`UPDATE manifest_row SET root_object = 'obj_x'`)],
  ["a root has moved within its object", () => ledger.run(`UPDATE manifest_row SET root_offset = 99`)],
  ["what is needed is no longer stored", () => setObject("obj_new", { status: "deleting" })],
  ["what is needed is gone", () => ledger.run(`DELETE FROM object_row WHERE id = 'obj_new'`)],
])("a repack changes nothing when %s", async (_, happen) => {
  const commit = await planned();
  await happen();
  const before = [await places(), await needs(), await columnsOf(run, "id, status")];
  expect(await commitRepack(ledger, commit)).toBe(false);
  expect([await places(), await needs(), await columnsOf(run, "id, status")]).toEqual(before);
});

async function setRun(id: string, row: Partial<typeof run.$inferInsert>): Promise<void> {
  await ledger.update(run).set(row).where(eq(run.id, id));
}
async function setObject(id: string, row: Partial<typeof objectRow.$inferInsert>): Promise<void> {
  await ledger.update(objectRow).set(row).where(eq(objectRow.id, id));
}
async function setItem(id: string, row: Partial<typeof item.$inferInsert>): Promise<void> {
  await ledger.update(item).set(row).where(eq(item.id, id));
}
