import { afterEach, beforeEach, expect, test } from "vitest";
import { dispatchDue, requestBackup } from "#core/backups/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { SLICE_MS } from "#core/runs/index.ts";
import { findFaults } from "#tests/harness/check-vault.ts";
import { askForBackup, backUpNow, findRun, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

let world: FlowWorld;
let item: Awaited<ReturnType<FlowWorld["protect"]>>;
beforeEach(async () => {
  world = await openFlowWorld();
  item = await world.protect("lighthouse", "tiny");
  await world.drain();
});
afterEach(() => world.close());

const change = () => world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
const openBackups = () =>
  world.rows<{ id: string; status: string; cursor: string | null }>(
    "SELECT id, status, cursor FROM run WHERE kind = 'backup' AND status IN ('queued', 'running')",
  );
const isOpen = async () => {
  const answer = world.services.windows.opensAt(
    world.member.organisationId,
    [`item:${item.id}`],
    world.clock.now(),
  );
  const [row] = await world.rows<{ at: number | null }>(
    "SELECT backup_now_opens_at AS at FROM item WHERE id = ?",
    item.id,
  );
  return { actor: Object.keys(await answer).length === 0, ledger: row!.at === null };
};

/** Requests a backup and parks it between two slices: every request takes as long as a slice may last. */
async function parkBackup(): Promise<{ runId: string; beganAt: number }> {
  const runId = await askForBackup(world, item.id);
  const beganAt = world.clock.now();
  const [letter] = world.queue.letters.splice(0);
  const isolate = world.bear(null);
  const { fetch } = isolate.services;
  isolate.services.fetch = (url, init) => {
    world.clock.advance(SLICE_MS);
    return fetch(url, init);
  };
  await world.deliver(letter!, isolate);
  expect(await openBackups()).toEqual([{ id: runId, status: "queued", cursor: expect.any(String) }]);
  return { runId, beganAt };
}

test("a version's time is when its reading began, however long it takes", async () => {
  await change();
  const { runId, beganAt } = await parkBackup();
  world.clock.advance(5 * HOUR_MS);
  await world.drain();
  expect((await findRun(world, runId)).status).toBe("succeeded");
  const [version] = await listSnapshots(world, item.id);
  expect(version!.taken_at).toBeGreaterThanOrEqual(beganAt);
  expect(version!.taken_at).toBeLessThan(beganAt + MINUTE_MS);
  const [row] = await world.rows<{ at: number }>(
    "SELECT last_backup_at AS at FROM item WHERE id = ?",
    item.id,
  );
  expect(row!.at).toBe(version!.taken_at);
});

test("due times and requests join the open backup, parked or queued", async () => {
  await change();
  const { runId } = await parkBackup();
  const parked = world.queue.letters.splice(0);
  for (let day = 0; day < 4; day++) {
    world.clock.advance(DAY_MS);
    await world.tick(dispatchDue);
  }
  expect((await openBackups()).map(({ id }) => id)).toEqual([runId]);
  expect(world.queue.letters).toEqual([]);
  const order = { platform: PLATFORM, itemId: item.id };
  expect((await requestBackup(world.services, world.member, order)).runId).toBe(runId);
  await expect(requestBackup(world.services, world.member, order)).rejects.toMatchObject({
    code: "err.user.backup.limit",
  });
  expect(world.queue.letters).toEqual([]);
  world.queue.letters.push(...parked);
  await world.drain();
  expect((await findRun(world, runId)).status).toBe("succeeded");
  expect(await openBackups()).toEqual([]);
});

test("a request's window reopens when its run fails, whether it created or joined the run", async () => {
  for (const how of ["made", "joined"]) {
    await world.drain();
    if (how === "joined") {
      world.clock.advance(2 * DAY_MS);
      await world.tick(dispatchDue);
    }
    world.clock.advance(HOUR_MS);
    const order = { platform: PLATFORM, itemId: item.id };
    const { runId } = await requestBackup(world.services, world.member, order);
    expect([how, await isOpen()]).toEqual([how, { actor: false, ledger: false }]);
    await world.outside.fault({ match: { path: "^/api/" }, action: { kind: "answer", status: 403 } });
    await world.drain();
    expect([how, (await findRun(world, runId)).status]).toEqual([how, "failed"]);
    expect([how, await isOpen()]).toEqual([how, { actor: true, ledger: true }]);
    await world.outside.clearFaults();
  }
  expect((await backUpNow(world, item.id)).status).toBe("succeeded");
});

test("a backup overtaken by a later one ends as superseded silently, and the newest version stays newest", async () => {
  await change();
  const { runId } = await parkBackup();
  const parked = world.queue.letters.splice(0);
  // Rows of an earlier release: the first backup was parked, and another one took the item.
  await world.rows("UPDATE run SET status = 'failed', finished_at = 1 WHERE id = ?", runId);
  await change();
  expect((await backUpNow(world, item.id)).status).toBe("succeeded");
  await world.rows("UPDATE run SET status = 'queued', finished_at = NULL WHERE id = ?", runId);
  const before = { versions: await listSnapshots(world, item.id), mails: world.mails.length };
  const [alarms] = await world.rows<{ n: number }>("SELECT count(*) AS n FROM alarm");
  world.queue.letters.push(...parked);
  await world.drain();
  expect(await findRun(world, runId)).toMatchObject({
    status: "superseded",
    error_text: null,
    error_code: null,
  });
  expect(await listSnapshots(world, item.id)).toEqual(before.versions);
  expect(world.mails.length).toBe(before.mails);
  expect(await world.rows("SELECT count(*) AS n FROM alarm")).toEqual([alarms]);
  const [row] = await world.rows(
    "SELECT last_snapshot_id AS id, active_run_id AS active FROM item WHERE id = ?",
    item.id,
  );
  expect(row).toEqual({ id: before.versions[0]!.id, active: null });
  expect(await findFaults(world, { isDeep: true })).toEqual([]);
  expect((await backUpNow(world, item.id)).status).toBe("succeeded");
});
