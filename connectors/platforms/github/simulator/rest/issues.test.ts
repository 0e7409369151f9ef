import { writeFileSync } from "node:fs";
import { Octokit } from "octokit";
import { expect, test } from "vitest";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { git } from "#connectors/toolkit/simulator/plain-git.ts";
import { createRepository, gitDirectory } from "../repositories.ts";
import { githubForTest, temporaryFolder } from "../test-world.ts";

const ORG = "meridian-freight";
const AT = { owner: ORG, repo: "depot" };
const UNHURRIED = { throttle: { enabled: false }, retry: { enabled: false } };

async function depot(options: Parameters<typeof githubForTest>[0] = {}) {
  const github = await githubForTest(options);
  const repository = createRepository(github.world, { owner: ORG, name: "depot", visibility: "private" });
  const token = github.tokenOf("nora-lindqvist");
  const octokit = new Octokit({ auth: token, baseUrl: github.apiUrl, ...UNHURRIED });
  const ivo = new Octokit({ auth: github.tokenOf("ivo-petrov"), baseUrl: github.apiUrl, ...UNHURRIED });
  return { github, repository, token, octokit, ivo };
}

test("issues can be created, labelled, commented, changed, locked and closed, and every step is an event", async () => {
  const { github, octokit, ivo } = await depot();
  await octokit.rest.issues.createLabel({ ...AT, name: "crane 🏗", color: "FF8800", description: "Cranes" });
  const milestone = await octokit.rest.issues.createMilestone({
    ...AT,
    title: "Autumn",
    due_on: "2026-12-31T08:00:00Z",
  });
  expect(milestone.data).toMatchObject({ number: 1, due_on: "2026-12-31T08:00:00Z", open_issues: 0 });
  const created = await octokit.rest.issues.create({
    ...AT,
    title: "The crane squeaks",
    body: "Since Monday. cc @ivo-petrov",
    labels: ["CRANE 🏗", "unheard of"],
    assignees: ["ivo-petrov"],
    milestone: 1,
  });
  expect(created.data).toMatchObject({
    number: 1,
    state: "open",
    user: { login: "nora-lindqvist" },
    labels: [
      { name: "crane 🏗", color: "ff8800" },
      { name: "unheard of", color: "ededed" },
    ],
    assignees: [{ login: "ivo-petrov" }],
    milestone: { title: "Autumn" },
    author_association: "MEMBER",
  });
  const comment = await ivo.rest.issues.createComment({ ...AT, issue_number: 1, body: "Oiled." });
  await octokit.rest.issues.updateComment({ ...AT, comment_id: comment.data.id, body: "Oiled it." });
  await ivo.rest.reactions.createForIssueComment({ ...AT, comment_id: comment.data.id, content: "heart" });
  const again = await ivo.rest.reactions.createForIssueComment({
    ...AT,
    comment_id: comment.data.id,
    content: "heart",
  });
  expect(again.status).toBe(200);
  await octokit.rest.issues.update({ ...AT, issue_number: 1, title: "The crane squeaked", state: "closed" });
  await octokit.rest.issues.lock({ ...AT, issue_number: 1, lock_reason: "resolved" });
  const read = await octokit.rest.issues.get({ ...AT, issue_number: 1 });
  expect(read.data).toMatchObject({
    comments: 1,
    state: "closed",
    state_reason: "completed",
    active_lock_reason: "resolved",
    closed_by: { login: "nora-lindqvist" },
  });
  const comments = await octokit.rest.issues.listCommentsForRepo(AT);
  expect(comments.data).toMatchObject([{ body: "Oiled it.", reactions: { heart: 1, total_count: 1 } }]);
  const events = await octokit.rest.issues.listEventsForRepo(AT);
  expect(events.data.map(({ event }) => event)).toEqual([
    "locked",
    "closed",
    "renamed",
    "assigned",
    "milestoned",
    "labeled",
    "labeled",
  ]);
  const timeline = await octokit.rest.issues.listEventsForTimeline({ ...AT, issue_number: 1 });
  expect(timeline.data.map(({ event }) => event)).toContain("commented");
  await expect(
    octokit.rest.issues.createLabel({ ...AT, name: "Crane 🏗", color: "ff8800" }),
  ).rejects.toMatchObject({ status: 422, response: { data: { errors: [{ code: "already_exists" }] } } });
  expect(github.log.refusals()).toEqual([]);
});

