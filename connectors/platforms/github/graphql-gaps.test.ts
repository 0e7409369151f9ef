import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import type { TestSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import { generateRecords } from "./simulator/generate.ts";
import type { Issue } from "./simulator/records.ts";
import { nodeId } from "./simulator/render.ts";
import { seedProject } from "./simulator/seed-extras.ts";
import { nextId, type Repository } from "./simulator/state.ts";
import { deleteIssue } from "./simulator/threads.ts";
import { type GithubTestWorld, openGithubWorld } from "./test-world.ts";

const DAY_MS = 86_400_000;
const GAVE_UP = {
  data: null,
  errors: [{ message: "Something went wrong while executing your query. Please include `A1:B2` …" }],
};
let world: GithubTestWorld;
beforeAll(async () => {
  world = await openGithubWorld();
});
afterEach(() => {
  Object.assign(world.simulator.world.settings, { hiddenNodes: [], brokenFields: [] });
  world.simulator.faults.clear();
});
afterAll(() => world.stop());

const settings = () => world.simulator.world.settings;
const recordsOf = (repository: Repository) => world.simulator.world.records.of(repository);
const amounts = { issues: 3, pulls: 4, commentsPerIssue: 1, eventsPerIssue: 0, reviewsPerPull: 1 };

async function make(name: string, discussions = 4): Promise<Repository> {
  const repository = await world.makeRepository(name, { hasDiscussions: true });
  const order = { ...amounts, discussions, from: Date.UTC(2025, 0, 6), seed: 3 };
  generateRecords(world.simulator.world, repository, order);
  seedProject(world.simulator.world, repository);
  const { issues, reviews } = recordsOf(repository);
  for (const issue of issues.filter(isPull)) {
    if (issue.number % 2) continue;
    Object.assign(issue, { state: "closed", closedAt: issue.updatedAt });
    Object.assign(issue.pull, { mergedAt: issue.updatedAt, mergedBy: "ivo-petrov" });
  }
  for (const review of reviews) {
    const reaction = { content: "+1", login: "ivo-petrov", createdAt: "2025-03-01T00:00:00Z" } as const;
    review.reactions.push({ id: nextId(world.simulator.world.state), ...reaction });
  }
  return repository;
}

function isPull(issue: Issue): issue is Issue & { pull: NonNullable<Issue["pull"]> } {
  return issue.pull !== null;
}

/** A session without pauses, on a day with a full read or on an ordinary day that reads only changes. */
function session(repository: Repository, day: "whole" | "ordinary" = "ordinary"): TestSession {
  let now = Date.now();
  while (isWholeDay(String(repository.id), now) !== (day === "whole")) now += DAY_MS;
  const base = world.session();
  return { ...base, clock: { now: () => now }, sleep: async () => undefined };
}

async function backUp(
  repository: Repository,
  previous: MemorySnapshot | null = null,
  by = session(repository),
) {
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
}

const pathsOf = ({ entries }: MemorySnapshot, prefix = "") =>
  [...entries.keys()].filter((path) => path.startsWith(prefix)).sort();
const hashesOf = ({ entries }: MemorySnapshot) =>
  Object.fromEntries([...entries].map(([path, { info }]) => [path, info.hash]));

test("objects that GitHub lists but does not show are reported and counted, and the rest is in the version", async () => {
  const repository = await make("hidden");
  const whole = await backUp(repository);
  const { discussions, discussionComments, projects } = recordsOf(repository);
  const [hidden, partly] = discussions;
  const comment = discussionComments.find(({ discussion }) => discussion === partly?.number);
  const item = projects[0]?.items[0];
  settings().hiddenNodes = [
    nodeId("D", hidden?.id ?? 0),
    nodeId("DC", comment?.id ?? 0),
    nodeId("PVTI", item?.id ?? 0),
  ];
  const version = await backUp(repository);
  expect(version.skipped.map(({ path, kind, reason }) => [path, kind, reason])).toEqual([
    [
      expect.stringMatching(/^discussions\/0+\d+\//),
      "discussion-comment",
      expect.stringContaining("1 of the comments"),
    ],
    ["discussions/", "discussion", "GitHub does not show 1 of the discussions that it lists."],
    [
      expect.stringMatching(/^projects\//),
      "project-item",
      expect.stringContaining("1 of the items of the project"),
    ],
  ]);
  const lost = pathsOf(whole).filter((path) => !version.entries.has(path));
  // The hidden discussion with its comment and reply, the hidden comment with its reply, and the project item.
  expect(lost).toHaveLength(6);
});

test.each(["whole", "ordinary"] as const)(
  "previous entries of objects that GitHub hides are kept, on the %s day too",
  async (day) => {
    // More than one page of discussions. The hidden one is among the oldest, which an ordinary day does not read.
    const repository = await make(`stays-${day}`, 25);
    const before = await backUp(repository);
    const { discussions, issues } = recordsOf(repository);
    settings().hiddenNodes = [nodeId("D", discussions[0]?.id ?? 0), nodeId("I", issues[0]?.id ?? 0)];
    deleteIssue(recordsOf(repository), issues[1]?.number ?? 0);
    discussions.splice(1, 1);
    const after = await backUp(repository, before, session(repository, day));
    expect(pathsOf(after, "discussions/")).toEqual(pathsOf(before, "discussions/"));
    expect(pathsOf(after, "issues/000000000001/")).toEqual(pathsOf(before, "issues/000000000001/"));
    expect(after.skipped.map(({ kind }) => kind)).toContain(day === "whole" ? "discussion" : "issue");
  },
);

test("a failing query is retried and leaves no trace in the version", async () => {
  const repository = await make("passing");
  const wanted = hashesOf(await backUp(repository));
  const questions = session(repository);
  await backUp(repository, null, questions);
  const count = questions.requests.filter(({ url }) => url.endsWith("/graphql")).length;
  expect(count).toBeGreaterThan(3);
  for (let skip = 0; skip < count; skip++) {
    const action = { kind: "answer", status: 200, body: GAVE_UP } as const;
    world.simulator.faults.add({ match: { path: "/graphql" }, skip, times: 2, action: jsonOf(action) });
    const version = await backUp(repository);
    world.simulator.faults.clear();
    expect([skip, version.skipped, hashesOf(version)]).toEqual([skip, [], wanted]);
  }
}, 60_000);

test("if GraphQL cannot return who merged a pull request, REST does", async () => {
  const repository = await make("merged");
  const wanted = hashesOf(await backUp(repository));
  const merged = await mergersOf(await backUp(repository));
  expect(merged).toContain("ivo-petrov");
  settings().brokenFields = ["^nodes\\.\\d+\\.mergedBy$"];
  const version = await backUp(repository);
  expect(await mergersOf(version)).toEqual(merged);
  const { "state.json": _state, ...pulls } = wanted;
  expect(Object.keys(hashesOf(version)).sort()).toEqual(Object.keys({ ...pulls, "state.json": "" }).sort());
  expect(version.skipped).toEqual([
    {
      ...{ type: "skipped", path: "pulls/", kind: "review" },
      reason: expect.stringMatching(/^Who reacted to reviews .* Something went wrong/),
    },
  ]);
});

async function mergersOf(version: MemorySnapshot): Promise<string[]> {
  const mergers: string[] = [];
  for (const path of pathsOf(version, "pulls/").filter((each) => each.endsWith("/pull.json"))) {
    const { merged_by } = (await version.readRecord(path)) as { merged_by?: { login: string } };
    mergers.push(merged_by?.login ?? "");
  }
  return mergers;
}

/** Marks an answer of the simulator as JSON. */
function jsonOf<A extends object>(action: A) {
  return { ...action, headers: { "content-type": "application/json" } };
}
