import { afterAll, beforeAll, expect, test } from "vitest";
import type { ItemView } from "#core/inventory/index.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { MAX_ATTEMPTS } from "#core/runs/index.ts";
import { openVault, openVersion } from "#core/versions/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import { backUpNow, newestSnapshot, type SnapshotFacts } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("planning", "tiny");
  await world.outside.control(`repos/${item.fullName}/generate`, {
    ...{ issues: 40, pulls: 4, commentsPerIssue: 2, eventsPerIssue: 1, reviewsPerPull: 1 },
  });
  await world.drain();
});
afterAll(() => world.close());

/** The paths and hashes of a version, and a reader of its records. */
async function open(snapshot: SnapshotFacts) {
  const { services, region, member } = world;
  const owner = { organisationId: member.organisationId, region };
  const vault = await openVault(services, owner);
  const view = await openVersion(services, vault, {
    ...owner,
    itemId: item.id,
    manifestId: snapshot.manifest_id,
  });
  const hashes = new Map<string, string>();
  for await (const { path, hash } of view.list()) hashes.set(path, hash);
  return { hashes, read: (path: string): Promise<Json> => view.readRecord(path) };
}

const issue = (number: number) => `issues/${String(number).padStart(12, "0")}/`;

test("after one changed and one deleted issue the next version differs only in these, and the first is unchanged", async () => {
  const first = await newestSnapshot(world, item.id);
  const before = await open(first);
  expect([...before.hashes.keys()].filter((path) => path.endsWith("/issue.json"))).toHaveLength(40);
  await world.outside.control(`repos/${item.fullName}/issues/edit`, { numbers: [3] });
  await world.outside.control(`repos/${item.fullName}/issues/delete`, { numbers: [17] });
  expect(await backUpNow(world, item.id)).toMatchObject({ status: "succeeded" });
  const second = await newestSnapshot(world, item.id);
  expect(second.id).not.toBe(first.id);
  expect(second.skipped_count).toBe(0);
  const after = await open(second);
  const changed = [...after.hashes].filter(([path, hash]) => before.hashes.get(path) !== hash);
  expect(changed.map(([path]) => path).sort()).toEqual([`${issue(3)}issue.json`, "state.json"]);
  const gone = [...before.hashes.keys()].filter((path) => !after.hashes.has(path));
  expect(gone.length).toBeGreaterThanOrEqual(4);
  expect(gone.every((path) => path.startsWith(issue(17)))).toBe(true);
  expect(await before.read(`${issue(17)}issue.json`)).toMatchObject({ number: 17 });
  expect(second.new_bytes).toBeLessThan(first.new_bytes / 2);
  expect(await findFaults(world)).toEqual([]);
  expect(await findUnfinished(world)).toEqual([]);
});

test("without changes the next version has the same manifest and writes no byte", async () => {
  const before = await newestSnapshot(world, item.id);
  expect(await backUpNow(world, item.id)).toMatchObject({ status: "succeeded" });
  const after = await newestSnapshot(world, item.id);
  expect(after.id).not.toBe(before.id);
  expect([after.manifest_id, after.new_bytes]).toEqual([before.manifest_id, 0]);
});

test("a list that fails every attempt is missing from the version, and nothing else is", async () => {
  await world.outside.control(`repos/${item.fullName}/generate`, { releases: 3, assetsPerRelease: 1 });
  expect(await backUpNow(world, item.id)).toMatchObject({ status: "succeeded" });
  const before = await open(await newestSnapshot(world, item.id));
  const releases = [...before.hashes.keys()].filter((path) => path.startsWith("releases/"));
  expect(releases).toHaveLength(6);
  await world.outside.control(`repos/${item.fullName}/issues/edit`, { numbers: [5] });
  // Whatever the feeds show, a week later all lists are read.
  world.clock.advance(7 * DAY_MS);
  const gaveUp = { kind: "answer" as const, status: 504, body: { message: "Server Error" } };
  await world.outside.fault({ match: { path: "/releases\\?" }, times: 10_000, action: gaveUp });
  const run = await backUpNow(world, item.id);
  await world.outside.clearFaults();
  expect([run.status, run.error_text, run.attempts]).toEqual(["succeeded", null, MAX_ATTEMPTS]);
  const version = await newestSnapshot(world, item.id);
  expect(version.skipped_count).toBe(1);
  const after = await open(version);
  const changed = [...after.hashes].filter(([path, hash]) => before.hashes.get(path) !== hash);
  expect(changed.map(([path]) => path).sort()).toEqual([`${issue(5)}issue.json`, "state.json"]);
  expect([...after.hashes.keys()].filter((path) => path.startsWith("releases/"))).toEqual(releases);
  expect(await findFaults(world)).toEqual([]);
  expect(await findUnfinished(world)).toEqual([]);
});
