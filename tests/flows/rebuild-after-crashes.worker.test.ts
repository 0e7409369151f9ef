import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseVersion } from "#core/backups/index.ts";
import { type ItemView, removeItems } from "#core/inventory/index.ts";
import { findFaults } from "#tests/harness/check-vault.ts";
import { askForBackup, backUpNow, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { ledgerFacts, loseLedger, rebuild } from "#tests/harness/lost-ledger.ts";
import { saveWorld } from "#tests/harness/saved-world.ts";
import { type Act, deliverWaiting, strike, WHOLE_STRIKE_MS } from "#tests/harness/strike.ts";

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("invoices", "tiny");
  await world.drain();
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
  await backUpNow(world, item.id);
});
afterAll(() => world.close());

/** The steps of an upload and the batches that make something visible: what the rebuild depends on. */
const only = ({ kind }: { kind: string }) => kind === "ledger" || kind === "bucket";

test(
  "a ledger that is lost after a backup crashed at any effect is rebuilt as it was",
  async () => {
    await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
    await askForBackup(world, item.id);
    await strike({ name: "backup", world, act: deliverWaiting(world), only }, async (blow) => {
      const facts = await ledgerFacts(world);
      const ids = (await listSnapshots(world, item.id)).map(({ id }) => id);
      expect([blow, ids.length]).toEqual([blow, 3]);
      await loseLedger(world);
      const events = await rebuild(world);
      expect([blow, events.map(({ type }) => type)]).toEqual([blow, ["rebuilt"]]);
      expect([blow, await ledgerFacts(world)]).toEqual([blow, facts]);
      expect([blow, (await listSnapshots(world, item.id)).map(({ id }) => id)]).toEqual([blow, ids]);
      expect([blow, await findFaults(world)]).toEqual([blow, []]);
    });
  },
  WHOLE_STRIKE_MS,
);

test(
  "an erased version and a deleted item do not come back, wherever their deletion crashed",
  async () => {
    const doomed = (await listSnapshots(world, item.id)).at(-1)!;
    const erase: Act = (services) =>
      eraseVersion(services, world.member, { itemId: item.id, snapshotId: doomed.id });
    const restore = await saveWorld(world);
    const calm = world.bear(null);
    await erase(calm.services);
    const ways = (["kill-before", "kill-after", "fail-after"] as const).flatMap((how) =>
      calm.life.log.map((_, at) => ({ at, how })),
    );
    for (const way of ways) {
      await restore();
      const { life, services } = world.bear(way);
      await Promise.race([erase(services).catch(() => undefined), life.death]);
      const blow = `${way.how} ${way.at}`;
      const isErased = !(await listSnapshots(world, item.id)).some(({ id }) => id === doomed.id);
      const others = (await listSnapshots(world, item.id)).filter(({ id }) => id !== doomed.id);
      await loseLedger(world);
      await rebuild(world);
      const after = await listSnapshots(world, item.id);
      if (isErased) expect([blow, after.some(({ id }) => id === doomed.id)]).toEqual([blow, false]);
      const left = after.filter(({ id }) => id !== doomed.id).map(({ id }) => id);
      expect([blow, left]).toEqual([blow, others.map(({ id }) => id)]);
    }
    await restore();
    const remove: Act = async (services) => {
      const order = { platform: PLATFORM, kind: KIND, itemIds: [item.id] };
      await removeItems(services, world.member, order);
      await deliverWaiting(world)(services);
    };
    await strike({ name: "delete", world, act: remove, only }, async (blow) => {
      const isGone = (await world.rows("SELECT id FROM item")).length === 0;
      await loseLedger(world);
      await rebuild(world);
      expect([blow, (await world.rows("SELECT id FROM item")).length]).toEqual([blow, isGone ? 0 : 1]);
    });
  },
  WHOLE_STRIKE_MS,
);