test("the official client pages through a thousand generated issues, and since includes its own second", async () => {
  const { github, octokit } = await depot();
  const order = { issues: 950, commentsPerIssue: 2, eventsPerIssue: 1, discussions: 3 };
  const made = await github.control(`/github/repos/${ORG}/depot/generate`, order);
  expect(await made.json()).toEqual({ issues: 950, comments: 1_900 });
  const issues = await octokit.paginate("GET /repos/{owner}/{repo}/issues", {
    ...AT,
    state: "all",
    per_page: 100,
    sort: "updated",
    direction: "asc",
  });
  expect(new Set(issues.map(({ number }) => number)).size).toBe(950);
  const times = issues.map(({ updated_at }) => updated_at);
  expect([...times].sort()).toEqual(times);
  const since = issues[900]?.updated_at ?? "";
  const later = await octokit.rest.issues.listForRepo({ ...AT, state: "all", since, per_page: 100 });
  expect(later.data).toHaveLength(50);
  const comments = await octokit.paginate("GET /repos/{owner}/{repo}/issues/comments", {
    ...AT,
    per_page: 100,
  });
  expect(comments).toHaveLength(1_900);
  const links = (
    await github.ask(`/repos/${ORG}/depot/issues?state=all&per_page=100`, github.tokenOf("ivo-petrov"))
  ).headers;
  expect(links.get("link")).toMatch(
    /\/repositories\/\d+\/issues\?state=all&per_page=100&page=10>; rel="last"/,
  );
});

test("deleted issues are gone, disabled ones return 410, and pull requests stay readable", async () => {
  const { github, octokit, token } = await depot();
  await octokit.rest.issues.create({ ...AT, title: "one" });
  await octokit.rest.issues.create({ ...AT, title: "two" });
  await github.control(`/github/repos/${ORG}/depot/issues/delete`, { numbers: [2] });
  expect((await github.ask(`/repos/${ORG}/depot/issues/2`, token)).status).toBe(410);
  expect((await github.ask(`/repos/${ORG}/depot/issues/9`, token)).status).toBe(404);
  expect((await octokit.rest.issues.create({ ...AT, title: "three" })).data.number).toBe(3);
  await octokit.rest.repos.update({ ...AT, has_issues: false });
  expect((await github.ask(`/repos/${ORG}/depot/issues`, token)).status).toBe(410);
  expect((await github.ask(`/repos/${ORG}/depot/pulls`, token)).status).toBe(200);
});

