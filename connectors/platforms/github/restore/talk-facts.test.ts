import { expect, test } from "vitest";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore } from "#tests/conformance/test-session.ts";
import { connector } from "../connector.ts";
import { lines, openWorld, talkOf, versionOf } from "./restore-test-world.ts";

/** A repository that the simulator has filled, and what its records are. */
async function makeTalk(open: Awaited<ReturnType<typeof openWorld>>, content: object) {
  const repository = await open.world.makeRepository("depot");
  const { fullName } = open.world.reference(repository);
  const happen = async (what: string, order: object) => {
    const url = `${open.world.simulator.url}/__sim/github/repos/${fullName}/${what}`;
    expect((await fetch(url, { method: "POST", body: JSON.stringify(order) })).status).toBe(200);
  };
  await happen("generate", content);
  const records = open.world.simulator.world.records.of(repository);
  const restore = async (name: string) => {
    const version = await versionOf(open, repository);
    const journal = memoryJournal();
    const { events } = await runRestore(connector.restore(open.session(), version, asNew(name), journal));
    return { version, report: lines(events), ...(await talkOf(open.octokit, repository.owner, name)) };
  };
  return { repository, records, happen, restore };
}

const reaction = (id: number) => ({
  ...{ id, login: "ivo-petrov", content: "rocket" as const, createdAt: "2026-03-01T10:00:00Z" },
});

test("bots keep their full names, whether REST or GraphQL names them", async () => {
  const open = await openWorld();
  const { records, happen, restore } = await makeTalk(open, { pulls: 1, reviewsPerPull: 1, discussions: 1 });
  await happen("features", { hasDiscussions: true });
  const [review] = records.reviews;
  const [discussion] = records.discussions;
  const [remark] = records.discussionComments;
  for (const thing of [review, discussion, remark]) if (thing) thing.author = "dependabot[bot]";
  const { version } = await restore("copy");
  const authors: unknown[] = [];
  for (const { info } of version.entries.values()) {
    if (!["review", "discussion", "discussion-comment"].includes(info.kind)) continue;
    const { user, author } = (await version.readRecord(info.path)) as Record<
      string,
      { login?: string } | null
    >;
    authors.push((user ?? author)?.login);
  }
  expect(authors.filter((login) => login === "dependabot[bot]")).toHaveLength(3);
  expect(authors).not.toContain("dependabot");
});

test("restored comments on code show the lines, whom they answer, who resolved them and why they are hidden", async () => {
  const open = await openWorld();
  const { records, restore } = await makeTalk(open, {
    issues: 1,
    pulls: 1,
    commentsPerIssue: 1,
    reviewsPerPull: 2,
  });
  const [first, reply] = records.reviewComments;
  if (!first || !reply) throw new Error("there are no comments on code");
  const hunk = ["@@ -1,40 +1,40 @@", ...Array.from({ length: 40 }, (_, at) => `+line ${at}`)].join("\n");
  Object.assign(first, {
    body: "Why?",
    diffHunk: hunk,
    author: "ivo-petrov",
    resolvedBy: open.world.accountName,
  });
  Object.assign(reply, { body: "Because.", diffHunk: hunk, replyTo: first.id, pull: first.pull });
  const [comment] = records.comments;
  if (comment) Object.assign(comment, { minimizedAs: "off-topic", body: "Buy this" });
  const { version, comments } = await restore("copy");
  const padded = (id: number) => String(id).padStart(12, "0");
  expect(await version.readRecord(`pulls/${padded(first.pull)}/pull.json`)).toMatchObject({
    resolved_threads: [{ comment_id: first.id, resolved_by: { login: open.world.accountName } }],
  });
  const textOf = (part: string) => comments.find(({ body }) => body?.includes(part))?.body ?? "";
  expect(textOf("Why?")).toContain("```diff\n@@ -1,40 +1,40 @@\n+line 30\n");
  expect(textOf("Why?")).toContain(`> Resolved by **${open.world.accountName}**.`);
  expect(textOf("Because.")).toContain("> A reply to **ivo-petrov** (");
  expect(textOf("Because.")).not.toContain("```diff");
  expect(textOf("Buy this")).toContain("> Hidden as off-topic in the original.");
});

test("a restored discussion has its labels, and its comments say whom they answer and which is the answer", async () => {
  const open = await openWorld();
  const { records, happen, restore } = await makeTalk(open, { discussions: 1 });
  await happen("features", { hasDiscussions: true });
  const [discussion] = records.discussions;
  const [remark, reply] = records.discussionComments;
  const label = records.labels.find(({ name }) => name === "question");
  if (!discussion || !remark || !reply || !label) throw new Error("a thing is missing");
  Object.assign(discussion, { answer: remark.id, labelIds: [label.id] });
  remark.minimizedAs = "outdated";
  const { issues, comments, report } = await restore("copy");
  expect(issues[0]?.labels).toMatchObject([{ name: "question" }]);
  const textOf = (part: string) => comments.find(({ body }) => body?.includes(part))?.body ?? "";
  expect(textOf(remark.body)).toContain("> Marked as the answer.");
  expect(textOf(remark.body)).toContain("> Hidden as outdated in the original.");
  expect(textOf(reply.body)).toContain("> A reply to **");
  const copy = open.world.simulator.world.state.repositories.find(({ name }) => name === "copy");
  expect(copy?.hasDiscussions).toBe(true);
  expect(report).not.toContainEqual(expect.objectContaining({ what: "Discussions" }));
});

