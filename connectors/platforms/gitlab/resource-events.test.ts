import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, testSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import type { Project } from "./simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld } from "./test-world.ts";

let world: GitlabTestWorld;
let token: string;
beforeAll(async () => {
  world = await openGitlabWorld("project");
  token = await world.issueToken();
});
afterAll(() => world.stop());

const session = () => testSession({ config: world.config, token, accountName: world.accountName });

async function backUp(project: Project, previous: MemorySnapshot | null = null) {
  const item = await connector.getItem(session(), { kind: "project", ...world.reference(project) });
  return await takeSnapshot(connector.backUp(session(), { item, previous, cursor: null }), previous);
}

const events = ({ entries }: MemorySnapshot) =>
  [...entries.keys()].filter((path) => path.includes("/resource-events/"));

async function eventsOf(snapshot: MemorySnapshot, id: string, number: string) {
  const view = (await connector.views(snapshot)).find((one) => one.id === id);
  if (view?.kind !== "thread") throw new Error(`There is no view ${id}`);
  const { notes } = await (await view.open()).notes(number, { after: null, most: 50 });
  return notes.filter(({ type }) => type === "event").map(({ text, author, topic }) => [author, text, topic]);
}

test("changes of labels, milestones and states are in the version, shown as events, and reported by a restore", async () => {
  const project = await world.makeProject("eventful");
  const at = `/projects/${project.id}`;
  const milestone = await world.ask<{ id: number }>("POST", `${at}/milestones`, { title: "Spring" });
  await world.ask("POST", `${at}/issues`, { title: "The gate is stuck", labels: "gate" });
  await world.ask("PUT", `${at}/issues/1`, { add_labels: "urgent", milestone_id: milestone.id });
  await world.ask("PUT", `${at}/issues/1`, { remove_labels: "gate", state_event: "close" });
  await world.ask("PUT", `${at}/issues/1`, { state_event: "reopen", milestone_id: null });
  await world.ask("POST", `${at}/merge_requests`, {
    ...{ title: "Oil it", source_branch: "release/1.x", target_branch: "main", labels: "gate" },
  });
  await world.ask("PUT", `${at}/merge_requests/1`, { state_event: "close" });
  const first = await backUp(project);
  expect(await eventsOf(first, "issues", "1")).toEqual([
    [world.accountName, "added the label gate", "label"],
    [world.accountName, "added the label urgent", "label"],
    [world.accountName, "added this to the milestone Spring", "date"],
    [world.accountName, "removed the label gate", "label"],
    [world.accountName, "closed this", "state"],
    [world.accountName, "removed this from the milestone Spring", "date"],
    [world.accountName, "opened this again", "state"],
  ]);
  expect(await eventsOf(first, "merge-requests", "1")).toEqual([
    [world.accountName, "added the label gate", "label"],
    [world.accountName, "closed this", "state"],
  ]);
  const second = await backUp(project, first);
  expect(events(second)).toEqual(events(first));
  const [issue] = project.issues;
  issue?.events?.shift();
  await world.ask("PUT", `${at}/issues/1`, { title: "The gate is open" });
  expect(events(await backUp(project, second))).toHaveLength(events(first).length - 1);
  const target = asNew("eventful-2");
  const { events: told } = await runRestore(connector.restore(session(), first, target, memoryJournal()));
  expect(told).toContainEqual(
    expect.objectContaining({ type: "changed", what: "Notes of the system, such as changes of labels" }),
  );
});

test("GitLab's own notes do not repeat what its lists of events have", async () => {
  const project = await world.makeProject("apart");
  const at = `/projects/${project.id}`;
  await world.ask("POST", `${at}/issues`, { title: "Look" });
  await world.ask("PUT", `${at}/issues/1`, { add_labels: "gate", state_event: "close" });
  expect(await world.ask("GET", `${at}/issues/1/notes`)).toEqual([]);
  expect(await world.ask("GET", `${at}/issues/1/resource_label_events`)).toMatchObject([
    { resource_type: "Issue", resource_id: project.issues[0]?.id, action: "add", label: { name: "gate" } },
  ]);
  expect(await world.ask("GET", `${at}/issues/1/resource_state_events`)).toMatchObject([
    { state: "closed", user: { username: world.accountName } },
  ]);
});
