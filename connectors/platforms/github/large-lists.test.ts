import { afterAll, beforeAll, expect, test } from "vitest";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { connector } from "./connector.ts";
import { generateRecords } from "./simulator/generate.ts";
import type { Repository } from "./simulator/state.ts";
import { type GithubTestWorld, openGithubWorld } from "./test-world.ts";

const ANSWER_LIMIT = 16 * 1024 * 1024;
let world: GithubTestWorld;
beforeAll(async () => {
  world = await openGithubWorld();
});
afterAll(() => world.stop());

const nothing = {
  ...{ issues: 0, pulls: 0, commentsPerIssue: 0, eventsPerIssue: 0, reviewsPerPull: 0, discussions: 0 },
  ...{ releases: 0, assetsPerRelease: 0, from: Date.UTC(2025, 0, 6), seed: 1 },
};

async function fill(name: string, content: Partial<typeof nothing>): Promise<Repository> {
  const repository = await world.makeRepository(name, { hasDiscussions: true });
  generateRecords(world.simulator.world, repository, { ...nothing, ...content });
  return repository;
}

const session = () => ({
  ...world.session(),
  // Pauses between attempts take no time.
  sleep: async () => undefined,
});

async function backUp(repository: Repository, by = session(), isLastAttempt = false) {
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  const order = { item, previous: null, cursor: null, isLastAttempt: () => isLastAttempt };
  return await takeSnapshot(connector.backUp(by, order));
}

const countOf = ({ entries }: Awaited<ReturnType<typeof takeSnapshot>>, kind: string) =>
  [...entries.values()].filter(({ info }) => info.kind === kind).length;

test("a page of releases that is too large is read in smaller pages, each release with its files", async () => {
  const content = { releases: 130, assetsPerRelease: 125 };
  const repository = await fill("nightlies", content);
  const list = `${world.simulator.apiUrl}/repositories/${repository.id}/releases?per_page=100`;
  const page = await fetch(list, {
    headers: { authorization: `Bearer ${world.token}`, "user-agent": "test" },
  });
  expect((await page.text()).length).toBeGreaterThan(ANSWER_LIMIT);
  const version = await backUp(repository);
  expect(countOf(version, "release")).toBe(content.releases);
  expect(countOf(version, "release-asset")).toBe(content.releases);
  expect(version.reported["release-asset"]).toBe(content.releases * content.assetsPerRelease);
  expect(version.skipped.filter(({ kind }) => kind !== "release-asset")).toEqual([]);
}, 60_000);

test("lists that time out at full size are read in smaller pages without gaps", async () => {
  const content = { issues: 230, pulls: 12, commentsPerIssue: 2, reviewsPerPull: 2, discussions: 30 };
  const repository = await fill("heavy", content);
  const whole = await backUp(repository);
  const { settings } = world.simulator.world;
  settings.mostBytesInTime = 20_000;
  const by = session();
  const version = await backUp(repository, by);
  settings.mostBytesInTime = Number.POSITIVE_INFINITY;
  expect(version.skipped).toEqual([]);
  expect([...version.entries.keys()].sort()).toEqual([...whole.entries.keys()].sort());
  expect(countOf(version, "issue")).toBe(content.issues);
  expect(countOf(version, "discussion")).toBe(content.discussions);
});

test("a list that always fails fails the attempt; the last attempt skips and reports it", async () => {
  const repository = await fill("hopeless", { issues: 3, releases: 2, assetsPerRelease: 1 });
  const fault = { kind: "answer", status: 504, body: { message: "Server Error" } } as const;
  world.simulator.faults.add({ match: { path: "/releases\\?" }, times: 10_000, action: fault });
  await expect(backUp(repository)).rejects.toMatchObject({ kind: "unavailable" });
  const version = await backUp(repository, session(), true);
  world.simulator.faults.clear();
  expect(countOf(version, "issue")).toBe(3);
  expect(countOf(version, "release")).toBe(0);
  expect(version.skipped).toEqual([
    { type: "skipped", path: "releases/", kind: "release", reason: expect.stringContaining("(504)") },
  ]);
});
