import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ItemView } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { createRuns } from "#core/runs/index.ts";
import { prune, queueRepacks } from "#core/upkeep/index.ts";
import { beginDraft, type ManifestRef } from "#core/vault/index.ts";
import { commitSnapshot, findManifest, openVault, openVersion } from "#core/versions/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import type { Blow } from "#tests/harness/effects.ts";
import { listKeys } from "#tests/harness/empty-bindings.ts";
import { askForBackup, findRun, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { nightWatch, plansOfNobody } from "#tests/harness/night-watch.ts";
import { sweep } from "#tests/harness/sample.ts";
import { saveWorld } from "#tests/harness/saved-world.ts";
import { blowsOfRun } from "#tests/harness/strike.ts";

const HOWS = ["kill-before", "kill-after", "fail-before", "fail-after"] as const;

let world: FlowWorld;
let item: ItemView;
let restore: () => Promise<void>;
/** The text of every version, by its id. */
let contents: Map<string, string>;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("ledger", "tiny");
  await world.drain();
  await world.ledger.prepare("DELETE FROM schedule").run();
  await makeSparse();
  contents = await readVersions();
  restore = await saveWorld(world);
});
afterAll(() => world.close());

/** Twelve versions of forty notes that nearly all change. Two versions are kept. */
async function makeSparse(): Promise<void> {
  const notes = (round: number) =>
    Array.from({ length: 40 }, (_, i) => ({ number: i, text: `${i < 4 ? i : round} ${"word ".repeat(30)}` }));
  for (let round = 0; round < 12; round++) {
    await takeVersion(notes(round));
  }
  const kept = (await listSnapshots(world, item.id)).filter((_, i) => i === 0 || i === 5);
  await world.ledger
    .prepare(`UPDATE snapshot SET expires_at = 1 WHERE id NOT IN (${kept.map(({ id }) => `'${id}'`).join()})`)
    .run();
  await world.tick((services, region) => nightWatch(services, region, plansOfNobody));
  for (let day = 0; day < 3; day++) {
    world.clock.advance(DAY_MS + HOUR_MS);
    await prune(world.services, world.region);
  }
}

/** Commits a version of records as a backup does, without the platform. */
async function takeVersion(notes: readonly { number: number; text: string }[]): Promise<void> {
  const { services, region, member } = world;
  const ledger = services.ledger(region);
  const organisationId = member.organisationId;
  const runId = services.ids.next("run");
  const run = { id: runId, organisationId, connectionId: "con_x", itemId: item.id, platform: "github" };
  const rest = {
    kind: "backup" as const,
    trigger: "user" as const,
    order: null,
    snapshotId: null,
    createdBy: null,
  };
  await createRuns(ledger, [{ ...run, ...rest }], services.clock.now());
  await world.ledger.prepare("UPDATE run SET status = 'running', epoch = 1 WHERE id = ?").bind(runId).run();
  const vault = await openVault(services, { organisationId, region });
  const previous = await newestManifest();
  const draft = await beginDraft(vault, {
    scope: { organisationId, itemId: item.id },
    runId,
    previous,
    resume: null,
  });
  if (previous) draft.keepAll("");
  for (const value of notes)
    await draft.addRecord({ path: `notes/${value.number}.json`, kind: "note", value });
  const result = await draft.finish({ apiVersion: "1", account: "octo" });
  const verifyRunId = services.ids.next("run");
  const isVisible = await commitSnapshot(ledger, {
    hold: { runId, epoch: 1, itemId: item.id },
    organisationId,
    snapshotId: services.ids.next("snapshot"),
    takenAt: services.clock.now(),
    committedAt: services.clock.now(),
    expiresAt: services.clock.now() + 90 * DAY_MS,
    draft: result,
    item: {
      name: item.name,
      fullName: item.fullName,
      description: null,
      details: {},
    },
    verifyRunId,
    copyTo: null,
    bytesRead: 0,
  });
  expect(isVisible).toBe(true);
  await world.ledger.prepare("DELETE FROM run WHERE id = ?").bind(verifyRunId).run();
}

