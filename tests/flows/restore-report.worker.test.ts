import { afterAll, beforeAll, expect, test } from "vitest";
import type { ItemView } from "#core/inventory/index.ts";
import { getRestore, requestRestore } from "#core/restores/index.ts";
import { codeOf } from "#tests/harness/accounts.ts";
import { backUpNow, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

/** The report of one restore, as its page reads it. */

let world: FlowWorld;
let item: ItemView;
let other: ItemView;
let runId: string;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("ledger", "tiny");
  other = await world.protect("neighbour", "tiny");
  await world.drain();
  runId = await restored();
});
afterAll(() => world.close());

async function restored(): Promise<string> {
  const { id } = await newestSnapshot(world, item.id);
  const wish = { itemId: item.id, snapshotId: id, name: null, place: null, emails: [] };
  const { runId } = await requestRestore(world.services, world.member, wish);
  await world.drain();
  return runId;
}

const read = (member = world.member, asked: { itemId?: string; runId?: string } = {}) =>
  getRestore(world.services, member, { itemId: item.id, runId, ...asked });

test("a restore is read with its report, who requested it, and a name for each kind", async () => {
  const restore = await read();
  const { taken_at: takenAt } = await newestSnapshot(world, item.id);
  expect(restore).toMatchObject({
    ...{ runId, by: world.member.name, takenAt, part: null },
    item: { id: item.id, name: "ledger", platform: PLATFORM },
    target: { kind: "new", into: null, name: expect.stringMatching(/\/ledger_restored$/) },
    counts: { missing: 0 },
  });
  expect(restore.finishedAt).toBeGreaterThan(restore.startedAt);
  expect(restore.report.restored).toMatchObject({ repository: 1 });
  // What the version holds came back, and its branches and tags were read back.
  expect(restore.report.restored).toMatchObject(restore.report.held);
  expect(restore.report.held).toMatchObject({ repository: 1, branch: expect.any(Number) });
  const { branch = 0, tag = 0 } = restore.report.held;
  expect(restore.report.compared).toEqual([
    { what: "branches and tags have the same commits", same: branch + tag, all: branch + tag },
  ]);
  expect(restore.words.map(({ kind }) => kind).sort()).toEqual(Object.keys(restore.report.restored).sort());
});

test("a restore of another organisation, of another item or of nobody is not found", async () => {
  const stranger = await world.stranger();
  const missing = "run_00000000000000000000000000";
  expect(await codeOf(read())).toBe("no error");
  const attempts: Parameters<typeof read>[] = [
    [stranger],
    [stranger, { runId: missing }],
    [world.member, { itemId: other.id }],
    [world.member, { itemId: "itm_00000000000000000000000000" }],
    [world.member, { runId: missing }],
  ];
  for (const attempt of attempts) expect(await codeOf(read(...attempt))).toBe("err.not.found");
});

test("a member without a role on the platform is refused", async () => {
  const colleague = { ...world.member, role: "member" as const };
  expect(await codeOf(read({ ...colleague, platformRoles: {} }))).toBe("err.role.forbidden");
  expect(await codeOf(read({ ...colleague, platformRoles: { [PLATFORM]: "user" } }))).toBe("no error");
});

test("a backup, a restore that is open, one that failed and one whose report is unreadable are not found", async () => {
  const backup = await backUpNow(world, item.id);
  expect(await codeOf(read(world.member, { runId: backup.id }))).toBe("err.not.found");
  const changed = await restored();
  const set = (column: string, value: string) =>
    world.ledger.prepare(`UPDATE run SET ${column} = ? WHERE id = ?`).bind(value, changed).run();
  expect(await codeOf(read(world.member, { runId: changed }))).toBe("no error");
  for (const status of ["running", "failed"]) {
    await set("status", status);
    expect([status, await codeOf(read(world.member, { runId: changed }))]).toEqual([status, "err.not.found"]);
  }
  await set("status", "succeeded");
  await set("report", '{"version":99}');
  expect(await codeOf(read(world.member, { runId: changed }))).toBe("err.not.found");
});

test("a restore whose order is unreadable says nothing about its target, and one by a former member names nobody", async () => {
  const changed = await restored();
  await world.ledger
    .prepare(`UPDATE run SET order_json = '{"version":99}', created_by = 'usr_gone' WHERE id = ?`)
    .bind(changed)
    .run();
  expect(await read(world.member, { runId: changed })).toMatchObject({
    ...{ by: null, takenAt: null, part: null },
    target: { kind: null, name: expect.stringContaining("ledger_restored") },
  });
});
