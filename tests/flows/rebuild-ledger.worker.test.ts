import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eraseVersion, listHistory } from "#core/backups/index.ts";
import { openZipDownload, requestZip, zipRange } from "#core/exports/index.ts";
import { type ItemView, removeItems } from "#core/inventory/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { concatBytes } from "#core/kernel/crypto.ts";
import { requestRestores } from "#core/restores/index.ts";
import { createRuns } from "#core/runs/index.ts";
import { prune } from "#core/upkeep/index.ts";
import { measurePacks, repackManifests } from "#core/vault/index.ts";
import { commitRepack, listManifests, openVault } from "#core/versions/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import { dice } from "#tests/harness/dice.ts";
import { duringCalls } from "#tests/harness/during-calls.ts";
import { listKeys, listObjectKeys } from "#tests/harness/empty-bindings.ts";
import { askForBackup, backUpNow, listSnapshots, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { ledgerFacts, loseLedger, rebuild } from "#tests/harness/lost-ledger.ts";
import { nightWatch, plansOfNobody } from "#tests/harness/night-watch.ts";
import { judgeArchive } from "#tests/harness/outside.ts";
import { sampleOf } from "#tests/harness/sample.ts";

let world: FlowWorld;
beforeEach(async () => {
  world = await openFlowWorld();
});
afterEach(() => world.close());

const commit = (item: ItemView) => world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
const problemsOf = (events: Awaited<ReturnType<typeof rebuild>>) =>
  events.filter(({ type }) => type === "problem");
const remove = (item: ItemView) =>
  removeItems(world.services, world.member, { platform: PLATFORM, kind: KIND, itemIds: [item.id] });

/** What the ZIP of a version holds. */
async function zipOf(item: ItemView, snapshotId: string) {
  await requestZip(world.services, world.member, { platform: PLATFORM, itemId: item.id, snapshotId });
  await world.drain();
  const { rows } = await listHistory(world.services, world.member, { itemId: item.id, page: 0, perPage: 20 });
  const { zip } = rows.find((row) => row.snapshotId === snapshotId)!;
  const { layout, read } = await openZipDownload(world.services, zip!.url!.split("/").at(-1)!);
  const pieces: Uint8Array[] = [];
  for await (const piece of zipRange(layout, { from: 0, to: layout.totalBytes }, read))
    pieces.push(piece.slice());
  return judgeArchive(concatBytes(...pieces));
}

test("a lost ledger is rebuilt from the bucket: every version is the same in ZIP, restore and check, and backups go on", async () => {
  const items = [await world.protect("alpha", "full"), await world.protect("beta", "tiny")];
  await world.drain();
  for (const item of items) await commit(item);
  for (const item of items) await backUpNow(world, item.id);
  const before = await ledgerFacts(world);
  const versions = (await Promise.all(items.map((item) => listSnapshots(world, item.id)))).flat();
  expect(versions).toHaveLength(4);
  const facts = ({ verify_state: _state, verify_text: _text, ...rest }: (typeof versions)[number]) => ({
    ...rest,
    ...{ expires_at: 0, verified_at: 0, unreachable_objects: 0, unreachable_bytes: 0, restore_obstacle: "" },
  });
  const zips = new Map<string, unknown>();
  for (const item of items)
    for (const { id } of await listSnapshots(world, item.id)) zips.set(id, await zipOf(item, id));

  await loseLedger(world);
  expect(problemsOf(await rebuild(world))).toEqual([]);

  expect(await ledgerFacts(world)).toEqual(before);
  const after = (await Promise.all(items.map((item) => listSnapshots(world, item.id)))).flat();
  expect(after.map(facts)).toEqual(versions.map(facts));
  expect(await findFaults(world)).toEqual([]);
  // The watch checks every version again, one of each item at a time.
  for (let round = 0; round < 2; round++) {
    world.clock.advance(DAY_MS + 1);
    await world.tick(nightWatch);
    await world.drain();
  }
  expect(await world.rows("SELECT DISTINCT verify_state FROM snapshot")).toEqual([
    { verify_state: "verified" },
  ]);
  for (const item of items)
    for (const { id } of await listSnapshots(world, item.id))
      expect(await zipOf(item, id)).toEqual(zips.get(id));
  const source = await world.outside.fingerprint(items[0]!.externalId);
  const known = new Set((await world.outside.listRepositories()).map(({ externalId }) => externalId));
  await requestRestores(world.services, world.member, {
    platform: PLATFORM,
    kind: KIND,
    items: [{ itemId: items[0]!.id, snapshotId: after[0]!.id, name: "returned", place: null }],
    placeId: null,
    emails: [],
  });
  await world.drain();
  const restored = (await world.outside.listRepositories()).find(({ externalId }) => !known.has(externalId));
  const branchesOf = (refs: Record<string, string>) =>
    Object.entries(refs).filter(([name]) => !name.startsWith("refs/pull/"));
  const target = await world.outside.fingerprint(restored!.externalId);
  expect(branchesOf(target.refs)).toEqual(branchesOf(source.refs));

  // An unchanged backup still writes nothing.
  const keys = await listKeys(env[`VAULT_${world.region}`]);
  await backUpNow(world, items[1]!.id);
  expect((await listSnapshots(world, items[1]!.id)).length).toBeGreaterThan(2);
  expect((await listKeys(env[`VAULT_${world.region}`])).filter((key) => !keys.includes(key))).toEqual([]);
  expect(await findUnfinished(world)).toEqual([]);
});

test("nothing erased comes back: neither a version, nor one of several that share a state, nor an item", async () => {
  const [kept, gone] = [await world.protect("kept", "tiny"), await world.protect("gone", "tiny")];
  await world.drain();
  await backUpNow(world, kept.id);
  await commit(kept);
  await backUpNow(world, kept.id);
  const [third, second, first] = await listSnapshots(world, kept.id);
  expect([second!.manifest_id, third!.manifest_id === second!.manifest_id]).toEqual([
    first!.manifest_id,
    false,
  ]);
  const erase = (snapshotId: string) =>
    eraseVersion(world.services, world.member, { itemId: kept.id, snapshotId });
  // The state stays, because its other version does.
  await erase(first!.id);
  await remove(gone);
  await world.drain();
  await loseLedger(world);
  expect(problemsOf(await rebuild(world))).toEqual([]);
  expect((await listSnapshots(world, kept.id)).map(({ id, taken_at }) => [id, taken_at])).toEqual([
    [third!.id, third!.taken_at],
    [second!.id, second!.taken_at],
  ]);
  expect(await world.rows("SELECT id FROM item")).toEqual([{ id: kept.id }]);

  await erase(second!.id);
  await erase(third!.id);
  await loseLedger(world);
  expect(problemsOf(await rebuild(world))).toEqual([]);
  expect(await world.rows("SELECT id FROM snapshot")).toEqual([]);
  expect(await world.rows("SELECT id, status, starts_over, last_snapshot_id FROM item")).toEqual([
    { id: kept.id, status: "initialized", starts_over: 1, last_snapshot_id: null },
  ]);
  // What only erased versions needed goes as it would have gone.
  for (let day = 0; day < 3; day++) {
    world.clock.advance(DAY_MS + 1);
    await world.tick(nightWatch);
  }
  expect(await listObjectKeys(env[`VAULT_${world.region}`])).toEqual([]);
});

test("a mark of an erasure that was refused is taken back", async () => {
  const item = await world.protect("busy", "tiny");
  await world.drain();
  const { id: snapshotId } = await newestSnapshot(world, item.id);
  await askForBackup(world, item.id);
  await expect(
    eraseVersion(world.services, world.member, { itemId: item.id, snapshotId }),
  ).rejects.toMatchObject({ code: "err.item.busy" });
  const keys = await listKeys(env[`VAULT_${world.region}`]);
  expect(keys.filter((key) => key.startsWith("erased/"))).toEqual([]);
});

test("a mark of an earlier release, which names no request, still erases", async () => {
  const item = await world.protect("marked-before", "tiny");
  await world.drain();
  const { id } = await newestSnapshot(world, item.id);
  const mark = JSON.stringify({ erasedAt: world.clock.now(), shownBy: null });
  await env[`VAULT_${world.region}`].put(`erased/${world.member.organisationId}/${item.id}/${id}`, mark);
  await loseLedger(world);
  expect(problemsOf(await rebuild(world))).toEqual([]);
  expect(await world.rows("SELECT id FROM snapshot WHERE item_id = ?", item.id)).toEqual([]);
});

test("two requests for one erasure leave a mark: the refused one takes back its own alone", async () => {
  const items = [await world.protect("at-once", "tiny"), await world.protect("one-after-another", "tiny")];
  await world.drain();
  const [atOnce, inTurn] = await Promise.all(items.map(({ id }) => newestSnapshot(world, id)));
  const erase = ({ item_id, id }: { item_id: string; id: string }, services = world.services) =>
    eraseVersion(services, world.member, { itemId: item_id, snapshotId: id });

  // The other request erases the version between this one's mark and its erasure.
  await expect(
    erase(atOnce!, duringCalls(world.services, "put", { after: () => erase(atOnce!) })),
  ).rejects.toMatchObject({
    code: "err.not.found",
  });
  // A backup refuses this one. When it takes its mark back, the backup has ended and the other has erased the version.
  await askForBackup(world, inTurn!.item_id);
  const afterBackup = async () => {
    await world.drain();
    await erase(inTurn!);
  };
  await expect(
    erase(inTurn!, duringCalls(world.services, "delete", { before: afterBackup })),
  ).rejects.toMatchObject({
    code: "err.not.found",
  });

  await loseLedger(world);
  expect(problemsOf(await rebuild(world))).toEqual([]);
  const erased = [atOnce!.id, inTurn!.id];
  expect(
    (await world.rows("SELECT id FROM snapshot")).filter(({ id }) => erased.includes(String(id))),
  ).toEqual([]);
});

test("what is damaged is reported and left out, and stays in the bucket; a second rebuild takes it up", async () => {
  const items = [await world.protect("one", "tiny"), await world.protect("two", "tiny")];
  await world.drain();
  for (const item of items) await commit(item);
  for (const item of items) await backUpNow(world, item.id);
  const before = await ledgerFacts(world);
  const bucket = env[`VAULT_${world.region}`];
  const [state] = await world.rows<{ key: string }>(
    "SELECT key FROM object WHERE kind = 'state' AND item_id = ? ORDER BY created_at LIMIT 1",
    items[0]!.id,
  );
  const [stream] = await world.rows<{ key: string; id: string }>(
    `SELECT key, id FROM object WHERE kind = 'stream' AND item_id = ?1
       AND id NOT IN (SELECT object_id FROM manifest_object JOIN snapshot USING (item_id, manifest_id)
         WHERE item_id = ?1 AND taken_at = (SELECT min(taken_at) FROM snapshot WHERE item_id = ?1)) LIMIT 1`,
    items[1]!.id,
  );
  const whole = new Map<string, Uint8Array>();
  for (const { key } of [state!, stream!]) whole.set(key, await (await bucket.get(key))!.bytes());
  const bytes = whole.get(state!.key)!.slice();
  bytes[100]! ^= 1;
  await bucket.put(state!.key, bytes);
  await bucket.delete(stream!.key);

  await loseLedger(world);
  const problems = problemsOf(await rebuild(world)).map((event) => "message" in event && event.message);
  expect(problems).toHaveLength(2);
  expect(problems.filter((text) => /frame 0 of .*sta_/.test(String(text)))).toHaveLength(1);
  expect(problems.filter((text) => String(text).includes(`e.g. ${stream!.id}`))).toHaveLength(1);
  for (const item of items) expect(await listSnapshots(world, item.id)).toHaveLength(1);
  const keys = await listKeys(bucket);
  for (let day = 0; day < 3; day++) {
    world.clock.advance(DAY_MS + 1);
    await world.tick(prune);
  }
  expect(await listKeys(bucket)).toEqual(keys);

  for (const [key, good] of whole) await bucket.put(key, good);
  expect(problemsOf(await rebuild(world))).toEqual([]);
  for (const item of items) expect(await listSnapshots(world, item.id)).toHaveLength(1);
  expect(problemsOf(await rebuild(world, { isAgain: true }))).toEqual([]);
  expect((await ledgerFacts(world)).needs).toEqual(before.needs);
});

test("an interrupted rebuild is repeated, and a finished one changes nothing", async () => {
  const items = [await world.protect("one", "tiny"), await world.protect("two", "tiny")];
  await world.drain();
  const before = await ledgerFacts(world);
  await loseLedger(world);
  const calm = world.bear(null);
  await rebuild(world, { services: calm.services });
  expect(await ledgerFacts(world)).toEqual(before);
  for (const [at] of calm.life.log.entries()) {
    await loseLedger(world);
    const { life, services } = world.bear({ at, how: at % 2 ? "kill-before" : "kill-after" });
    await Promise.race([rebuild(world, { services }), life.death]);
    await rebuild(world);
    expect([at, await ledgerFacts(world)]).toEqual([at, before]);
  }
  const again = await rebuild(world);
  expect(again.map(({ type }) => type)).toEqual(["present", "present"]);
  expect(await ledgerFacts(world)).toEqual(before);
  expect(items).toHaveLength(2);
});

test("a state is found again after its packs were rewritten", async () => {
  const item = await world.protect("packed", "tiny");
  await world.drain();
  for (let day = 0; day < 3; day++) {
    await commit(item);
    await backUpNow(world, item.id);
  }
  const roots = () => world.rows<{ root_object: string }>("SELECT root_object FROM manifest ORDER BY id");
  const old = await roots();
  await repackAll(item);
  expect((await roots()).every(({ root_object }, i) => root_object !== old[i]!.root_object)).toBe(true);
  for (let day = 0; day < 3; day++) {
    world.clock.advance(DAY_MS + 1);
    await world.tick((services, region) => nightWatch(services, region, plansOfNobody));
    await world.drain();
  }
  const keys = await listKeys(env[`VAULT_${world.region}`]);
  expect(old.filter(({ root_object }) => keys.some((key) => key.endsWith(root_object)))).toEqual([]);
  const before = await ledgerFacts(world);
  await loseLedger(world);
  expect(problemsOf(await rebuild(world))).toEqual([]);
  expect(await ledgerFacts(world)).toEqual(before);
  expect(await findFaults(world)).toEqual([]);
});

test.each(sampleOf([1, 2, 3, 4], 1))("a rebuilt ledger equals the one of a random history", async (seed) => {
  const roll = dice(seed);
  let items = [await world.protect("alpha", "tiny"), await world.protect("beta", "tiny")];
  await world.drain();
  const erased = new Set<string>();
  for (let day = 0; day < 8; day++) {
    for (const item of items) {
      if (roll(2) === 0) await commit(item);
      await backUpNow(world, item.id);
      const versions = await listSnapshots(world, item.id);
      const chosen = versions[roll(versions.length)]!;
      if (roll(4) > 0) continue;
      await eraseVersion(world.services, world.member, { itemId: item.id, snapshotId: chosen.id });
      erased.add(chosen.id);
    }
    if (day === 5 && roll(2) === 0) {
      await remove(items[1]!);
      await world.drain();
      items = items.slice(0, 1);
    }
  }
  const before = await ledgerFacts(world);
  const old = await world.rows<OldVersion>("SELECT * FROM snapshot");
  await loseLedger(world);
  expect([seed, problemsOf(await rebuild(world))]).toEqual([seed, []]);
  expect([seed, await ledgerFacts(world)]).toEqual([seed, before]);
  expect(await findFaults(world)).toEqual([]);
  const now = await world.rows<OldVersion>("SELECT * FROM snapshot");
  expect(now.length).toBeGreaterThan(1);
  for (const version of now) {
    const { new_bytes: _, verify_state: _state, ...facts } = version;
    const known = old.find(({ id }) => id === version.id)!;
    const { id, run_id, taken_at, manifest_id, size_bytes, skipped_count, item_id } = known;
    expect(facts).toMatchObject({ id, run_id, taken_at, manifest_id, size_bytes, skipped_count, item_id });
    expect(erased.has(id)).toBe(false);
    // No version of the state would have lasted for longer than a day, which is when the next one came.
    const last = Math.max(
      ...old.filter((each) => each.manifest_id === manifest_id).map(({ expires_at }) => expires_at),
    );
    expect(version.expires_at).toBeGreaterThanOrEqual(last);
    expect(version.expires_at).toBeLessThan(last + 8 * 2 * DAY_MS);
  }
});

type OldVersion = Awaited<ReturnType<typeof listSnapshots>>[number] & { run_id: string; expires_at: number };

/** Rewrites every pack of an item, as a repack does with sparse ones. */
async function repackAll({ id: itemId }: ItemView): Promise<void> {
  const { services, region, member } = world;
  const { organisationId } = member;
  const ledger = services.ledger(region);
  const key = { organisationId, itemId };
  const before = await listManifests(ledger, key);
  const vault = await openVault(services, { organisationId, region });
  const runId = services.ids.next("run");
  await createRuns(
    ledger,
    [
      {
        ...{
          id: runId,
          ...key,
          connectionId: "con_x",
          platform: PLATFORM,
          kind: "repack",
          trigger: "system",
        },
        ...{ order: null, snapshotId: null, createdBy: null },
      },
    ],
    services.clock.now(),
  );
  await world.rows("UPDATE run SET status = 'running', epoch = 1 WHERE id = ?", runId);
  const packs = await measurePacks(vault, { scope: key, manifests: before });
  const { manifests: after, newBytes } = await repackManifests(vault, {
    ...{ scope: key, runId, manifests: before, packs, isPack: (id: string) => packs.has(id) },
    onProgress: async () => {},
  });
  const hold = { runId, epoch: 1, itemId };
  const now = services.clock.now();
  expect(await commitRepack(ledger, { hold, before, after, now, bytesStored: newBytes, report: {} })).toBe(
    true,
  );
}
