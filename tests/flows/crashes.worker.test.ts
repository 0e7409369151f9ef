import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nightWatch } from "#core/backups/index.ts";
import { openDownload, requestZip } from "#core/exports/index.ts";
import { type ItemView, removeItems } from "#core/inventory/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { requestRestores } from "#core/restores/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import { type Blow, beginLife, type Effect } from "#tests/harness/effects.ts";
import { askForBackup, backUpNow, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, listKeys, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { saveWorld } from "#tests/harness/saved-world.ts";
import type { Services } from "#workers/services.ts";

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("invoices", "tiny");
  await world.drain();
});
afterAll(() => world.close());

/** A scenario is played once for every blow. */
const WHOLE_STRIKE_MS = 600_000;

/** What one isolate does in the scenario. */
type Act = (services: Services) => Promise<unknown>;

/**
 * Runs a scenario once to count its effects, then once for every effect and every blow. After each the product is
 * left alone until everything has ended; `judge` says what must hold then, whatever happened.
 */
async function strike(name: string, act: Act, judge: (blow: string) => Promise<void>): Promise<void> {
  const restore = await saveWorld(world);
  const calm = world.bear(null);
  await act(calm.services);
  const { log } = calm.life;
  await world.drain();
  await judge("no blow");
  let struck = 0;
  const startedAt = Date.now();
  for (let at = 0; at < log.length; at++) {
    for (const how of blowsAt(log, at)) {
      await restore();
      const isolate = world.bear({ at, how } satisfies Blow);
      const done = act(isolate.services).catch(() => undefined);
      await Promise.race([done, isolate.life.death]);
      await world.drain();
      await judge(`${how} ${at}: ${log[at]!.kind} ${log[at]!.name}`);
      struck++;
    }
  }
  await restore();
  await world.drain();
  const kinds = Object.entries(Object.groupBy(log, ({ kind }) => kind)).map(
    ([kind, list]) => `${list!.length} ${kind}`,
  );
  console.log(
    `${name}: ${log.length} effects (${kinds.join(", ")}), ${struck} blows, ${Date.now() - startedAt} ms`,
  );
  expect(log.length).toBeGreaterThan(3);
}

/**
 * The first effect of each name meets every blow. Of its repetitions, those on bytes and rows meet a death and, by
 * turns, an error on one side; those on actors, which only count and wait, one death in three. Of the questions to the
 * platform, which change nothing there, every fourth is struck: one time it dies, one time its answer is lost. A death
 * before an effect is one after the effect before it, so it is tried apart only where that one is left out.
 */
function blowsAt(log: readonly Effect[], at: number): Blow["how"][] {
  if (isQuestion(log[at]!)) return blowsOn(log, at);
  const isDeathBefore = at > 0 && blowsOn(log, at - 1).includes("kill-after");
  const blows = blowsOn(log, at);
  return isFirst(log, at) && !isDeathBefore ? ["kill-before", ...blows] : blows;
}

function blowsOn(log: readonly Effect[], at: number): Blow["how"][] {
  if (isQuestion(log[at]!)) return at % 4 > 0 ? [] : [at % 8 > 0 ? "fail-after" : "kill-after"];
  if (isFirst(log, at)) return ["kill-after", "fail-before", "fail-after"];
  if (log[at]!.kind === "actor") return at % 3 === 0 ? ["kill-after"] : [];
  return ["kill-after", at % 2 ? "fail-before" : "fail-after"];
}

const isQuestion = ({ kind, name }: Effect) => kind === "provider" && /^(GET|HEAD) /.test(name);

const isFirst = (log: readonly Effect[], at: number) =>
  log.findIndex(({ name }) => name === log[at]!.name) === at;

/** Delivers what waits in the queue to one isolate, as one consumer would. */
const deliverWaiting: Act = async (services) => {
  const letters = world.queue.letters.splice(0);
  for (const letter of letters) await world.deliver(letter, { life: beginLife(), services });
};

async function expectSound(blow: string): Promise<void> {
  expect([blow, await findFaults(world)]).toEqual([blow, []]);
  expect([blow, await findUnfinished(world)]).toEqual([blow, []]);
}