test("a pull request needs a branch with commits of its own, and a branch has one at a time", async () => {
  const { github, repository, octokit, ivo, token } = await depot();
  const directory = gitDirectory(github.world, repository);
  await addCommits(directory, { count: 2 });
  const create = (head: string) =>
    octokit.rest.pulls.create({ ...AT, title: "Proposal", head, base: "main", body: "Please" });
  const refused = async (head: string) =>
    ((await create(head).catch((error) => error.response.data)) as { errors: object[] }).errors[0];
  expect(await refused("feature")).toMatchObject({ field: "head", code: "invalid" });
  const remote = github.remote(`${ORG}/depot`, token);
  const folder = temporaryFolder();
  await git(folder, "clone", "--quiet", remote, ".");
  await git(folder, "push", "origin", "HEAD:refs/heads/feature");
  expect(await refused("feature")).toMatchObject({ message: "No commits between main and feature" });
  await git(folder, "commit", "--allow-empty", "-m", "Nothing");
  writeFileSync(`${folder}/crane.md`, "one\ntwo\nthree\n");
  await git(folder, "add", ".");
  await git(folder, "commit", "-m", "Describe the crane");
  await git(folder, "push", "origin", "HEAD:refs/heads/feature");
  const pull = await create(`${ORG}:feature`);
  expect(pull.data).toMatchObject({ number: 1, commits: 2, additions: 3, changed_files: 1, mergeable: null });
  expect((await octokit.rest.pulls.get({ ...AT, pull_number: 1 })).data.mergeable).toBe(true);
  expect(await refused("feature")).toMatchObject({
    message: `A pull request already exists for ${ORG}:feature.`,
  });
  const listed = await git(folder, "ls-remote", "origin", "refs/pull/1/head");
  expect(listed.stdout).toContain(pull.data.head.sha);
  await expect(
    octokit.rest.pulls.createReview({ ...AT, pull_number: 1, event: "APPROVE" }),
  ).rejects.toMatchObject({ status: 422 });
  const review = await ivo.rest.pulls.createReview({
    ...AT,
    pull_number: 1,
    event: "REQUEST_CHANGES",
    body: "Nearly",
    comments: [{ path: "crane.md", line: 2, side: "RIGHT", body: "Two?" }],
  });
  expect(review.data.state).toBe("CHANGES_REQUESTED");
  const comments = await octokit.rest.pulls.listReviewCommentsForRepo(AT);
  expect(comments.data).toMatchObject([
    { path: "crane.md", line: 2, diff_hunk: "@@ -0,0 +1,3 @@\n+one\n+two" },
  ]);
  await expect(
    ivo.rest.pulls.createReviewComment({
      ...AT,
      pull_number: 1,
      body: "Where?",
      commit_id: pull.data.head.sha,
      path: "crane.md",
      line: 99,
    }),
  ).rejects.toMatchObject({ status: 422 });
  const answer = await octokit.rest.pulls.createReplyForReviewComment({
    ...AT,
    pull_number: 1,
    comment_id: comments.data[0]?.id ?? 0,
    body: "Two.",
  });
  expect(answer.data.in_reply_to_id).toBe(comments.data[0]?.id);
  await git(folder, "commit", "--allow-empty", "-m", "More");
  await git(folder, "push", "origin", "HEAD:refs/heads/feature");
  const followed = await octokit.rest.pulls.get({ ...AT, pull_number: 1 });
  expect(followed.data).toMatchObject({ commits: 3, mergeable: null });
  const asIssue = await octokit.rest.issues.get({ ...AT, issue_number: 1 });
  expect(asIssue.data.pull_request?.url).toContain("/pulls/1");
  expect(github.log.refusals()).toEqual([]);
});

test("too many texts per minute are refused with the time to wait", async () => {
  const { github, octokit, token } = await depot({ settings: { contentPerMinute: 2 } });
  await octokit.rest.issues.create({ ...AT, title: "one" });
  await octokit.rest.issues.create({ ...AT, title: "two" });
  const body = JSON.stringify({ title: "three" });
  const held = await github.ask(`/repos/${ORG}/depot/issues`, token, { method: "POST", body });
  expect([held.status, Number(held.headers.get("retry-after")) > 0]).toEqual([403, true]);
  expect(((await held.json()) as { message: string }).message).toContain("secondary rate limit");
  expect(held.headers.get("x-ratelimit-remaining")).not.toBe("0");
  expect((await octokit.rest.issues.listForRepo(AT)).data).toHaveLength(2);
});

test("a missing App permission is named, and what only administrators see is missing", async () => {
  const { github, token } = await depot();
  await github.control("/github/settings", { permissions: { metadata: "read", contents: "read" } });
  const refused = await github.ask(`/repos/${ORG}/depot/issues`, token);
  expect([refused.status, refused.headers.get("x-accepted-github-permissions")]).toEqual([
    403,
    "issues=read",
  ]);
  expect(((await refused.json()) as { message: string }).message).toBe(
    "Resource not accessible by integration",
  );
  await github.control("/github/app/switch", { isDeleted: true });
  expect((await github.ask("/user", token)).status).toBe(401);
});
