import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { dispatchDue, requestBackup } from "#core/backups/index.ts";
import { listConnections } from "#core/connections/index.ts";
import { requestZip } from "#core/exports/index.ts";
import { getItem, type ItemView, removeItems } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { requestRestores } from "#core/restores/index.ts";
import { writeObject } from "#core/vault/index.ts";
import { openVault } from "#core/versions/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import type { Effect } from "#tests/harness/effects.ts";
import { listObjectKeys } from "#tests/harness/empty-bindings.ts";
import {
  askForBackup,
  backUpNow,
  findRun,
  listSnapshots,
  newestSnapshot,
  type RunFacts,
} from "#tests/harness/flow-steps.ts";
import { connect, type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { numberItem } from "#tests/harness/ledger-rows.ts";
import { nightWatch } from "#tests/harness/night-watch.ts";

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("deliveries", "tiny");
  await world.drain();
});
beforeEach(() => world.outside.clearFaults());
afterAll(() => world.close());

const change = () => world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
const keysOf = async (itemId: string) =>
  (await listObjectKeys(env[`VAULT_${world.region}`])).filter((key) => key.includes(itemId));

async function expectSound(): Promise<void> {
  expect(await findFaults(world)).toEqual([]);
  expect(await findUnfinished(world)).toEqual([]);
}

/** Delivers the only waiting message to an isolate that dies at an effect. */
async function dieAt(at: (effect: Effect) => boolean, how: "kill-before" | "kill-after"): Promise<void> {
  const [letter, ...others] = world.queue.letters.splice(0);
  expect(others).toEqual([]);
  const isolate = world.bear({ at, how });
  await world.deliver(letter!, isolate);
  expect(isolate.life.isDead()).toBe(true);
}

test("a restore resumes in its repository even if that was renamed and its name reused", async () => {
  const source = await world.outside.fingerprint(item.externalId);
  const before = new Set((await world.outside.listRepositories()).map(({ externalId }) => externalId));
  const snapshot = await newestSnapshot(world, item.id);
  const { runIds } = await requestRestores(world.services, world.member, {
    platform: PLATFORM,
    kind: KIND,
    items: [{ itemId: item.id, snapshotId: snapshot.id, name: "returned", place: null }],
    placeId: null,
    emails: [],
  });
  await dieAt(({ kind, name }) => kind === "provider" && name.startsWith("PUT "), "kill-before");
  await world.outside.control("repos/nora-lindqvist/returned/rename", { name: "returned-mine" });
  const stranger = await world.outside.createRepository("returned", "tiny");
  const theirs = await world.outside.fingerprint(stranger.externalId);
  await world.drain();
  expect(await findRun(world, runIds[0]!)).toMatchObject({ status: "succeeded", error_text: null });
  const made = (await world.outside.listRepositories()).filter(({ externalId }) => !before.has(externalId));
  expect(made.map(({ fullName }) => fullName).sort()).toEqual([
    "nora-lindqvist/returned",
    "nora-lindqvist/returned-mine",
  ]);
  const ours = made.find(({ fullName }) => fullName.endsWith("/returned-mine"))!;
  expect(await world.outside.fingerprint(ours.externalId)).toEqual(source);
  expect(await world.outside.fingerprint(stranger.externalId)).toEqual(theirs);
  await expectSound();
});

