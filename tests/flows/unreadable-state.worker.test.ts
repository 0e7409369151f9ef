import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { DEMO_BUCKET } from "#connectors/storages/s3/simulator/demo-bucket.ts";
import { listHistory } from "#core/backups/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { addKeyStorage } from "#core/replicas/index.ts";
import { requestRestores } from "#core/restores/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import { askForBackup, findRun, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { type OutsideS3, openS3 } from "#tests/harness/outside.ts";
import { parkRun } from "#tests/harness/parked-runs.ts";
import { randomFiles } from "#tests/harness/random-files.ts";
import { sampleOf } from "#tests/harness/sample.ts";
import { saveWorld } from "#tests/harness/saved-world.ts";

/** Runs whose row this code cannot read: written by a later version, incomplete, or invalid. */

type Members = { [key: string]: Json };
const STARTING_AGAIN = "Starting again: Holdfast was updated";
const NONSENSE: readonly (readonly [what: string, text: string])[] = [
  ["another form", '{"x":1}'],
  ["a list", "[]"],
  ["a text", '"cursor"'],
  ["half of a text", '{"version":1,"conn'],
];

let s3: OutsideS3;
let world: FlowWorld;
let item: ItemView;
let restore: () => Promise<void>;
beforeAll(async () => {
  s3 = await openS3();
  world = await openFlowWorld({ vars: s3.vars });
  await world.outside.control("settings", { importMs: 0 });
  item = await world.protect("harbour", "tiny");
  await world.drain();
  restore = await saveWorld(world);
});
beforeEach(() => restore());
afterAll(async () => {
  await Promise.all([world.close(), s3.close()]);
});

/** Unreadable variants of a cursor: changes to each of its members and to those of its inner forms. */
function spoil(cursor: string, inner: readonly string[]): (readonly [what: string, text: string])[] {
  const whole = JSON.parse(cursor) as Members;
  const spoilt: [string, string][] = [];
  const add = (what: string, value: Json) => spoilt.push([what, JSON.stringify(value)]);
  const lacking = (members: Members, key: string): Members =>
    Object.fromEntries(Object.entries(members).filter(([name]) => name !== key));
  add("a later version", { ...whole, version: Number(whole.version ?? 1) + 1 });
  for (const key of Object.keys(whole)) if (key !== "version") add(`no ${key}`, lacking(whole, key));
  for (const name of inner) {
    const members = whole[name] as Members;
    add(`a later version of ${name}`, { ...whole, [name]: { ...members, version: 2 } });
    for (const key of Object.keys(members))
      if (key !== "version") add(`no ${name}.${key}`, { ...whole, [name]: lacking(members, key) });
    for (const nonsense of [null, { x: 1 }])
      add(`${name} is ${JSON.stringify(nonsense)}`, { ...whole, [name]: nonsense });
  }
  return [...NONSENSE, ...spoilt];
}

/** With every spoilt cursor, the parked run restarts once, reports it, and succeeds. */
async function expectRestarts(
  kind: "backup" | "verify" | "replicate",
  inner: readonly string[],
  { isWanted, clean }: { isWanted?: (cursor: string) => boolean; clean?: () => Promise<void> } = {},
): Promise<void> {
  const run = await parkRun(world, kind, isWanted);
  const back = await saveWorld(world);
  for (const [what, text] of sampleOf(spoil(run.cursor!, inner), 4)) {
    await back();
    await clean?.();
    world.events.length = 0;
    await world.rows("UPDATE run SET cursor = ? WHERE id = ?", text, run.id);
    await world.drain();
    const { status, restarts } = await findRun(world, run.id);
    expect([what, status, restarts]).toEqual([what, "succeeded", 1]);
    const phases = world.events.flatMap((event) =>
      event.method === "item-progress" && event.progress.runId === run.id ? [event.progress.phase] : [],
    );
    expect([what, phases]).toEqual([what, expect.arrayContaining([STARTING_AGAIN])]);
    expect([what, await findFaults(world), await findUnfinished(world)]).toEqual([what, [], []]);
    expect([what, (await newestSnapshot(world, item.id)).verify_state]).toEqual([what, "verified"]);
  }
}

test("a backup with an unreadable cursor, connector's position or draft restarts, and its version is complete", async () => {
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
  await askForBackup(world, item.id);
  await expectRestarts("backup", ["connector", "draft"]);
});

test("a backup whose connector cannot read a part's position restarts", async () => {
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
  // Settings are read once a week.
  world.clock.advance(7 * DAY_MS);
  await askForBackup(world, item.id);
  const run = await parkRun(world, "backup", (cursor) => cursor.includes('"part":"settings"'));
  const back = await saveWorld(world);
  const cursor = JSON.parse(run.cursor!) as { connector: Members };
  for (const spoilt of [{ part: "moods" }, { cursor: "third" }, { notes: { issues: 7 } }]) {
    await back();
    const connector = { ...cursor.connector, part: "issues", ...spoilt };
    await world.rows(
      "UPDATE run SET cursor = ? WHERE id = ?",
      JSON.stringify({ ...cursor, connector }),
      run.id,
    );
    await world.drain();
    expect([spoilt, await findRun(world, run.id)]).toMatchObject([
      spoilt,
      { status: "succeeded", restarts: 1 },
    ]);
    expect(await findFaults(world)).toEqual([]);
  }
});

