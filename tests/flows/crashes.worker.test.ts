import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ItemView, removeItems } from "#core/inventory/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { listObjectKeys } from "#tests/harness/empty-bindings.ts";
import { askForBackup, backUpNow, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { nightWatch } from "#tests/harness/night-watch.ts";
import { type Act, deliverWaiting, expectSound, strike, WHOLE_STRIKE_MS } from "#tests/harness/strike.ts";

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("invoices", "tiny");
  await world.drain();
});
afterAll(() => world.close());

test(
  "a backup that crashes at any effect gives one complete version and never a partial one",
  async () => {
    await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
    const before = (await listSnapshots(world, item.id)).length;
    const runId = await askForBackup(world, item.id);
    await strike({ name: "backup", world, act: deliverWaiting(world) }, async (blow) => {
      await expectSound(world, blow);
      const [run] = await world.rows("SELECT status FROM run WHERE id = ?", runId);
      expect([blow, run]).toEqual([blow, { status: "succeeded" }]);
      const snapshots = await listSnapshots(world, item.id);
      expect([blow, snapshots.length]).toEqual([blow, before + 1]);
      expect([blow, snapshots[0]!.verify_state]).toEqual([blow, "verified"]);
    });
  },
  WHOLE_STRIKE_MS,
);

test(
  "pruning that crashes at any effect deletes exactly the unneeded objects",
  async () => {
    const versions = await listSnapshots(world, item.id);
    expect(versions.length).toBeGreaterThan(0);
    await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
    await backUpNow(world, item.id);
    // Leaves bytes of a killed backup behind.
    await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
    const doomed = await askForBackup(world, item.id);
    const isolate = world.bear({ at: ({ name }) => name === "put", how: "kill-after" });
    await Promise.race([deliverWaiting(world)(isolate.services), isolate.life.death]);
    await world.rows(
      "UPDATE run SET status = 'failed', finished_at = 1, lease_until = NULL WHERE id = ?",
      doomed,
    );
    const [left] = await world.rows<{ n: number }>(
      "SELECT count(*) AS n FROM object WHERE run_id = ?",
      doomed,
    );
    expect(left!.n).toBeGreaterThan(0);
    await world.rows("UPDATE item SET active_run_id = NULL");

    world.clock.advance(25 * HOUR_MS);
    await world.tick(nightWatch);
    await world.drain();
    world.clock.advance(25 * HOUR_MS);
    await strike({ name: "prune", world, act: (services) => nightWatch(services, "DE") }, async (blow) => {
      world.clock.advance(HOUR_MS);
      await world.tick(nightWatch);
      await world.drain();
      await expectSound(world, blow);
      const [rest] = await world.rows("SELECT count(*) AS n FROM object WHERE run_id = ?", doomed);
      expect([blow, rest]).toEqual([blow, { n: 0 }]);
      expect([blow, (await listSnapshots(world, item.id)).length]).toEqual([blow, versions.length + 1]);
    });
  },
  WHOLE_STRIKE_MS,
);

test(
  "a deleted item disappears at once and its bytes soon, even after a crash at any effect",
  async () => {
    const order = { platform: PLATFORM, kind: KIND, itemIds: [item.id] };
    const act: Act = async (services) => {
      await removeItems(services, world.member, order);
      await deliverWaiting(world)(services);
    };
    await strike({ name: "delete", world, act }, async (blow) => {
      const isGone = (await world.rows("SELECT id FROM item WHERE id = ?", item.id)).length === 0;
      // A blow before the first write changes nothing, so the owner tries again.
      if (!isGone) {
        await expectSound(world, blow);
        await removeItems(world.services, world.member, order);
        await world.drain();
      }
      await expectSound(world, blow);
      expect([blow, await world.rows("SELECT id FROM object")]).toEqual([blow, []]);
      expect([blow, await listObjectKeys(env[`VAULT_${world.region}`])]).toEqual([blow, []]);
    });
  },
  WHOLE_STRIKE_MS,
);
