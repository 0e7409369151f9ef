import { afterEach, beforeEach, expect, test } from "vitest";
import { DEMO_BUCKET } from "#connectors/storages/s3/simulator/demo-bucket.ts";
import { listHistory } from "#core/backups/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { addKeyStorage } from "#core/replicas/index.ts";
import { requestRestores } from "#core/restores/index.ts";
import { findFaults } from "#tests/harness/check-vault.ts";
import { findRun, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { type OutsideS3, openS3 } from "#tests/harness/outside.ts";
import { deliverNext, lateServices, parkRun } from "#tests/harness/parked-runs.ts";
import { randomFiles } from "#tests/harness/random-files.ts";
import {
  RECORDED_BACKUP,
  RECORDED_CHECK_OF_BYTES,
  RECORDED_CHECK_OF_MEANING,
  RECORDED_COPY,
  RECORDED_ORDER,
  RECORDED_REPORT,
} from "#tests/harness/recorded-runs.ts";

/** Runs that earlier code has parked and this code continues. */

let s3: OutsideS3;
let world: FlowWorld;
let item: ItemView;
beforeEach(async () => {
  s3 = await openS3();
  world = await openFlowWorld({ vars: s3.vars });
  await world.outside.control("settings", { contentPerMinute: 100_000, contentPerHour: 100_000 });
});
afterEach(async () => {
  await Promise.all([world.close(), s3.close()]);
});

async function protect(content: "tiny" | "full", issues: number): Promise<void> {
  item = await world.protect("harbour", content);
  if (issues > 0) await world.outside.control(`repos/${item.fullName}/generate`, { issues });
}

/** The shape of a value, without its ids and numbers. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== "object") return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
}

/**
 * Rewrites a column of a run into its form before versions, and checks that it matches the recorded form. `inner` is a
 * member with its own version, `added` lists the paths of members that were added later.
 */
async function age(
  runId: string,
  column: "cursor" | "report",
  recorded: object,
  { inner, added = [] }: { inner?: string; added?: readonly string[] } = {},
): Promise<void> {
  const [row] = await world.rows<{ text: string }>(`SELECT ${column} AS text FROM run WHERE id = ?`, runId);
  const { version, ...old } = JSON.parse(row!.text) as { [key: string]: Json };
  expect(version).toBe(1);
  if (inner !== undefined) {
    const { version: innerVersion, ...rest } = old[inner] as { [key: string]: Json };
    expect(innerVersion).toBe(1);
    old[inner] = rest;
  }
  for (const path of added) {
    const names = path.split(".");
    const last = names.pop()!;
    delete names.reduce((holder, name) => holder[name] as { [key: string]: Json }, old)[last];
  }
  expect(shapeOf(old)).toEqual(shapeOf(recorded));
  await world.rows(`UPDATE run SET ${column} = ? WHERE id = ?`, JSON.stringify(old), runId);
}

/** Rewrites a restore's order to version 1, which had no targets or answers. */
async function ageOrder(runId: string): Promise<void> {
  const [row] = await world.rows<{ text: string }>("SELECT order_json AS text FROM run WHERE id = ?", runId);
  const { version, target, part, emails, takenAt } = JSON.parse(row!.text);
  expect([version, target.kind, part]).toEqual([2, "new", null]);
  const old = { name: target.name, place: RECORDED_ORDER.place, emails, options: {}, takenAt };
  expect(shapeOf(old)).toEqual(shapeOf(RECORDED_ORDER));
  await world.rows("UPDATE run SET order_json = ? WHERE id = ?", JSON.stringify(old), runId);
}

/** The run continued without a restart and succeeded, and the vault is intact. */
async function expectContinued(runId: string): Promise<void> {
  expect(await findRun(world, runId)).toMatchObject({ status: "succeeded", restarts: 0, error_text: null });
  expect(await findFaults(world)).toEqual([]);
}

test("a backup parked by the previous release resumes and requests nothing twice", async () => {
  await protect("tiny", 45);
  const isAtSettings = (cursor: string) => cursor.includes('"part":"settings"');
  const run = await parkRun(world, "backup", isAtSettings);
  const added = [
    "connector.next.counts.commitComments",
    "connector.next.rests",
    "connector.notes.feeds",
    "connector.notes.rest of settings",
    "connector.notes.totals.commitComments",
  ];
  await age(run.id, "cursor", RECORDED_BACKUP, { inner: "connector", added });
  await world.outside.forgetRequests();
  await world.drain();
  const asked = (await world.outside.requests()).map(({ path }) => path);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((path) => /issues|labels|pulls|git-upload-pack/.test(path))).toEqual([]);
  await expectContinued(run.id);
  expect((await newestSnapshot(world, item.id)).verify_state).toBe("verified");
});

