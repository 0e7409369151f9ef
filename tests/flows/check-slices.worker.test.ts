import { afterAll, beforeAll, expect, test } from "vitest";
import type { PlatformConnector, VerifyEvent, VerifyOrder } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { verifyRepositories } from "#connectors/toolkit/git/repository/verify-repositories.ts";
import { requestCloneUrl, requestZip } from "#core/exports/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { concatBytes, fromUtf8, utf8 } from "#core/kernel/crypto.ts";
import { requestRestores } from "#core/restores/index.ts";
import { createRuns } from "#core/runs/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import { beginLife } from "#tests/harness/effects.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { nightWatch } from "#tests/harness/night-watch.ts";
import type { Services } from "#workers/services.ts";

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("slices", "tiny");
  await world.drain();
});
afterAll(() => world.close());

type Verify = (snapshot: SnapshotView, order: VerifyOrder) => AsyncIterable<VerifyEvent>;

/** Services whose connector checks with `by`. */
function checkingBy(services: Services, by: Verify): Services {
  const connector = services.connectors.get(PLATFORM)!;
  const changed: PlatformConnector = { ...connector, verify: by };
  return { ...services, connectors: new Map([...services.connectors, [PLATFORM, changed]]) };
}

async function queueCheck(): Promise<string> {
  const { services, region, member } = world;
  const snapshot = await newestSnapshot(world, item.id);
  const runId = services.ids.next("run");
  const run = { id: runId, organisationId: member.organisationId, connectionId: "con_x", itemId: item.id };
  const rest = { kind: "verify" as const, trigger: "system" as const, order: null, createdBy: null };
  const row = { ...run, platform: PLATFORM, ...rest, snapshotId: snapshot.id };
  await createRuns(services.ledger(region), [row], services.clock.now());
  const { organisationId } = member;
  await services.queue.send([
    { job: "verify-snapshot", payload: { region, organisationId, runId, epoch: 0 } },
  ]);
  return runId;
}

const drafts = () => world.rows("SELECT id FROM object WHERE kind = 'draft'");

/** Delivers to the given services until the queue is empty. Returns the number of slices. */
async function drainBy(services: Services): Promise<number> {
  let slices = 0;
  for (;;) {
    const nextAt = world.queue.nextAt();
    if (nextAt === null) return slices;
    world.clock.advance(nextAt - world.clock.now());
    await world.deliver(world.queue.take(world.clock.now())!, { life: beginLife(), services });
    slices++;
  }
}

test("a check continues slice by slice from its data in the vault and deletes that at the end", async () => {
  const seen: string[] = [];
  const by: Verify = async function* (_snapshot, order) {
    const done = Number(order.cursor ?? 0);
    const stored = order.readScratch("state");
    const chunks: Uint8Array[] = [];
    for await (const chunk of stored ?? []) chunks.push(chunk.slice());
    seen.push(`${done}:${fromUtf8(concatBytes(...chunks))}`);
    if (done === 3) return;
    expect(order.isOver()).toBe(false);
    world.clock.advance(4 * MINUTE_MS);
    expect(order.isOver()).toBe(true);
    yield { type: "scratch", name: "state", write: async (sink) => sink.write(utf8(`after ${done}`)) };
    yield { type: "checkpoint", cursor: done + 1 };
    throw new Error("the slice went on although it was over");
  };
  const runId = await queueCheck();
  expect(await drainBy(checkingBy(world.services, by))).toBe(4);
  expect(seen).toEqual(["0:", "1:after 0", "2:after 1", "3:after 2"]);
  const [run] = await world.rows("SELECT status, cursor FROM run WHERE id = ?", runId);
  expect(run).toEqual({ status: "succeeded", cursor: null });
  expect((await newestSnapshot(world, item.id)).verify_state).toBe("verified");
  expect(await drafts()).toEqual([]);
  expect(await findFaults(world)).toEqual([]);
});

