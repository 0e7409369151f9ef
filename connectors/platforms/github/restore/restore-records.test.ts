import type { Octokit } from "octokit";
import { expect, test } from "vitest";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore } from "#tests/conformance/test-session.ts";
import { samplePoints, sweep } from "#tests/harness/sample.ts";
import { connector } from "../connector.ts";
import { deleteIssue } from "../simulator/threads.ts";
import { lines, openWorld, talkOf, versionOf } from "./restore-test-world.ts";

/** How many requests, between the first and the last, a restore dies after. */
const DEATHS = 3;

const FILE = new Uint8Array(70_000).map((_, index) => (index * 7) % 251);

/** Creates a repository with labels, a milestone, issues, a pull request and a deleted number. */
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
  await octokit.rest.issues.create({ ...at, title: "Locked" });
  await octokit.rest.issues.lock({ ...at, issue_number: 4 });
  const { data: release } = await octokit.rest.repos.createRelease({
    ...at,
    tag_name: "v1.0",
    name: "First",
    body: "Thanks @ivo-petrov",
  });
  const data = FILE as unknown as string;
  await octokit.rest.repos.uploadReleaseAsset({
    ...{ ...at, release_id: release.id, name: "crane.bin", data },
    headers: { "content-type": "application/octet-stream", "content-length": FILE.length },
    url: release.upload_url,
  });
  deleteIssue(world.simulator.world.records.of(repository), 2);
  return repository;
}

