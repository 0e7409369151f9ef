import { afterAll, beforeAll, expect, test } from "vitest";
import { WHOLE_EVERY_DAYS, weekStart } from "#connectors/toolkit/records/backup-state.ts";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import type { TestSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import { fullName } from "./simulator/repositories.ts";
import { seedProject, seedSettings } from "./simulator/seed-extras.ts";
import type { Repository } from "./simulator/state.ts";
import { type GithubTestWorld, openGithubWorld } from "./test-world.ts";

/* What an unchanged repository costs, and that no change hides behind GitHub's feeds. */

type RepositoryRecords = ReturnType<GithubTestWorld["simulator"]["world"]["records"]["of"]>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let world: GithubTestWorld;
beforeAll(async () => {
  world = await openGithubWorld();
});
afterAll(() => world.stop());

/** A repository with a few of everything, and the first moment of its next week. */
async function makeRepository(
  name: string,
): Promise<{ repository: Repository; records: RepositoryRecords; at: number }> {
  const repository = await world.makeRepository(name);
  repository.hasDiscussions = true;
  const order = {
    ...{ issues: 6, pulls: 2, commentsPerIssue: 2, eventsPerIssue: 1, reviewsPerPull: 1 },
    ...{ releases: 2, assetsPerRelease: 1, discussions: 2 },
  };
  const url = `${world.simulator.url}/__sim/github/repos/${fullName(repository)}/generate`;
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(order) });
  expect(answer.status).toBe(200);
  for (const title of ["First aim", "Last aim"]) await call(repository, "POST", "/milestones", { title });
  seedSettings(world.simulator.world, repository);
  const at = weekStart(String(repository.id), Date.now()) + WHOLE_EVERY_DAYS * DAY_MS + HOUR_MS;
  return { repository, records: world.simulator.world.records.of(repository), at };
}

function sessionAt(now: number): TestSession {
  return { ...world.session(), clock: { now: () => now } };
}

type Day = { now: number; previous?: MemorySnapshot; previousAt?: number };

/** Backs the repository up as the engine does, and returns what it asked of the API: git has no such quota. */
async function backUp(repository: Repository, { now, previous, previousAt }: Day) {
  const by = sessionAt(now);
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  const order = { item, previous: previous ?? null, previousAt, cursor: null };
  const snapshot = await takeSnapshot(connector.backUp(by, order), previous);
  const asked = by.requests
    .map(({ url }) => new URL(url).pathname)
    .filter((path) => path.startsWith("/api/"));
  return { snapshot, asked };
}

const hashes = (snapshot: MemorySnapshot) =>
  Object.fromEntries(
    [...snapshot.entries.values()]
      .map(({ info }) => [info.path, info.hash] as const)
      .filter(([path]) => path !== "state.json" && !/^git\/(packs|chain)/.test(path)),
  );

/** Changes something by GitHub's API, as a person would. */
async function call(repository: Repository, method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${world.config.GITHUB_API_URL}/repos/${fullName(repository)}${path}`, {
    method,
    headers: { authorization: `Bearer ${world.token}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
}

test("an unchanged repository costs two requests of the API, and its version stays equal", async () => {
  const { repository, at } = await makeRepository("at-rest");
  const first = await backUp(repository, { now: at });
  let previous = first.snapshot;
  for (let day = 1; day < WHOLE_EVERY_DAYS; day++) {
    const now = at + day * DAY_MS;
    const next = await backUp(repository, { now, previous, previousAt: now - DAY_MS });
    expect(next.asked).toEqual([`/api/repositories/${repository.id}`, "/api/graphql"]);
    const parts = ({ entries, skipped, reported }: MemorySnapshot) => ({
      entries: Object.fromEntries([...entries].map(([path, { info }]) => [path, info])),
      skipped,
      reported,
    });
    expect(parts(next.snapshot)).toEqual(parts(previous));
    previous = next.snapshot;
  }
  const now = at + WHOLE_EVERY_DAYS * DAY_MS;
  const weekly = await backUp(repository, { now, previous, previousAt: now - DAY_MS });
  expect(weekly.asked.length).toBeGreaterThan(15);
  expect(hashes(weekly.snapshot)).toEqual(hashes(previous));
});

