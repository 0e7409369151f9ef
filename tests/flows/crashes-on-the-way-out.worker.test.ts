import { afterAll, beforeAll, expect, test } from "vitest";
import { openZipDownload, requestZip } from "#core/exports/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { requestRestores } from "#core/restores/index.ts";
import { listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { deliverWaiting, expectSound, strike, WHOLE_STRIKE_MS } from "#tests/harness/strike.ts";

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("invoices", "tiny");
  await world.drain();
});
afterAll(() => world.close());

test(
  "a check that crashes at any effect ends with its result and the pack index",
  async () => {
    const [version] = await listSnapshots(world, item.id);
    await world.rows("UPDATE snapshot SET verify_state = 'queued', verified_at = NULL");
    await world.rows("DELETE FROM companion");
    await world.rows(
      `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, snapshot_id, status, epoch, lease_until, created_at)
     SELECT 'run_check', organisation_id, connection_id, item_id, platform, 'verify', 'system', ?, 'queued', 0, 0, created_at
     FROM run WHERE id = (SELECT run_id FROM snapshot WHERE id = ?)`,
      version!.id,
      version!.id,
    );
    world.queue.letters.push({
      body: {
        job: "verify-snapshot",
        payload: { region: world.region, organisationId: "", runId: "run_check", epoch: 0 },
      },
      at: 0,
      attempts: 0,
    });
    await strike({ name: "check", world, act: deliverWaiting(world) }, async (blow) => {
      await expectSound(world, blow);
      const [checked] = await listSnapshots(world, item.id);
      expect([blow, checked!.verify_state]).toEqual([blow, "verified"]);
      const missing = await world.rows(
        `SELECT object.id FROM manifest_object JOIN object ON object.id = object_id AND kind = 'stream'
       WHERE manifest_object.manifest_id = ? AND NOT EXISTS (SELECT 1 FROM companion WHERE source_object_id = object.id)`,
        version!.manifest_id,
      );
      expect([blow, missing]).toEqual([blow, []]);
    });
  },
  WHOLE_STRIKE_MS,
);

test(
  "preparing a ZIP gives a working link and one e-mail, even after a crash at any effect",
  async () => {
    const [version] = await listSnapshots(world, item.id);
    const order = { platform: PLATFORM, itemId: item.id, snapshotId: version!.id };
    await world.rows("UPDATE snapshot SET verify_state = 'queued' WHERE id = ?", version!.id);
    expect(await requestZip(world.services, world.member, order)).toEqual({ kind: "preparing" });
    await world.rows("UPDATE snapshot SET verify_state = 'verified' WHERE id = ?", version!.id);
    await strike({ name: "export", world, act: deliverWaiting(world) }, async (blow) => {
      await expectSound(world, blow);
      const answer = await requestZip(world.services, world.member, order);
      if (answer.kind !== "ready") throw new Error(`${blow}: the ZIP is not ready`);
      const download = await openZipDownload(world.services, answer.url.split("/").at(-1)!);
      expect(download.layout.totalBytes).toBeGreaterThan(0);
      expect([blow, world.mails.length]).toEqual([blow, 1]);
    });
  },
  WHOLE_STRIKE_MS,
);

test(
  "a restore that crashes at any effect creates exactly one repository with every ref",
  async () => {
    const [version] = await listSnapshots(world, item.id);
    const source = await world.outside.fingerprint(item.externalId);
    const others = new Set((await world.outside.listRepositories()).map(({ externalId }) => externalId));
    const { runIds } = await requestRestores(world.services, world.member, {
      platform: PLATFORM,
      kind: KIND,
      items: [{ itemId: item.id, snapshotId: version!.id, name: "invoices-again", place: null }],
      placeId: null,
      emails: [],
    });
    await strike({ name: "restore", world, act: deliverWaiting(world) }, async (blow) => {
      await expectSound(world, blow);
      const [run] = await world.rows("SELECT status, error_text FROM run WHERE id = ?", runIds[0]);
      expect([blow, run]).toEqual([blow, { status: "succeeded", error_text: null }]);
      const made = (await world.outside.listRepositories()).filter(
        ({ externalId }) => !others.has(externalId),
      );
      expect([blow, made.map(({ fullName }) => fullName)]).toEqual([blow, ["nora-lindqvist/invoices-again"]]);
      expect([blow, await world.outside.fingerprint(made[0]!.externalId)]).toEqual([blow, source]);
      for (const { externalId } of made) await world.outside.deleteRepository(externalId);
    });
    expect(await world.outside.fingerprint(item.externalId)).toEqual(source);
  },
  WHOLE_STRIKE_MS,
);
