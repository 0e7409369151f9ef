import { env } from "cloudflare:workers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openCloneFile, openZipDownload, requestCloneUrl, requestZip } from "#core/exports/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { newestSnapshot, type SnapshotFacts } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { nightWatch } from "#tests/harness/night-watch.ts";
import { insert } from "#tests/security/security-world.ts";

/** A link grants nothing by itself: every use checks whether it is still valid. */

let world: FlowWorld;
let item: ItemView;
let version: SnapshotFacts;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("linked", "tiny");
  await world.drain();
  version = await newestSnapshot(world, item.id);
});
beforeEach(async () => {
  await world.rows("UPDATE snapshot SET verify_state = 'verified'");
  await world.rows("DELETE FROM export");
});
afterAll(() => world.close());

let repository: string;

async function links(): Promise<{ zip: string; clone: string }> {
  const order = { itemId: item.id, snapshotId: version.id };
  const answer = await requestZip(world.services, world.member, { platform: PLATFORM, ...order });
  if (answer.kind !== "ready") throw new Error("The ZIP is not ready.");
  const { url } = await requestCloneUrl(world.services, world.member, order);
  repository = decodeURIComponent(url.split("/").at(-1)!);
  return { zip: answer.url.split("/").at(-1)!, clone: url.split("/").at(-2)! };
}

const download = (token: string) => openZipDownload(world.services, token);
const clone = async (token: string) => {
  const file = await openCloneFile(world.services, { token, name: repository, path: "info/refs" });
  expect(file!.size).toBeGreaterThan(40);
};

/** The outcome of both links. */
async function outcomes({ zip, clone: token }: { zip: string; clone: string }): Promise<unknown[]> {
  const codeOf = (use: Promise<unknown>) =>
    use.then(
      () => "opens",
      (cause: { code?: string }) => cause.code,
    );
  return [await codeOf(download(zip)), await codeOf(clone(token))];
}

test("a link works only while its person may download", async () => {
  const both = await links();
  expect(await outcomes(both)).toEqual(["opens", "opens"]);
  const { userId } = world.member;
  const demote = (role: string, roles: object) =>
    env.DB.prepare("UPDATE member SET role = ?, platform_roles = ? WHERE user_id = ?")
      .bind(role, JSON.stringify(roles), userId)
      .run();
  await demote("member", { [PLATFORM]: "admin" });
  expect(await outcomes(both)).toEqual(["opens", "opens"]);
  await demote("member", { [PLATFORM]: "user" });
  expect(await outcomes(both)).toEqual(["err.link.invalid", "err.link.invalid"]);
  const rows = env.DB.prepare("SELECT * FROM member WHERE user_id = ?").bind(userId);
  const row = (await rows.first<Record<string, string | number | null>>())!;
  await env.DB.prepare("DELETE FROM member WHERE user_id = ?").bind(userId).run();
  expect(await outcomes(both)).toEqual(["err.link.invalid", "err.link.invalid"]);
  await insert(env.DB, "member", row);
  await demote("owner", {});
  expect(await outcomes(both)).toEqual(["opens", "opens"]);
});

test("a link is valid only for its own route and for one day", async () => {
  const both = await links();
  expect(await outcomes({ zip: both.clone, clone: both.zip })).toEqual([
    "err.link.invalid",
    "err.link.invalid",
  ]);
  world.clock.advance(DAY_MS - 60_000);
  expect(await outcomes(both)).toEqual(["opens", "opens"]);
  world.clock.advance(120_000);
  expect(await outcomes(both)).toEqual(["err.link.expired", "err.link.expired"]);
});

test("links to a version that a later check finds damaged are revoked", async () => {
  const both = await links();
  const [pack] = await world.rows<{ key: string }>(
    "SELECT object.key FROM manifest_object JOIN object ON object.id = object_id WHERE manifest_object.manifest_id = ? AND kind = 'stream'",
    version.manifest_id,
  );
  const bucket = env[`VAULT_${world.region}`];
  const bytes = await (await bucket.get(pack!.key))!.bytes();
  const spoiled = bytes.slice();
  spoiled[spoiled.length - 40]! ^= 1;
  await bucket.put(pack!.key, spoiled);
  // Each version is checked once a month. Makes this one due now.
  await world.rows("UPDATE snapshot SET verified_at = 1");
  await world.tick(nightWatch);
  await world.drain();
  expect((await newestSnapshot(world, item.id)).verify_state).toBe("failed");
  expect(await outcomes(both)).toEqual(["err.link.expired", "err.snapshot.not.restorable"]);
  const [row] = await world.rows<{ revoked_at: number | null }>("SELECT revoked_at FROM export");
  expect(row!.revoked_at).toBeGreaterThan(1);
  await bucket.put(pack!.key, bytes);
});
