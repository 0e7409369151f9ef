import { configureSync, type LogRecord, resetSync } from "@logtape/logtape";
import { afterEach, beforeEach, expect, test } from "vitest";
import { carryOutRequests, requestAllBackups } from "#core/backups/index.ts";
import { CLAIM_AT_ONCE, REQUESTED_AT_ONCE } from "#core/backups/limits.ts";
import { placeWindow } from "#core/inventory/index.ts";
import type { JobPayload } from "#core/jobs/index.ts";
import { DAY_MS, SECOND_MS } from "#core/kernel/clock.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { RUNS_OF_AN_ACCOUNT, TURN_PATIENCE_MS } from "#core/runs/index.ts";
import { prune } from "#core/upkeep/index.ts";
import { findFaults } from "#tests/harness/check-vault.ts";
import { listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { addManifest, addObject } from "#tests/harness/ledger-rows.ts";
import { onTick } from "#workers/crons/index.ts";
import { BEHIND_AFTER_MS, tendLedger } from "#workers/crons/tend-ledger.ts";
import type { Services } from "#workers/services.ts";

let world: FlowWorld;
beforeEach(async () => {
  world = await openFlowWorld();
});
afterEach(() => world.close());

test("while one region's ledger is unavailable, the others back up and expire as usual", async () => {
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
  };
  for (const cron of ["* * * * *", "17 * * * *"]) await onTick(services, cron);
  const tended = world.queue.letters.map(({ body }) => body).filter(({ job }) => job === "tend-ledger");
  for (const region of REGIONS)
    expect(tended.filter(({ payload }) => "region" in payload && payload.region === region)).toHaveLength(10);
  for (const letter of world.queue.letters.splice(0)) await world.deliver(letter, { ...isolate, services });
  await world.drain();
  expect(await listSnapshots(world, item.id)).toHaveLength(before + 1);
});

