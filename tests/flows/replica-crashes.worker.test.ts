import { afterAll, beforeAll, expect, test } from "vitest";
import { DEMO_BUCKET } from "#connectors/storages/s3/simulator/demo-bucket.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { addKeyStorage } from "#core/replicas/index.ts";
import { SLICE_MS } from "#core/runs/index.ts";
import { askForBackup, backUpNow, findRun } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { judgeArchive, type OutsideS3, openS3 } from "#tests/harness/outside.ts";
import { randomFiles } from "#tests/harness/random-files.ts";
import { letPass } from "#tests/harness/replica-steps.ts";
import { deliverWaiting, expectSound, strike, WHOLE_STRIKE_MS } from "#tests/harness/strike.ts";

const BUCKET = DEMO_BUCKET.bucketName;
let s3: OutsideS3;
let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  s3 = await openS3();
  world = await openFlowWorld({ vars: s3.vars });
  item = await world.protect("lighthouse", "tiny");
  await world.drain();
  await addKeyStorage(world.services, world.member, {
    kind: "s3",
    platform: "github",
    keys: { ...DEMO_BUCKET },
  });
});
afterAll(async () => {
  await Promise.all([world.close(), s3.close()]);
});

const copies = async () => (await s3.bucket(BUCKET)).objects.filter(({ key }) => key.endsWith(".zip"));

/** Delivers messages until the copy of the newest version is queued. */
async function untilCopyWaits(): Promise<void> {
  const isCopy = () => world.queue.letters.some(({ body }) => body.job === "replicate-version");
  while (!isCopy()) {
    world.clock.advance(Math.max(0, (world.queue.nextAt() ?? world.clock.now()) - world.clock.now()));
    const letter = world.queue.take(world.clock.now());
    if (!letter) throw new Error("no copy was queued");
    await world.deliver(letter);
  }
}

test(
  "a copy that crashes at any effect ends with one recorded file, and the version is unaffected",
  async () => {
    await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
    const runId = await askForBackup(world, item.id);
    await untilCopyWaits();
    await strike({ name: "copy", world, act: deliverWaiting(world) }, async (blow) => {
      await letPass(world, HOUR_MS);
      await expectSound(world, blow);
      expect([blow, (await findRun(world, runId)).status]).toEqual([blow, "succeeded"]);
      const rows = await world.rows("SELECT status, run_id FROM replica");
      expect([blow, rows]).toEqual([blow, [{ status: "stored", run_id: null }]]);
      const kept = await copies();
      expect([blow, kept.length]).toEqual([blow, 1]);
      for (const { key } of kept) await s3.control("object/delete", { bucket: BUCKET, key });
    });
  },
  WHOLE_STRIKE_MS,
);

test("a copy of many slices resumes where the last one stopped, in one archive", async () => {
  await world.drain();
  for (const { key } of await copies()) await s3.control("object/delete", { bucket: BUCKET, key });
  await world.outside.control(`repos/${item.fullName}/files`, { files: randomFiles(3, 9 * 1024 * 1024) });
  await askForBackup(world, item.id);
  await untilCopyWaits();
  await s3.forgetRequests();
  // Every part takes longer than a slice may last.
  const { fetch } = world.services;
  world.services.fetch = async (url, init) => {
    if (url.includes("partNumber=")) world.clock.advance(SLICE_MS + MINUTE_MS);
    return fetch(url, init);
  };
  await world.drain();
  world.services.fetch = fetch;
  const sent = (await s3.requests()).filter(
    ({ method, path }) => method === "PUT" && path.includes("partNumber="),
  );
  expect(sent.map(({ path }) => /partNumber=([0-9]+)/.exec(path)?.[1])).toEqual(["1", "2", "3", "4"]);
  const [run] = await world.rows<{ epoch: number; status: string }>(
    "SELECT epoch, status FROM run WHERE kind = 'replicate' ORDER BY created_at DESC LIMIT 1",
  );
  expect(run).toMatchObject({ status: "succeeded" });
  expect(run!.epoch).toBeGreaterThanOrEqual(4);
  const kept = await copies();
  expect(kept).toHaveLength(1);
  const verdict = await judgeArchive(await s3.bytes(BUCKET, kept[0]!.key));
  expect(verdict.repository).toEqual(await world.outside.fingerprint(item.externalId));
});

test("a copy deleted by its owner is not restored, and the next version is copied as usual", async () => {
  for (const { key } of await copies()) await s3.control("object/delete", { bucket: BUCKET, key });
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
  await backUpNow(world, item.id);
  await letPass(world, HOUR_MS);
  expect(await copies()).toHaveLength(1);
});