test("many unchanged repositories cost two requests each, and a round fits into the quota", async () => {
  const repositories: Repository[] = [];
  for (let count = 0; count < 12; count++)
    repositories.push(await world.makeRepository(`one-of-many-${count}`));
  const asked = { daily: 0, weekly: 0 };
  /** Of these, what draws on the quota of REST: GraphQL has its own. */
  const rest = { daily: 0, weekly: 0 };
  const ofRest = (paths: readonly string[]) => paths.filter((path) => path !== "/api/graphql").length;
  for (const repository of repositories) {
    const at = weekStart(String(repository.id), Date.now()) + WHOLE_EVERY_DAYS * DAY_MS + HOUR_MS;
    const first = await backUp(repository, { now: at });
    asked.weekly += first.asked.length;
    rest.weekly += ofRest(first.asked);
    const day = { now: at + DAY_MS, previous: first.snapshot, previousAt: at };
    const next = await backUp(repository, day);
    asked.daily += next.asked.length;
    rest.daily += ofRest(next.asked);
  }
  expect(asked.daily).toBe(2 * repositories.length);
  // What the screens compute the length of a round from.
  const cost = connector.descriptor.rounds.kinds.repository;
  expect(rest.daily).toBe(cost.changes * repositories.length);
  expect(rest.weekly).toBe(cost.whole * repositories.length);
});

type Change = { what: string; path: RegExp; make: (made: Made) => Promise<void> | void };
type Made = { repository: Repository; records: RepositoryRecords };
const CHANGES: Change[] = [
  {
    what: "an issue was edited",
    path: /^issues\/0+1\/issue\.json$/,
    make: ({ repository }) => call(repository, "PATCH", "/issues/1", { title: "Another title" }),
  },
  {
    what: "an issue was opened",
    path: /^issues\/\d+\/issue\.json$/,
    make: ({ repository }) => call(repository, "POST", "/issues", { title: "Another one" }),
  },
  {
    what: "somebody commented",
    path: /^issues\/0+2\/comments\//,
    make: ({ repository }) => call(repository, "POST", "/issues/2/comments", { body: "Another word" }),
  },
  {
    what: "a pull request was edited",
    path: /^pulls\/\d+\/pull\.json$/,
    make: ({ repository, records }) => {
      const pull = records.issues.find((issue) => issue.pull !== null);
      return call(repository, "PATCH", `/pulls/${pull?.number}`, { title: "Another title" });
    },
  },
  {
    what: "a label got another colour",
    path: /^labels\//,
    make: ({ repository, records }) =>
      call(repository, "PATCH", `/labels/${records.labels[0]?.name}`, { color: "123456" }),
  },
  {
    what: "a label was made",
    path: /^labels\//,
    make: ({ repository }) => call(repository, "POST", "/labels", { name: "another", color: "654321" }),
  },
  {
    what: "a milestone was edited",
    path: /^milestones\//,
    make: ({ repository }) => call(repository, "PATCH", "/milestones/1", { title: "Another aim" }),
  },
  {
    what: "a release was edited",
    path: /^releases\//,
    make: ({ repository, records }) =>
      call(repository, "PATCH", `/releases/${records.releases[0]?.id}`, { name: "Another name" }),
  },
  {
    what: "a file was added to a release",
    path: /^releases\//,
    make: ({ records }) => {
      const [release] = records.releases;
      const [file] = release?.assets ?? [];
      if (file && release) release.assets.push({ ...file, id: file.id + 5_000, name: "another.bin" });
    },
  },
  {
    what: "a discussion was edited",
    path: /^discussions\//,
    make: ({ records }) => {
      const [discussion] = records.discussions;
      if (discussion) Object.assign(discussion, { body: "Other words", updatedAt: new Date().toISOString() });
    },
  },
  {
    what: "a branch moved",
    path: /^git\/refs\.json$/,
    make: async ({ repository }) => void (await addCommits(world.directory(repository), { count: 1 })),
  },
  {
    what: "the repository was described anew",
    path: /^repository\.json$/,
    make: ({ repository }) => call(repository, "PATCH", "", { description: "Another description" }),
  },
];

