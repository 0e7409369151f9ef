import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { dispatchDue } from "#core/backups/index.ts";
import { openZipDownload, requestZip, zipRange } from "#core/exports/index.ts";
import { removeItems } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { expire, prune } from "#core/upkeep/index.ts";
import { findFaults } from "#tests/harness/check-vault.ts";
import { listKeys, listObjectKeys } from "#tests/harness/empty-bindings.ts";
import { askForBackup, backUpNow, listSnapshots, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { nightWatch, plansOfNobody } from "#tests/harness/night-watch.ts";

let world: FlowWorld;
beforeEach(async () => {
  world = await openFlowWorld();
});
afterEach(() => world.close());

const commit = (fullName: string) => world.outside.control(`repos/${fullName}/commits`, { count: 1 });

test("expired versions are deleted, but the newest good one stays at any age", async () => {
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

test("while the newest version waits for its check, the newest verified one stays too", async () => {
  const item = await world.protect("returning", "tiny");
  await world.drain();
  const proved = await newestSnapshot(world, item.id);
  // The account was disconnected for longer than the retention and is connected again.
  world.clock.advance(40 * DAY_MS);
  await commit(item.fullName);
  await askForBackup(world, item.id);
  await world.deliver(world.queue.letters.shift()!);
  const fresh = await newestSnapshot(world, item.id);
  expect([fresh.verify_state, proved.verify_state]).toEqual(["queued", "verified"]);
  await world.rows("UPDATE snapshot SET expires_at = 1 WHERE id = ?", proved.id);
  const kept = async () => {
    await expire(world.services, world.region, plansOfNobody);
    return (await listSnapshots(world, item.id)).map(({ id }) => id);
  };
  expect(await kept()).toEqual([fresh.id, proved.id]);
  // If the check found damage, the older version would be the only good one.
  await world.rows("UPDATE snapshot SET verify_state = 'failed' WHERE id = ?", fresh.id);
  expect(await kept()).toEqual([fresh.id, proved.id]);
  await world.rows("UPDATE snapshot SET verify_state = 'verified' WHERE id = ?", fresh.id);
  expect(await kept()).toEqual([fresh.id]);
});

test("[A-002] [A-021] on a trial a version stays for 30 days, then it leaves history and storage", async () => {
  await env.DB.prepare("UPDATE subscription SET plan = 'trial'").run();
  const item = await world.protect("month", "tiny");
  await world.drain();
  const old = await newestSnapshot(world, item.id);
  const keysOfOld = await listKeys(env[`VAULT_${world.region}`]);
  // A version builds only on a sound one, so the next one shares no bytes with this one.
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
  await world.tick(nightWatch);
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

test("[B-017] Pro keeps a version for 90 days, also one that was made under Essential", async () => {
  await env.DB.prepare("UPDATE subscription SET plan = 'essential'").run();
  const item = await world.protect("quarter", "tiny");
  await world.drain();
  await env.DB.prepare("UPDATE subscription SET plan = 'pro'").run();
  const old = await newestSnapshot(world, item.id);
  await commit(item.fullName);
  await backUpNow(world, item.id);
  const newer = await newestSnapshot(world, item.id);
  const after = async (days: number) => {
    world.clock.advance(old.taken_at + days * DAY_MS - world.clock.now());
    await expire(world.services, world.region);
    return (await listSnapshots(world, item.id)).map(({ id }) => id);
  };
  expect(await after(31)).toEqual([newer.id, old.id]);
  expect(await after(80)).toEqual([newer.id, old.id]);
  expect(await after(91)).toEqual([newer.id]);
});

test("after a change from Pro to Essential a version keeps the time that it was made with, and new ones have 30 days", async () => {
  const item = await world.protect("smaller", "tiny");
  await world.drain();
  const old = await newestSnapshot(world, item.id);
  await env.DB.prepare("UPDATE subscription SET plan = 'essential'").run();
  await commit(item.fullName);
  await world.rows("UPDATE schedule SET due_at = 1");
  await world.tick(dispatchDue);
  await world.drain();
  const newer = await newestSnapshot(world, item.id);
  expect(newer.id).not.toBe(old.id);
  const days = await world.rows<{ days: number }>(
    "SELECT (expires_at - taken_at) / 86400000 AS days FROM snapshot ORDER BY taken_at",
  );
  expect(days).toEqual([{ days: 90 }, { days: 30 }]);
  world.clock.advance(60 * DAY_MS);
  await expire(world.services, world.region);
  expect((await listSnapshots(world, item.id)).map(({ id }) => id)).toEqual([newer.id, old.id]);
});

test("in the days of grace no version expires", async () => {
  await env.DB.prepare("UPDATE subscription SET plan = 'trial'").run();
  const item = await world.protect("grace", "tiny");
  await world.drain();
  await commit(item.fullName);
  await backUpNow(world, item.id);
  const all = (await listSnapshots(world, item.id)).map(({ id }) => id);
  expect(all).toHaveLength(2);
  world.clock.advance(14 * DAY_MS);
  const ended = world.clock.now();
  await env.DB.prepare("UPDATE subscription SET ends_at = ?").bind(ended).run();
  world.clock.advance(30 * DAY_MS - HOUR_MS);
  await expire(world.services, world.region);
  expect((await listSnapshots(world, item.id)).map(({ id }) => id)).toEqual(all);
  // Who pays within them goes on with the plan's own time.
  await env.DB.prepare("UPDATE subscription SET plan = 'essential', ends_at = NULL").run();
  world.clock.advance(2 * HOUR_MS);
  await expire(world.services, world.region);
  expect((await listSnapshots(world, item.id)).map(({ id }) => id)).toEqual(all.slice(0, 1));
});

test("unneeded bytes are deleted only after two marks a day apart", async () => {
  const item = await world.protect("marks", "tiny");
  await world.drain();
  await world.rows("DELETE FROM snapshot");
  await world.rows("DELETE FROM manifest_row");
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

test("a mark is removed when the bytes are needed again, and a commit that needs deleted bytes fails", async () => {
  const item = await world.protect("return", "tiny");
  await world.drain();
  await world.rows("UPDATE object_row SET marked_at = 1");
  await prune(world.services, world.region);
  expect(await world.rows("SELECT id FROM object WHERE marked_at IS NOT NULL")).toEqual([]);
  expect(await findFaults(world)).toEqual([]);
  // Prune takes an object between the last byte of a backup and its commit.
  await commit(item.fullName);
  await askForBackup(world, item.id);
  const before = await listSnapshots(world, item.id);
  const isolate = world.bear(null);
  const ledger = isolate.services.ledger(world.region);
  const batch = ledger.$client.batch.bind(ledger.$client);
  let isTaken = false;
  ledger.$client.batch = async (statements) => {
    // Only the commit is a batch of more than four statements.
    if (statements.length > 4 && !isTaken) {
      isTaken = true;
      await world.rows(
        "UPDATE object_row SET status = 'deleting' WHERE kind = 'pack' AND created_at = (SELECT max(created_at) FROM object WHERE kind = 'pack')",
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

test("a link keeps its bytes although its version has expired", async () => {
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
    await world.tick(nightWatch);
  }
  expect((await listSnapshots(world, item.id)).map(({ id }) => id)).not.toContain(old.id);
  const { layout, read } = await openZipDownload(world.services, token);
  let length = 0;
  for await (const chunk of zipRange(layout, { from: 0, to: layout.totalBytes }, read))
    length += chunk.length;
  expect(length).toBe(layout.totalBytes);
  await world.drain();
  expect(await findFaults(world)).toEqual([]);
});

test("a deleted item leaves no byte and no row", async () => {
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
    "object_span",
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
  const keys = await listObjectKeys(env[`VAULT_${world.region}`]);
  expect(keys.filter((key) => key.includes(gone.id))).toEqual([]);
  expect(keys.filter((key) => key.includes(kept.id)).length).toBeGreaterThan(0);
  expect(await findFaults(world)).toEqual([]);
});
