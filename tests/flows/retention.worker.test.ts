import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dispatchDue, expire, nightWatch, prune } from "#core/backups/index.ts";
import { openDownload, requestZip, zipRange } from "#core/exports/index.ts";
import { removeItems } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import type { Blow } from "#tests/harness/effects.ts";
import { askForBackup, backUpNow, listSnapshots, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, listKeys, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

let world: FlowWorld;
beforeEach(async () => {
  world = await openFlowWorld();
});
afterEach(() => world.close());

const commit = (fullName: string) => world.outside.control(`repos/${fullName}/commits`, { count: 1 });

test("versions past their time go, but the newest good one stays whatever its age", async () => {
  const item = await world.protect("archive", "tiny");
  await world.drain();
  await commit(item.fullName);
  await backUpNow(world, item.id);
  await commit(item.fullName);
  await backUpNow(world, item.id);
  const [newest, good] = await listSnapshots(world, item.id);
  await world.rows("UPDATE snapshot SET verify_state = 'failed' WHERE id = ?", newest!.id);
  world.clock.advance(1_000 * DAY_MS);
  await expire(world.services, world.region);
  expect((await listSnapshots(world, item.id)).map(({ id }) => id)).toEqual([newest!.id, good!.id]);
  await world.rows("UPDATE snapshot SET verify_state = 'verified' WHERE id = ?", newest!.id);
  await expire(world.services, world.region);
  expect((await listSnapshots(world, item.id)).map(({ id }) => id)).toEqual([newest!.id]);
  expect(await findFaults(world)).toEqual([]);
});

test("[A-021] on a trial a version stays for 30 days, and then goes from history and storage", async () => {
  await env.DB.prepare("UPDATE subscription SET plan = 'trial'").run();
  const item = await world.protect("month", "tiny");
  await world.drain();
  const old = await newestSnapshot(world, item.id);
  const keysOfOld = await listKeys(env[`VAULT_${world.region}`]);
  // Nothing is built on a version that is not sound, so the next one shares no byte with it.
  await world.rows("UPDATE snapshot SET verify_state = 'failed'");
  await commit(item.fullName);
  await backUpNow(world, item.id);
  const newer = await newestSnapshot(world, item.id);
  await world.rows("UPDATE snapshot SET verify_state = 'verified' WHERE id = ?", old.id);
  const state = async () => {
    const keys = new Set(await listKeys(env[`VAULT_${world.region}`]));
    const versions = (await listSnapshots(world, item.id)).map(({ id }) => id);
    return { versions, isStored: keysOfOld.every((key) => keys.has(key)) };
  };
  world.clock.advance(old.taken_at + 30 * DAY_MS - HOUR_MS - world.clock.now());
  await nightWatch(world.services);
  expect(await state()).toEqual({ versions: [newer.id, old.id], isStored: true });
  world.clock.advance(2 * HOUR_MS);
  await expire(world.services, world.region);
  expect((await state()).versions).toEqual([newer.id]);
  for (let day = 0; day < 3; day++) {
    await prune(world.services, world.region);
    world.clock.advance(DAY_MS + HOUR_MS);
  }
  expect(await state()).toEqual({ versions: [newer.id], isStored: false });
  expect(await findFaults(world)).toEqual([]);
});

test("bytes that nobody needs go only after two marks a day apart", async () => {
  const item = await world.protect("marks", "tiny");
  await world.drain();
  await world.rows("DELETE FROM snapshot");
  await world.rows("DELETE FROM manifest");
  await world.rows("DELETE FROM manifest_object");
  const count = async () => (await listKeys(env[`VAULT_${world.region}`])).length;
  const all = await count();
  const steps: [number, boolean][] = [
    [0, true],
    [23 * HOUR_MS, true],
    [2 * HOUR_MS, true],
    [23 * HOUR_MS, true],
    [2 * HOUR_MS, false],
  ];
  for (const [advance, isThere] of steps) {
    world.clock.advance(advance);
    await prune(world.services, world.region);
    expect(await count()).toBe(isThere ? all : 0);
  }
  expect(await world.rows("SELECT id FROM object WHERE item_id = ?", item.id)).toEqual([]);
});

test("a mark falls off when the bytes are needed again, and a commit that needs deleted bytes fails whole", async () => {
  const item = await world.protect("return", "tiny");
  await world.drain();
  await world.rows("UPDATE object SET marked_at = 1");
  await prune(world.services, world.region);
  expect(await world.rows("SELECT id FROM object WHERE marked_at IS NOT NULL")).toEqual([]);
  expect(await findFaults(world)).toEqual([]);
  // An object is taken between the last byte of a backup and its commit.
  await commit(item.fullName);
  await askForBackup(world, item.id);
  const before = await listSnapshots(world, item.id);
  const isolate = world.bear(null);
  const ledger = isolate.services.ledger(world.region);
  const batch = ledger.$client.batch.bind(ledger.$client);
  let isTaken = false;
  ledger.$client.batch = async (statements) => {
    // The commit is the only batch of more than four statements.
    if (statements.length > 4 && !isTaken) {
      isTaken = true;
      await world.rows(
        "UPDATE object SET status = 'deleting' WHERE created_at = (SELECT max(created_at) FROM object)",
      );
    }
    return batch(statements) as never;
  };
  isolate.services.ledger = (region) => (region === world.region ? ledger : world.services.ledger(region));
  const [letter] = world.queue.letters.splice(0);
  await world.deliver(letter!, isolate);
  expect(isTaken).toBe(true);
  expect(await listSnapshots(world, item.id)).toEqual(before);
  expect(await findFaults(world)).toEqual([]);
  await world.drain();
  expect(await listSnapshots(world, item.id)).toHaveLength(before.length + 1);
  expect(await findFaults(world)).toEqual([]);
});

test("a link keeps what it gives out alive, though its version has gone", async () => {
  const item = await world.protect("linked", "tiny");
  await world.drain();
  const old = await newestSnapshot(world, item.id);
  await commit(item.fullName);
  await world.outside.control(`repos/${item.fullName}/force-push`, { back: 1 });
  await backUpNow(world, item.id);
  world.clock.advance(1_000 * DAY_MS);
  const answer = await requestZip(world.services, world.member, {
    platform: PLATFORM,
    itemId: item.id,
    snapshotId: old.id,
  });
  if (answer.kind !== "ready") throw new Error("The ZIP is not ready.");
  const token = answer.url.split("/").at(-1)!;
  for (let hour = 0; hour < 23; hour++) {
    world.clock.advance(HOUR_MS);
    await nightWatch(world.services);
  }
  expect((await listSnapshots(world, item.id)).map(({ id }) => id)).not.toContain(old.id);
  const { layout, read } = await openDownload(world.services, token);
  let length = 0;
  for await (const chunk of zipRange(layout, { from: 0, to: layout.totalBytes }, read))
    length += chunk.length;
  expect(length).toBe(layout.totalBytes);
  await world.drain();
  expect(await findFaults(world)).toEqual([]);
});

test("an item that is deleted leaves not one byte and not one row behind", async () => {
  const kept = await world.protect("kept", "tiny");
  const gone = await world.protect("gone", "full");
  await world.drain();
  const version = await newestSnapshot(world, gone.id);
  await requestZip(world.services, world.member, {
    platform: PLATFORM,
    itemId: gone.id,
    snapshotId: version.id,
  });
  await removeItems(world.services, world.member, { platform: PLATFORM, kind: KIND, itemIds: [gone.id] });
  await world.drain();
  for (const table of [
    "item",
    "schedule",
    "snapshot",
    "manifest",
    "manifest_object",
    "object",
    "companion",
    "export",
  ]) {
    const key = table === "item" ? "id" : "item_id";
    expect([table, await world.rows(`SELECT * FROM ${table} WHERE ${key} = ?`, gone.id)]).toEqual([
      table,
      [],
    ]);
  }
  const keys = await listKeys(env[`VAULT_${world.region}`]);
  expect(keys.filter((key) => key.includes(gone.id))).toEqual([]);
  expect(keys.filter((key) => key.includes(kept.id)).length).toBeGreaterThan(0);
  expect(await findFaults(world)).toEqual([]);
});

/** A small generator with a seed, so that a failure can be repeated. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const HOWS: readonly Blow["how"][] = ["kill-before", "kill-after", "fail-before", "fail-after"];

test.each([1, 2, 3, 4])(
  "thirty-five days of anything, seed %i, lose nothing and leave nothing behind",
  async (seed) => {
    const roll = dice(seed);
    const items = [await world.protect("alpha", "tiny"), await world.protect("beta", "tiny")];
    await world.drain();
    await world.rows("UPDATE snapshot SET expires_at = taken_at + ?", 7 * DAY_MS);
    for (let day = 0; day < 35; day++) {
      world.clock.advance(DAY_MS / 2 + roll(DAY_MS));
      for (const item of items) {
        if (roll(3) > 0) await commit(item.fullName);
        else if (roll(4) === 0) await world.outside.control(`repos/${item.fullName}/force-push`, { back: 1 });
      }
      if (roll(5) > 0) await dispatchDue(world.services);
      if (roll(4) === 0) world.queue.letters.sort(() => roll(3) - 1);
      if (roll(5) === 0) world.queue.letters.push(...structuredClone(world.queue.letters));
      if (roll(6) === 0) world.queue.letters.length = 0;
      // One isolate in three meets a blow somewhere in its life.
      for (const letter of world.queue.letters.splice(0)) {
        const isStruck = roll(3) === 0;
        await world.deliver(
          letter,
          world.bear(isStruck ? { at: roll(25), how: HOWS[roll(HOWS.length)]! } : null),
        );
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
      await Promise.race([nightWatch(watch.services).catch(() => undefined), watch.life.death]);
      await world.rows("UPDATE snapshot SET expires_at = min(expires_at, taken_at + ?)", 7 * DAY_MS);
      expect([day, await findFaults(world, { isDeep: day % 7 === 6 })]).toEqual([day, []]);
    }
    await world.drain();
    for (const item of items) expect((await backUpNow(world, item.id)).status).toBe("succeeded");
    await world.rows("UPDATE snapshot SET expires_at = ?", world.clock.now() + 365 * DAY_MS);
    // Quiet days in which nothing expires: two marks, each a step late at most, and whatever nobody needs has gone.
    const step = 4 * HOUR_MS;
    const quiet = 3 * DAY_MS;
    for (let passed = 0; passed < quiet; passed += step) {
      world.clock.advance(step);
      await nightWatch(world.services);
      await world.drain();
    }
    expect(await findFaults(world)).toEqual([]);
    expect(await findUnfinished(world)).toEqual([]);
    const unneeded = await world.rows(
      `SELECT object.id, kind FROM object WHERE created_at < ?
       AND NOT EXISTS (SELECT 1 FROM manifest_object needs WHERE needs.object_id = object.id)
       AND NOT EXISTS (SELECT 1 FROM manifest WHERE root_object = object.id)
       AND NOT EXISTS (SELECT 1 FROM companion JOIN manifest_object needs ON needs.object_id = source_object_id
         WHERE companion.object_id = object.id)
       AND NOT EXISTS (SELECT 1 FROM export WHERE layout_object_id = object.id AND status = 'ready')`,
      world.clock.now() - 2 * (DAY_MS + step),
    );
    expect(unneeded).toEqual([]);
    for (const item of items) {
      expect((await listSnapshots(world, item.id)).length).toBeGreaterThan(0);
      const { refs } = await world.outside.fingerprint(item.externalId);
      expect(refs["refs/heads/main"]).toBeTruthy();
    }
  },
  300_000,
);
