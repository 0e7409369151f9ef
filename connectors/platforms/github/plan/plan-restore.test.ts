import { Octokit } from "octokit";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RestoreAnswers } from "#connectors/contract/restore-question.ts";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { expectPlanKept, promisedBy } from "#tests/conformance/expect-plan-kept.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore } from "#tests/conformance/test-session.ts";
import { connector } from "../connector.ts";
import { deleteIssue } from "../simulator/threads.ts";
import { type GithubTestWorld, openGithubWorld } from "../test-world.ts";

let world: GithubTestWorld;
let octokit: Octokit;
beforeAll(async () => {
  world = await openGithubWorld({ contentPerMinute: 100_000, contentPerHour: 100_000, importMs: 0 });
  octokit = new Octokit({
    auth: world.token,
    baseUrl: world.simulator.apiUrl,
    throttle: { enabled: false },
    retry: { enabled: false },
  });
});
afterAll(() => world.stop());

const session = () => world.session();
const account = () => ({ accountName: world.accountName });

/** Repeated restores take long on a busy machine. */
const PATIENCE_MS = 240_000;

/** Size of a made-up repository. */
type Size = { issues: number; comments: number; pulls: number; lost: number; releases: number };

async function makeRepository(name: string, size: Size) {
  const repository = await world.makeRepository(name, { visibility: "public" });
  const at = { owner: repository.owner, repo: name };
  const { rest } = octokit;
  await rest.issues.createLabel({ ...at, name: "crane", color: "ff8800" });
  await rest.issues.createMilestone({ ...at, title: "Spring" });
  for (let number = 1; number <= size.issues + size.lost; number++) {
    await rest.issues.create({
      ...at,
      title: `Issue ${number}`,
      ...(number % 3 ? {} : { labels: ["crane"] }),
    });
    if (number % 4 === 0) await rest.issues.update({ ...at, issue_number: number, state: "closed" });
    if (number % 5 === 0) await rest.issues.lock({ ...at, issue_number: number });
  }
  for (let comment = 0; comment < size.comments; comment++) {
    const issue_number = 1 + (comment % size.issues);
    await rest.issues.createComment({ ...at, issue_number, body: `Comment ${comment}` });
  }
  for (let pull = 1; pull <= size.pulls; pull++) {
    runGit(world.directory(repository), ["branch", `feature-${pull}`, "main~1"]);
    await addCommits(world.directory(repository), { count: 1, branch: `feature-${pull}` });
    const { data } = await rest.pulls.create({
      ...at,
      title: `Pull ${pull}`,
      head: `feature-${pull}`,
      base: "main",
    });
    await rest.issues.createComment({ ...at, issue_number: data.number, body: "Looks good" });
    const review = { ...at, pull_number: data.number, event: "COMMENT" } as const;
    await rest.pulls.createReview({ ...review, body: "Well" });
    // GitHub stores an empty body for a review that has only comments on lines.
    const made = world.simulator.world.records.of(repository).reviews.at(-1);
    if (made && pull % 2) made.body = "";
    if (pull % 3 === 0) await rest.pulls.update({ ...at, pull_number: data.number, state: "closed" });
  }
  for (let release = 1; release <= size.releases; release++) {
    runGit(world.directory(repository), ["tag", `r${release}`, "main"]);
    const { data } = await rest.repos.createRelease({
      ...at,
      tag_name: `r${release}`,
      name: `Release ${release}`,
    });
    const file = new Uint8Array(100 * release);
    await rest.repos.uploadReleaseAsset({
      ...{ ...at, release_id: data.id, name: "file.bin", data: file as unknown as string },
      headers: { "content-type": "application/octet-stream", "content-length": file.length },
      url: data.upload_url,
    });
  }
  const records = world.simulator.world.records.of(repository);
  for (let lost = 1; lost <= size.lost; lost++) deleteIssue(records, size.issues + lost);
  return repository;
}

