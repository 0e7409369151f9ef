import { expect, test } from "vitest";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { codeDirectory } from "./projects.ts";
import { gitlabForTest } from "./test-world.ts";

const HOME = "nora-lindqvist";
const OLD = "2021-05-06T07:08:09.000Z";

test("only owners can set an issue's number and date; maintainers' values are ignored, and numbers are unique", async () => {
  const gitlab = await gitlabForTest();
  const mine = gitlab.project(`${HOME}/notes`);
  const theirs = gitlab.project("harbour-works/crane");
  const client = gitlab.client();
  const made = await client.Issues.create(mine.id, "Fix the crane", {
    iid: 41,
    createdAt: OLD,
    labels: "bug,crane",
  });
  expect(made).toMatchObject({ iid: 41, created_at: OLD, labels: ["bug", "crane"], state: "opened" });
  await expect(client.Issues.create(mine.id, "Again", { iid: 41 })).rejects.toThrow("Duplicated issue");
  expect(await client.Issues.create(mine.id, "Next")).toMatchObject({ iid: 42 });
  const overlooked = await client.Issues.create(theirs.id, "As maintainer", { iid: 9, createdAt: OLD });
  expect(overlooked.iid).toBe(1);
  expect(overlooked.created_at).not.toBe(OLD);
  const closed = await client.Issues.edit(mine.id, 41, {
    stateEvent: "close",
    addLabels: "done",
    removeLabels: "bug",
  });
  expect(closed).toMatchObject({ state: "closed", labels: ["crane", "done"] });
  const labels = await client.ProjectLabels.all(mine.id);
  expect(labels.map(({ name }) => name)).toEqual(["bug", "crane", "done"]);
  await expect(client.Issues.create(mine.id, "x".repeat(256))).rejects.toThrow("too long");
  expect(gitlab.log.refusals()).toEqual([]);
});

