import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { requestBackup } from "#core/backups/index.ts";
import { listConnections } from "#core/connections/index.ts";
import { addItems } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { requestRestore } from "#core/restores/index.ts";
import { beginLife } from "#tests/harness/effects.ts";
import { findRun, newestSnapshot, type RunFacts } from "#tests/harness/flow-steps.ts";
import { connect, type FlowWorld } from "#tests/harness/flow-world.ts";
import { type ForgeWorld, NORA, openForgeWorld } from "#tests/harness/forge-world.ts";
import type { Services } from "#workers/services.ts";

/** Runs by the access that the app inside Jira brings. */

const ISSUES = 60;

let forge: ForgeWorld;
let world: FlowWorld;
let itemId: string;
beforeEach(async () => {
  forge = await openForgeWorld();
  world = forge.world;
  await forge.connectInFrame();
  await env.DB.prepare("UPDATE subscription SET plan = 'pro', quantity = 1000, ends_at = NULL").run();
  const project = await makeProject("OPS");
  await forge.jira.control("sites/meridian/projects/OPS/generate", { issues: ISSUES, comments: ISSUES });
  const { added } = await addItems(world.services, world.member, {
    ...{ platform: "jira", kind: "project", placeId: null },
    externals: [{ externalId: project }],
  });
  itemId = added[0]!.id;
});
afterEach(() => forge.close());

/** A project whose issues have no columns to match. @returns its id at Jira */
async function makeProject(key: string): Promise<string> {
  const order = { key, name: `Project ${key}`, template: "business" };
  return (await forge.jira.control<{ id: string }>("sites/meridian/projects", order)).id;
}

const summariesOf = async (key: string) => {
  const dump = `sites/meridian/projects/${key}/dump`;
  const { issues } = await forge.jira.control<{ issues: { summary: string }[] }>(dump);
  return issues.map(({ summary }) => summary).sort();
};
const callsOf = async () => (await forge.jira.requests()).filter(({ path }) => path.startsWith("/ex/jira/"));

/** The two ways in which an access ends: its time is over, and Jira refuses it earlier than it said. */
const ENDS = {
  "is over": async () => world.clock.advance(3 * HOUR_MS),
  "is refused by Jira": () => forge.jira.control<void>("expire-tokens", {}),
};

/** Services under which the access ends before the call of this number. */
function endingBefore(call: number, end: () => Promise<void>): Services {
  let calls = 0;
  return {
    ...world.services,
    fetch: async (...request) => {
      calls += 1;
      if (calls === call) await end();
      return world.services.fetch(...request);
    },
  };
}

/** Delivers what is due now. */
async function deliverDue(services: Services = world.services): Promise<void> {
  for (let letter = world.queue.take(world.clock.now()); letter; letter = world.queue.take(world.clock.now()))
    await world.deliver(letter, { life: beginLife(), services });
}

/** The run waits for the call of the hour and is called limited, however often it looks. */
async function expectToWait(runId: string): Promise<void> {
  const isWaiting = (run: RunFacts) => {
    expect(run).toMatchObject({ status: "queued", attempts: 0, error_text: null });
    expect(run.waiting_until).toBeGreaterThan(world.clock.now());
  };
  isWaiting(await findRun(world, runId));
  expect(world.events).toContainEqual(
    expect.objectContaining({
      progress: expect.objectContaining({ runId, waitingUntil: expect.any(Number), fault: null }),
    }),
  );
  for (let look = 0; look < 11; look++) {
    world.clock.advance(5 * MINUTE_MS + 1_000);
    await deliverDue();
  }
  isWaiting(await findRun(world, runId));
  const connections = await listConnections(world.services, world.member, { platform: "jira" });
  expect(connections).toMatchObject([
    { status: "active", credentials: [{ authMethod: "forge", isWorking: true }] },
  ]);
}

