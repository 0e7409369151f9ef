import { beforeEach, expect, test } from "vitest";
import { companion, vaultObject } from "#core/database/ledger/index.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import {
  addCompanion,
  addManifest,
  addObject,
  addSnapshot,
  columnsOf,
  ITEM,
  ledger,
  ORGANISATION,
} from "#tests/harness/ledger-rows.ts";
import {
  findCompanionObject,
  findListedManifest,
  findManifest,
  findObject,
  objectRegistry,
  recordCompanion,
} from "./registry.store.ts";

const NOW = Date.UTC(2026, 10, 3);
const registry = objectRegistry(ledger, { organisationId: ORGANISATION, clock: { now: () => NOW } });
const strangers = objectRegistry(ledger, { organisationId: "org_b", clock: { now: () => NOW } });
const object = {
  id: "obj_a",
  kind: "stream",
  key: `${ORGANISATION}/${ITEM}/obj_a`,
  itemId: ITEM,
  runId: "run_a",
} as const;
const done = { ...object, sizeBytes: 9, storedBytes: 8, hash: "hash a", crc32: 5 };

beforeEach(emptyEverything);

test("an object is registered before its bytes are stored, and found only afterwards", async () => {
  await addObject({ id: "obj_b", status: "reserved" });
  await expect(strangers.reserve(object)).rejects.toMatchObject({ kind: "missing" });
  await expect(registry.reserve({ ...object, itemId: "itm_gone" })).rejects.toMatchObject({
    kind: "missing",
  });
  await registry.reserve(object);
  await registry.reserve({ ...object, runId: "run_b" });
  expect(
    await columnsOf(vaultObject, "id, organisation_id, item_id, run_id, kind, key, status, created_at"),
  ).toEqual([
    ["obj_a", ORGANISATION, ITEM, "run_a", "stream", object.key, "reserved", NOW],
    ["obj_b", ORGANISATION, ITEM, "run_gone", "pack", `${ORGANISATION}/${ITEM}/obj_b`, "reserved", 1],
  ]);
  expect(await findObject(ledger, ORGANISATION, "obj_a")).toBeNull();

  await expect(strangers.complete(done)).rejects.toMatchObject({ kind: "missing" });
  await registry.complete(done);
  expect(await findObject(ledger, ORGANISATION, "obj_a")).toEqual({
    ...{
      id: "obj_a",
      kind: "stream",
      key: object.key,
      sizeBytes: 9,
      storedBytes: 8,
      hash: "hash a",
      crc32: 5,
    },
  });
  expect(await findObject(ledger, "org_b", "obj_a")).toBeNull();
  expect(await findObject(ledger, ORGANISATION, "obj_b")).toBeNull();
});

test("an object that was removed, or whose item was deleted meanwhile, cannot be completed", async () => {
  await addObject({ id: "obj_a", status: "deleting" });
  await expect(registry.complete(done)).rejects.toMatchObject({ kind: "missing" });
  await expect(registry.complete({ ...done, id: "obj_b" })).rejects.toMatchObject({ kind: "missing" });
  expect(await columnsOf(vaultObject, "id, status")).toEqual([["obj_a", "deleting"]]);
});

test("a stream of equal content is reused only within its item and loses its mark", async () => {
  const stream = { kind: "stream", hash: "hash a" } as const;
  await addObject({ id: "obj_a", ...stream, markedAt: 3 });
  await addObject({ id: "obj_item", ...stream, itemId: "itm_b" });
  await addObject({ id: "obj_kind", ...stream, kind: "pack" });
  await addObject({ id: "obj_status", ...stream, status: "reserved" });
  await addObject({ id: "obj_hash", kind: "stream", hash: "hash b" });

  expect(await registry.findStream(ITEM, "hash c", "run_new")).toBeNull();
  expect(await strangers.findStream(ITEM, "hash a", "run_new")).toBeNull();
  expect(await registry.findStream(ITEM, "hash a", "run_new")).toMatchObject({ id: "obj_a", hash: "hash a" });
  expect(await columnsOf(vaultObject, "id, run_id, marked_at")).toEqual([
    ["obj_a", "run_new", null],
    ...["obj_hash", "obj_item", "obj_kind", "obj_status"].map((id) => [id, "run_gone", null]),
  ]);
});

