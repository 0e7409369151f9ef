import { expect, test } from "vitest";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore } from "#tests/conformance/test-session.ts";
import { connector } from "../connector.ts";
import { seedDiscussions } from "../simulator/seed-extras.ts";
import { deleteIssue } from "../simulator/threads.ts";
import { lines, openWorld, talkOf, versionOf } from "./restore-test-world.ts";

const into = (name: string) => asNew(name);
const FILE_NAME = "Kran 🏗 – plan.bin";

type World = Awaited<ReturnType<typeof openWorld>>;

/** Creates a repository with everything that a restore cannot bring back as it was. */
async function makeHardCases({ world, octokit }: World, name: string) {
  const repository = await world.makeRepository(name);
  const at = { owner: repository.owner, repo: name };
  const folder = world.directory(repository);
  for (const branch of ["lives", "goes", "of-a-fork", "merged"]) {
    runGit(folder, ["branch", branch, "main"]);
    await addCommits(folder, { count: 1, branch });
  }
  const records = world.simulator.world.records.of(repository);
  const issue = (title: string, more = {}) => octokit.rest.issues.create({ ...at, title, ...more });
  const pull = (title: string, head: string, draft = false) =>
    octokit.rest.pulls.create({ ...at, title, head, base: "main", draft });
  await octokit.rest.issues.createLabel({ ...at, name: "späť/🚛", color: "00ff7f" });
  await octokit.rest.issues.createMilestone({ ...at, title: "Long ago", state: "closed" });
  await issue("Nobody answered"); // 1
  await pull("From a fork that is gone", "of-a-fork"); // 2
  await issue("Said twice", { body: "see #1", labels: ["späť/🚛"], milestone: 1 }); // 3
  await octokit.rest.reactions.createForIssue({ ...at, issue_number: 3, content: "heart" });
  await octokit.rest.issues.lock({ ...at, issue_number: 3, lock_reason: "too heated" });
  await octokit.rest.issues.update({ ...at, issue_number: 3, state: "closed", state_reason: "completed" });
  for (const number of [4, 5, 6]) await issue(`Lost ${number}`);
  seedDiscussions(world.simulator.world, repository); // 7, 8, 9
  await pull("Merged", "merged"); // 10
  await pull("Its branch is deleted", "goes"); // 11
  await pull("A draft", "lives", true); // 12
  for (const number of [4, 5, 6]) deleteIssue(records, number);
  for (const one of records.issues) {
    if (one.number === 1) Object.assign(one, { author: "ghost", createdAt: "2019-02-03T04:05:06Z" });
    if (one.number === 2 && one.pull) one.pull.headOwner = null;
    if (one.number === 3) one.stateReason = "duplicate";
    if (one.number === 10 && one.pull) {
      Object.assign(one, { state: "closed", closedAt: one.updatedAt });
      Object.assign(one.pull, { mergedAt: one.updatedAt, mergedBy: "nora-lindqvist" });
    }
  }
  for (const one of records.discussions) if (one.number === 8) one.isLocked = true;
  runGit(folder, ["branch", "-D", "goes", "of-a-fork"]);
  return { repository, at, records };
}

test("rare cases are restored: gaps, deleted forks, locks with reasons, discussions, drafts", async () => {
  const open = await openWorld({ offersImportToApps: true });
  const { repository, at } = await makeHardCases(open, "hard");
  const version = await versionOf(open, repository);
  const before = await talkOf(open.octokit, at.owner, "hard");
  const { events } = await runRestore(
    connector.restore(open.session(), version, into("hard_restored"), memoryJournal()),
  );
  const after = await talkOf(open.octokit, at.owner, "hard_restored");
  const shape = after.issues.map(({ number, state, locked, active_lock_reason, pull_request, draft }) => [
    ...[number, state, locked, active_lock_reason ?? null, pull_request !== undefined, draft ?? false],
  ]);
  expect(shape).toEqual([
    [1, "open", false, null, false, false],
    [2, "open", false, null, false, false],
    [3, "closed", true, "too heated", false, false],
    [4, "closed", false, null, false, false],
    [5, "closed", false, null, false, false],
    [6, "closed", false, null, false, false],
    [7, "closed", false, null, false, false],
    [8, "closed", true, null, false, false],
    [9, "closed", false, null, false, false],
    [10, "closed", false, null, false, false],
    [11, "open", false, null, false, false],
    [12, "open", false, null, true, true],
  ]);
  const told = (number: number) => after.issues[number - 1];
  const link = (number: number, kind = "issues") => `${repository.owner}/hard/${kind}/${number}`;
  expect(told(1)).toMatchObject({
    title: "Nobody answered",
    comments: 0,
    created_at: "2019-02-03T04:05:06Z",
  });
  expect(told(1)?.body).toContain(link(1));
  expect(told(2)?.body).toContain("A pull request from a deleted fork:of-a-fork into main");
  expect(told(2)?.body).toContain(link(2, "pull"));
  expect(told(3)?.body).toMatch(/> Closed on .+ UTC as a duplicate\./);
  expect(told(3)?.body).toContain("Reactions: ❤️ 1.");
  expect(told(3)?.body).toContain("see #1");
  expect(told(3)?.labels).toMatchObject([{ name: "späť/🚛", color: "00ff7f" }]);
  expect(told(3)?.milestone).toMatchObject({ title: "Long ago", state: "closed" });
  const closedAt = before.issues.find(({ number }) => number === 3)?.closed_at;
  expect(told(3)?.closed_at).toBe(closedAt);
  expect(told(8)?.body).toContain("A discussion in Q&A.");
  expect(told(8)?.comments).toBe(2);
  expect(told(10)?.body).toContain("merged by nora-lindqvist");
  const report = lines(events);
  const line = (what: string, reason: string) =>
    expect(report).toContainEqual({ type: "changed", what, reason: expect.stringContaining(reason) });
  line("Pull request #2", "or its branch is in a fork");
  line("Pull request #10", "it was merged or closed");
  line("Pull request #11", "its branch goes was not restored");
  line("Discussion #7", "closed issue with all its comments");
  expect(report).toContainEqual({ type: "restored", kind: "placeholder", count: 3 });
  expect(await talkOf(open.octokit, at.owner, "hard")).toEqual(before);
});

