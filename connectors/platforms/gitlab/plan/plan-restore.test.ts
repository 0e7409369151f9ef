import { afterAll, beforeAll, expect, test } from "vitest";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { expectPlanKept, promisedBy } from "#tests/conformance/expect-plan-kept.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { connector } from "../connector.ts";
import { codeDirectory } from "../simulator/projects.ts";
import type { Project, Snippet } from "../simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld } from "../test-world.ts";

let world: GitlabTestWorld;
let token: string;
beforeAll(async () => {
  world = await openGitlabWorld("project", { issueLimit: 100_000, noteLimit: 100_000, rateLimit: 1_000_000 });
  token = await world.issueToken();
});
afterAll(() => world.stop());

const account = () => ({ accountName: world.accountName });

/** A session whose `sleep` advances its own clock, so pauses add up as in real time. */
function session(): TestSession {
  const by = testSession({ config: world.config, token, accountName: world.accountName });
  let now = Date.now();
  const sleep = async (ms: number) => {
    now += ms;
    by.slept.push(ms);
  };
  return { ...by, clock: { now: () => now }, sleep };
}

/** Many restores in a row take long on a busy machine. */
const PATIENCE_MS = 240_000;

/** The size of a generated project. */
type Size = { issues: number; notes: number; requests: number; around: number };

async function makeProject(name: string, size: Size): Promise<Project> {
  const project = await world.makeProject(name, { visibility: "internal" });
  const at = `/projects/${project.id}`;
  const made: number[] = [];
  for (let one = 1; one <= size.around; one++) {
    const label = await world.ask<{ id: number }>("POST", `${at}/labels`, {
      name: `l${one}`,
      color: "#d9534f",
    });
    made.push(label.id);
    const milestone = await world.ask<{ id: number }>("POST", `${at}/milestones`, { title: `M${one}` });
    if (one % 2) await world.ask("PUT", `${at}/milestones/${milestone.id}`, { state_event: "close" });
    runGit(codeDirectory(world.simulator.world, project), ["tag", `r${one}`, "main"]);
    await world.ask("POST", `${at}/releases`, { tag_name: `r${one}`, name: `R${one}`, description: "New" });
    await world.ask("POST", `${at}/variables`, { key: `KEY_${one}`, value: "s3cr3t-value" });
    await world.ask("POST", `${at}/protected_branches`, { name: `r${one}/*`, push_access_level: 40 });
  }
  if (made.length > 0) {
    const board = await world.ask<{ id: number }>("POST", `${at}/boards`, { name: "Yard" });
    for (const id of made) await world.ask("POST", `${at}/boards/${board.id}/lists`, { label_id: id });
  }
  for (let iid = 1; iid <= size.issues; iid++) {
    await world.ask("POST", `${at}/issues`, { iid: iid * 2, title: `Issue ${iid}` });
    if (iid % 3 === 0) await world.ask("PUT", `${at}/issues/${iid * 2}`, { state_event: "close" });
  }
  for (let note = 0; note < size.notes; note++) {
    await world.ask("POST", `${at}/issues/${2 + 2 * (note % size.issues)}/notes`, { body: `Note ${note}` });
  }
  const folder = codeDirectory(world.simulator.world, project);
  for (let one = 1; one <= size.requests; one++) {
    runGit(folder, ["branch", `feature-${one}`, "main~1"]);
    await addCommits(folder, { count: 1, branch: `feature-${one}` });
    const order = { source_branch: `feature-${one}`, target_branch: "main", title: `Request ${one}` };
    const { iid } = await world.ask<{ iid: number }>("POST", `${at}/merge_requests`, order);
    await world.ask("POST", `${at}/merge_requests/${iid}/notes`, { body: "Looks good" });
    const state = ["opened", "closed", "merged"][one % 3];
    if (state === "closed") await world.ask("PUT", `${at}/merge_requests/${iid}`, { state_event: "close" });
    const kept = project.mergeRequests.at(-1);
    if (state === "merged" && kept) Object.assign(kept, { state, mergedAt: "2025-06-01T09:00:00.000Z" });
  }
  return project;
}

async function versionOf(thing: Project | Snippet): Promise<MemorySnapshot> {
  const kind = "title" in thing ? "snippet" : "project";
  const by = session();
  const item = await connector.getItem(by, { kind, ...world.reference(thing) });
  return await takeSnapshot(connector.backUp(by, { item, previous: null, cursor: null }));
}