test("a check with an unreadable cursor reads everything again, in either stage", async () => {
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
  await askForBackup(world, item.id);
  await expectRestarts("verify", ["at"], { isWanted: (cursor) => cursor.includes('"stage":"bytes"') });
  await restore();
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
  await askForBackup(world, item.id);
  await expectRestarts("verify", ["at"], { isWanted: (cursor) => cursor.includes('"stage":"meaning"') });
});

test("a copy with an unreadable cursor or storage's position restarts and gives one file", async () => {
  await world.outside.control(`repos/${item.fullName}/files`, { files: randomFiles(1, 10 * 1024 * 1024) });
  await addKeyStorage(world.services, world.member, {
    kind: "s3",
    platform: PLATFORM,
    keys: { ...DEMO_BUCKET },
  });
  await askForBackup(world, item.id);
  const bucket = DEMO_BUCKET.bucketName;
  const copies = async () => (await s3.bucket(bucket)).objects.filter(({ key }) => key.endsWith(".zip"));
  // Deletes the previous copy, because the run would find it.
  const clean = async () => {
    for (const { key } of await copies()) await s3.control("object/delete", { bucket, key });
  };
  await expectRestarts("replicate", ["put"], { clean });
  expect((await copies()).length).toBe(1);
  expect((await s3.bucket(bucket)).uploads).toEqual([]);
});

async function requestRestore(name: string): Promise<string> {
  const version = await newestSnapshot(world, item.id);
  const { runIds } = await requestRestores(world.services, world.member, {
    platform: PLATFORM,
    kind: KIND,
    items: [{ itemId: item.id, snapshotId: version.id, name, place: null }],
    placeId: null,
    emails: [],
  });
  return runIds[0]!;
}

const historyRow = async (runId: string) => {
  const { rows } = await listHistory(world.services, world.member, { itemId: item.id, page: 0, perPage: 9 });
  return rows.find(({ key }) => key === runId);
};

test("a restore with an unreadable order fails with a sentence and writes nothing", async () => {
  const runId = await requestRestore("again");
  const [row] = await world.rows<{ text: string }>("SELECT order_json AS text FROM run WHERE id = ?", runId);
  const back = await saveWorld(world);
  const repositories = await world.outside.listRepositories();
  for (const [what, text] of sampleOf([...spoil(row!.text, []), ["nothing", "null"] as const], 4)) {
    await back();
    await world.rows("UPDATE run SET order_json = ? WHERE id = ?", text, runId);
    await world.rows("INSERT INTO restore_journal VALUES (?, 'kept', '1', 1)", runId);
    await world.outside.forgetRequests();
    await world.drain();
    expect([what, await findRun(world, runId)]).toMatchObject([
      what,
      { status: "failed", error_code: "err.request.invalid" },
    ]);
    const asked = await world.outside.requests();
    expect([what, asked.filter(({ method }) => method !== "GET")]).toEqual([what, []]);
    expect(await world.outside.listRepositories()).toEqual(repositories);
    expect(await world.rows("SELECT key FROM restore_journal WHERE run_id = ?", runId)).toEqual([
      { key: "kept" },
    ]);
    expect(await historyRow(runId)).toMatchObject({
      status: "failed",
      errorText: expect.stringContaining("no longer understands what this restore was asked to do"),
    });
  }
});

test("a restore with an unreadable journal ends with a sentence and creates nothing twice", async () => {
  const repositories = await world.outside.listRepositories();
  const back = await saveWorld(world);
  for (const key of ["repository", "intent", "part:labels"]) {
    await back();
    const runId = await requestRestore(`noted-${key.length}`);
    await world.rows("INSERT INTO restore_journal VALUES (?, ?, '{\"x\":1}', 1)", runId, key);
    await world.drain();
    expect([key, await findRun(world, runId)]).toMatchObject([key, { status: "failed" }]);
    expect((await historyRow(runId))?.errorText).toMatch(/could not continue/);
    const created = (await world.outside.listRepositories()).length - repositories.length;
    expect([key, created]).toEqual([key, key.startsWith("part:") ? 1 : 0]);
    if (created > 0) repositories.push(...(await world.outside.listRepositories()).slice(-1));
  }
});

test("an unreadable report is shown as missing, and its row is unchanged", async () => {
  const runId = await requestRestore("again-reported");
  await world.drain();
  expect(await historyRow(runId)).toMatchObject({ restoredTo: { name: "again-reported" } });
  for (const [what, text] of [...NONSENSE, ["a later version", '{"version":2}'] as const]) {
    await world.rows("UPDATE run SET report = ? WHERE id = ?", text, runId);
    const row = await historyRow(runId);
    expect([what, row]).toMatchObject([what, { status: "success", restoredTo: null, report: null }]);
  }
});
