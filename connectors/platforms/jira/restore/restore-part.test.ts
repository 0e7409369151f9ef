import { afterAll, beforeAll, expect, test } from "vitest";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { recordPaths } from "../record-paths.ts";
import { createSprint, moveToSprint } from "../simulator/sprints.ts";
import type { Issue, Project } from "../simulator/state.ts";
import { openRestoreBench, type RestoreBench } from "../test-bench.ts";

let bench: RestoreBench;
beforeAll(async () => {
  bench = await openRestoreBench();
});
afterAll(() => bench.stop());

const changedIn = (events: readonly RestoreEvent[]) =>
  events.flatMap((event) => (event.type === "changed" ? [`${event.what}: ${event.reason}`] : []));
const newestIn = (project: Project): Issue => bench.issuesIn(project).at(-1)!;

/** A story below an epic and in the open sprint, with a sub-task. */
function makeStory(key: string) {
  const project = bench.makeProject(key);
  const { site, personId } = bench;
  const { world } = bench.simulator;
  const board = site.boards.find(({ projectId }) => projectId === project.id)!;
  const sprint = createSprint(world, site, { board, name: `Sprint of ${key}` });
  sprint.state = "active";
  const epic = bench.makeIssue(project, "Depot", { type: "Epic" });
  const story = bench.makeIssue(project, "Route", { type: "Story", values: { parent: epic.id } });
  const subtask = bench.makeIssue(project, "Bridge", { type: "Sub-task", values: { parent: story.id } });
  moveToSprint(world, site, personId("nora"), { issues: [story], sprint });
  return { project, board, sprint, epic, story, subtask };
}

test("an issue that comes back into its own project stands below its epic and in its sprint", async () => {
  const { project, sprint, epic, story, subtask } = makeStory("OWN");
  const version = await bench.backUp(project);
  const { events } = await bench.restoreInto(version, project, { part: recordPaths.issue(story.id) });
  const made = bench.issuesIn(project).filter(({ values }) => values.summary === "Route")[1]!;
  expect(made.values.parent).toBe(epic.id);
  expect(bench.dump(project).issues.find(({ key }) => key === `OWN-${made.number}`)?.fields).toMatchObject({
    Sprint: sprint.name,
  });
  expect(newestIn(project).values.parent).toBe(made.id);
  const told = changedIn(events);
  expect(told.filter((line) => /^(Parents|Sprint)/.test(line))).toEqual([]);
  expect(told).toContain("Place on the board: A single issue comes behind those that are there.");

  await bench.restoreInto(version, project, { part: recordPaths.issue(subtask.id) });
  expect(newestIn(project)).toMatchObject({ values: { summary: "Bridge", parent: story.id } });
});

test("what the epic and the sprint were is told where they are not", async () => {
  const { project, sprint, story } = makeStory("SRC");
  const version = await bench.backUp(project);
  const part = recordPaths.issue(story.id);
  const other = bench.makeProject("OTH");
  const { events } = await bench.restoreInto(version, other, { part });
  expect(changedIn(events)).toEqual(
    expect.arrayContaining([
      "Parents: The parent is not in the target, or its type there has no children.",
      `Sprint ${sprint.name} of SRC-2: The target has no open sprint of this name.`,
    ]),
  );
  sprint.state = "closed";
  const later = await bench.restoreInto(version, project, { part });
  expect(changedIn(later.events)).toContain(
    `Sprint ${sprint.name} of SRC-2: The target has no open sprint of this name.`,
  );
});

test("epics and sub-tasks in another order than that of their making are named in the report", async () => {
  const project = bench.makeProject("RNK");
  const [first, second] = ["One", "Two"].map((name) => bench.makeIssue(project, name, { type: "Epic" }));
  const calm = await bench.restoreInto(await bench.backUp(project), bench.makeProject("RNA"));
  expect(changedIn(calm.events).filter((line) => line.startsWith("The order"))).toEqual([]);
  [first!.rank, second!.rank] = [second!.rank, first!.rank];
  const { events } = await bench.restoreInto(await bench.backUp(project), bench.makeProject("RNB"));
  expect(changedIn(events)).toContain(
    "The order of epics and sub-tasks: They stand in the order of their making; only the issues between them are ranked.",
  );
});