async function expectKept(version: MemorySnapshot, name: string, answers = {}) {
  const order = asNew(name, { answers });
  const plan = await connector.planRestore(account(), version, order);
  const by = session();
  const { events } = await runRestore(connector.restore(by, version, order, memoryJournal()));
  expectPlanKept(plan, { events, session: by, apiUrl: `${world.simulator.url}/api/` });
  return plan;
}

test.each<[string, Size]>([
  ["of nothing but git", { issues: 0, notes: 0, requests: 0, around: 0 }],
  ["with a few issues", { issues: 3, notes: 4, requests: 1, around: 1 }],
  ["with merge requests of every state", { issues: 5, notes: 12, requests: 7, around: 4 }],
  ["with many issues", { issues: 30, notes: 40, requests: 3, around: 2 }],
])("the plan of a project %s is what its restore does", { timeout: PATIENCE_MS }, async (_what, size) => {
  const name = `plan-${size.issues}-${size.requests}`;
  const version = await versionOf(await makeProject(name, size));
  for (const mergeRequestBranches of [false, true]) {
    const plan = await expectKept(version, `${name}-${mergeRequestBranches}`, { mergeRequestBranches });
    expect(plan.isEstimate).toBe(false);
  }
});

test("the plans of personal and project snippets equal their restores", async () => {
  await expectKept(await versionOf(await world.makeSnippet("plan tool", { visibility: "public" })), "tool 2");
  const project = await world.makeProject("plan-snippets");
  const snippet = await world.makeSnippet("plan query", { projectId: project.id });
  const at = `/projects/${project.id}/snippets/${snippet.id}`;
  for (const body of ["One", "Two", "Three"]) await world.ask("POST", `${at}/notes`, { body });
  const plan = await expectKept(await versionOf(snippet), "query 2");
  expect(promisedBy(plan)).toEqual({ snippet: 1, branch: 1, note: 3 });
});

test("a version with thousands of issues is planned with a limited number of reads and a small error", async () => {
  const version = await versionOf(await world.makeProject("plan-large"));
  const pad = (number: number) => String(number).padStart(12, "0");
  const put = (path: string, kind: string, value: object) => {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    version.entries.set(path, {
      info: { path, kind, type: "record", sizeBytes: bytes.length, hash: path },
      bytes,
    });
  };
  const created_at = "2025-01-01T00:00:00.000Z";
  const of = (id: number) => ({
    id,
    iid: id,
    title: `T${id}`,
    labels: [],
    author: null,
    created_at,
    updated_at: created_at,
  });
  let [written, real] = [0, 0];
  for (let iid = 1; iid <= 4_000; iid++) {
    put(`issues/${pad(iid)}/issue.json`, "issue", { ...of(iid), state: "opened" });
    for (let note = 0; note < iid % 3; note++) {
      const isSystem = note === 1;
      if (!isSystem) written += 1;
      const value = {
        id: note + 1,
        body: "Yes",
        author: null,
        created_at,
        updated_at: created_at,
        system: isSystem,
      };
      put(`issues/${pad(iid)}/notes/${pad(note)}.json`, "note", value);
    }
  }
  for (let iid = 1; iid <= 800; iid++) {
    const state = (iid * 7) % 10 < 3 ? "opened" : "merged";
    if (state === "opened") real += 1;
    const branches = { source_branch: "release/1.x", target_branch: "main" };
    put(`merge-requests/${pad(iid)}/merge-request.json`, "merge-request", { ...of(iid), ...branches, state });
  }
  let records = 0;
  const { readRecord } = version;
  version.readRecord = async (path) => {
    records += 1;
    return await readRecord(path);
  };
  const plan = await connector.planRestore(account(), version, asNew("large"));
  expect(plan.isEstimate).toBe(true);
  expect(records).toBeLessThan(400);
  const near = (planned: number | undefined, truth: number, of: number) =>
    expect(Math.abs((planned ?? 0) - truth) / of).toBeLessThan(0.1);
  near(promisedBy(plan).note, written, written);
  near(promisedBy(plan)["merge-request"], real, 800);
  expect(plan.cost.waitMs).toBeGreaterThan(written * 900);
});
