import { afterEach, beforeEach, expect, test } from "vitest";
import { dispatchDue } from "#core/backups/index.ts";
import { requestZip } from "#core/exports/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { sweepLostRuns } from "#core/runs/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import { dice } from "#tests/harness/dice.ts";
import type { Blow } from "#tests/harness/effects.ts";
import { backUpNow, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { nightWatch, plansOfNobody } from "#tests/harness/night-watch.ts";
import { isDeep, sampleOf, sweep } from "#tests/harness/sample.ts";

let world: FlowWorld;
beforeEach(async () => {
  world = await openFlowWorld();
});
afterEach(() => world.close());

const commit = (fullName: string) => world.outside.control(`repos/${fullName}/commits`, { count: 1 });

const HOWS: readonly Blow["how"][] = ["kill-before", "kill-after", "fail-before", "fail-after"];

/** Hours of work per day. After each hour, the cron sweeps lost runs. */
const HOURS_OF_WORK = 3;

/** A normal run takes one seed, chosen by the commit, for ten days. A deep run takes all seeds for five weeks. */
const SEEDS = [1, 2, 3, 4];
const DAYS = isDeep() ? 35 : 10;

// The title does not name the seed, which each commit changes: a test takes turns by its title.
test.each(sampleOf(SEEDS, 1))(
  "weeks of random events lose nothing and leak nothing",
  (seed) => sweep(() => liveThrough(seed, DAYS)),
  300_000,
);

async function liveThrough(seed: number, days: number): Promise<void> {
  const roll = dice(seed);
  const items = [await world.protect("alpha", "tiny"), await world.protect("beta", "tiny")];
  await world.drain();
  await world.rows("UPDATE snapshot SET expires_at = taken_at + ?", 7 * DAY_MS);
  for (let day = 0; day < days; day++) {
    world.clock.advance(DAY_MS / 2 + roll(DAY_MS));
    for (const item of items) {
      if (roll(3) > 0) await commit(item.fullName);
      else if (roll(4) === 0) await world.outside.control(`repos/${item.fullName}/force-push`, { back: 1 });
    }
    if (roll(5) > 0) await world.tick(dispatchDue);
    if (roll(4) === 0) world.queue.letters.sort(() => roll(3) - 1);
    if (roll(5) === 0) world.queue.letters.push(...structuredClone(world.queue.letters));
    if (roll(6) === 0) world.queue.letters.length = 0;
    for (let hour = 0; hour < HOURS_OF_WORK; hour++) {
      // One isolate in three meets a blow at some effect.
      for (const letter of world.queue.letters.splice(0)) {
        const isStruck = roll(3) === 0;
        await world.deliver(
          letter,
          world.bear(isStruck ? { at: roll(25), how: HOWS[roll(HOWS.length)]! } : null),
        );
      }
      world.clock.advance(HOUR_MS);
      await world.tick(sweepLostRuns);
    }
    if (roll(4) === 0) {
      const item = items[roll(items.length)]!;
      const versions = await listSnapshots(world, item.id);
      const version = versions[roll(versions.length)];
      if (version && version.verify_state === "verified") {
        const order = { platform: PLATFORM, itemId: item.id, snapshotId: version.id };
        await requestZip(world.services, world.member, order);
      }
    }
    const watch = world.bear(roll(3) === 0 ? { at: roll(15), how: HOWS[roll(HOWS.length)]! } : null);
    await Promise.race([
      nightWatch(watch.services, "DE", plansOfNobody).catch(() => undefined),
      watch.life.death,
    ]);
    await world.rows("UPDATE snapshot SET expires_at = min(expires_at, taken_at + ?)", 7 * DAY_MS);
    expect([seed, day, await findFaults(world, { isDeep: day % 7 === 6 })]).toEqual([seed, day, []]);
  }
  // Nothing is lost either when nothing happens.
  const [made] = await world.rows<{ n: number }>("SELECT count(*) AS n FROM run WHERE status = 'succeeded'");
  expect(made!.n).toBeGreaterThan(days);
  await world.drain();
  for (const item of items) expect((await backUpNow(world, item.id)).status).toBe("succeeded");
  await world.rows("UPDATE snapshot SET expires_at = ?", world.clock.now() + 365 * DAY_MS);
  // Quiet days in which nothing expires. Prune needs two marks, each up to one step late; then all unneeded objects are
  // gone.
  const step = 6 * HOUR_MS;
  const quiet = 3 * DAY_MS;
  for (let passed = 0; passed < quiet; passed += step) {
    world.clock.advance(step);
    await world.tick(nightWatch);
    await world.drain();
  }
  expect([seed, await findFaults(world)]).toEqual([seed, []]);
  expect(await findUnfinished(world)).toEqual([]);
  const unneeded = await world.rows(
    `SELECT object.id, kind FROM object WHERE created_at < ?
     AND NOT EXISTS (SELECT 1 FROM manifest_object needs WHERE needs.object_id = object.id)
     AND NOT EXISTS (SELECT 1 FROM manifest WHERE root_object = object.id)
     AND NOT EXISTS (SELECT 1 FROM manifest WHERE manifest.item_id = object.item_id AND manifest.id = object.manifest_id)
     AND NOT EXISTS (SELECT 1 FROM companion JOIN manifest_object needs ON needs.object_id = source_object_id
       WHERE companion.object_id = object.id)
     AND NOT EXISTS (SELECT 1 FROM name_index WHERE name_index.object_id = object.id)
     AND NOT EXISTS (SELECT 1 FROM export WHERE layout_object_id = object.id AND status = 'ready')`,
    world.clock.now() - 2 * (DAY_MS + step),
  );
  expect(unneeded).toEqual([]);
  for (const item of items) {
    expect((await listSnapshots(world, item.id)).length).toBeGreaterThan(0);
    const { refs } = await world.outside.fingerprint(item.externalId);
    expect(refs["refs/heads/main"]).toBeTruthy();
  }
}