async function newestManifest(): Promise<ManifestRef | null> {
  const [newest] = await listSnapshots(world, item.id);
  if (!newest) return null;
  const key = { itemId: item.id, manifestId: newest.manifest_id };
  const ledger = world.services.ledger(world.region);
  return (await findManifest(ledger, world.member.organisationId, key))?.ref ?? null;
}

async function readVersions(): Promise<Map<string, string>> {
  const { services, region, member } = world;
  const owner = { organisationId: member.organisationId, region };
  const vault = await openVault(services, owner);
  const texts = new Map<string, string>();
  for (const { id, manifest_id } of await listSnapshots(world, item.id)) {
    const view = await openVersion(services, vault, { ...owner, itemId: item.id, manifestId: manifest_id });
    const lines: string[] = [manifest_id];
    for await (const entry of view.list()) {
      lines.push(JSON.stringify(entry));
      if (entry.type === "record") lines.push(JSON.stringify(await view.readRecord(entry.path)));
    }
    texts.set(id, lines.join("\n"));
  }
  return texts;
}

async function queueRepack(): Promise<string> {
  const { services, region, member } = world;
  const runId = services.ids.next("run");
  const run = { id: runId, organisationId: member.organisationId, connectionId: "con_x", itemId: item.id };
  const rest = {
    kind: "repack" as const,
    trigger: "system" as const,
    order: null,
    snapshotId: null,
    createdBy: null,
  };
  await createRuns(services.ledger(region), [{ ...run, platform: "github", ...rest }], services.clock.now());
  const { organisationId } = member;
  await services.queue.send([{ job: "repack-item", payload: { region, organisationId, runId, epoch: 0 } }]);
  return runId;
}

const manifestRows = () =>
  world
    .rows("SELECT * FROM manifest WHERE item_id = ? ORDER BY id", item.id)
    .then((rows) => JSON.stringify(rows));
const packBytes = async () =>
  Number(
    (await world.rows<{ sum: number }>("SELECT sum(stored_bytes) AS sum FROM object WHERE kind = 'pack'"))[0]!
      .sum,
  );

/** Deletes objects without a row. They come from the test, which has restored the ledger. */
async function dropStrayKeys(): Promise<void> {
  const known = new Set((await world.rows<{ key: string }>("SELECT key FROM object")).map(({ key }) => key));
  const bucket = env[`VAULT_${world.region}`];
  const strays = (await listKeys(bucket)).filter((key) => !known.has(key));
  if (strays.length > 0) await bucket.delete(strays);
}

test("a repack leaves every version unchanged, and prune deletes the old packs two marks later", async () => {
  await restore();
  const before = await packBytes();
  const runId = await queueRepack();
  await world.drain();
  expect((await findRun(world, runId)).status).toBe("succeeded");
  expect(await packBytes()).toBeGreaterThan(before);
  expect(await readVersions()).toEqual(contents);
  for (let day = 0; day < 3; day++) {
    world.clock.advance(DAY_MS + HOUR_MS);
    await prune(world.services, world.region);
    await dropStrayRuns();
  }
  expect(await packBytes()).toBeLessThan((before * 3) / 4);
  expect(await readVersions()).toEqual(contents);
  expect(await findFaults(world)).toEqual([]);
  const again = await queueRepack();
  await world.drain();
  const [row] = await world.rows<{ report: string }>("SELECT report FROM run WHERE id = ?", again);
  expect(JSON.parse(row!.report)).toMatchObject({ packs: 0 });
});

/** Deletes open runs that the watch has queued for other work. */
async function dropStrayRuns(): Promise<void> {
  await world.ledger.prepare("DELETE FROM run WHERE status IN ('queued', 'running')").run();
}

