import { afterAll, beforeAll, expect, test } from "vitest";
import { describeViews } from "#tests/conformance/connector/describe-views.ts";
import type { Suite } from "#tests/conformance/connector/suite.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { allOf } from "#tests/harness/all-of.ts";
import { connector } from "../connector.ts";
import { fillFleetProject } from "../simulator/seed-fleet.ts";
import { findPerson } from "../simulator/store.ts";
import { openRestoreBench, type RestoreBench } from "../test-bench.ts";

let bench: RestoreBench;
let snapshot: MemorySnapshot;
beforeAll(async () => {
  bench = await openRestoreBench();
  const project = bench.makeProject("OPS", "scrum");
  const { world } = bench.simulator;
  const [nora, ivo, asa] = ["nora", "ivo", "asa"].map(
    (name) => findPerson(world, `${name}@meridian.example`)!,
  );
  fillFleetProject(world, bench.site, project, [nora!, ivo!, asa!]);
  snapshot = await bench.backUp(project);
}, 60_000);
afterAll(() => bench.stop());

// The backup is made once: the views only read it.
describeViews("Jira, a project in sprints", {
  connector,
  world: () => ({ item: {} }),
  getItem: async () => ({}),
  backUp: async () => snapshot,
} as unknown as Suite);

test("a backup of a project in sprints shows nothing that only machines read", async () => {
  const views = await connector.views(snapshot);
  expect(views.map(({ label }) => label)).toEqual([
    ...["Board", "Backlog", "Issues"],
    ...["Versions", "Components", "Workflow"],
  ]);
  const seen: unknown[] = [];
  for (const view of views) {
    if (view.kind === "table") {
      const table = await view.open();
      seen.push(await table.facts());
      for (const { id } of await allOf(table.rows(null))) seen.push(await table.row(id));
    }
    if (view.kind === "board") {
      const board = await view.open();
      for await (const { id } of board.cards())
        seen.push(await board.card(id), await board.history(id, { after: null, most: 50 }));
    }
    if (view.kind === "thread") {
      const threads = await view.open();
      for (const { id } of await allOf(threads.threads(null)))
        seen.push(await threads.thread(id), await threads.notes(id, { after: null, most: 50 }));
    }
  }
  const words = JSON.stringify(seen);
  expect(words).not.toMatch(/customfield_|\[object|undefined|NaN|"null"/);
  expect(words).toContain("changed status from");
});
