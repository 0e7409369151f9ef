import { Octokit } from "octokit";
import { expect, onTestFinished, test } from "vitest";
import type { BackupEvent, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { memoryJournal, runRestore, testSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import type { Repository } from "./simulator/state.ts";
import { deleteIssue } from "./simulator/threads.ts";
import { openGithubWorld } from "./test-world.ts";

const pad = (id: number) => String(id).padStart(12, "0");

async function openWorld() {
  const world = await openGithubWorld({ contentPerMinute: 100_000, contentPerHour: 100_000 });
  onTestFinished(() => world.stop());
  const token = await world.issueToken();
  const octokit = new Octokit({
    auth: token,
    baseUrl: world.simulator.apiUrl,
    throttle: { enabled: false },
    retry: { enabled: false },
  });
  const session = () => testSession({ config: world.config, token, accountName: world.accountName });
  return { world, octokit, session };
}

/** A repository in which people talk: labels, a milestone, issues, a pull request, and a number that was deleted. */
async function makeTalk({ world, octokit }: Awaited<ReturnType<typeof openWorld>>, name: string) {
  const repository = await world.makeRepository(name);
  const at = { owner: repository.owner, repo: name };
  runGit(world.directory(repository), ["branch", "feature", "main"]);
  await addCommits(world.directory(repository), { count: 2, branch: "feature" });
  await octokit.rest.issues.createLabel({ ...at, name: "crane 🏗", color: "ff8800", description: "Cranes" });
  await octokit.rest.issues.createMilestone({ ...at, title: "Spring", due_on: "2026-03-31T08:00:00Z" });
  await octokit.rest.issues.createMilestone({ ...at, title: "Autumn", state: "closed" });
  await octokit.rest.issues.create({
    ...at,
    title: "The crane squeaks",
    body: "cc @ivo-petrov",
    labels: ["crane 🏗"],
    milestone: 2,
  });
  await octokit.rest.issues.createComment({
    ...at,
    issue_number: 1,
    body: "Oiled. See meridian-freight/depot#3",
  });
  await octokit.rest.issues.createComment({ ...at, issue_number: 1, body: "Thanks" });
  await octokit.rest.issues.update({ ...at, issue_number: 1, state: "closed", state_reason: "not_planned" });
  await octokit.rest.issues.create({ ...at, title: "To be deleted" });
  await octokit.rest.pulls.create({
    ...at,
    title: "Oil it",
    head: "feature",
    base: "main",
    body: "Closes #1",
  });
  await octokit.rest.issues.createComment({ ...at, issue_number: 3, body: "Looks good" });
  await octokit.rest.issues.create({ ...at, title: "Locked", body: null as unknown as string });
  await octokit.rest.issues.lock({ ...at, issue_number: 4 });
  deleteIssue(world.simulator.world.records.of(repository), 2);
  return repository;
}

/** A version of the repository: its git data as backed up, and its records as GitHub tells them. */
async function versionOf(
  { world, octokit, session }: Awaited<ReturnType<typeof openWorld>>,
  repository: Repository,
) {
  const by = session();
  const item = await connector.getItem(by, { kind: "repository", ...world.reference(repository) });
  const at = { owner: repository.owner, repo: repository.name, per_page: 100 };
  async function* events(): AsyncGenerator<BackupEvent> {
    yield* connector.backUp(by, { item, previous: null, cursor: null });
    const record = (path: string, kind: string, value: unknown): BackupEvent => ({
      type: "record",
      path,
      kind,
      value: value as Json,
    });
    for (const label of await octokit.paginate(octokit.rest.issues.listLabelsForRepo, at))
      yield record(`labels/${pad(label.id)}.json`, "label", label);
    for (const one of await octokit.paginate(octokit.rest.issues.listMilestones, { ...at, state: "all" }))
      yield record(`milestones/${pad(one.number)}.json`, "milestone", one);
    for (const issue of await octokit.paginate(octokit.rest.issues.listForRepo, { ...at, state: "all" })) {
      const room = issue.pull_request ? "pulls" : "issues";
      const folder = `${room}/${pad(issue.number)}/`;
      if (issue.pull_request) {
        const { data } = await octokit.rest.pulls.get({ ...at, pull_number: issue.number });
        yield record(`${folder}pull.json`, "pull-request", data);
      } else yield record(`${folder}issue.json`, "issue", issue);
      for (const comment of await octokit.paginate(octokit.rest.issues.listComments, {
        ...at,
        issue_number: issue.number,
      })) {
        yield record(`${folder}comments/${pad(comment.id)}.json`, "issue-comment", comment);
      }
    }
  }
  return await takeSnapshot(events());
}

/** What people see of a repository's talk. */
async function talkOf(octokit: Octokit, owner: string, repo: string) {
  const at = { owner, repo, per_page: 100 };
  const labels = await octokit.paginate(octokit.rest.issues.listLabelsForRepo, at);
  const milestones = await octokit.paginate(octokit.rest.issues.listMilestones, { ...at, state: "all" });
  const issues = await octokit.paginate(octokit.rest.issues.listForRepo, {
    ...at,
    state: "all",
    sort: "created",
    direction: "asc",
  });
  const comments = await octokit.paginate(octokit.rest.issues.listCommentsForRepo, at);
  return { labels, milestones, issues, comments };
}

const lines = (events: RestoreEvent[]) =>
  events.filter((event) => event.type !== "progress" && event.type !== "checkpoint");

test("issues and pull requests come back under their numbers, with labels, milestones, comments and states", async () => {
  const open = await openWorld();
  const original = await makeTalk(open, "depot");
  const before = await talkOf(open.octokit, original.owner, "depot");
  const version = await versionOf(open, original);
  const journal = memoryJournal();
  const { events } = await runRestore(
    connector.restore(open.session(), version, { name: "depot_restored", place: null, options: {} }, journal),
  );
  const { labels, milestones, issues, comments } = await talkOf(
    open.octokit,
    original.owner,
    "depot_restored",
  );

  expect(labels.map(({ name, color, description }) => ({ name, color, description }))).toEqual(
    before.labels.map(({ name, color, description }) => ({ name, color, description })),
  );
  expect(milestones.map(({ title, state, due_on }) => ({ title, state, due_on }))).toEqual(
    before.milestones.map(({ title, state, due_on }) => ({ title, state, due_on })),
  );
  expect(
    issues.map(({ number, title, state, locked, pull_request }) => ({
      number,
      title,
      state,
      locked,
      isPull: pull_request !== undefined,
    })),
  ).toEqual([
    { number: 1, title: "The crane squeaks", state: "closed", locked: false, isPull: false },
    { number: 2, title: "Placeholder for #2", state: "closed", locked: false, isPull: false },
    { number: 3, title: "Oil it", state: "open", locked: false, isPull: true },
    { number: 4, title: "Locked", state: "open", locked: true, isPull: false },
  ]);
  const first = issues[0];
  expect(first?.milestone?.title).toBe("Autumn");
  expect(first?.labels).toMatchObject([{ name: "crane 🏗" }]);
  expect(first?.body).toMatch(/^> \*\*nora-lindqvist\*\* wrote this on /);
  expect(first?.body).toContain("cc @\u200bivo-petrov");
  expect(comments.map(({ issue_url }) => issue_url.split("/").at(-1))).toEqual(["1", "1", "3"]);
  expect(comments[0]?.body).toContain("meridian-freight/depot#\u200b3");
  expect(lines(events)).toContainEqual({ type: "restored", kind: "issue", count: 2 });
  expect(lines(events)).toContainEqual({ type: "restored", kind: "pull-request", count: 1 });
  expect(lines(events)).toContainEqual({ type: "restored", kind: "placeholder", count: 1 });
  expect(lines(events)).toContainEqual({ type: "restored", kind: "comment", count: 3 });
  expect(await talkOf(open.octokit, original.owner, "depot")).toEqual(before);
});

test("a restore that dies after any request goes on without writing anything twice", async () => {
  const open = await openWorld();
  const original = await makeTalk(open, "depot");
  const version = await versionOf(open, original);
  const target = (name: string) => ({ name, place: null, options: {} });
  const whole = open.session();
  await runRestore(connector.restore(whole, version, target("whole"), memoryJournal()));
  const wanted = await shapeOf(open.octokit, original.owner, "whole");

  const effects = whole.requests.length;
  const points = [...Array(effects).keys()].filter((point) => point % 5 === 1);
  for (const point of points) {
    const name = `dies-${point}`;
    const journal = memoryJournal();
    let sent = 0;
    const dying = testSession({
      config: open.world.config,
      token: await open.world.issueToken(),
      accountName: open.world.accountName,
      // The platform has done it; the answer is lost, as when a worker is killed.
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        if (sent++ === point) throw new TypeError("The worker died.");
        return answer;
      },
    });
    await runRestore(connector.restore(dying, version, target(name), journal)).catch(() => undefined);
    const { item } = await runRestore(connector.restore(open.session(), version, target(name), journal));
    expect(await shapeOf(open.octokit, original.owner, item.name), `dead after request ${point}`).toEqual(
      wanted,
    );
  }
  const names = open.world.simulator.world.state.repositories.filter(({ name }) => name.startsWith("dies-"));
  expect(names).toHaveLength(points.length);
}, 240_000);

/** Everything of the talk but the moments. */
async function shapeOf(octokit: Octokit, owner: string, repo: string) {
  const { labels, milestones, issues, comments } = await talkOf(octokit, owner, repo);
  return {
    labels: labels.map(({ name, color }) => ({ name, color })),
    milestones: milestones.map(({ number, title, state }) => ({ number, title, state })),
    issues: issues.map(
      ({ number, title, state, state_reason, locked, comments: count, milestone, labels: own }) => ({
        number,
        title,
        state,
        state_reason,
        locked,
        count,
        milestone: milestone?.title,
        labels: own.length,
      }),
    ),
    comments: comments.map(({ body }) => body),
  };
}