test("the report says once that assignees and reactions are in the texts only", async () => {
  const open = await openWorld();
  const { records, restore } = await makeTalk(open, { issues: 3, commentsPerIssue: 1 });
  for (const issue of records.issues) issue.assignees = [open.world.accountName];
  for (const comment of records.comments) comment.reactions = [reaction(comment.id + 1)];
  const { report } = await restore("copy");
  for (const what of ["Assignees", "Reactions"])
    expect(report.filter((line) => "what" in line && line.what === what)).toHaveLength(1);
});

test("comments on commits are backed up when their total changes, and restored to the same commits", async () => {
  const open = await openWorld();
  const { repository, records, restore } = await makeTalk(open, { issues: 1 });
  const commit = runGit(open.world.directory(repository), ["rev-parse", "main"]).trim();
  const at = { owner: repository.owner, repo: "depot" };
  const { data: made } = await open.octokit.rest.repos.createCommitComment({
    ...at,
    commit_sha: commit,
    ...{ body: "Too fast @ivo-petrov", path: "changes/1.md", position: 1 },
  });
  const own = records.commitComments?.[0];
  if (own) own.reactions = [reaction(own.id + 1)];
  const { version, report } = await restore("copy");
  const path = `commit-comments/${String(made.id).padStart(12, "0")}.json`;
  expect(await version.readRecord(path)).toMatchObject({
    ...{ commit_id: commit, path: "changes/1.md", position: 1, reactions: { rocket: ["ivo-petrov"] } },
  });
  const { data } = await open.octokit.rest.repos.listCommitCommentsForRepo({ ...at, repo: "copy" });
  expect(data).toMatchObject([{ commit_id: commit, path: "changes/1.md", position: 1 }]);
  expect(data[0]?.body).toContain("Too fast @\u200bivo-petrov");
  expect(data[0]?.body).toContain("Reactions: 🚀 1");
  expect(report).toContainEqual({ type: "restored", kind: "commit-comment", count: 1 });
});

test("links to comments keep their anchors, so an interrupted restore repeats no comment on a commit", async () => {
  const open = await openWorld();
  const { repository } = await makeTalk(open, { issues: 1, pulls: 1, reviewsPerPull: 1 });
  const commit = runGit(open.world.directory(repository), ["rev-parse", "main"]).trim();
  const at = { owner: repository.owner, repo: "depot" };
  for (const body of ["One", "Two"])
    await open.octokit.rest.repos.createCommitComment({ ...at, commit_sha: commit, body });
  const version = await versionOf(open, repository);
  const journal = memoryJournal();
  let written = 0;
  const dying = open.session(async (url, init) => {
    const answer = await fetch(url, init);
    const isComment = init?.method === "POST" && /\/commits\/\w+\/comments$/.test(new URL(url).pathname);
    if (isComment && ++written === 1) throw new TypeError("The worker died.");
    return answer;
  });
  const dead = runRestore(connector.restore(dying, version, asNew("copy"), journal));
  await expect(dead).rejects.toThrow();
  await runRestore(connector.restore(open.session(), version, asNew("copy"), journal));
  const { data } = await open.octokit.rest.repos.listCommitCommentsForRepo({ ...at, repo: "copy" });
  expect(data.map(({ body }) => body.split("\n\n").at(-1))).toEqual(["One", "Two"]);
  const { comments } = await talkOf(open.octokit, repository.owner, "copy");
  expect(comments.map(({ body }) => body).join("\n")).toMatch(/pull\/\d+#discussion_r\d+\)/);
});

test("sub-issues, what blocks an issue, and autolinks return; deploy keys and rules by pattern are in the version", async () => {
  const open = await openWorld();
  const { repository, records, restore } = await makeTalk(open, { issues: 3 });
  const [first, second, third] = records.issues;
  if (!first || !second || !third) throw new Error("there are too few issues");
  second.parent = first.number;
  third.blockedBy = [first.number, second.number];
  records.settings.protectedPatterns = ["release/**/*"];
  const at = { owner: repository.owner, repo: "depot" };
  const link = { key_prefix: "TICKET-", url_template: "https://example.com/<num>", is_alphanumeric: false };
  await open.octokit.rest.repos.createAutolink({ ...at, ...link });
  await open.octokit.rest.repos.createDeployKey({ ...at, title: "Server 7", key: "ssh-ed25519 AAAAC3Nza7" });
  const { version, report } = await restore("copy");
  expect(version.skipped).toEqual([]);
  expect(await version.readRecord("settings/deploy-keys.json")).toMatchObject([{ title: "Server 7" }]);
  expect(await version.readRecord("settings/branch-protection-rules.json")).toMatchObject([
    { pattern: "release/**/*", allowsDeletions: false },
  ]);
  const state = open.world.simulator.world;
  const copy = state.state.repositories.find(({ name }) => name === "copy");
  const again = copy && state.records.of(copy);
  expect(again?.issues.find(({ title }) => title === second.title)?.parent).toBe(first.number);
  expect(again?.issues.find(({ title }) => title === third.title)?.blockedBy).toEqual(third.blockedBy);
  expect(again?.settings.autolinks).toMatchObject([link]);
  expect(again?.settings.deployKeys ?? []).toEqual([]);
  expect(report).toContainEqual({ type: "restored", kind: "autolink", count: 1 });
  expect(report).toContainEqual(
    expect.objectContaining({ type: "impossible", what: expect.stringContaining("deploy keys") }),
  );
});
