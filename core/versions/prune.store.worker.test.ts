import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import {
  companion,
  manifest,
  manifestObject,
  objectRow,
  run,
  snapshot,
  vaultObject,
} from "#core/database/ledger/index.ts";
import { ledgerDatabase } from "#core/database/ledgers.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { countingDatabase, noCounts } from "#tests/bench/counting.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import {
  addCompanion,
  addExport,
  addManifest,
  addObject,
  addRun,
  addSnapshot,
  columnsOf,
  ITEM,
  ledger,
  ORGANISATION,
} from "#tests/harness/ledger-rows.ts";
import {
  dropLooseManifests,
  END_OF_ITEMS,
  forgetObjects,
  markUnreferenced,
  readSweepPosition,
  recordSweepPosition,
  stretchBehind,
  takeObjectsOfItem,
  takeUnreferenced,
  unmarkReferenced,
} from "./prune.store.ts";

const NOW = Date.UTC(2026, 10, 3);
const EVERYTHING = { from: "", to: END_OF_ITEMS };

beforeEach(emptyEverything);

const markedIds = async () =>
  (await columnsOf(vaultObject, "id, marked_at")).filter(([, at]) => at !== null).map(([id]) => id);

/** Adds one object for each kind of reference, and one without any. */
async function fill(): Promise<void> {
  for (const id of ["obj_loose", "obj_needed", "obj_root", "obj_derived", "obj_layout", "obj_of_run"]) {
    await addObject({ id, runId: id === "obj_of_run" ? "run_open" : "run_ended" });
  }
  await addManifest({ id: "man_a", rootObject: "obj_root", objects: ["obj_needed"] });
  await addCompanion({ sourceObjectId: "obj_needed", objectId: "obj_derived" });
  await addExport({ id: "exp_a", layoutObjectId: "obj_layout" });
  await addRun({ id: "run_open", status: "queued" });
  await addRun({ id: "run_ended", status: "succeeded" });
}

test("an object is marked if no manifest, companion's source, ZIP or open run needs it", async () => {
  await fill();
  expect(await markUnreferenced(ledger, EVERYTHING, { now: NOW, limit: 9 })).toBe(1);
  expect(await markedIds()).toEqual(["obj_loose"]);
  expect(await markUnreferenced(ledger, EVERYTHING, { now: NOW + 1, limit: 9 })).toBe(0);
  expect(await columnsOf(vaultObject, "id, marked_at")).toContainEqual(["obj_loose", NOW]);
});

test("objects of a running run or a pending ZIP are kept", async () => {
  await addObject({ id: "obj_a", runId: "run_a" });
  await addObject({ id: "obj_b" });
  await addRun({ id: "run_a", status: "running" });
  await addExport({ id: "exp_a", layoutObjectId: "obj_b", status: "pending" });
  expect(await markUnreferenced(ledger, EVERYTHING, { now: NOW, limit: 9 })).toBe(0);
});

test("references of other items and of finished runs keep nothing", async () => {
  await addObject({ id: "obj_root" });
  await addObject({ id: "obj_expired" });
  await addObject({ id: "obj_revoked" });
  await addObject({ id: "obj_export" });
  await addObject({ id: "obj_derived" });
  await addManifest({ id: "man_b", itemId: "itm_b", rootObject: "obj_root" });
  await addExport({ id: "exp_a", layoutObjectId: "obj_expired", status: "expired" });
  await addExport({ id: "exp_b", layoutObjectId: "obj_revoked", revokedAt: 5 });
  await addExport({ id: "exp_c", layoutObjectId: "obj_export", itemId: "itm_b" });
  await addCompanion({ sourceObjectId: "obj_gone", objectId: "obj_derived" });
  expect(await markUnreferenced(ledger, EVERYTHING, { now: NOW, limit: 9 })).toBe(5);
});

