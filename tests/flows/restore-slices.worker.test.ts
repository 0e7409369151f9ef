import { afterAll, beforeAll, expect, test } from "vitest";
import type { ItemView } from "#core/inventory/index.ts";
import { requestRestores } from "#core/restores/index.ts";
import { findRun, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

/** More issues than one slice can write when the platform asks for pauses that are this many times as long. */
const ISSUES = 60;
const SLOWNESS = 10;

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  world.services.sleep = async (ms) => world.clock.advance(ms * SLOWNESS);
  // The platform's content limits use its own clock, which these tests do not move.
  await world.outside.control("settings", { contentPerMinute: 100_000, contentPerHour: 100_000 });
  item = await world.protect("backlog", "tiny");
  await world.outside.control(`repos/${item.fullName}/generate`, { issues: ISSUES });
  await world.drain();
});
afterAll(() => world.close());

test("a restore that outlasts its slice resumes in the next one without duplicates and reports everything", async () => {
  const version = await newestSnapshot(world, item.id);
  const { runIds } = await requestRestores(world.services, world.member, {
    platform: PLATFORM,
    kind: KIND,
    items: [{ itemId: item.id, snapshotId: version.id, name: "backlog-again", place: null }],
    placeId: null,
    emails: [],
  });
  await world.drain();
  const run = await findRun(world, runIds[0]!);
  expect([run.status, run.error_text]).toEqual(["succeeded", null]);
  expect(run.epoch).toBeGreaterThan(1);
  const [row] = await world.rows<{ report: string }>("SELECT report FROM run WHERE id = ?", run.id);
  const report = JSON.parse(row!.report);
  expect(report.restored).toMatchObject({ issue: ISSUES });
  expect(report.mappedCount).toBe(0);
});