test("issues and pull requests are restored with their numbers, labels, milestones, comments and states", async () => {
  const open = await openWorld({ offersImportToApps: true });
  const original = await makeTalk(open, "depot");
  const version = await versionOf(open, original);
  const before = await talkOf(open.octokit, original.owner, "depot");
  const journal = memoryJournal();
  const { events } = await runRestore(
    connector.restore(open.session(), version, asNew("depot_restored"), journal),
  );
  const { labels, milestones, issues, comments, releases } = await talkOf(
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
  expect(first?.created_at).toBe(before.issues[0]?.created_at);
  expect(first?.body).toMatch(/> Closed on \d+ \w+ \d{4}, \d\d:\d\d UTC as not planned\./);
  const datesOf = (all: typeof comments) => all.slice(0, 2).map(({ created_at }) => created_at);
  expect(datesOf(comments)).toEqual(datesOf(before.comments));
  expect(first?.milestone?.title).toBe("Autumn");
  expect(first?.labels).toMatchObject([{ name: "crane 🏗" }]);
  expect(first?.body).toMatch(/^> \*\*nora-lindqvist\*\* wrote this on /);
  expect(first?.body).toContain("cc @\u200bivo-petrov");
  expect(comments.map(({ issue_url }) => issue_url.split("/").at(-1))).toEqual(["1", "1", "3"]);
  expect(comments[0]?.body).toContain("meridian-freight/depot#\u200b3");
  expect(releases).toMatchObject([
    { tag_name: "v1.0", name: "First", assets: [{ name: "crane.bin", size: FILE.length }] },
  ]);
  expect(releases[0]?.assets[0]?.digest).toBe(before.releases[0]?.assets[0]?.digest);
  expect(releases[0]?.body).toContain("Thanks @\u200bivo-petrov");
  expect(lines(events)).toContainEqual({ type: "restored", kind: "release-asset", count: 1 });
  expect(lines(events)).toContainEqual({ type: "restored", kind: "issue", count: 2 });
  expect(lines(events)).toContainEqual({ type: "restored", kind: "pull-request", count: 1 });
  expect(lines(events)).toContainEqual({ type: "restored", kind: "placeholder", count: 1 });
  expect(lines(events)).toContainEqual({ type: "restored", kind: "comment", count: 3 });
  expect(await talkOf(open.octokit, original.owner, "depot")).toEqual(before);
});

test.each([
  ["call by call", false],
  ["by GitHub's import", true],
])(
  "a restore %s that is interrupted after any request resumes without duplicates",
  async (_way, offersImportToApps) => {
    const open = await openWorld({ offersImportToApps });
    const original = await makeTalk(open, "depot");
    const version = await versionOf(open, original);
    const target = (name: string) => asNew(name);
    const whole = open.session();
    await runRestore(connector.restore(whole, version, target("whole"), memoryJournal()));
    const wanted = await shapeOf(open.octokit, original.owner, "whole");

    const points = samplePoints(whole.requests.length, DEATHS);
    await sweep(async () => {
      for (const point of points) {
        const name = `dies-${point}`;
        const journal = memoryJournal();
        let sent = 0;
        // The platform has handled the request; its response is lost, as when a worker is killed.
        const dying = open.session(async (url, init) => {
          const answer = await fetch(url, init);
          if (++sent === point) throw new TypeError("The worker died.");
          return answer;
        });
        await runRestore(connector.restore(dying, version, target(name), journal)).catch(() => undefined);
        const { item } = await runRestore(connector.restore(open.session(), version, target(name), journal));
        expect(await shapeOf(open.octokit, original.owner, item.name), `dead after request ${point}`).toEqual(
          wanted,
        );
      }
    });
    const names = open.world.simulator.world.state.repositories.filter(({ name }) =>
      name.startsWith("dies-"),
    );
    expect(names).toHaveLength(points.length);
  },
  240_000,
);

test("the import is used only if it accepts a first request; the report says where the dates are", async () => {
  const open = await openWorld();
  const original = await makeTalk(open, "depot");
  const version = await versionOf(open, original);
  const target = (name: string) => asNew(name);
  const [plain, imported] = [open.session(), open.session()];
  const { events } = await runRestore(connector.restore(plain, version, target("plain"), memoryJournal()));
  expect(importsOf(plain)).toEqual(["GET"]);
  expect(lines(events)).toContainEqual(
    expect.objectContaining({ type: "changed", what: "Dates of issues and comments" }),
  );
  open.world.simulator.world.settings.offersImportToApps = true;
  const { events: told } = await runRestore(
    connector.restore(imported, version, target("imported"), memoryJournal()),
  );
  expect(importsOf(imported).filter((method) => method === "POST")).toHaveLength(3);
  expect(lines(told).map((line) => "what" in line && line.what)).not.toContain(
    "Dates of issues and comments",
  );
  expect(await shapeOf(open.octokit, original.owner, "plain")).toEqual(
    await shapeOf(open.octokit, original.owner, "imported"),
  );
});

test("an import that accepts the first request but refuses an issue loses only the dates", async () => {
  const open = await openWorld({ offersImportToApps: true });
  const original = await makeTalk(open, "depot");
  const version = await versionOf(open, original);
  const target = (name: string) => asNew(name);
  const refusing = open.session(async (url, init) =>
    url.endsWith("/import/issues") && init?.method === "POST"
      ? Response.json({ message: "Resource not accessible by integration" }, { status: 403 })
      : await fetch(url, init),
  );
  const { events } = await runRestore(
    connector.restore(refusing, version, target("refused"), memoryJournal()),
  );
  expect(importsOf(refusing)).toEqual(["GET", "POST"]);
  expect(lines(events)).toContainEqual({ type: "restored", kind: "issue", count: 2 });
  expect(lines(events)).toContainEqual(
    expect.objectContaining({ type: "changed", what: "Dates of issues and comments" }),
  );
});

test("a restore pauses a second between any two writes", async () => {
  const open = await openWorld();
  const original = await makeTalk(open, "depot");
  const version = await versionOf(open, original);
  const by = open.session();
  const marks: string[] = [];
  const watched = {
    ...by,
    fetch: (url: string, init?: RequestInit) => {
      const method = init?.method ?? "GET";
      if (method !== "GET" && !url.includes(".git/")) marks.push("write");
      return by.fetch(url, init);
    },
    sleep: async (ms: number) => void marks.push(ms >= 1_000 ? "pause" : "nap"),
  };
  const target = asNew("spaced");
  await runRestore(connector.restore(watched, version, target, memoryJournal()));
  expect(marks.length).toBeGreaterThan(20);
  expect(marks.join(" ")).not.toMatch(/write( nap)* write/);
});

/** HTTP methods of the calls to GitHub's import. */
function importsOf({ requests }: { requests: { method: string; url: string }[] }): string[] {
  return requests.filter(({ url }) => url.endsWith("/import/issues")).map(({ method }) => method);
}

test("a gist is restored with history and comments as a new secret one, exactly once", async () => {
  const open = await openWorld();
  const { data: source } = await open.octokit.rest.gists.create({
    description: "Crane maintenance",
    public: true,
    files: { "crane.md": { content: "# Crane" }, "oil 🛢.txt": { content: "5W40" } },
  });
  await open.octokit.rest.gists.update({
    gist_id: source.id ?? "",
    files: { "crane.md": { content: "# Crane, oiled" } },
  });
  await open.octokit.rest.gists.createComment({ gist_id: source.id ?? "", body: "Thanks @ivo-petrov" });
  const by = open.session();
  const item = await connector.getItem(by, {
    kind: "gist",
    externalId: source.id ?? "",
    fullName: source.id ?? "",
  });
  const version = await takeSnapshot(connector.backUp(by, { item, previous: null, cursor: null }));
  const journal = memoryJournal();
  const target = asNew("N/A");
  for (const point of [1, 3, 6, 9]) {
    let sent = 0;
    const dying = open.session(async (url, init) => {
      const answer = await fetch(url, init);
      if (sent++ === point) throw new TypeError("The worker died.");
      return answer;
    });
    await runRestore(connector.restore(dying, version, target, journal)).catch(() => undefined);
  }
  const { item: made, events } = await runRestore(
    connector.restore(open.session(), version, target, journal),
  );
  const gists = await open.octokit.paginate(open.octokit.rest.gists.list, { per_page: 100 });
  const restored = gists.filter(({ description }) => /crane maintenance|holdfast/i.test(description ?? ""));
  expect(restored.map(({ id }) => id).sort()).toEqual([source.id, made.externalId].sort());
  const { data: after } = await open.octokit.rest.gists.get({ gist_id: made.externalId });
  expect(after).toMatchObject({ public: false, description: "Crane maintenance" });
  expect(
    Object.fromEntries(Object.entries(after.files ?? {}).map(([name, file]) => [name, file?.content])),
  ).toEqual({
    "crane.md": "# Crane, oiled",
    "oil 🛢.txt": "5W40",
  });
  expect(after.history?.length).toBe(2);
  const { data: comments } = await open.octokit.rest.gists.listComments({ gist_id: made.externalId });
  expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining("Thanks @\u200bivo-petrov")]);
  expect(lines(events)).toContainEqual(
    expect.objectContaining({ what: "Visibility: secret instead of public" }),
  );
});

/** The talk without its timestamps. */
async function shapeOf(octokit: Octokit, owner: string, repo: string) {
  const { labels, milestones, issues, comments, releases } = await talkOf(octokit, owner, repo);
  return {
    labels: labels.map(({ name, color }) => ({ name, color })),
    milestones: milestones.map(({ number, title, state }) => ({ number, title, state })),
    issues: issues.map(({ number, title, state, locked, comments: count, milestone, labels: own }) => ({
      number,
      title,
      state,
      locked,
      count,
      milestone: milestone?.title,
      labels: own.length,
    })),
    comments: comments.map(({ body }) => body),
    releases: releases.map(({ tag_name, body, assets }) => ({
      tag_name,
      body,
      assets: assets.map(({ name, size, digest }) => ({ name, size, digest })),
    })),
  };
}