test("objects younger than a day or outside the range are not marked, and no more than the limit", async () => {
  await addObject({ id: "obj_old", createdAt: NOW - DAY_MS });
  await addObject({ id: "obj_young", createdAt: NOW - DAY_MS + 1 });
  await addObject({ id: "obj_before", itemId: "itm_0" });
  await addObject({ id: "obj_behind", itemId: "itm_b" });
  const mark = (from: string, to: string, limit = 9) =>
    markUnreferenced(ledger, { from, to }, { now: NOW, limit });
  expect(await mark("itm_0", ITEM)).toBe(1);
  expect(await markedIds()).toEqual(["obj_old"]);
  expect(await mark("", END_OF_ITEMS, 1)).toBe(1);
});

test("an object that is needed again loses its mark, an unneeded one keeps it", async () => {
  await fill();
  await ledger.update(objectRow).set({ markedAt: 5 });
  await unmarkReferenced(ledger);
  expect(await markedIds()).toEqual(["obj_loose"]);
});

test("an object is deleted a day after its mark if still unneeded, oldest mark first", async () => {
  await fill();
  await ledger.update(objectRow).set({ markedAt: NOW - DAY_MS });
  await addObject({ id: "obj_first", markedAt: NOW - DAY_MS - 1 });
  await addObject({ id: "obj_late", markedAt: NOW - DAY_MS + 1 });
  await addObject({ id: "obj_unmarked" });
  expect(await takeUnreferenced(ledger, NOW, 1)).toEqual([{ id: "obj_first", key: "org_a/itm_a/obj_first" }]);
  expect(await takeUnreferenced(ledger, NOW, 9)).toContainEqual({
    id: "obj_loose",
    key: "org_a/itm_a/obj_loose",
  });
  const taken = (await columnsOf(vaultObject, "id, status")).filter(([, status]) => status === "deleting");
  expect(taken.map(([id]) => id)).toEqual(["obj_first", "obj_loose"]);
});

test("objects of a deleted item are deleted at once, others are not", async () => {
  await addObject({ id: "obj_1" });
  await addObject({ id: "obj_2", status: "reserved" });
  await addObject({ id: "obj_3", itemId: "itm_b" });
  const take = (limit: number, organisationId = ORGANISATION) =>
    takeObjectsOfItem(ledger, { organisationId, itemId: ITEM }, limit);
  expect(await take(9, "org_b")).toEqual([]);
  expect(await take(1)).toHaveLength(1);
  expect((await take(9)).map(({ id }) => id).sort()).toEqual(["obj_1", "obj_2"]);
  expect(await columnsOf(vaultObject, "id, status")).toEqual([
    ["obj_1", "deleting"],
    ["obj_2", "deleting"],
    ["obj_3", "stored"],
  ]);
});

test("rows of deleted objects and of their companions are removed; others stay", async () => {
  await addObject({ id: "obj_1", status: "deleting" });
  await addObject({ id: "obj_2", status: "stored" });
  await addObject({ id: "obj_3", status: "deleting" });
  await addCompanion({ sourceObjectId: "obj_1", objectId: "obj_x" });
  await addCompanion({ sourceObjectId: "obj_y", objectId: "obj_1" });
  await addCompanion({ sourceObjectId: "obj_3", objectId: "obj_z" });
  await forgetObjects(ledger, ["obj_1", "obj_2"]);
  expect(await columnsOf(vaultObject, "id")).toEqual([["obj_2"], ["obj_3"]]);
  expect(await columnsOf(companion, "source_object_id")).toEqual([["obj_3"]]);
});