test("issues are filtered by update time and state, in both orders, without gaps", async () => {
  const gitlab = await gitlabForTest();
  const { id } = gitlab.project(`${HOME}/notes`);
  const client = gitlab.client();
  for (let number = 1; number <= 7; number += 1) await client.Issues.create(id, `Issue ${number}`);
  const all = await client.Issues.all({ projectId: id, perPage: 3, scope: "all" });
  expect(all.map(({ iid }) => iid)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  const [newest] = all;
  await client.IssueNotes.create(id, 2, "Seen");
  const changed = await client.Issues.all({
    projectId: id,
    updatedAfter: new Date(Date.parse(newest?.updated_at ?? "") + 1).toISOString(),
    orderBy: "updated_at",
    sort: "asc",
  });
  expect(changed.map(({ iid }) => iid)).toEqual([2]);
  await client.Issues.edit(id, 3, { stateEvent: "close" });
  const closed = await client.Issues.all({ projectId: id, state: "closed" });
  expect(closed.map(({ iid }) => iid)).toEqual([3]);
  const statistics = await gitlab.ask(`/projects/${id}/issues_statistics`, gitlab.tokenOf(HOME));
  expect(await statistics.json()).toEqual({ statistics: { counts: { all: 7, closed: 1, opened: 6 } } });
});

test("notes belong to discussions, have reactions and old dates, and are deleted without a trace", async () => {
  const gitlab = await gitlabForTest();
  const { id } = gitlab.project(`${HOME}/notes`);
  const client = gitlab.client();
  await client.Issues.create(id, "Talk");
  const plain = await client.IssueNotes.create(id, 1, "First", { createdAt: OLD });
  expect(plain).toMatchObject({ body: "First", created_at: OLD, system: false, type: null });
  const discussion = await client.IssueDiscussions.create(id, 1, "Second");
  await client.IssueDiscussions.addNote(id, 1, discussion.id, "Third");
  const discussions = await client.IssueDiscussions.all(id, 1);
  expect(
    discussions.map(({ individual_note, notes }) => [individual_note, notes?.map(({ body }) => body)]),
  ).toEqual([
    [true, ["First"]],
    [false, ["Second", "Third"]],
  ]);
  await client.IssueNoteAwardEmojis.award(id, 1, plain.id, "rocket");
  await expect(client.IssueNoteAwardEmojis.award(id, 1, plain.id, "rocket")).rejects.toThrow();
  await client.IssueAwardEmojis.award(id, 1, "thumbsup");
  expect(await client.IssueAwardEmojis.all(id, 1)).toMatchObject([
    { name: "thumbsup", awardable_type: "Issue" },
  ]);
  await client.Issues.edit(id, 1, { title: "Talk more" });
  const notes = await client.IssueNotes.all(id, 1, { sort: "asc", orderBy: "created_at" });
  expect(notes.map(({ body, system }) => [body, system])).toEqual([
    ["First", false],
    ["Second", false],
    ["Third", false],
    ["changed title from **Talk** to **Talk more**", true],
  ]);
  const before = await client.Issues.show(1, { projectId: id });
  await client.IssueNotes.remove(id, 1, plain.id);
  const after = await client.Issues.show(1, { projectId: id });
  expect([after.updated_at, after.user_notes_count]).toEqual([before.updated_at, 2]);
  expect(gitlab.log.refusals()).toEqual([]);
});

test("quick actions run and mentions notify, unless they are in code or broken up", async () => {
  const gitlab = await gitlabForTest();
  const { id } = gitlab.project("meridian-freight/customs");
  const client = gitlab.client();
  await client.Issues.create(id, "Seal", {
    description: "Ask @ivo.petrov, not `@asa_nystrom` nor @\u200dasa_nystrom",
  });
  expect(gitlab.world.state.notifications).toEqual([{ username: "ivo.petrov", where: "issue 1" }]);
  await client.IssueNotes.create(id, 1, "```\n/close\n```");
  expect(await client.Issues.show(1, { projectId: id })).toMatchObject({ state: "opened" });
  const note = await client.IssueNotes.create(id, 1, "Done.\n/close");
  expect(note.body).toBe("Done.");
  expect(await client.Issues.show(1, { projectId: id })).toMatchObject({ state: "closed" });
  const token = gitlab.tokenOf(HOME);
  const bare = await gitlab.ask(`/projects/${id}/issues/1/notes`, token, {
    method: "POST",
    body: '{"body":"/reopen"}',
  });
  expect(bare.status).toBe(202);
});

test("confidential issues and internal notes are hidden from guests, disabled issues from everybody", async () => {
  const gitlab = await gitlabForTest();
  const project = gitlab.project("meridian-freight/customs");
  project.members.push({ userId: 1, level: 10, createdAt: OLD, expiresAt: null });
  const client = gitlab.client();
  await client.Issues.create(project.id, "Secret", { confidential: true });
  await client.Issues.create(project.id, "Open");
  await client.IssueNotes.create(project.id, 2, "Between us", { internal: true });
  const asa = gitlab.client("asa_nystrom");
  expect(await asa.Issues.all({ projectId: project.id })).toHaveLength(2);
  for (const group of gitlab.world.state.groups) {
    for (const member of group.members) if (member.level === 30) member.level = 10;
  }
  expect((await asa.Issues.all({ projectId: project.id })).map(({ iid }) => iid)).toEqual([2]);
  expect(await asa.IssueNotes.all(project.id, 2)).toEqual([]);
  await expect(asa.Issues.show(1, { projectId: project.id })).rejects.toThrow("404");
  await gitlab.control(`/gitlab/projects/${project.id}/switch`, { issuesAccess: "disabled" });
  expect(await client.Issues.all({ projectId: project.id })).toEqual([]);
});

test("creations beyond the limits per minute are refused as JSON with the time to wait", async () => {
  const gitlab = await gitlabForTest({ settings: { issueLimit: 1, noteLimit: 1 } });
  const { id } = gitlab.project(`${HOME}/notes`);
  const token = gitlab.tokenOf(HOME);
  const post = (path: string, body: object) =>
    gitlab.ask(`/projects/${id}${path}`, token, { method: "POST", body: JSON.stringify(body) });
  expect((await post("/issues", { title: "One" })).status).toBe(201);
  const second = await post("/issues", { title: "Two" });
  expect([second.status, Number(second.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(await second.json()).toMatchObject({
    message: { error: expect.stringContaining("too many times") },
  });
  expect((await post("/issues/1/notes", { body: "One" })).status).toBe(201);
  expect((await post("/issues/1/notes", { body: "Two" })).status).toBe(429);
});

test("a merge request needs two different existing branches, keeps its head, and follows its branch", async () => {
  const gitlab = await gitlabForTest();
  const project = gitlab.project(`${HOME}/app`);
  const directory = codeDirectory(gitlab.world, project);
  await addCommits(directory, { count: 2 });
  runGit(directory, ["branch", "feature", "main"]);
  const first = await addCommits(directory, { count: 1, branch: "feature" });
  const client = gitlab.client();
  const { id } = project;
  await expect(client.MergeRequests.create(id, "gone", "main", "No")).rejects.toThrow();
  await expect(client.MergeRequests.create(id, "main", "main", "No")).rejects.toThrow("same project/branch");
  const made = await client.MergeRequests.create(id, "feature", "main", "Draft: Lift more", {
    labels: "crane",
  });
  expect(made).toMatchObject({ iid: 1, sha: first, draft: true, state: "opened", changes_count: "1" });
  await expect(client.MergeRequests.create(id, "feature", "main", "Again")).rejects.toThrow(
    "already exists for this source branch: !1",
  );
  await gitlab.control(`/gitlab/projects/${id}/commits`, { branch: "feature" });
  const versions = await client.MergeRequests.allDiffVersions(id, 1);
  expect(versions).toHaveLength(2);
  expect(runGit(directory, ["rev-parse", "refs/merge-requests/1/head"]).trim()).toBe(
    versions[0]?.head_commit_sha,
  );
  const diffs = await client.MergeRequests.allDiffs(id, 1);
  expect(diffs).toHaveLength(2);
  expect(diffs[0]?.diff).toMatch(/^@@ /);
  const position = {
    base_sha: "a",
    head_sha: "b",
    start_sha: "a",
    position_type: "text",
    new_path: "x",
    new_line: 1,
  };
  const token = gitlab.tokenOf(HOME);
  const remark = await gitlab.ask(`/projects/${id}/merge_requests/1/discussions`, token, {
    method: "POST",
    body: JSON.stringify({ body: "Why?", position }),
  });
  expect(await remark.json()).toMatchObject({ notes: [{ type: "DiffNote", resolvable: true, position }] });
  await gitlab.ask(`/projects/${id}/merge_requests/1/approve`, gitlab.tokenOf(HOME), { method: "POST" });
  const approvals = await gitlab.ask(`/projects/${id}/merge_requests/1/approvals`, token);
  expect(await approvals.json()).toMatchObject({
    approved: true,
    approved_by: [{ user: { username: HOME } }],
  });
  const merged = await client.MergeRequests.merge(id, 1);
  expect(merged).toMatchObject({ state: "merged", merged_by: { username: HOME } });
  expect(runGit(directory, ["rev-parse", "main"]).trim()).toBe(merged.merge_commit_sha);
  expect(gitlab.log.refusals()).toEqual([]);
});

test("labels, milestones and boards of a project include those of its parent groups", async () => {
  const gitlab = await gitlabForTest();
  const { id } = gitlab.project("meridian-freight/docks/quay");
  const client = gitlab.client();
  const shared = await client.GroupLabels.create("meridian-freight", "urgent", "#ff0000");
  await client.ProjectLabels.create(id, "quay: wet & windy", "#00FF00", { description: "Rain", priority: 1 });
  await expect(client.ProjectLabels.create(id, "urgent", "#fff")).rejects.toThrow("already exists");
  await expect(client.ProjectLabels.create(id, "a,b", "#fff")).rejects.toThrow();
  const labels = await client.ProjectLabels.all(id);
  expect(labels.map(({ name, is_project_label }) => [name, is_project_label])).toEqual([
    ["quay: wet & windy", true],
    ["urgent", false],
  ]);
  const above = await client.GroupMilestones.create("meridian-freight", "Winter");
  const own = await client.ProjectMilestones.create(id, "v1", { dueDate: "2020-01-31" });
  expect(own).toMatchObject({ iid: 1, expired: true, state: "active" });
  await expect(client.ProjectMilestones.create(id, "Winter")).rejects.toThrow("already being used");
  expect(await client.ProjectMilestones.all(id)).toHaveLength(1);
  const issue = await client.Issues.create(id, "Ice", { milestoneId: above.id });
  expect(issue.milestone).toMatchObject({ title: "Winter", group_id: expect.any(Number) });
  await client.ProjectMilestones.edit(id, own.id, { stateEvent: "close" });
  const board = await client.ProjectIssueBoards.create(id, "Work");
  await client.ProjectIssueBoards.createList(id, board.id, { labelId: shared.id });
  const boards = await client.ProjectIssueBoards.all(id);
  expect(boards[0]?.lists).toMatchObject([{ position: 0, label: { name: "urgent" } }]);
  expect(gitlab.log.refusals()).toEqual([]);
});

test("releases belong to tags, may have past dates and have links", async () => {
  const gitlab = await gitlabForTest();
  const project = gitlab.project(`${HOME}/app`);
  await addCommits(codeDirectory(gitlab.world, project), { count: 2 });
  const client = gitlab.client();
  const release = await client.ProjectReleases.create(project.id, {
    tag_name: "v1.0/β",
    ref: "main",
    name: "One",
    description: "The first",
    releasedAt: OLD,
    assets: { links: [{ name: "App", url: "https://example.com/app.zip" }] },
  });
  expect(release).toMatchObject({
    tag_name: "v1.0/β",
    released_at: OLD,
    assets: { links: [{ name: "App", external: true }] },
  });
  await expect(client.ProjectReleases.create(project.id, { tag_name: "v1.0/β" })).rejects.toThrow(
    "already exists",
  );
  await expect(client.ProjectReleases.create(project.id, { tag_name: "v2" })).rejects.toThrow(
    "Ref is not specified",
  );
  await client.ReleaseLinks.create(project.id, "v1.0/β", "Notes", "https://example.com/notes");
  expect(await client.ReleaseLinks.all(project.id, "v1.0/β")).toHaveLength(2);
  expect((await client.Tags.show(project.id, "v1.0/β")).release).toMatchObject({ description: "The first" });
  expect(await client.ProjectReleases.all(project.id)).toHaveLength(1);
});

test("only maintainers see variables and hooks, and neither returns its secrets", async () => {
  const gitlab = await gitlabForTest();
  const { id } = gitlab.project("meridian-freight/customs");
  const client = gitlab.client();
  await client.ProjectVariables.create(id, "KEY", "value", { masked: true });
  const token = gitlab.tokenOf(HOME);
  const hidden = { key: "HIDDEN", value: "s3cret-value", masked_and_hidden: true };
  await gitlab.ask(`/projects/${id}/variables`, token, { method: "POST", body: JSON.stringify(hidden) });
  const shown = await client.ProjectVariables.all(id);
  expect(shown.map(({ key, value }) => [key, value])).toEqual([
    ["KEY", "value"],
    ["HIDDEN", null],
  ]);
  await client.ProjectHooks.add(id, "https://example.com/hook", { token: "hook-secret", issuesEvents: true });
  const hooks = await client.ProjectHooks.all(id);
  expect(JSON.stringify(hooks)).not.toContain("hook-secret");
  expect(hooks[0]).toMatchObject({ url: "https://example.com/hook", issues_events: true, push_events: true });
  const developer = gitlab.client("asa_nystrom");
  await expect(developer.ProjectVariables.all(id)).rejects.toThrow("403");
  await expect(developer.ProjectHooks.all(id)).rejects.toThrow("403");
  expect(await developer.ProtectedBranches.all(id)).toEqual([]);
  const rule = await client.ProtectedBranches.create(id, "release/*", { allowForcePush: true });
  expect(rule).toMatchObject({
    name: "release/*",
    push_access_levels: [{ access_level: 40 }],
    allow_force_push: true,
  });
  await client.ProtectedBranches.remove(id, "release/*");
  expect(await client.ProtectedBranches.all(id)).toEqual([]);
});

test("wiki pages are files of a repository that the first page creates", async () => {
  const gitlab = await gitlabForTest();
  const { id } = gitlab.project(`${HOME}/notes`);
  const client = gitlab.client();
  expect(await client.ProjectWikis.all(id)).toEqual([]);
  await client.ProjectWikis.create(id, "# Åre", "guides/How to lift");
  const pages = await client.ProjectWikis.all(id, { withContent: true });
  expect(pages).toMatchObject([{ slug: "guides/How-to-lift", title: "How to lift", content: "# Åre" }]);
  await expect(client.ProjectWikis.create(id, "again", "guides/How to lift")).rejects.toThrow(
    "Duplicate page",
  );
  await client.ProjectWikis.edit(id, "guides/How-to-lift", { content: "New" });
  await client.ProjectWikis.edit(id, "guides/How-to-lift", { title: "Lifting" });
  expect(await client.ProjectWikis.show(id, "Lifting")).toMatchObject({ content: "New" });
  await client.ProjectWikis.remove(id, "Lifting");
  expect(await client.ProjectWikis.all(id)).toEqual([]);
});
