import { afterAll, beforeAll, expect, test } from "vitest";
import { requestCloneUrl } from "#core/exports/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { askForBackup, backUpNow, listSnapshots, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { nightWatch } from "#tests/harness/night-watch.ts";
import { randomFiles } from "#tests/harness/random-files.ts";
import { deliverWaiting, expectSound, strike, WHOLE_STRIKE_MS } from "#tests/harness/strike.ts";

let world: FlowWorld;
let item: ItemView;
let missing: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("studio", "tiny");
  await addPictures(item, 3);
  missing = await world.protect("ghosts", "tiny");
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"ab".repeat(32)}\nsize 12\n`;
  const ghost = { path: "ghost.psd", base64: btoa(pointer) };
  await world.outside.control(`repos/${missing.fullName}/files`, { files: [ghost] });
  await world.drain();
});
afterAll(() => world.close());

/** Commits Git LFS files that no file in the tree announces. */
async function addPictures({ fullName }: ItemView, count: number): Promise<void> {
  const files = randomFiles(count, 3_000).map((file) => ({ ...file, isLfs: true }));
  await world.outside.control(`repos/${fullName}/files`, { files });
}

const backupsOf = ({ id }: ItemView) =>
  world.rows<{ trigger: string; status: string }>(
    "SELECT trigger, status FROM known_run WHERE item_id = ? AND kind = 'backup' ORDER BY created_at",
    id,
  );
const filesOf = (snapshotId: string) =>
  world.rows<{ size: number }>(
    `SELECT object.size_bytes AS size FROM snapshot JOIN manifest_object USING (manifest_id)
       JOIN object ON object.id = manifest_object.object_id
     WHERE snapshot.id = ? AND object.kind = 'stream'`,
    snapshotId,
  );

test("a file found only by the check is fetched at once by one more backup, and never by a third", async () => {
  const [second, first, ...others] = await listSnapshots(world, item.id);
  expect(others).toEqual([]);
  expect([first!.verify_state, second!.verify_state]).toEqual(["intact", "verified"]);
  expect(first!.verify_text).toContain("Only this check found 3 files of Git LFS");
  expect(await backupsOf(item)).toMatchObject([
    { trigger: "user", status: "succeeded" },
    { trigger: "system", status: "succeeded" },
  ]);
  expect((await filesOf(second!.id)).length).toBe((await filesOf(first!.id)).length + 3);
  // A much later check: the first version still lacks the files, but a newer one has them.
  await world.rows("UPDATE snapshot SET verified_at = 1 WHERE id = ?", first!.id);
  await world.tick(nightWatch);
  await world.drain();
  expect((await listSnapshots(world, item.id))[1]).toMatchObject({ id: first!.id, verify_state: "intact" });
  expect(
    await world.rows("SELECT id FROM run WHERE snapshot_id = ? AND kind = 'verify'", first!.id),
  ).toHaveLength(2);
  expect(await backupsOf(item)).toHaveLength(2);
});

test("a file that the platform lacks is requested once after the check, then by the daily backups", async () => {
  const [second, first] = await listSnapshots(world, missing.id);
  expect(first!.verify_text).toContain("Only this check found 1 file of Git LFS");
  expect(second!.verify_text).toContain("could not be fetched");
  expect(second!.skipped_count).toBe(1);
  expect(await backupsOf(missing)).toHaveLength(2);
  await backUpNow(world, missing.id);
  expect(await backupsOf(missing)).toHaveLength(3);
});

test("a version that lacks a file of Git LFS can be cloned, because its git packs have their indexes", async () => {
  const [newest] = await listSnapshots(world, missing.id);
  expect(newest!.verify_state).toBe("intact");
  const order = { itemId: missing.id, snapshotId: newest!.id };
  const { url } = await requestCloneUrl(world.services, world.member, order);
  expect(url).toMatch(/\/ghosts\.git$/);
});

test("during an open backup no other is queued for the files", async () => {
  const busy = await world.protect("busy", "tiny");
  await addPictures(busy, 1);
  await deliverWaiting(world)(world.services);
  await askForBackup(world, busy.id);
  const check = world.queue.letters.findIndex(({ body }) => body.job === "verify-snapshot");
  await world.deliver(world.queue.letters.splice(check, 1)[0]!);
  await world.drain();
  const [second, first] = await listSnapshots(world, busy.id);
  expect([first!.verify_state, second!.verify_state]).toEqual(["intact", "verified"]);
  expect((await backupsOf(busy)).map(({ trigger }) => trigger)).toEqual(["user", "user"]);
});

test(
  "a check that crashes at any effect loses no file and queues no backup twice",
  async () => {
    const later = await world.protect("workshop", "tiny");
    await addPictures(later, 1);
    await deliverWaiting(world)(world.services);
    expect((await newestSnapshot(world, later.id)).verify_state).toBe("queued");
    await strike({ name: "check that finds files", world, act: deliverWaiting(world) }, async (blow) => {
      await expectSound(world, blow);
      expect([blow, (await newestSnapshot(world, later.id)).verify_state]).toEqual([blow, "verified"]);
      expect([blow, (await backupsOf(later)).length]).toEqual([blow, 2]);
    });
  },
  WHOLE_STRIKE_MS,
);
