import { mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { Gitlab } from "@gitbeaker/rest";
import { expect, onTestFinished, test } from "vitest";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { git } from "#connectors/toolkit/simulator/plain-git.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { startGitlabSimulator } from "./gitlab-simulator.ts";
import { findUser } from "./namespaces.ts";
import { gitlabForTest, temporaryFolder } from "./test-world.ts";
import { issueToken } from "./tokens.ts";

const HOME = "nora-lindqvist";

test("the demo account has groups, projects, records, wikis and snippets with unusual names", async () => {
  const gitlab = await gitlabForTest({ seed: "demo" });
  const client = gitlab.client();
  const projects = await client.Projects.all({ membership: true });
  expect(projects.map(({ path_with_namespace }) => path_with_namespace).sort()).toEqual([
    "harbour-works/crane",
    "harbour-works/legacy-winch",
    "meridian-freight/customs-api",
    "meridian-freight/docks/empty-yard",
    "meridian-freight/docks/slot_booking.v2",
    "meridian-freight/handbook",
    "nora-lindqvist/dotfiles",
    "nora-lindqvist/route-planner",
  ]);
  for (const { id, archived, empty_repo } of projects) {
    const isBare = archived === true || empty_repo === true;
    expect(await client.Issues.all({ projectId: id })).toHaveLength(isBare ? 0 : 5);
    expect(await client.ProjectWikis.all(id)).toHaveLength(isBare ? 0 : 3);
    await client.ProjectReleases.all(id);
    await client.Branches.all(id);
    await client.Tags.all(id);
    for (const { iid } of await client.MergeRequests.all({ projectId: id })) {
      expect(await client.MergeRequestDiscussions.all(id, iid)).toHaveLength(2);
      await client.MergeRequests.allDiffs(id, iid);
    }
  }
  expect(await client.Snippets.all()).toHaveLength(2);
  const folder = temporaryFolder();
  const remote = gitlab.remote(`${HOME}/dotfiles`, gitlab.tokenOf(HOME));
  expect((await git(folder, "clone", "--quiet", remote, "dotfiles")).code).toBe(0);
  expect((await git(path.join(folder, "dotfiles"), "branch")).stdout).toContain("trunk/größe");
  expect(gitlab.log.refusals()).toEqual([]);
});

test("a simulator restarted in its folder keeps people, tokens, projects and records", async () => {
  const directory = temporaryFolder();
  const first = await startGitlabSimulator({ directory, seed: "people" });
  const userId = findUser(first.world, HOME)?.id ?? 0;
  const token = issueToken(first.world, { userId, scopes: ["api"] }).value;
  const before = new Gitlab({ host: first.url, oauthToken: token });
  const { id } = await before.Projects.create({ name: "kept" });
  await before.Issues.create(id, "Kept too", { iid: 12 });
  await before.ProjectWikis.create(id, "# Home", "home");
  await before.Snippets.create("Kept", { files: [{ filePath: "a.txt", content: "a" }] });
  await first.stop();
  const second = await startGitlabSimulator({ directory, seed: "people" });
  onTestFinished(() => second.stop());
  const after = new Gitlab({ host: second.url, oauthToken: token });
  expect(await after.Issues.all({ projectId: id })).toMatchObject([{ iid: 12, title: "Kept too" }]);
  expect(await after.ProjectWikis.all(id)).toMatchObject([{ slug: "home" }]);
  const [snippet] = await after.Snippets.all();
  expect(await after.Snippets.show(snippet?.id ?? 0)).toMatchObject({ files: [{ path: "a.txt" }] });
  expect(second.world.state.users).toHaveLength(3);
});

test("every bare repository below SIM_GIT_ROOT is a read-only project, including later ones", async () => {
  const gitRoot = temporaryFolder();
  const make = async (owner: string, name: string) => {
    const directory = path.join(gitRoot, owner, `${name}.git`);
    mkdirSync(directory, { recursive: true });
    runGit(null, ["init", "--quiet", "--bare", "--initial-branch=main", directory]);
    await addCommits(directory, { count: 2 });
  };
  await make("quarry", "pit");
  await make(HOME, "garden");
  const gitlab = await gitlabForTest({ settings: { gitRoot } });
  const client = gitlab.client();
  const names = async () =>
    (await client.Projects.all({ membership: true, orderBy: "id", sort: "asc" })).map(
      (each) => each.path_with_namespace,
    );
  expect((await names()).sort()).toEqual([`${HOME}/garden`, "quarry/pit"]);
  await make("quarry", "shaft");
  expect(await names()).toContain("quarry/shaft");
  const folder = temporaryFolder();
  const remote = gitlab.remote("quarry/shaft", gitlab.tokenOf(HOME));
  expect((await git(folder, "clone", "--quiet", remote, "shaft")).code).toBe(0);
  expect((await git(path.join(folder, "shaft"), "push", "origin", "HEAD:other")).stderr).toContain("403");
  renameSync(path.join(gitRoot, "quarry", "shaft.git"), path.join(gitRoot, "away"));
  expect(await names()).not.toContain("quarry/shaft");
});

test("control routes create large sets, edits and deletions; faults affect the requests they match", async () => {
  const gitlab = await gitlabForTest();
  const { id } = gitlab.project(`${HOME}/large`);
  const client = gitlab.client();
  const order = (orderPath: string, body: unknown = {}) =>
    gitlab.control(`/gitlab/projects/${id}/${orderPath}`, body);
  const sizes = { issues: 250, notes: 2, labels: 5, milestones: 2, mergeRequests: 2, releases: 1 };
  expect((await order("generate", sizes)).status).toBe(200);
  const issues = await client.Issues.all({ projectId: id, perPage: 100 });
  expect([issues.length, new Set(issues.map(({ iid }) => iid)).size]).toEqual([250, 250]);
  expect(await client.IssueNotes.all(id, 17)).toHaveLength(2);
  expect(await client.MergeRequests.all({ projectId: id })).toHaveLength(2);
  const since = new Date().toISOString();
  await order("issues/17/edit", { title: "Changed", event: "close" });
  await order("issues/18/notes", { body: "New" });
  await order("issues/19/delete");
  const changed = await client.Issues.all({
    projectId: id,
    updatedAfter: since,
    orderBy: "updated_at",
    sort: "asc",
  });
  expect(changed.map(({ iid }) => iid)).toEqual([17, 18]);
  expect((await order("issues/19/delete")).status).toBe(400);
  const token = gitlab.tokenOf(HOME);
  const fault = (action: object) => gitlab.control("/faults", { match: { path: "^/api/v4/user$" }, action });
  await fault({ kind: "rate-limit", shape: "throttle", retryAfter: "7" });
  const limited = await gitlab.ask("/user", token);
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"]);
  await fault({ kind: "rate-limit", shape: "application" });
  expect(await (await gitlab.ask("/user", token)).json()).toHaveProperty("message.error");
  await fault({ kind: "rate-limit", shape: "gitaly" });
  expect((await gitlab.ask("/user", token)).status).toBe(503);
  await gitlab.control("/gitlab/token/revoke", { login: HOME });
  expect((await gitlab.ask("/user", token)).status).toBe(401);
});
