import { afterEach, beforeEach, expect, test } from "vitest";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import type { TestSession } from "#tests/conformance/test-session.ts";
import { type JiraTestWorld, openJiraWorld, type ProjectReference } from "./test-world.ts";

let world: JiraTestWorld;
let project: ProjectReference;

beforeEach(async () => {
  world = await openJiraWorld();
  project = await world.makeProject("FILES");
  for (const summary of ["Crane", "Chain", "Hook"]) await world.makeIssue("FILES", summary);
  for (const key of ["FILES-1", "FILES-2"]) await attach(key);
  rest();
});
afterEach(() => world.stop());

const attach = (key: string) =>
  world.happen(`/sites/meridian/issues/${key}/attachments`, { fileName: `${key}.txt`, text: key });

/** Every change of the project lies long ago, each of them long before the next. */
function rest(): void {
  for (const [index, issue] of world.site.issues.entries()) {
    issue.updatedAt = Date.now() - (world.site.issues.length - index) * 600_000;
    issue.createdAt = Math.min(issue.createdAt, issue.updatedAt);
    issue.indexDueAt = 0;
  }
}

/** A session of the app inside Jira, with or without a sign-in, at a day on which a project at rest is not read again. */
async function sessionBy(app: "alone" | "with a sign-in"): Promise<TestSession> {
  let now = Date.now();
  while (isWholeDay(project.externalId, now)) now += DAY_MS;
  const others: Record<string, string> = app === "alone" ? {} : { oauth: await world.issueToken() };
  return { ...(await world.session({ authMethod: "forge", others })), clock: { now: () => now } };
}

const filesIn = ({ entries }: MemorySnapshot) =>
  [...entries.keys()].filter((path) => path.includes("/attachments/"));
const lacking = ({ skipped }: MemorySnapshot) =>
  skipped.filter(({ kind }) => kind === "attachment").map(({ path }) => path);
const counted = async (snapshot: MemorySnapshot) =>
  ((await snapshot.readRecord("state.json")) as { counts: { attachment: number } }).counts.attachment;

test("files that wait for a sign-in are listed by every version without a call, and come with the first one after it", async () => {
  const first = await world.backUp(project, null, await sessionBy("alone"));
  expect([filesIn(first).length, lacking(first).length, await counted(first)]).toEqual([0, 2, 2]);
  const idle = await sessionBy("alone");
  const second = await world.backUp(project, first, idle);
  expect(idle.requests.length).toBeLessThanOrEqual(5);
  expect(lacking(second).sort()).toEqual(lacking(first).sort());
  // A changed issue counts its file once, with its new one.
  await attach("FILES-1");
  const third = await world.backUp(project, second, await sessionBy("alone"));
  expect([lacking(third).length, await counted(third)]).toEqual([3, 3]);
  rest();
  const fourth = await world.backUp(project, third, await sessionBy("with a sign-in"));
  expect([filesIn(fourth).length, lacking(fourth), await counted(fourth)]).toEqual([3, [], 3]);
  expect([...fourth.entries.keys()].filter((path) => path.startsWith("lacking/"))).toEqual([]);
  const still = await sessionBy("with a sign-in");
  const fifth = await world.backUp(project, fourth, still);
  expect(still.requests.length).toBeLessThanOrEqual(5);
  expect([filesIn(fifth).length, lacking(fifth)]).toEqual([3, []]);
});

test("a file that Jira refuses is listed again, and asked for again with its issue alone", async () => {
  const refuse = (times: number) =>
    world.simulator.faults.add({
      match: { path: "attachment/content" },
      times,
      action: { kind: "answer", status: 404, body: { errorMessages: ["It is gone."] } },
    });
  refuse(2);
  const first = await world.backUp(project, null, await sessionBy("with a sign-in"));
  expect([filesIn(first).length, lacking(first).length]).toEqual([0, 2]);
  const idle = await sessionBy("with a sign-in");
  const second = await world.backUp(project, first, idle);
  expect(idle.requests.length).toBeLessThanOrEqual(5);
  expect(lacking(second).sort()).toEqual(lacking(first).sort());
  await world.happen("/sites/meridian/issues/FILES-2/comments", { text: "Look." });
  const third = await world.backUp(project, second, await sessionBy("with a sign-in"));
  expect([filesIn(third).length, lacking(third).length, await counted(third)]).toEqual([1, 1, 2]);
});

test("a deleted issue takes its files off the list", async () => {
  const first = await world.backUp(project, null, await sessionBy("alone"));
  await world.happen("/sites/meridian/issues/FILES-2/delete", {});
  const second = await world.backUp(project, first, await sessionBy("alone"));
  expect([lacking(second).length, await counted(second)]).toEqual([1, 1]);
  const third = await world.backUp(project, second, await sessionBy("with a sign-in"));
  expect([filesIn(third).length, lacking(third)]).toEqual([1, []]);
});