test("a range that fails does not block the ranges after it and is tried again", async () => {
  for (let i = 0; i < 9; i++) await addObject({ id: `obj_${i}`, itemId: `itm_${i}` });
  await addManifest({ id: "man_5", itemId: "itm_5", objects: ["obj_5"] });
  await world.rows(
    "CREATE TRIGGER broken BEFORE DELETE ON span_row BEGIN SELECT RAISE(ABORT, 'this row cannot be read'); END",
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

/** Due items, as rows of the schedule only. */
async function fillDue(items: number): Promise<void> {
  await world.rows("DELETE FROM schedule");
  await world.rows("DELETE FROM run");
  for (let at = 0; at < items; at += 200)
    await world.rows(
      `INSERT INTO schedule (item_id, organisation_id, connection_id, platform, due_at, period_ms)
       SELECT 'itm_' || value, ?1, 'con', ?2, 1, ?3 FROM json_each(?4)`,
      world.member.organisationId,
      PLATFORM,
      DAY_MS,
      JSON.stringify(Array.from({ length: Math.min(200, items - at) }, (_, i) => at + i)),
    );
}

test("a duty with work left is repeated at once, one without is not", async () => {
  const letters = () => world.queue.letters.splice(0);
  for (const [items, followed] of [
    [3, 0],
    [CLAIM_AT_ONCE + 1, 1],
  ] as const) {
    await fillDue(items);
    letters();
    await tendLedger(world.services, { region: world.region, duty: "schedule" });
    const jobs = letters().map(({ body }) => body.job);
    expect(jobs.filter((job) => job === "tend-ledger")).toHaveLength(followed);
    expect(jobs.filter((job) => job === "back-up-item")).toHaveLength(Math.min(items, CLAIM_AT_ONCE));
  }
});

test("a duty that falls behind for an hour is reported, and its chain continues at a later tick", async () => {
  const records: LogRecord[] = [];
  configureSync({
    reset: true,
    sinks: { kept: (record) => records.push(record) },
    loggers: [{ category: "holdfast", lowestLevel: "error", sinks: ["kept"] }],
  });
  await fillDue(3 * CLAIM_AT_ONCE + 1);
  const look = async (payload: JobPayload<"tend-ledger">) => {
    world.queue.letters.splice(0);
    await tendLedger(world.services, payload);
    return world.queue.letters.map(({ body }) => body).find(({ job }) => job === "tend-ledger")?.payload;
  };
  const order = { region: world.region, duty: "schedule" as const };
  const next = await look(order);
  const { since } = next as { since: number };
  expect(next).toEqual({ ...order, since });
  world.clock.advance(BEHIND_AFTER_MS - SECOND_MS);
  expect(await look({ ...order, since })).toEqual({ ...order, since });
  expect(records).toEqual([]);
  world.clock.advance(SECOND_MS);
  expect(await look({ ...order, since })).toBeUndefined();
  expect(records.map(({ properties }) => properties)).toEqual([
    { duty: order.duty, shard: world.region, since },
  ]);
  resetSync();
});

test("a limited number of backups per account runs at a time, and each that stops starts the next", async () => {
  const items = [];
  for (let i = 0; i < RUNS_OF_AN_ACCOUNT + 4; i++) items.push(await world.protect(`crowd-${i}`, "tiny"));
  const begunAt = world.clock.now();
  const letters = world.queue.letters.splice(0);
  await Promise.all(letters.map((letter) => world.deliver(letter)));
  await world.drain();
  for (const { id } of items) expect(await listSnapshots(world, id)).toHaveLength(1);
  // No item had to wait for the sweep.
  expect(world.clock.now() - begunAt).toBeLessThan(TURN_PATIENCE_MS);
  expect(await findFaults(world)).toEqual([]);
});

/** Active items, as rows of the ledger only. Their backups are queued but never delivered. */
async function fillItems(count: number): Promise<{ itemId: string }[]> {
  const known = await world.protect("pattern", "tiny");
  await world.drain();
  const rows = await world.rows<Record<string, string | number | null>>(
    "SELECT * FROM item WHERE id = ?1",
    known.id,
  );
  const columns = Object.keys(rows[0]!).filter((name) => !["id", "external_id"].includes(name));
  for (let at = 0; at < count; at += 500)
    await world.rows(
      `INSERT INTO item (id, external_id, ${columns.join(", ")})
       SELECT printf('itm_%06d', value), value, ${columns.join(", ")} FROM item, json_each(?1) WHERE item.id = ?2`,
      JSON.stringify(Array.from({ length: Math.min(500, count - at) }, (_, i) => at + i)),
      known.id,
    );
  await world.rows("UPDATE item SET backup_now_opens_at = NULL");
  await world.rows("DELETE FROM run");
  return world.rows<{ itemId: string }>("SELECT id AS itemId FROM item ORDER BY id");
}

const userRuns = () => world.rows<{ item_id: string }>("SELECT item_id FROM run WHERE trigger = 'user'");
const everything = { platform: PLATFORM, kind: KIND, placeId: null };
/** Carries out requests until none is left. Drops the queued backups. */
async function carryOut(): Promise<void> {
  while ((await carryOutRequests(world.services, world.region)).hasMore);
  world.queue.letters.splice(0);
}

test("one request backs up a thousand items with few queries, each once", async () => {
  const items = await fillItems(1_000);
  let statements = 0;
  world.limits.onStatement = () => void statements++;
  const answer = await requestAllBackups(world.services, world.member, everything);
  expect(answer).toMatchObject({ queued: items.length, refused: 0 });
  expect(statements).toBeLessThan(20);
  expect(await userRuns()).toHaveLength(REQUESTED_AT_ONCE);
  statements = 0;
  await carryOut();
  expect(statements).toBeLessThan(60);
  expect((await userRuns()).map(({ item_id }) => item_id).sort()).toEqual(items.map(({ itemId }) => itemId));
  await expect(requestAllBackups(world.services, world.member, everything)).rejects.toMatchObject({
    code: "err.user.backup.limit",
  });
});

test("a request for everything is carried out completely or not at all, after a crash or fault anywhere", async () => {
  const items = await fillItems(250);
  const [first] = await world.rows<{ connection_id: string }>("SELECT connection_id FROM item LIMIT 1");
  const key = placeWindow(first!.connection_id, KIND, null);
  for (const how of ["kill-before", "kill-after", "fail-before", "fail-after"] as const) {
    for (let at = 0; ; at++) {
      await world.rows("DELETE FROM run WHERE trigger = 'user'");
      await world.rows("UPDATE item SET backup_now_opens_at = NULL");
      world.clock.advance(2 * DAY_MS);
      const { life, services } = world.bear({ at, how });
      const asked = requestAllBackups(services, world.member, everything).then(
        () => null,
        () => null,
      );
      await Promise.race([asked, life.death]);
      await carryOut();
      const queued = (await userRuns()).length;
      const windows = await world.services.windows.opensAt(
        world.member.organisationId,
        [key],
        world.clock.now(),
      );
      // The window is used exactly when everything is queued.
      expect([how, at, queued, key in windows]).toEqual([how, at, queued && items.length, queued > 0]);
      if (life.log.length <= at) break;
    }
  }
});

test("a failing request for everything moves to the end of the queue and is carried out once possible", async () => {
  await fillItems(3);
  const [item] = await world.rows<{ connection_id: string }>("SELECT connection_id FROM item LIMIT 1");
  for (const [at, organisation] of ["org_broken", world.member.organisationId].entries())
    await world.rows(
      `INSERT INTO backup_request (id, organisation_id, connection_id, platform, created_by, created_at)
       VALUES (?1, ?2, ?3, ?4, 'usr', ?5)`,
      `req_${at}`,
      organisation,
      item!.connection_id,
      PLATFORM,
      at,
    );
  const { services } = world;
  const claimAll: typeof services.windows.claimAll = (organisationId, ...rest) => {
    if (organisationId === "org_broken") throw new Error("This organisation's windows are away.");
    return services.windows.claimAll(organisationId, ...rest);
  };
  const broken = { ...services, windows: { ...services.windows, claimAll } };
  const look = () => tendLedger(broken, { region: world.region, duty: "requests" });
  await look();
  expect(await userRuns()).toEqual([]);
  await look();
  expect(await userRuns()).toHaveLength(4);
  await carryOut();
  expect(await world.rows("SELECT id FROM backup_request")).toEqual([]);
});