test("a check parked by the previous release resumes, during and after reading bytes", async () => {
  await protect("tiny", 0);
  const bytes = await parkRun(world, "verify", (cursor) => cursor.includes('"stage":"bytes"'));
  await age(bytes.id, "cursor", RECORDED_CHECK_OF_BYTES);
  world.events.length = 0;
  await deliverNext(world, lateServices(world));
  const told = world.events.flatMap((event) =>
    event.method === "item-progress" ? [event.progress.phase] : [],
  );
  // The first event repeats the last one of the previous slice.
  expect(told.slice(1)).not.toContain("Reading every byte");
  const meaning = await parkRun(world, "verify", (cursor) => cursor.includes('"stage":"meaning"'));
  await age(meaning.id, "cursor", RECORDED_CHECK_OF_MEANING, { inner: "at" });
  const indexes = () => world.rows("SELECT object_id FROM companion WHERE name = 'idx' ORDER BY object_id");
  const before = await indexes();
  await world.drain();
  expect(await indexes()).toEqual(before);
  await expectContinued(bytes.id);
  expect((await newestSnapshot(world, item.id)).verify_state).toBe("verified");
});

test("a copy parked by the previous release resumes and sends no part twice", async () => {
  await addKeyStorage(world.services, world.member, {
    kind: "s3",
    platform: PLATFORM,
    keys: { ...DEMO_BUCKET },
  });
  await protect("tiny", 0);
  await world.outside.control(`repos/${item.fullName}/files`, { files: randomFiles(1, 10 * 1024 * 1024) });
  const run = await parkRun(world, "replicate");
  await age(run.id, "cursor", RECORDED_COPY, { inner: "put" });
  await s3.forgetRequests();
  await world.drain();
  expect((await s3.requests()).filter(({ method }) => method === "PUT")).toEqual([]);
  await expectContinued(run.id);
  const { objects, uploads } = await s3.bucket(DEMO_BUCKET.bucketName);
  expect(objects.filter(({ key }) => key.endsWith(".zip")).length).toBe(1);
  expect(uploads).toEqual([]);
});

test("a restore parked by the previous release resumes without duplicates, and its report is shown", async () => {
  await protect("full", 45);
  await world.drain();
  const version = await newestSnapshot(world, item.id);
  await world.outside.forgetRequests();
  await requestRestores(world.services, world.member, {
    platform: PLATFORM,
    kind: KIND,
    items: [{ itemId: item.id, snapshotId: version.id, name: "again", place: null }],
    placeId: null,
    emails: ["a@b.example"],
  });
  const run = await parkRun(world, "restore");
  expect(run.cursor).toBe("null");
  await ageOrder(run.id);
  await world.drain();
  await expectContinued(run.id);
  const made = (await world.outside.requests()).filter(
    ({ method, path }) => method === "POST" && path.endsWith("/issues"),
  );
  expect(made.length).toBe(45);
  await age(run.id, "report", RECORDED_REPORT, { added: ["missing", "held", "compared"] });
  const { rows } = await listHistory(world.services, world.member, { itemId: item.id, page: 0, perPage: 9 });
  const row = rows.find(({ key }) => key === run.id);
  expect(row).toMatchObject({
    restoredTo: { name: "again" },
    report: { restored: { issue: 45 }, missing: [] },
  });
});