test("a stream that a damaged version needs is never reused", async () => {
  await addObject({ id: "obj_a", kind: "stream", hash: "hash a" });
  await addManifest({ id: "man_a", objects: ["obj_a"] });
  await addManifest({ id: "man_b", objects: ["obj_b"] });
  await addSnapshot({ id: "snp_a", manifestId: "man_a", verifyState: "intact" });
  await addSnapshot({ id: "snp_b", manifestId: "man_b", verifyState: "failed" });
  await addSnapshot({ id: "snp_c", manifestId: "man_a", itemId: "itm_b", verifyState: "failed" });
  expect(await registry.findStream(ITEM, "hash a", "run_new")).toMatchObject({ id: "obj_a" });
  await addSnapshot({ id: "snp_d", manifestId: "man_a", verifyState: "failed" });
  expect(await registry.findStream(ITEM, "hash a", "run_new")).toBeNull();
});

test("only its own organisation can remove an object", async () => {
  await addObject({ id: "obj_a" });
  await addObject({ id: "obj_b" });
  await strangers.discard(["obj_a"]);
  expect(await columnsOf(vaultObject, "id")).toEqual([["obj_a"], ["obj_b"]]);
  await registry.discard(["obj_a"]);
  expect(await columnsOf(vaultObject, "id")).toEqual([["obj_b"]]);
});

test("a companion is found by source and name once it is stored, only by its own organisation", async () => {
  await addObject({ id: "obj_index" });
  await addObject({ id: "obj_other" });
  await addObject({ id: "obj_reserved", status: "reserved" });
  const row = { sourceObjectId: "obj_a", name: "index", objectId: "obj_index", itemId: ITEM, now: NOW };
  await recordCompanion(ledger, row);
  await recordCompanion(ledger, { ...row, objectId: "obj_other", now: NOW + 1 });
  await addCompanion({ sourceObjectId: "obj_a", name: "other", objectId: "obj_other" });
  await addCompanion({ sourceObjectId: "obj_b", objectId: "obj_reserved" });

  expect(await columnsOf(companion, "source_object_id, name, object_id, item_id, created_at")).toContainEqual(
    [...["obj_a", "index", "obj_index", ITEM, NOW]],
  );
  const find = (objectId: string, name: string, organisationId = ORGANISATION) =>
    findCompanionObject(ledger, organisationId, { objectId, name });
  expect(await find("obj_a", "index")).toMatchObject({ id: "obj_index" });
  expect(await find("obj_a", "other")).toMatchObject({ id: "obj_other" });
  expect(await find("obj_b", "index")).toBeNull();
  expect(await find("obj_c", "index")).toBeNull();
  expect(await find("obj_a", "index", "org_b")).toBeNull();
});

test("a manifest is found with its location and objects, only by its own item and organisation", async () => {
  await addManifest({ id: "man_a", objects: ["obj_1", "obj_2"] });
  await addManifest({ id: "man_b", rootMethod: 0, objects: ["obj_3"] });
  await addManifest({ id: "man_a", itemId: "itm_b", rootObject: "obj_other", objects: ["obj_4"] });
  const find = (manifestId: string, itemId = ITEM, organisationId = ORGANISATION) =>
    findListedManifest(ledger, organisationId, { itemId, manifestId });
  const ref = {
    id: "man_a",
    root: { object: "obj_root", offset: 1, length: 2, method: 8, hash: "root hash" },
    entryCount: 3,
    sizeBytes: 100,
  };

  expect(await find("man_a")).toEqual({ ...ref, objects: ["obj_1", "obj_2"] });
  expect(await find("man_b")).toMatchObject({ root: { method: 0 }, objects: ["obj_3"] });
  expect(await find("man_a", "itm_b")).toMatchObject({ root: { object: "obj_other" }, objects: ["obj_4"] });
  expect(await find("man_c")).toBeNull();
  expect(await find("man_a", ITEM, "org_b")).toBeNull();
  const plain = (organisationId: string) =>
    findManifest(ledger, organisationId, { itemId: ITEM, manifestId: "man_a" });
  expect(await plain(ORGANISATION)).toEqual({ ref, completeness: { skipped: [], skippedCount: 0 } });
  expect(await plain("org_b")).toBeNull();
});
