import { afterEach, beforeEach, expect, test } from "vitest";
import { prune } from "#core/backups/index.ts";
import { CLAIM_AT_ONCE } from "#core/backups/limits.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { RUNS_OF_AN_ACCOUNT, TURN_PATIENCE_MS } from "#core/runs/index.ts";
import { findFaults } from "#tests/harness/check-vault.ts";
import { listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { onTick } from "#workers/crons/index.ts";
import { tendLedger } from "#workers/crons/tend-ledger.ts";
import { handle } from "#workers/queues/handle.ts";
import type { Services } from "#workers/services.ts";

let world: FlowWorld;
beforeEach(async () => {
  world = await openFlowWorld();
});
afterEach(() => world.close());

test("while one region's ledger is away, the others go on: they back up, and what has expired there goes", async () => {
  const item = await world.protect("elsewhere", "tiny");
  await world.drain();
  const before = (await listSnapshots(world, item.id)).length;
  world.clock.advance(DAY_MS);
  const isolate = world.bear(null);
  const services: Services = {
    ...isolate.services,
    ledger: (region) => {
      if (region === "US") throw new Error("D1_ERROR: the database is away");
      return isolate.services.ledger(region);
    },
    runners: { start: (job) => handle(services, job) },
  };
  for (const cron of ["* * * * *", "17 * * * *"]) await onTick(services, cron);
  const tended = world.queue.letters.map(({ body }) => body).filter(({ job }) => job === "tend-ledger");
  for (const region of REGIONS)
    expect(tended.filter(({ payload }) => "region" in payload && payload.region === region)).toHaveLength(8);
  for (const letter of world.queue.letters.splice(0)) await world.deliver(letter, { ...isolate, services });
  await world.drain();
  expect(await listSnapshots(world, item.id)).toHaveLength(before + 1);
});

test("a stretch that cannot be looked at keeps the watch from none behind it, and has its turn again", async () => {
  for (let i = 0; i < 9; i++)
    await world.rows(
      `INSERT INTO object (id, organisation_id, item_id, run_id, kind, key, status, created_at)
       VALUES (?1, 'org', ?2, 'run', 'pack', ?1, 'stored', 1)`,
      `obj_${i}`,
      `itm_${i}`,
    );
  await world.rows(
    "INSERT INTO manifest_object (item_id, manifest_id, object_id) VALUES ('itm_5', 'gone', 'obj_5')",
  );
  await world.rows(
    "CREATE TRIGGER broken BEFORE DELETE ON manifest_object BEGIN SELECT RAISE(ABORT, 'this row cannot be read'); END",
  );
  const marked = async () =>
    (await world.rows<{ id: string }>("SELECT id FROM object WHERE marked_at IS NOT NULL ORDER BY id")).map(
      ({ id }) => Number(id.slice(-1)),
    );
  const sweep = { items: 2, stretches: 10 };
  try {
    expect(await prune(world.services, world.region, sweep)).toMatchObject({ hasMore: false });
  } finally {
    await world.rows("DROP TRIGGER broken");
  }
  expect(await marked()).toEqual([0, 1, 2, 3, 6, 7, 8]);
  await prune(world.services, world.region, sweep);
  expect(await marked()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

test("a look that leaves something is followed by another one at once, and one that leaves nothing by none", async () => {
  const letters = () => world.queue.letters.splice(0);
  for (const [items, followed] of [
    [3, 0],
    [CLAIM_AT_ONCE + 1, 1],
  ] as const) {
    await world.rows("DELETE FROM schedule");
    for (let at = 0; at < items; at += 200)
      await world.rows(
        `INSERT INTO schedule (item_id, organisation_id, connection_id, platform, due_at, period_ms)
         SELECT 'itm_${items}_' || value, ?1, 'con', ?2, 1, ?3 FROM json_each(?4)`,
        world.member.organisationId,
        PLATFORM,
        DAY_MS,
        JSON.stringify(Array.from({ length: Math.min(200, items - at) }, (_, i) => at + i)),
      );
    letters();
    await tendLedger(world.services, { region: world.region, duty: "schedule" });
    const jobs = letters().map(({ body }) => body.job);
    expect(jobs.filter((job) => job === "tend-ledger")).toHaveLength(followed);
    expect(jobs.filter((job) => job === "back-up-item")).toHaveLength(Math.min(items, CLAIM_AT_ONCE));
  }
  await world.rows("DELETE FROM schedule");
  await world.rows("DELETE FROM run");
});

test("of one account a bounded number of backups is at work, and each that stops makes room for the next", async () => {
  const items = [];
  for (let i = 0; i < RUNS_OF_AN_ACCOUNT + 4; i++) items.push(await world.protect(`crowd-${i}`, "tiny"));
  const begunAt = world.clock.now();
  const letters = world.queue.letters.splice(0);
  await Promise.all(letters.map((letter) => world.deliver(letter)));
  await world.drain();
  for (const { id } of items) expect(await listSnapshots(world, id)).toHaveLength(1);
  // Nobody waited for the sweep.
  expect(world.clock.now() - begunAt).toBeLessThan(TURN_PATIENCE_MS);
  expect(await findFaults(world)).toEqual([]);
});