test(
  "a backup that dies at any effect ends in one whole version, and none is ever half",
  async () => {
    await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
    const before = (await listSnapshots(world, item.id)).length;
    const runId = await askForBackup(world, item.id);
    await strike("backup", deliverWaiting, async (blow) => {
      await expectSound(blow);
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
  "a check that dies at any effect ends in its verdict, with the pack index in place",
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
      body: { job: "verify-snapshot", payload: { region: world.region, runId: "run_check", epoch: 0 } },
      at: 0,
      attempts: 0,
    });
    await strike("check", deliverWaiting, async (blow) => {
      await expectSound(blow);
      const [checked] = await listSnapshots(world, item.id);
      expect([blow, checked!.verify_state]).toEqual([blow, "verified"]);
      const missing = await world.rows(
        `SELECT object.id FROM manifest_object JOIN object ON object.id = object_id AND kind = 'stream'
       WHERE manifest_id = ? AND NOT EXISTS (SELECT 1 FROM companion WHERE source_object_id = object.id)`,
        version!.manifest_id,
      );
      expect([blow, missing]).toEqual([blow, []]);
    });
  },
  WHOLE_STRIKE_MS,
);

test(
  "a ZIP that is prepared ends in a link that opens, wherever its job dies, and in one mail",
  async () => {
    const [version] = await listSnapshots(world, item.id);
    const order = { platform: PLATFORM, itemId: item.id, snapshotId: version!.id };
    await world.rows("UPDATE snapshot SET verify_state = 'queued' WHERE id = ?", version!.id);
    expect(await requestZip(world.services, world.member, order)).toEqual({ kind: "preparing" });
    await world.rows("UPDATE snapshot SET verify_state = 'verified' WHERE id = ?", version!.id);
    await strike("export", deliverWaiting, async (blow) => {
      await expectSound(blow);
      const answer = await requestZip(world.services, world.member, order);
      if (answer.kind !== "ready") throw new Error(`${blow}: the ZIP is not ready`);
      const download = await openDownload(world.services, answer.url.split("/").at(-1)!);
      expect(download.layout.totalBytes).toBeGreaterThan(0);
      expect([blow, world.mails.length]).toEqual([blow, 1]);
    });
  },
  WHOLE_STRIKE_MS,
);

test(
  "a restore that dies at any effect makes exactly one repository with every ref",
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
    await strike("restore", deliverWaiting, async (blow) => {
      await expectSound(blow);
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

test(
  "pruning that dies at any effect deletes what nobody needs and nothing else",
  async () => {
    const versions = await listSnapshots(world, item.id);
    expect(versions.length).toBeGreaterThan(0);
    await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
    await backUpNow(world, item.id);
    // Bytes that a killed backup left behind.
    await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
    const doomed = await askForBackup(world, item.id);
    const isolate = world.bear({ at: ({ name }) => name === "put", how: "kill-after" });
    await Promise.race([deliverWaiting(isolate.services), isolate.life.death]);
    await world.rows("UPDATE run SET status = 'failed', lease_until = NULL WHERE id = ?", doomed);
    const [left] = await world.rows<{ n: number }>(
      "SELECT count(*) AS n FROM object WHERE run_id = ?",
      doomed,
    );
    expect(left!.n).toBeGreaterThan(0);
    await world.rows("UPDATE item SET active_run_id = NULL");

    world.clock.advance(25 * HOUR_MS);
    await nightWatch(world.services);
    await world.drain();
    world.clock.advance(25 * HOUR_MS);
    await strike(
      "prune",
      (services) => nightWatch(services),
      async (blow) => {
        world.clock.advance(HOUR_MS);
        await nightWatch(world.services);
        await world.drain();
        await expectSound(blow);
        const [rest] = await world.rows("SELECT count(*) AS n FROM object WHERE run_id = ?", doomed);
        expect([blow, rest]).toEqual([blow, { n: 0 }]);
        expect([blow, (await listSnapshots(world, item.id)).length]).toEqual([blow, versions.length + 1]);
      },
    );
  },
  WHOLE_STRIKE_MS,
);

test(
  "an item that its owner deletes is gone at once and its bytes soon, wherever the work dies",
  async () => {
    const order = { platform: PLATFORM, kind: KIND, itemIds: [item.id] };
    const act: Act = async (services) => {
      await removeItems(services, world.member, order);
      await deliverWaiting(services);
    };
    await strike("delete", act, async (blow) => {
      const isGone = (await world.rows("SELECT id FROM item WHERE id = ?", item.id)).length === 0;
      // A blow before the first write leaves everything as it was; then the owner asks again.
      if (!isGone) {
        await expectSound(blow);
        await removeItems(world.services, world.member, order);
        await world.drain();
      }
      await expectSound(blow);
      expect([blow, await world.rows("SELECT id FROM object")]).toEqual([blow, []]);
      expect([blow, await listKeys(env[`VAULT_${world.region}`])]).toEqual([blow, []]);
    });
  },
  WHOLE_STRIKE_MS,
);