async function versionOf(reference: { externalId: string; fullName: string }, kind = "repository") {
  const by = session();
  const item = await connector.getItem(by, { kind, ...reference });
  return await takeSnapshot(connector.backUp(by, { item, previous: null, cursor: null }));
}

const target = (name: string, answers: RestoreAnswers = {}) => asNew(name, { answers });

test.each<[string, Size]>([
  ["of nothing but git", { issues: 0, comments: 0, pulls: 0, lost: 0, releases: 0 }],
  ["with a few issues", { issues: 3, comments: 4, pulls: 1, lost: 0, releases: 1 }],
  ["with lost numbers and pull requests", { issues: 8, comments: 20, pulls: 7, lost: 5, releases: 3 }],
  ["with many issues", { issues: 24, comments: 40, pulls: 6, lost: 2, releases: 0 }],
])("the plan of a repository %s is what its restore does", { timeout: PATIENCE_MS }, async (_what, size) => {
  const name = `plan-${size.issues}-${size.pulls}`;
  const version = await versionOf(world.reference(await makeRepository(name, size)));
  for (const pullRequestBranches of [false, true]) {
    const order = target(`${name}-${pullRequestBranches}`, { pullRequestBranches });
    const plan = await connector.planRestore(account(), version, order);
    expect(plan.isEstimate).toBe(false);
    const by = session();
    const { events } = await runRestore(connector.restore(by, version, order, memoryJournal()));
    expectPlanKept(plan, { events, session: by, apiUrl: world.simulator.apiUrl });
  }
});

test("the plan states GitHub's promised pace and the slowest observed one", async () => {
  const version = await versionOf(world.item);
  addThreads(version, { issues: 900, pulls: 0 });
  const plan = await connector.planRestore(account(), version, target("paced"));
  const creationsOf = ({ limits }: typeof plan.cost) =>
    limits.flatMap(({ of, most, periodMs }) => (of === "creations" ? [[most, periodMs]] : []));
  expect(creationsOf(plan.cost)).toEqual([
    [500, HOUR_MS],
    [80, MINUTE_MS],
  ]);
  expect(creationsOf(plan.slower!.cost)).toEqual([
    [150, HOUR_MS],
    [20, MINUTE_MS],
  ]);
  expect(plan.cost.creations).toBeGreaterThan(1_500);
  expect({ ...plan.slower!.cost, limits: [] }).toEqual({ ...plan.cost, limits: [] });
  expect(plan.cost.waitMs).toBe(1_000 * plan.cost.writes);
  expect(plan.changed.map(({ what }) => what)).toContain("Dates of issues and comments");
});

test("with GitHub's import a restore needs fewer calls than planned", {
  timeout: PATIENCE_MS,
}, async () => {
  const size = { issues: 9, comments: 25, pulls: 4, lost: 1, releases: 0 };
  const version = await versionOf(world.reference(await makeRepository("plan-import", size)));
  const plan = await connector.planRestore(account(), version, target("plan-import-2"));
  world.simulator.world.settings.offersImportToApps = true;
  const by = session();
  await runRestore(connector.restore(by, version, target("plan-import-2"), memoryJournal()));
  world.simulator.world.settings.offersImportToApps = false;
  const writes = by.requests.filter(
    ({ method, url }) => method !== "GET" && url.startsWith(world.simulator.apiUrl),
  );
  expect(writes.length).toBeLessThan(plan.cost.writes);
});

test("the plan of a gist equals its restore", async () => {
  const { data: gist } = await octokit.rest.gists.create({
    public: true,
    description: "Cranes",
    files: { "crane.md": { content: "# Crane" } },
  });
  for (const body of ["One", "Two", "Three"])
    await octokit.rest.gists.createComment({ gist_id: gist.id!, body });
  const version = await versionOf({ externalId: gist.id!, fullName: gist.id! }, "gist");
  const plan = await connector.planRestore(account(), version, target("crane"));
  const by = session();
  const { events } = await runRestore(connector.restore(by, version, target("crane"), memoryJournal()));
  expectPlanKept(plan, { events, session: by, apiUrl: world.simulator.apiUrl });
  expect(plan.changed.map(({ what }) => what)).toEqual(["Visibility: secret instead of public"]);
});