test("scheduled backups pause when the subscription ends, report it without calling GitHub, and resume", async () => {
  const endAt = (at: number | null) =>
    env.DB.prepare("UPDATE subscription SET ends_at = ? WHERE organisation_id = ?")
      .bind(at, world.member.organisationId)
      .run();
  const dispatch = async (): Promise<RunFacts> => {
    world.clock.advance(DAY_MS);
    expect(await world.tick(dispatchDue)).toMatchObject({ done: 1 });
    await world.drain();
    const [run] = await world.rows<RunFacts>(
      "SELECT * FROM known_run WHERE trigger = 'schedule' ORDER BY created_at DESC LIMIT 1",
    );
    return run!;
  };
  const versions = await listSnapshots(world, item.id);
  await endAt(world.clock.now() + HOUR_MS);
  await world.outside.forgetRequests();
  expect(await dispatch()).toMatchObject({
    status: "failed",
    attempts: 1,
    error_code: "err.plan.required",
    error_text: "Backups are paused: the trial or subscription has ended.",
  });
  // The reason is reported once. The item stays scheduled and is considered every day.
  const runs = await world.rows("SELECT id FROM run");
  for (let day = 0; day < 3; day++) {
    world.clock.advance(DAY_MS);
    const ticks = await Promise.all([world.tick(dispatchDue), dispatchDue(world.bear(null).services, "DE")]);
    expect(ticks).toMatchObject([{ done: 0 }, { done: 0 }]);
    const [schedule] = await world.rows<{ due_at: number }>("SELECT due_at FROM schedule");
    expect(schedule!.due_at).toBeGreaterThan(world.clock.now());
    expect(schedule!.due_at).toBeLessThanOrEqual(world.clock.now() + DAY_MS);
  }
  expect(await world.rows("SELECT id FROM run")).toEqual(runs);
  expect(world.queue.letters).toEqual([]);
  expect(await world.outside.requests()).toEqual([]);
  expect(await listSnapshots(world, item.id)).toEqual(versions);
  // A backup that was due before the plan ended may still run after it.
  world.clock.advance(DAY_MS);
  await endAt(world.clock.now() + HOUR_MS);
  expect(await world.tick(dispatchDue)).toMatchObject({ done: 1 });
  world.clock.advance(2 * HOUR_MS);
  await world.drain();
  expect((await listSnapshots(world, item.id)).length).toBe(versions.length + 1);
  // A late tick also reports the reason once, when the plan ended between the due time and the tick.
  await world.rows("UPDATE schedule SET due_at = ?", world.clock.now() - 5 * HOUR_MS);
  await endAt(world.clock.now() - HOUR_MS);
  expect(await world.tick(dispatchDue)).toMatchObject({ done: 1 });
  await world.drain();
  for (let day = 0; day < 3; day++) {
    world.clock.advance(DAY_MS);
    expect(await world.tick(dispatchDue)).toMatchObject({ done: 0 });
  }
  // Without any plan, no run is created.
  await env.DB.prepare("UPDATE subscription SET platform = 'gitlab'").run();
  await world.rows("UPDATE schedule SET due_at = ?", world.clock.now());
  expect(await world.tick(dispatchDue)).toMatchObject({ done: 0 });
  await env.DB.prepare("UPDATE subscription SET platform = ?").bind(PLATFORM).run();
  await endAt(null);
  expect(await dispatch()).toMatchObject({ status: "succeeded" });
  expect((await getItem(world.services, world.member, { itemId: item.id })).lastError).toBeNull();
  await expectSound();
});

test("a refreshed token lost before it was stored marks the connection for its owner", async () => {
  await change();
  const versions = await listSnapshots(world, item.id);
  const runId = await askForBackup(world, item.id);
  world.mails.length = 0;
  await world.outside.control("expire-tokens");
  await env.DB.prepare("UPDATE connection SET access_token_expires_at = 1").run();
  // GitHub has responded and the old pair is void. The isolate dies before it stores the new pair.
  await dieAt(({ name }) => name === "POST /login/oauth/access_token", "kill-after");
  await world.drain();
  expect(await findRun(world, runId)).toMatchObject({
    status: "failed",
    error_code: "err.connection.unauthorized",
  });
  const status = async () =>
    (await listConnections(world.services, world.member, { platform: PLATFORM })).map((each) => each.status);
  expect(await status()).toEqual(["revoked"]);
  expect(world.mails.map(({ to }) => to)).toEqual([world.member.email]);
  expect(await listSnapshots(world, item.id)).toEqual(versions);
  await connect(world);
  expect(await status()).toEqual(["active"]);
  expect((await backUpNow(world, item.id)).status).toBe("succeeded");
  await expectSound();
});

test("a backup whose last message cannot be sent has succeeded and is reported so", async () => {
  await change();
  const runId = await askForBackup(world, item.id);
  const [letter] = world.queue.letters.splice(0);
  // The last attempt: one more failure would fail the run.
  await world.rows("UPDATE run SET attempts = 4 WHERE id = ?", runId);
  world.events.length = 0;
  const isolate = world.bear(null);
  // The product's own queue only logs a rejection. An error after the commit must not undo it.
  const refused: string[] = [];
  isolate.services.queue = {
    send: async (messages) => {
      refused.push(...messages.map(({ job }) => job));
      throw new Error("the queue refuses");
    },
  };
  await world.deliver(letter!, isolate);
  expect(refused).toEqual(["verify-snapshot"]);
  const told = world.events.flatMap((event) => (event.method === "item-status" ? [event.status] : []));
  expect(told).toEqual(["success"]);
  expect((await findRun(world, runId)).status).toBe("succeeded");
  expect((await getItem(world.services, world.member, { itemId: item.id })).lastError).toBeNull();
  await world.drain();
  expect((await newestSnapshot(world, item.id)).verify_state).toBe("verified");
  await expectSound();
});