test("a manifest is deleted with its list when no version, active ZIP or open run of its item needs it", async () => {
  for (const id of ["man_loose", "man_version", "man_ready", "man_pending", "man_expired", "man_revoked"]) {
    await addManifest({ id, objects: ["obj_a"] });
  }
  await addManifest({ id: "man_loose", itemId: "itm_b", objects: ["obj_a"] });
  await addManifest({ id: "man_loose", itemId: "itm_0" });
  await addSnapshot({ id: "snp_a", manifestId: "man_version" });
  await addSnapshot({ id: "snp_b", manifestId: "man_loose", itemId: "itm_c" });
  await addExport({ id: "exp_1", manifestId: "man_ready" });
  await addExport({ id: "exp_2", manifestId: "man_pending", status: "pending" });
  await addExport({ id: "exp_3", manifestId: "man_expired", status: "expired" });
  await addExport({ id: "exp_4", manifestId: "man_revoked", revokedAt: 5 });
  await addExport({ id: "exp_5", manifestId: "man_loose", itemId: "itm_c" });
  await addRun({ id: "run_a", status: "running" });
  await addRun({ id: "run_b", status: "succeeded", itemId: "itm_b" });
  const drop = (from: string, to: string) => dropLooseManifests(ledger, { from, to });

  await drop("itm_0", ITEM);
  expect(await columnsOf(manifest, "id")).toHaveLength(8);
  await ledger.update(run).set({ status: "queued" });
  await drop("itm_0", ITEM);
  expect(await columnsOf(manifest, "id")).toHaveLength(8);
  await ledger.update(run).set({ status: "failed", finishedAt: 5 });
  await drop("itm_0", ITEM);
  const kept = [
    [ITEM, "man_pending"],
    [ITEM, "man_ready"],
    [ITEM, "man_version"],
    ["itm_b", "man_loose"],
  ];
  expect(await columnsOf(manifest, "item_id, id")).toEqual([["itm_0", "man_loose"], ...kept]);
  expect(await columnsOf(manifestObject, "item_id, manifest_id")).toEqual(kept);
});

test("versions are read one by one for each manifest, and all of an item's only when its first version is gone", async () => {
  const VERSIONS = 60;
  for (let at = 1; at <= VERSIONS; at++) {
    await addManifest({ id: `man_${at}`, createdAt: 10 * at + 1 });
    await addSnapshot({ id: `snp_${at}`, manifestId: `man_${at}`, takenAt: 10 * at });
  }
  const counts = noCounts();
  const counted = ledgerDatabase({ ...env, LEDGER_DE: countingDatabase(env.LEDGER_DE, counts) }, "DE");
  const read = async () => {
    const before = counts.rowsRead;
    await dropLooseManifests(counted, { from: "", to: END_OF_ITEMS });
    return counts.rowsRead - before;
  };
  expect(await read()).toBeLessThan(8 * VERSIONS);
  // A later version still shows the state of the one that is gone.
  await ledger.delete(snapshot).where(eq(snapshot.id, "snp_30"));
  await addSnapshot({ id: "snp_again", manifestId: "man_30", takenAt: 10_000 });
  await ledger.delete(snapshot).where(eq(snapshot.id, "snp_31"));
  expect(await read()).toBeLessThan(12 * VERSIONS);
  const left = (await columnsOf(manifest, "id")).flat();
  expect(left).toHaveLength(VERSIONS - 1);
  expect(left).toContain("man_30");
});

test("a sweep goes through ranges of items with objects and resumes where it stopped", async () => {
  for (const itemId of ["itm_1", "itm_2", "itm_3"]) {
    await addObject({ id: `obj_${itemId}`, itemId });
    await addObject({ id: `obj_more_${itemId}`, itemId });
  }
  expect(await stretchBehind(ledger, "", 2)).toEqual({ from: "", to: "itm_2" });
  expect(await stretchBehind(ledger, "itm_2", 1)).toEqual({ from: "itm_2", to: "itm_3" });
  expect(await stretchBehind(ledger, "itm_2", 2)).toEqual({ from: "itm_2", to: END_OF_ITEMS });

  expect(await readSweepPosition(ledger)).toBe("");
  await recordSweepPosition(ledger, "itm_2");
  await recordSweepPosition(ledger, "itm_3");
  expect(await readSweepPosition(ledger)).toBe("itm_3");
});
