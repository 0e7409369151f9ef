import { afterAll, beforeAll, expect, test } from "vitest";
import { listHistory, requestBackup } from "#core/backups/index.ts";
import { compareVersions } from "#core/comparisons/index.ts";
import { getItem, itemWindow } from "#core/inventory/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import { listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { nightWatch } from "#tests/harness/night-watch.ts";
import { pastStatements } from "#workers/commands/demo-past.ts";

let world: FlowWorld;
beforeAll(async () => {
  world = await openFlowWorld();
});
afterAll(() => world.close());

test("the demo's versions of one minute become weeks of daily versions, which list, compare and expire as real ones", async () => {
  const item = await world.protect("demo", "tiny");
  await world.drain();
  for (let round = 0; round < 3; round++) {
    await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
    await world.services.windows.release(world.member.organisationId, itemWindow(item.id));
    await world.rows("UPDATE item SET backup_now_opens_at = NULL");
    await requestBackup(world.services, world.member, { platform: PLATFORM, itemId: item.id });
    await world.drain();
  }
  const before = await listSnapshots(world, item.id);
  expect(before).toHaveLength(4);
  for (const statement of pastStatements()) await world.ledger.prepare(statement).run();

  const after = await listSnapshots(world, item.id);
  expect(after).toHaveLength(22);
  const days = after.map(({ taken_at }) => Math.round((after[0]!.taken_at - taken_at) / DAY_MS));
  expect(days).toEqual(Array.from({ length: 22 }, (_, day) => day));
  expect(after[0]).toEqual(before[0]);
  const { ribbon, versionCount } = await getItem(world.services, world.member, { itemId: item.id });
  expect(versionCount).toBe(22);
  expect(ribbon.slice(-20).map(({ state }) => state)).toEqual(Array(20).fill("good"));
  const { rows, total } = await listHistory(world.services, world.member, {
    itemId: item.id,
    page: 0,
    perPage: 30,
  });
  expect([total, rows.every(({ canRestore, verify }) => canRestore && verify?.state === "verified")]).toEqual(
    [22, true],
  );
  const order = { itemId: item.id, beforeId: after[8]!.id, afterId: after[0]!.id };
  expect((await compareVersions(world.services, world.member, order)).views.length).toBeGreaterThan(0);

  world.clock.advance(80 * DAY_MS);
  await world.tick((s, region) => nightWatch(s, region));
  await world.drain();
  const left = (await listSnapshots(world, item.id)).length;
  expect(left).toBeGreaterThan(5);
  expect(left).toBeLessThan(20);
  expect(await findFaults(world)).toEqual([]);
  expect(await findUnfinished(world)).toEqual([]);
});