test("a check that crashes between two slices resumes from its last checkpoint", async () => {
  const by: Verify = async function* (_snapshot, order) {
    const done = Number(order.cursor ?? 0);
    const chunks: Uint8Array[] = [];
    for await (const chunk of order.readScratch("state") ?? []) chunks.push(chunk.slice());
    // The scratch must match the cursor.
    if (done > 0 && fromUtf8(concatBytes(...chunks)) !== `after ${done - 1}`)
      throw new Error("another state");
    if (done === 2) return;
    world.clock.advance(4 * MINUTE_MS);
    yield { type: "scratch", name: "state", write: async (sink) => sink.write(utf8(`after ${done}`)) };
    yield { type: "checkpoint", cursor: done + 1 };
  };
  const calm = checkingBy(world.services, by);
  let effects = Number.POSITIVE_INFINITY;
  let deaths = 0;
  for (let at = 0; at < effects; at++) {
    const runId = await queueCheck();
    // The first slice creates the scratch, the second replaces it. A death matters most there.
    await world.deliver(world.queue.take(world.clock.now())!, { life: beginLife(), services: calm });
    world.clock.advance(MINUTE_MS);
    const isolate = world.bear(at === 0 ? null : { at, how: at % 2 === 0 ? "kill-after" : "fail-after" });
    const letter = world.queue.take(world.clock.now())!;
    await world.deliver(letter, { life: isolate.life, services: checkingBy(isolate.services, by) });
    if (at === 0) effects = isolate.life.log.length;
    else deaths++;
    await drainBy(calm);
    // A death leaves no message. The sweep finds the run by its lease and continues with the standard check.
    await world.drain();
    const [run] = await world.rows("SELECT status FROM run WHERE id = ?", runId);
    expect([at, run]).toEqual([at, { status: "succeeded" }]);
    expect([at, await findUnfinished(world)]).toEqual([at, []]);
  }
  expect(deaths).toBeGreaterThan(4);
  for (let day = 0; day < 3; day++) {
    world.clock.advance(DAY_MS + 1);
    await world.tick(nightWatch);
  }
  await world.drain();
  expect(await drafts()).toEqual([]);
});

test("a version too large to index is reported as such; it can be downloaded and restored, but not cloned", async () => {
  // Removes its indexes, as if every isolate had been too small to build them.
  await world.ledger.prepare("DELETE FROM companion").run();
  const limits = { memoryBytes: 8 * 1024 * 1024 };
  const check = { platformName: "GitHub", prefixes: ["git/"], limits };
  const services = checkingBy(world.services, (snapshot, order) =>
    verifyRepositories(snapshot, order, check),
  );
  await queueCheck();
  await drainBy(services);
  const snapshot = await newestSnapshot(world, item.id);
  expect(snapshot.verify_state).toBe("intact");
  expect(snapshot.verify_text).toContain("Every byte is stored and its checksum proved");
  const order = { platform: PLATFORM, itemId: item.id, snapshotId: snapshot.id };
  expect((await requestZip(world.services, world.member, order)).kind).toBe("ready");
  await expect(requestCloneUrl(world.services, world.member, order)).rejects.toThrow(
    "A git pack of this version has no index",
  );
  const { runIds } = await requestRestores(world.services, world.member, {
    platform: PLATFORM,
    kind: item.kind,
    items: [{ itemId: item.id, snapshotId: snapshot.id, name: "slices_again", place: null }],
    placeId: null,
    emails: [],
  });
  await world.drain();
  const [run] = await world.rows("SELECT status FROM run WHERE id = ?", runIds[0]);
  expect(run).toEqual({ status: "succeeded" });
  // Thirty days later, an isolate with enough memory checks it again.
  world.clock.advance(31 * DAY_MS);
  await world.tick(nightWatch);
  await world.drain();
  expect((await newestSnapshot(world, item.id)).verify_state).toBe("verified");
});
