import { afterAll, beforeAll, expect, test } from "vitest";
import { listHistory } from "#core/backups/index.ts";
import { requestCloneUrl, requestZip } from "#core/exports/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { listRestorePoints, planRestore, requestRestores } from "#core/restores/index.ts";
import { askForBackup, backUpNow, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { deliverWaiting } from "#tests/harness/strike.ts";

let world: FlowWorld;
beforeAll(async () => {
  world = await openFlowWorld();
});
afterAll(() => world.close());

const rowsOf = async ({ id }: ItemView) =>
  (await listHistory(world.services, world.member, { itemId: id, page: 0, perPage: 10 })).rows;

const restoreOf = ({ id, kind }: ItemView, snapshotId: string) => ({
  platform: PLATFORM,
  kind,
  items: [{ itemId: id, snapshotId, name: "again", place: null }],
  placeId: null,
  emails: [],
});

test("a version of the SHA-256 format says that it is for ZIP and clone only, and a restore is refused in those words", async () => {
  const item = await world.protect("modern", "sha256");
  const plan = (snapshotId: string) =>
    planRestore(world.services, world.member, {
      itemId: item.id,
      snapshotId,
      part: null,
      into: null,
      placeId: null,
      answers: {},
    });
  const refusal = {
    code: "err.snapshot.not.restorable",
    message: "ZIP and clone only: GitHub takes no repositories of the SHA-256 format.",
  };
  await deliverWaiting(world)(world.services);
  const { id: snapshotId } = await newestSnapshot(world, item.id);
  await expect(plan(snapshotId)).rejects.toMatchObject(refusal);
  await world.drain();
  expect((await rowsOf(item))[0]).toMatchObject({
    verify: { state: "verified" },
    canRestore: false,
    restoreObstacle: "GitHub takes no repositories of the SHA-256 format.",
  });
  await expect(plan(snapshotId)).rejects.toMatchObject(refusal);
  await expect(
    requestRestores(world.services, world.member, restoreOf(item, snapshotId)),
  ).rejects.toMatchObject(refusal);
  const order = { platform: PLATFORM, itemId: item.id, snapshotId };
  expect((await requestZip(world.services, world.member, order)).kind).toBe("ready");
  expect((await requestCloneUrl(world.services, world.member, order)).url).toContain("modern.git");
});

test("a version reports what it holds of a file that was purged at the source", async () => {
  const item = await world.protect("purged", "tiny");
  const secret = { path: "secret.bin", randomBytes: 300_000 };
  await world.outside.control(`repos/${item.fullName}/files`, { files: [secret] });
  await world.drain();
  expect((await rowsOf(item))[0]).toMatchObject({ restoreObstacle: null, unreachable: null });
  await world.outside.control(`repos/${item.fullName}/force-push`, { back: 1 });
  await backUpNow(world, item.id);
  const [newest] = await rowsOf(item);
  expect(newest!.verify!.state).toBe("verified");
  expect(newest!.unreachable!.bytes).toBeGreaterThan(300_000);
  expect(newest!.unreachable!.bytes).toBeLessThan(310_000);
  expect(newest!.canRestore).toBe(true);
});