test("releases are restored one to one: drafts of one tag, pre-releases, names in any script, once after a crash", async () => {
  const open = await openWorld();
  const { octokit, world } = open;
  const repository = await world.makeRepository("released");
  const at = { owner: repository.owner, repo: "released" };
  const make = async (order: { tag_name: string; name?: string; draft?: boolean; prerelease?: boolean }) =>
    (await octokit.rest.repos.createRelease({ ...at, body: `For ${order.name}`, ...order })).data;
  const first = await make({ tag_name: "v1.1", name: "Näytös", prerelease: true });
  await octokit.rest.repos.uploadReleaseAsset({
    ...{ ...at, release_id: first.id, name: FILE_NAME, label: "Plán № 1", data: "blueprint" },
    headers: { "content-type": "application/x-plan", "content-length": 9 },
    url: first.upload_url,
  });
  const lost = await make({ tag_name: "v9", name: "Its tag is gone" });
  for (const name of ["Next", "Next", "Later"]) await make({ tag_name: "v2", name, draft: true });
  runGit(world.directory(repository), ["tag", "-d", lost.tag_name]);
  const version = await versionOf(open, repository);
  const shapeOf = async (repo: string) =>
    (await talkOf(octokit, at.owner, repo)).releases
      .map(({ tag_name, name, draft, prerelease, assets }) => ({
        ...{ tag_name, name, draft, prerelease },
        assets: assets.map((file) => [file.name, file.label, file.content_type, file.size, file.digest]),
      }))
      .sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  const wanted = (await shapeOf("released")).filter(({ tag_name }) => tag_name !== "v9");
  expect(wanted).toHaveLength(4);
  const { events } = await runRestore(
    connector.restore(open.session(), version, into("whole"), memoryJournal()),
  );
  expect(await shapeOf("whole")).toEqual(wanted);
  expect(lines(events)).toContainEqual({
    ...{ type: "missing", what: "Release Its tag is gone", reason: "The version has no tag v9." },
  });
  expect(lines(events)).toContainEqual({ type: "restored", kind: "release", count: 4 });
  for (const lastAnswer of [1, 2, 3, 4]) {
    const journal = memoryJournal();
    let made = 0;
    const dying = open.session(async (url, init) => {
      const answer = await fetch(url, init);
      if (init?.method === "POST" && /\/releases(\/|\?|$)/.test(url) && ++made === lastAnswer)
        throw new TypeError("The worker died.");
      return answer;
    });
    const name = `dies-${lastAnswer}`;
    await runRestore(connector.restore(dying, version, into(name), journal)).catch(() => undefined);
    await runRestore(connector.restore(open.session(), version, into(name), journal));
    expect(await shapeOf(name), name).toEqual(wanted);
  }
});

test("large gaps between numbers are not filled, and the report maps old numbers to new ones", async () => {
  const open = await openWorld();
  const { octokit, world } = open;
  const repository = await world.makeRepository("sparse");
  const at = { owner: repository.owner, repo: "sparse" };
  const records = world.simulator.world.records.of(repository);
  await octokit.rest.issues.create({ ...at, title: "The first" });
  records.nextNumber = 900;
  await octokit.rest.issues.create({ ...at, title: "Much later" });
  records.nextNumber = 950;
  await octokit.rest.issues.create({ ...at, title: "The last" });
  const version = await versionOf(open, repository);
  const { events, item } = await runRestore(
    connector.restore(open.session(), version, into("dense"), memoryJournal()),
  );
  const { issues } = await talkOf(octokit, at.owner, "dense");
  expect(issues.map(({ number, title }) => [number, title])).toEqual([
    [1, "The first"],
    [2, "Much later"],
    [3, "The last"],
  ]);
  const mapped = lines(events).filter(({ type }) => type === "mapped");
  expect(mapped).toEqual(
    [
      ["#900", "#2"],
      ["#950", "#3"],
    ].map(([from, to]) => ({
      ...{ type: "mapped", kind: "issue", from, to },
      url: `${item.webUrl}/issues/${to?.slice(1)}`,
    })),
  );
});