test("a version with thousands of issues is planned with a limited number of reads and a small error", async () => {
  const version = await versionOf(world.item);
  const [issues, pulls] = [5_000, 900];
  const truth = addThreads(version, { issues, pulls });
  const reads = watch(version);
  const plan = await connector.planRestore(account(), version, target("many"));
  expect(plan.isEstimate).toBe(true);
  expect(reads.records).toBeLessThan(400);
  expect(reads.listed).toBeLessThan(4_000);
  expect(promisedBy(plan)).toMatchObject({ issue: issues, "pull-request": pulls });
  expect(promisedBy(plan).placeholder).toBeUndefined();
  const comments = promisedBy(plan).comment ?? 0;
  expect(Math.abs(comments - truth.comments) / truth.comments).toBeLessThan(0.1);
  const asIssues = Number(
    /^[0-9]+/.exec(plan.changed.find(({ what }) => / pull /.test(what))?.what ?? "")?.[0],
  );
  expect(Math.abs(asIssues - truth.asIssues) / pulls).toBeLessThan(0.1);
});

/** Adds records of issues and pull requests, as a backup would. */
function addThreads(version: MemorySnapshot, { issues, pulls }: { issues: number; pulls: number }) {
  const put = (path: string, kind: string, value: Json) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const info = { path, kind, type: "record", sizeBytes: bytes.length, hash: path } as const;
    version.entries.set(path, { info, bytes });
  };
  let [comments, asIssues] = [0, 0];
  const pad = (number: number) => String(number).padStart(12, "0");
  for (let number = 1; number <= issues + pulls; number++) {
    // Spread evenly: a pull request now and then.
    const isPull =
      Math.floor((number * pulls) / (issues + pulls)) > Math.floor(((number - 1) * pulls) / (issues + pulls));
    const folder = `${isPull ? "pulls" : "issues"}/${pad(number)}/`;
    const state = (number * 7) % 10 < 6 ? "closed" : "open";
    const facts = { number, title: `Thread ${number}`, state, locked: false };
    if (!isPull) put(`${folder}issue.json`, "issue", facts);
    else {
      const branch = { ref: "main", repo: { full_name: world.item.fullName } };
      put(`${folder}pull.json`, "pull-request", { ...facts, head: branch, base: branch });
      if (state === "closed") asIssues += 1;
      const spoken = (number * 13) % 10 < 5;
      put(`${folder}reviews/${pad(number)}.json`, "review", {
        state: spoken ? "APPROVED" : "COMMENTED",
        body: "",
      });
      if (spoken) comments += 1;
    }
    for (let comment = 0; comment < number % 4; comment++) {
      put(`${folder}comments/${pad(comment)}.json`, "issue-comment", { body: "Yes" });
      comments += 1;
    }
  }
  return { comments, asIssues };
}

/** Counts the reads of a snapshot. The entries are sorted once, as in a manifest. */
function watch(version: MemorySnapshot) {
  const reads = { records: 0, listed: 0 };
  const paths = [...version.entries.keys()].sort();
  const { readRecord } = version;
  version.readRecord = async (path) => {
    reads.records += 1;
    return await readRecord(path);
  };
  version.list = async function* (prefix = "", after = "") {
    const from = after > prefix ? after : prefix;
    let [low, high] = [0, paths.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (paths[middle]! < from) low = middle + 1;
      else high = middle;
    }
    for (let at = low; at < paths.length && paths[at]!.startsWith(prefix); at++) {
      if (paths[at] === after) continue;
      reads.listed += 1;
      yield version.entries.get(paths[at]!)!.info;
    }
  };
  return reads;
}
