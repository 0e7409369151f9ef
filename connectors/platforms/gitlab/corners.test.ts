import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import {
  type MemorySnapshot,
  runVerify,
  takeSnapshot,
  WHOLE_CHECK,
} from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, testSession } from "#tests/conformance/test-session.ts";
import { treesOf } from "#tests/conformance/trees-of.ts";
import { connector } from "./connector.ts";
import { codeDirectory } from "./simulator/projects.ts";
import type { Project } from "./simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld } from "./test-world.ts";

let world: GitlabTestWorld;
let token: string;
beforeAll(async () => {
  world = await openGitlabWorld("project", { issueLimit: 100_000, noteLimit: 100_000, rateLimit: 1_000_000 });
  token = await world.issueToken();
});
afterAll(() => world.stop());

const session = () => testSession({ config: world.config, token, accountName: world.accountName });

async function backUp(project: Project, previous: MemorySnapshot | null = null) {
  const by = session();
  const item = await connector.getItem(by, { kind: "project", ...world.reference(project) });
  return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
}

async function restore(snapshot: MemorySnapshot, name: string) {
  const target = asNew(name);
  const { events } = await runRestore(connector.restore(session(), snapshot, target, memoryJournal()));
  return { events, restored: world.projectNamed(name) };
}

async function readme(snapshot: MemorySnapshot): Promise<string> {
  for await (const file of connector.exportFiles(snapshot, { name: "yard" })) {
    if (file.path === "README.txt" && file.source === "bytes") return new TextDecoder().decode(file.bytes);
  }
  return "";
}

const problems = async (snapshot: MemorySnapshot) =>
  (await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK))).problems;
const issueOf = (project: Project, title: string) =>
  world.ask<{ iid: number }>("POST", `/projects/${project.id}/issues`, { title });

test("a project with a disabled repository keeps its issues, reports it, and is restored without code", async () => {
  const project = await world.makeProject("off");
  await issueOf(project, "The gate is stuck");
  const parts = { repository_access_level: "disabled", merge_requests_access_level: "disabled" };
  await world.ask("PUT", `/projects/${project.id}`, parts);
  const snapshot = await backUp(project);
  expect(snapshot.skipped).toMatchObject([
    { path: "git/", kind: "git", reason: "The repository is switched off in this project now." },
  ]);
  expect(snapshot.entries.has("issues/000000000001/issue.json")).toBe(true);
  expect([...snapshot.entries.keys()].filter((path) => path.startsWith("git/"))).toEqual([]);
  expect(await problems(snapshot)).toEqual([]);
  expect(await treesOf(connector, snapshot)).toHaveLength(1);
  expect(await readme(snapshot)).toContain("There is no git repository in it");

  const plan = await connector.planRestore(session(), snapshot, asNew("off"));
  expect(plan.missing).toMatchObject([{ what: "Commits, branches and tags" }]);
  const { events, restored } = await restore(snapshot, "off_restored");
  expect(restored.issues.map(({ title }) => title)).toEqual(["The gate is stuck"]);
  expect(restored.settings.repository_access_level).toBe("disabled");
  expect(events).toContainEqual(
    expect.objectContaining({ type: "missing", what: "Commits, branches and tags" }),
  );
});

test("a repository disabled after a version stays in later versions", async () => {
  const project = await world.makeProject("later-off");
  const first = await backUp(project);
  const parts = { repository_access_level: "disabled", merge_requests_access_level: "disabled" };
  await world.ask("PUT", `/projects/${project.id}`, parts);
  const second = await backUp(project, first);
  const git = (snapshot: MemorySnapshot) =>
    [...snapshot.entries.keys()].filter((path) => path.startsWith("git/")).sort();
  expect(git(second)).toEqual(git(first));
  expect(second.skipped[0]?.reason).toContain("What the previous version holds is kept.");
  expect(await problems(second)).toEqual([]);
  const { restored } = await restore(second, "later-off_restored");
  expect(restored.isFilled).toBe(true);
});

test("an empty project is backed up and restored, with or without a repository at GitLab", async () => {
  for (const name of ["bare-ground", "no-ground"]) {
    const project = await world.makeProject(name);
    await issueOf(project, "Pave it");
    const folder = codeDirectory(world.simulator.world, project);
    rmSync(folder, { recursive: true });
    if (name === "bare-ground") initBare(folder);
    const snapshot = await backUp(project);
    expect(snapshot.skipped.map(({ path }) => path)).toEqual(name === "bare-ground" ? [] : ["git/"]);
    expect(await problems(snapshot)).toEqual([]);
    const { restored } = await restore(snapshot, `${name}_restored`);
    expect(restored.issues.map(({ title }) => title)).toEqual(["Pave it"]);
  }
});

test("missing access to existing code fails the backup instead of omitting it", async () => {
  const project = await world.makeProject("closed");
  const by = session();
  const item = await connector.getItem(by, { kind: "project", ...world.reference(project) });
  await world.ask("PUT", `/projects/${project.id}`, { repository_access_level: "disabled" });
  const run = takeSnapshot(connector.backUp(by, { item, previous: null, cursor: null }), null);
  await expect(run).rejects.toMatchObject({ kind: "forbidden" });
});

test("reactions and approvals are backed up and named in the restored text", async () => {
  const project = await world.makeProject("liked");
  const at = `/projects/${project.id}`;
  const liked = await issueOf(project, "Paint the crane");
  const plain = await issueOf(project, "Sweep");
  await world.ask("POST", `${at}/issues/${liked.iid}/award_emoji`, { name: "thumbsup" });
  await world.ask("POST", `${at}/issues/${liked.iid}/award_emoji`, { name: "heart" });
  const branches = { source_branch: "release/1.x", target_branch: "main", title: "Release" };
  const request = await world.ask<{ iid: number }>("POST", `${at}/merge_requests`, branches);
  await world.ask("POST", `${at}/merge_requests/${request.iid}/approve`);
  const by = session();
  const item = await connector.getItem(by, { kind: "project", ...world.reference(project) });
  const snapshot = await takeSnapshot(connector.backUp(by, { item, previous: null, cursor: null }), null);
  const record = await snapshot.readRecord(`issues/${String(liked.iid).padStart(12, "0")}/issue.json`);
  const person = { username: "nora-lindqvist" };
  expect(record).toMatchObject({
    award_emoji: [
      { name: "thumbsup", by: person },
      { name: "heart", by: person },
    ],
  });
  const asked = by.requests.map(({ url }) => new URL(url).pathname);
  expect(asked.filter((path) => path.endsWith("/award_emoji"))).toHaveLength(1);
  expect(plain.iid).toBe(liked.iid + 1);

  const { restored } = await restore(snapshot, "liked_restored");
  const issue = restored.issues.find(({ iid }) => iid === liked.iid);
  expect(issue?.description).toContain(
    "Reactions: :thumbsup: from nora-lindqvist; :heart: from nora-lindqvist.",
  );
  expect(restored.mergeRequests[0]?.description).toContain("Approved by nora-lindqvist.");
});