test("a repack that crashes at any effect leaves every version readable and is completed", async () => {
  await restore();
  await dropStrayKeys();
  await queueRepack();
  const strike = async (blow: Blow | null) => {
    const isolate = world.bear(blow);
    const letters = world.queue.letters.splice(0);
    for (const letter of letters) await world.deliver(letter, isolate);
    return isolate.life.log;
  };
  const ready = await saveWorld(world);
  const log = await strike(null);
  expect(log.length).toBeGreaterThan(5);
  const judge = async (blow: string) => {
    expect([blow, await readVersions()]).toEqual([blow, contents]);
    await world.drain();
    expect([blow, await findUnfinished(world)]).toEqual([blow, []]);
    expect([blow, await readVersions()]).toEqual([blow, contents]);
    expect([blow, await findFaults(world)]).toEqual([blow, []]);
    const runs = await world.rows("SELECT status FROM run WHERE kind = 'repack'");
    expect([blow, runs]).toEqual([blow, [{ status: "succeeded" }]]);
  };
  const whole = log.flatMap((_, at) =>
    HOWS.filter((how) => how !== "kill-before" || at === 0).map((how) => ({ at, how })),
  );
  await sweep(async () => {
    for (const { at, how } of blowsOfRun(log, whole)) {
      await ready();
      await dropStrayKeys();
      await strike({ at, how });
      await judge(`${how} ${at}: ${log[at]!.kind} ${log[at]!.name}`);
    }
  });
});

test("a version committed meanwhile, or any open run, stops the repack without changes", async () => {
  await restore();
  await dropStrayKeys();
  const runId = await queueRepack();
  // The bucket is slow at the first new pack. Meanwhile, a backup commits.
  let isLate = false;
  const isolate = world.bear(null);
  const { perform } = isolate.life;
  isolate.life.perform = async (effect, act) => {
    const result = await perform(effect, act);
    if (effect.kind === "bucket" && !isLate) {
      isLate = true;
      await takeVersion([{ number: 1, text: "late" }]);
    }
    return result;
  };
  const letter = world.queue.letters.shift()!;
  const rowsOf = async () => [
    await manifestRows(),
    JSON.stringify(await world.rows("SELECT * FROM object_span")),
  ];
  await world.deliver(letter, isolate);
  expect(isLate).toBe(true);
  const parked = await findRun(world, runId);
  expect([parked.status, parked.waiting_until !== null]).toEqual(["queued", true]);
  const untouched = await rowsOf();
  await expectOldVersions();
  await dropOther(runId);
  const backup = await askForBackup(world, item.id);
  const mail = world.queue.letters.findIndex(({ body }) => body.job === "back-up-item");
  const [held] = world.queue.letters.splice(mail, 1);
  world.clock.advance(HOUR_MS);
  await world.deliver(world.queue.take(world.clock.now())!);
  expect((await findRun(world, runId)).status).toBe("queued");
  expect(await rowsOf()).toEqual(untouched);
  world.queue.letters.push(held!);
  await world.drain();
  expect((await findRun(world, backup)).status).toBe("succeeded");
  expect((await findRun(world, runId)).status).toBe("succeeded");
  expect(await rowsOf()).not.toEqual(untouched);
  await expectOldVersions();
  expect(await findFaults(world)).toEqual([]);
});

async function expectOldVersions(): Promise<void> {
  const now = await readVersions();
  for (const [id, text] of contents) expect(now.get(id) === text).toBe(true);
}

async function dropOther(runId: string): Promise<void> {
  await world.ledger
    .prepare("DELETE FROM run WHERE status IN ('queued', 'running') AND id <> ?")
    .bind(runId)
    .run();
}

test("a pack triggers a check of its item after versions of its time expired, at most once a week", async () => {
  await restore();
  await dropStrayRuns();
  world.queue.letters.length = 0;
  const kinds = () => world.rows("SELECT kind FROM run WHERE kind = 'repack'");
  expect(await queueRepacks(world.services, world.region)).toMatchObject({ done: 0 });
  const created = world.clock.now() - 31 * DAY_MS - HOUR_MS / 2;
  await world.ledger.prepare("UPDATE object_row SET created_at = ? WHERE kind = 'pack'").bind(created).run();
  expect(await queueRepacks(world.services, world.region)).toMatchObject({ done: 0 });
  await world.ledger.prepare("UPDATE object_row SET stored_bytes = 600000 WHERE kind = 'pack'").run();
  expect(await queueRepacks(world.services, world.region)).toMatchObject({ done: 1 });
  expect(await kinds()).toHaveLength(1);
  expect(await queueRepacks(world.services, world.region)).toMatchObject({ done: 0 });
  expect(world.queue.letters.map(({ body }) => body.job)).toEqual(["repack-item"]);
});