/** GitHub's times have seconds. What changes in the same one is left to the rule that a feed is trusted late. */
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1_000 - (Date.now() % 1_000)));

test.each(CHANGES)(
  "the next version shows that $what, and equals one that read everything",
  async (change) => {
    const { repository, records, at } = await makeRepository(`changing-${change.what.replaceAll(" ", "-")}`);
    // The state of the day before: everything that was made just now is older than the first backup.
    const first = await backUp(repository, { now: at });
    await nextSecond();
    await change.make({ repository, records });
    const day = { now: at + DAY_MS, previousAt: at };
    const next = await backUp(repository, { ...day, previous: first.snapshot });
    const [before, after] = [hashes(first.snapshot), hashes(next.snapshot)];
    const different = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
      (path) => before[path] !== after[path],
    );
    expect(different.filter((path) => change.path.test(path))).not.toEqual([]);
    const whole = await backUp(repository, { now: at + DAY_MS });
    expect(after).toEqual(hashes(whole.snapshot));
  },
);

test("a deleted issue, label, milestone, release and discussion are gone from the next version", async () => {
  const { repository, records, at } = await makeRepository("losing");
  const first = await backUp(repository, { now: at });
  for (const list of [records.labels, records.milestones, records.releases, records.discussions]) list.pop();
  const last = records.issues.findLastIndex((issue) => issue.pull === null);
  records.issues.splice(last, 1);
  const next = await backUp(repository, { now: at + DAY_MS, previous: first.snapshot, previousAt: at });
  for (const kind of ["issue", "label", "milestone", "release", "discussion"]) {
    const count = ({ entries }: MemorySnapshot) =>
      [...entries.values()].filter(({ info }) => info.kind === kind).length;
    expect(count(next.snapshot), kind).toBe(count(first.snapshot) - 1);
  }
});

test("settings and projects without a date are in the first version of the next week", async () => {
  const { repository, records, at } = await makeRepository("undated");
  const first = await backUp(repository, { now: at });
  records.settings.collaborators.push({ login: "marcus-okafor", role: "write" });
  seedProject(world.simulator.world, repository);
  const second = await backUp(repository, { now: at + DAY_MS, previous: first.snapshot, previousAt: at });
  expect(hashes(second.snapshot)).toEqual(hashes(first.snapshot));
  // The first day of the next week has no backup; the second reads everything.
  const now = at + (WHOLE_EVERY_DAYS + 1) * DAY_MS;
  const third = await backUp(repository, { now, previous: second.snapshot, previousAt: at + DAY_MS });
  const [before, after] = [hashes(second.snapshot), hashes(third.snapshot)];
  expect(after["settings/collaborators.json"]).not.toBe(before["settings/collaborators.json"]);
  expect(Object.keys(after).some((path) => path.startsWith("projects/"))).toBe(true);
});

test("a change in the same second as the newest known one is not overlooked", async () => {
  const { repository, records, at } = await makeRepository("same-second");
  const tie = new Date(at - 1_000).toISOString();
  const [one, other] = records.issues;
  if (!one || !other) throw new Error("There are no issues");
  Object.assign(one, { title: "First", updatedAt: tie });
  const first = await backUp(repository, { now: at });
  Object.assign(other, { title: "Second", updatedAt: tie });
  const next = await backUp(repository, { now: at + DAY_MS, previous: first.snapshot, previousAt: at });
  const path = `issues/${String(other.number).padStart(12, "0")}/issue.json`;
  expect(await next.snapshot.readRecord(path)).toMatchObject({ title: "Second" });
});