test.each(Object.keys(ENDS) as (keyof typeof ENDS)[])(
  "a backup whose access %s in the middle waits, and ends with the next call of the hour, as if nothing had happened",
  async (way) => {
    await world.drain();
    const whole = await newestSnapshot(world, itemId);
    const undisturbed = (await callsOf()).length;
    expect(undisturbed).toBeGreaterThan(10);
    // The same project again, from nothing.
    await world.rows("DELETE FROM snapshot");
    await forge.jira.forgetRequests();
    world.clock.advance(DAY_MS);
    await forge.tick();
    const { runId } = await requestBackup(world.services, world.member, { platform: "jira", itemId });
    await deliverDue(endingBefore(Math.floor(undisturbed / 2), ENDS[way]));
    await expectToWait(runId);
    expect(await forge.tick()).toBe(200);
    await world.drain();
    expect(await findRun(world, runId)).toMatchObject({ status: "succeeded", restarts: 0 });
    const again = await newestSnapshot(world, itemId);
    expect([again.size_bytes, again.skipped_count]).toEqual([whole.size_bytes, whole.skipped_count]);
    expect((await callsOf()).length - undisturbed).toBeLessThan(undisturbed / 2);
    expect(world.mails).toEqual([]);
  },
);

test.each(Object.keys(ENDS) as (keyof typeof ENDS)[])(
  "a restore whose access %s in the middle waits, and makes no issue twice",
  async (way) => {
    await world.drain();
    const into = { externalId: await makeProject("BACK") };
    const snapshot = await newestSnapshot(world, itemId);
    const order = { itemId, snapshotId: snapshot.id, part: null, into, name: null, place: null, answers: {} };
    const { runId } = await requestRestore(world.services, world.member, { ...order, emails: [] });
    await deliverDue(endingBefore(70, ENDS[way]));
    const before = (await summariesOf("BACK")).length;
    expect(before).toBeGreaterThan(0);
    await expectToWait(runId);
    expect(await forge.tick()).toBe(200);
    await world.drain();
    expect(await findRun(world, runId)).toMatchObject({ status: "succeeded" });
    expect(await summariesOf("BACK")).toEqual(await summariesOf("OPS"));
    expect(await summariesOf("BACK")).toHaveLength(ISSUES);
  },
);

test("a restore by the app into a new project needs an administrator, and works once one has signed in", async () => {
  await world.drain();
  const { id: snapshotId } = await newestSnapshot(world, itemId);
  const order = { itemId, snapshotId, part: null, into: null, name: "Back", place: null, answers: {} };
  const restore = async () => {
    const { runId } = await requestRestore(world.services, world.member, { ...order, emails: [] });
    await world.drain();
    return findRun(world, runId);
  };
  const refused = await restore();
  expect(refused.status).toBe("failed");
  expect(refused.error_text).toContain("administrator");
  await connect(world, "jira", NORA, { site: forge.site });
  expect(await restore()).toMatchObject({ status: "succeeded", error_text: null });
  expect(await summariesOf("OPSR")).toEqual(await summariesOf("OPS"));
});

test("files that the app may not read come with the next backup after a sign-in, also of issues that did not change", async () => {
  const file = { fileName: "gate.png", text: "picture" };
  await forge.jira.control("sites/meridian/issues/OPS-1/attachments", file);
  const skipped = async () => {
    const { manifest_id } = await newestSnapshot(world, itemId);
    const sql = "SELECT completeness FROM manifest WHERE id = ?";
    const [row] = await world.rows<{ completeness: string }>(sql, manifest_id);
    return (JSON.parse(row!.completeness) as { skipped: { kind: string; reason: string }[] }).skipped;
  };
  const files = async () => (await skipped()).filter(({ kind }) => kind === "attachment");
  await world.drain();
  expect(await files()).toMatchObject([
    { reason: expect.stringContaining("Sign in to Jira on the main site") },
  ]);
  await connect(world, "jira", NORA, { site: forge.site });
  world.clock.advance(DAY_MS);
  await requestBackup(world.services, world.member, { platform: "jira", itemId });
  await world.drain();
  expect(await files()).toEqual([]);
});
