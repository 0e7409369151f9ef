import { afterAll, beforeAll, expect, test } from "vitest";
import type { ItemView } from "#core/inventory/index.ts";
import { backUpNow, listSnapshots, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { randomFiles } from "#tests/harness/random-files.ts";

/** The verdict of a check stands for unchanged versions for a week, while samples are sound. */

let world: FlowWorld;
beforeAll(async () => {
  world = await openFlowWorld();
});
afterAll(() => world.close());

async function protect(name: string): Promise<ItemView> {
  const item = await world.protect(name, "tiny");
  await world.drain();
  return item;
}

const checksOf = async ({ id }: ItemView) =>
  (await world.rows("SELECT id FROM run WHERE item_id = ? AND kind = 'verify'", id)).length;

test("an unchanged version has the verdict of the last check, and is checked whole once a week", async () => {
  const item = await protect("still");
  for (let day = 1; day <= 5; day++) await backUpNow(world, item.id);
  const versions = await listSnapshots(world, item.id);
  expect(versions).toHaveLength(6);
  expect(new Set(versions.map(({ manifest_id }) => manifest_id)).size).toBe(1);
  expect(versions.every(({ verify_state }) => verify_state === "verified")).toBe(true);
  // It says when that check was.
  expect(new Set(versions.map(({ verified_at }) => verified_at)).size).toBe(1);
  expect(await checksOf(item)).toBe(1);
  for (let day = 6; day <= 9; day++) await backUpNow(world, item.id);
  expect(await checksOf(item)).toBe(2);
  expect((await newestSnapshot(world, item.id)).verified_at).toBeGreaterThan(versions[0]!.verified_at!);
});

test("a changed version is always checked whole", async () => {
  const item = await protect("busy");
  await world.outside.control(`repos/${item.fullName}/files`, { files: randomFiles(1, 100) });
  await backUpNow(world, item.id);
  expect(await checksOf(item)).toBe(2);
  const [newer, older] = await listSnapshots(world, item.id);
  expect(newer!.verified_at).toBeGreaterThan(older!.verified_at!);
});

test("a damaged object that an unchanged version needs is found by a sample before the week is over", async () => {
  const item = await protect("broken");
  const streams = await world.rows<{ key: string }>(
    "SELECT key FROM object WHERE item_id = ? AND kind = 'stream'",
    item.id,
  );
  expect(streams.length).toBeGreaterThan(0);
  for (const { key } of streams) {
    const bytes = new Uint8Array(await (await world.services.bucket(world.region).get(key))!.arrayBuffer());
    bytes[bytes.length - 20]! ^= 1;
    await world.services.bucket(world.region).put(key, bytes);
  }
  const state = async () => (await newestSnapshot(world, item.id)).verify_state;
  let days = 0;
  while (days < 6 && (await state()) === "verified") {
    await backUpNow(world, item.id);
    days += 1;
  }
  expect(await state()).toBe("failed");
  expect(await checksOf(item)).toBe(2);
});

test("a verdict from before a repack does not stand for what the repack has written", async () => {
  const item = await protect("moved");
  await world.rows(
    `UPDATE object_row SET created_at = ?2 WHERE id = (SELECT root_object FROM manifest WHERE item_id = ?1)`,
    item.id,
    world.clock.now() + 1,
  );
  await backUpNow(world, item.id);
  expect(await checksOf(item)).toBe(2);
});
