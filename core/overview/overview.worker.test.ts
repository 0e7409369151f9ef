import { afterAll, beforeAll, expect, test } from "vitest";
import { removeItems, setDailyBackup } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { backUpNow } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { getOverview } from "./index.ts";

// Each test continues where the one before it ended.

let world: FlowWorld;
beforeAll(async () => {
  world = await openFlowWorld();
});
afterAll(() => world.close());

const read = async () => {
  const overview = await getOverview(world.services, world.member);
  return { ...overview, own: overview.platforms.find(({ platform }) => platform === PLATFORM)! };
};

test("the dashboard counts what the ledger holds: items by age, results by day, bytes in the vault", async () => {
  const item = await world.protect("ledger-service", "tiny");
  expect((await read()).own.counts).toMatchObject({ all: 1, never: 1, fresh: 0 });
  await world.drain();
  const after = await read();
  expect(after.own.counts).toEqual({ all: 1, fresh: 1, older: 0, never: 0, paused: 0, deleted: 0 });
  expect(after.own.kinds).toEqual([{ kind: KIND, all: 1, backedUp: 1 }]);
  expect(after.own.lastBackup?.name).toBe(item.name);
  expect(after.own.days).toHaveLength(30);
  expect(after.own.days.at(-1)).toMatchObject({ state: "good", succeeded: 1, failing: 0 });
  expect(after.own.todayCount).toBe(1);
  expect(after.own.activity[0]).toMatchObject({ itemId: item.id, type: "backup", status: "succeeded" });
  expect(after.attention).toEqual([]);

  const [truth] = await world.rows<{ bytes: number }>(
    "SELECT sum(stored_bytes) AS bytes FROM object WHERE status <> 'reserved'",
  );
  expect(after.stored.bytes).toBe(truth!.bytes);
  expect(after.stored.days.at(-1)!.bytes).toBe(truth!.bytes);
  expect(after.stored.days[0]!.bytes).toBe(0);
});

test("an item without a version of the last 26 hours is older, and one that was paused is neither", async () => {
  const [{ id }] = (await world.rows<{ id: string }>("SELECT id FROM item")) as [{ id: string }];
  world.clock.advance(27 * HOUR_MS);
  const stale = await read();
  expect(stale.own.counts).toMatchObject({ fresh: 0, older: 1 });
  expect(stale.attention).toMatchObject([{ id, kind: "stale" }]);
  const order = { platform: PLATFORM, items: [{ kind: KIND, itemIds: [id] }] };
  await setDailyBackup(world.services, world.member, { ...order, isDaily: false });
  expect((await read()).own.counts).toMatchObject({ fresh: 0, older: 0, paused: 1 });
  await setDailyBackup(world.services, world.member, { ...order, isDaily: true });
});

test("a failure is named with its reason until a backup succeeds, and its day stays marked", async () => {
  const [{ id }] = (await world.rows<{ id: string }>("SELECT id FROM item")) as [{ id: string }];
  const at = world.services.clock.now();
  await world.rows(
    `UPDATE item SET last_error = 'GitHub answered 403.', last_error_at = ${at} WHERE id = '${id}'`,
  );
  const failing = await read();
  expect(failing.attention).toMatchObject([{ id, kind: "failed", reason: "GitHub answered 403." }]);
  expect(failing.own.days.at(-1)).toMatchObject({ state: "failed", failing: 1 });
  world.clock.advance(DAY_MS);
  await backUpNow(world, id);
  const well = await read();
  expect(well.attention).toEqual([]);
  const { date } = failing.own.days.at(-1)!;
  expect(well.own.days.find((day) => day.date === date)).toMatchObject({ state: "failed", failing: 1 });
  expect(well.own.days.at(-1)).toMatchObject({ state: "good", failing: 0 });
});

test("a member sees only the platforms that they may use", async () => {
  const stranger = { ...world.member, role: "member" as const, platformRoles: {} };
  expect((await getOverview(world.services, stranger)).platforms).toEqual([]);
  const reader = { ...stranger, platformRoles: { [PLATFORM]: "user" as const } };
  expect((await getOverview(world.services, reader)).platforms).toHaveLength(1);
});

test("when everything is removed, nothing is counted any more", async () => {
  const [{ id }] = (await world.rows<{ id: string }>("SELECT id FROM item")) as [{ id: string }];
  await removeItems(world.services, world.member, {
    platform: PLATFORM,
    kind: KIND,
    placeId: null,
    itemIds: [id],
  });
  await world.drain();
  const { own, stored } = await read();
  expect(own.counts.all).toBe(0);
  const [truth] = await world.rows<{ bytes: number | null }>(
    "SELECT sum(stored_bytes) AS bytes FROM object WHERE status <> 'reserved'",
  );
  expect(stored.bytes).toBe(truth!.bytes ?? 0);
});