test("a Backup now whose message cannot be sent is accepted, and the sweep sends it", async () => {
  await change();
  world.clock.advance(DAY_MS);
  const isolate = world.bear({ at: ({ kind }) => kind === "queue", how: "fail-before" });
  const order = { platform: PLATFORM, itemId: item.id };
  const { runId } = await requestBackup(isolate.services, world.member, order);
  expect(isolate.life.log.filter(({ kind }) => kind === "queue")).toHaveLength(1);
  expect(world.queue.letters).toEqual([]);
  await world.drain();
  expect((await findRun(world, runId)).status).toBe("succeeded");
  await expectSound();
});

test("a ZIP that expires before it is prepared ends at its first attempt", async () => {
  const snapshot = await newestSnapshot(world, item.id);
  await world.rows("UPDATE snapshot SET verify_state = 'queued' WHERE id = ?", snapshot.id);
  const order = { platform: PLATFORM, itemId: item.id, snapshotId: snapshot.id };
  expect(await requestZip(world.services, world.member, order)).toEqual({ kind: "preparing" });
  await world.rows("UPDATE snapshot SET verify_state = 'verified' WHERE id = ?", snapshot.id);
  await world.rows("UPDATE export SET status = 'expired' WHERE status = 'pending'");
  await world.deliver(world.queue.letters.shift()!);
  const [run] = await world.rows<RunFacts>("SELECT * FROM run WHERE kind = 'export'");
  expect(run).toMatchObject({ status: "failed", attempts: 1, error_code: "err.link.expired" });
  await expectSound();
});

test("a version whose manifest cannot be opened gets a check result", async () => {
  const other = await world.protect("unreadable", "tiny");
  await world.drain();
  const snapshot = await newestSnapshot(world, other.id);
  const [root] = await world.rows<{ key: string }>(
    "SELECT key FROM object JOIN manifest ON root_object = object.id WHERE manifest.item_id = ?",
    other.id,
  );
  const bucket = env[`VAULT_${world.region}`];
  const bytes = await (await bucket.get(root!.key))!.bytes();
  await bucket.put(root!.key, bytes.fill(0));
  await world.rows(
    "UPDATE snapshot SET verify_state = 'queued', verified_at = NULL WHERE id = ?",
    snapshot.id,
  );
  // The watch queues checks that never reached a verdict.
  world.clock.advance(2 * DAY_MS);
  await world.tick(nightWatch);
  await world.drain();
  const judged = await newestSnapshot(world, other.id);
  expect(judged).toMatchObject({ id: snapshot.id, verify_state: "failed" });
  expect(judged.verify_text).toBeTruthy();
  expect(await findUnfinished(world)).toEqual([]);
  await removeItems(world.services, world.member, { platform: PLATFORM, kind: KIND, itemIds: [other.id] });
  await world.drain();
  await expectSound();
});

test("bytes that arrive after their item was deleted are refused and removed from the bucket", async () => {
  const vault = await openVault(world.services, {
    organisationId: world.member.organisationId,
    region: world.region,
  });
  const { put } = vault.bucket;
  const scope = { organisationId: world.member.organisationId, itemId: "itm_gone" };
  await numberItem(scope.itemId, scope.organisationId);
  vault.bucket.put = async (key, bytes) => {
    const object = await put.call(vault.bucket, key, bytes);
    await world.rows("DELETE FROM object_row WHERE id IN (SELECT id FROM object WHERE item_id = 'itm_gone')");
    return object;
  };
  const written = writeObject(vault, { scope, kind: "pack", runId: "run_gone" }, new Uint8Array(100));
  await expect(written).rejects.toMatchObject({ kind: "missing" });
  expect(await keysOf("itm_gone")).toEqual([]);
  await expectSound();
});

test.each(["back-up-item", "verify-snapshot"])(
  "an item deleted while %s writes leaves no byte, in any order of writes",
  async (job) => {
    // Removes the item during each write of the job in turn.
    for (let at = 0; ; at++) {
      const doomed = await world.protect(`doomed-${job}-${at}`, "tiny");
      while (world.queue.letters[0]?.body.job !== job) await world.deliver(world.queue.letters.shift()!);
      const letter = world.queue.letters.shift()!;
      const isolate = world.bear(null);
      const { bucket } = isolate.services;
      let puts = 0;
      isolate.services.bucket = (region) => {
        const real = bucket(region);
        const put = async (key: string, bytes: Uint8Array) => {
          if (puts++ === at) {
            const order = { platform: PLATFORM, kind: KIND, itemIds: [doomed.id] };
            await removeItems(world.services, world.member, order);
            await world.drain();
          }
          return real.put(key, bytes);
        };
        return { ...real, put } as R2Bucket;
      };
      await world.deliver(letter, isolate);
      await world.drain();
      if (puts <= at) {
        expect(at).toBeGreaterThan(1);
        break;
      }
      expect([at, await keysOf(doomed.id)]).toEqual([at, []]);
      await expectSound();
    }
  },
);
