import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreOrder } from "#connectors/contract/platform-connector.ts";
import { createdBy, promisedBy } from "#tests/conformance/expect-plan-kept.ts";
import { memoryJournal, runRestore, type TestSession } from "#tests/conformance/test-session.ts";
import { samplePoints, sweep } from "#tests/harness/sample.ts";
import { connector } from "../connector.ts";
import { recordPaths } from "../record-paths.ts";
import type { Repository } from "../simulator/state.ts";
import { openWorld, talkOf, versionOf } from "./restore-test-world.ts";

type Open = Awaited<ReturnType<typeof openWorld>>;
/** How many calls to lose the response of. */
const LOST = 12;

/** A repository with an issue that has a label, a milestone, an assignee and comments, and with a pull request. */
async function makeSource({ world, octokit }: Open): Promise<Repository> {
  const repository = await world.makeRepository("depot");
  const at = { owner: repository.owner, repo: repository.name };
  const tell = async (what: string, order: object) => {
    const url = `${world.simulator.url}/__sim/github/repos/${repository.owner}/depot/${what}`;
    expect((await fetch(url, { method: "POST", body: JSON.stringify(order) })).status).toBe(200);
  };
  const some = { issues: 1, pulls: 1, commentsPerIssue: 2, eventsPerIssue: 1 };
  await tell("generate", { ...some, reviewsPerPull: 2, discussions: 1 });
  await tell("features", { hasDiscussions: true });
  await octokit.rest.issues.createLabel({ ...at, name: "Crane 🏗", color: "ff8800", description: "Cranes" });
  await octokit.rest.issues.createMilestone({ ...at, title: "Spring" });
  const facts = {
    title: "Oil the crane",
    body: "It **creaks**, @ivo-petrov",
    labels: ["Crane 🏗"],
    milestone: 1,
  };
  const { data } = await octokit.rest.issues.create({ ...at, ...facts, assignees: [repository.owner] });
  for (const body of ["Since Monday", "Done", "Done"])
    await octokit.rest.issues.createComment({ ...at, issue_number: data.number, body });
  await octokit.rest.issues.update({
    ...at,
    issue_number: data.number,
    state: "closed",
    state_reason: "not_planned",
  });
  return repository;
}

const numberOf = (
  { world }: Open,
  repository: Repository,
  isMeant: (title: string, isPull: boolean) => boolean,
) =>
  world.simulator.world.records.of(repository).issues.find(({ title, pull }) => isMeant(title, pull !== null))
    ?.number ?? 0;

function into({ world }: Open, repository: Repository, part: string): RestoreOrder {
  const reference = world.reference(repository);
  return { target: { kind: "existing", item: { ...reference, name: repository.name } }, part, answers: {} };
}

/** The new issues of a repository, and what it had before, to see that it did not change. */
async function since({ octokit }: Open, { owner, name }: Repository, before = 0) {
  const { issues, comments, labels } = await talkOf(octokit, owner, name);
  const numberOfComment = (url: string) => Number(url.split("/").at(-1));
  return {
    made: issues
      .filter(({ number }) => number > before)
      .map((issue) => ({
        ...{ title: issue.title, state: issue.state, reason: issue.state_reason, body: issue.body ?? "" },
        labels: issue.labels.map((label) => (typeof label === "string" ? label : label.name)),
        milestone: issue.milestone?.title ?? null,
        comments: comments
          .filter(({ issue_url }) => numberOfComment(issue_url) === issue.number)
          .map(({ body }) => body?.split("\n").at(-1)),
      })),
    old: JSON.stringify([
      // A milestone counts its issues.
      issues.filter(({ number }) => number <= before).map((issue) => ({ ...issue, milestone: null })),
      comments.filter(({ issue_url }) => numberOfComment(issue_url) <= before),
    ]),
    labels: labels.map(({ name, color }) => [name, color]),
    highest: Math.max(...issues.map(({ number }) => number)),
  };
}

test("an issue is added to its own repository under the next number, and nothing there changes", async () => {
  const open = await openWorld();
  const source = await makeSource(open);
  const snapshot = await versionOf(open, source);
  const number = numberOf(open, source, (title) => title === "Oil the crane");
  const { highest, old } = await since(open, source, Number.POSITIVE_INFINITY);
  const order = into(open, source, recordPaths.issue(number));
  const plan = await connector.planRestore({ accountName: open.world.accountName }, snapshot, order);
  const { item, events } = await runRestore(
    connector.restore(open.session(), snapshot, order, memoryJournal()),
  );
  const after = await since(open, source, highest);
  expect(after.old).toBe(old);
  expect(after.made).toMatchObject([
    {
      ...{ title: "Oil the crane", state: "closed", reason: "not_planned", labels: ["Crane 🏗"] },
      ...{ milestone: "Spring", comments: ["Since Monday", "Done", "Done"] },
    },
  ]);
  expect(after.made[0]?.body).toContain("It **creaks**, @\u200bivo-petrov");
  expect(item).toMatchObject({ ...open.world.reference(source), name: "Oil the crane" });
  expect(item.webUrl).toMatch(new RegExp(`/issues/${highest + 1}$`));
  expect(promisedBy(plan)).toEqual(createdBy(events));
  const told = (type: string) =>
    events.flatMap((event) => (event.type === type && "what" in event ? [event.what] : []));
  expect(told("changed").sort()).toEqual(plan.changed.map(({ what }) => what).sort());
  expect(told("impossible")).toEqual(plan.impossible.map(({ what }) => what));
  expect(events).toContainEqual(
    expect.objectContaining({ type: "mapped", kind: "issue", from: `#${number}`, to: `#${highest + 1}` }),
  );
});

test("in another repository a pull request becomes an issue, and a label that is missing is made with its colour", async () => {
  const open = await openWorld();
  const source = await makeSource(open);
  const records = open.world.simulator.world.records.of(source);
  const pull = records.issues.find((issue) => issue.pull !== null)!;
  pull.labelIds = [records.labels.find(({ name }) => name === "Crane 🏗")?.id ?? 0];
  pull.milestone = 1;
  const snapshot = await versionOf(open, source);
  const other = await open.world.makeRepository("other");
  const { highest } = await since(open, other, 0);
  const order = into(open, other, recordPaths.pull(pull.number));
  const { events } = await runRestore(connector.restore(open.session(), snapshot, order, memoryJournal()));
  const after = await since(open, other, Number.isFinite(highest) ? highest : 0);
  expect(after.made).toMatchObject([{ title: pull.title, labels: ["Crane 🏗"], milestone: null }]);
  expect(after.made[0]?.body).toMatch(/A pull request from /);
  expect(after.labels).toContainEqual(["Crane 🏗", "ff8800"]);
  const changed = events.flatMap((event) => (event.type === "changed" ? [event.what] : []));
  expect(changed).toEqual(
    expect.arrayContaining(["Pull request as an issue", "New labels: Crane 🏗", "Milestone", "Notifications"]),
  );
});

test("a discussion becomes a closed issue with its comments", async () => {
  const open = await openWorld();
  const source = await makeSource(open);
  const snapshot = await versionOf(open, source);
  const path = [...snapshot.entries.keys()].find((each) => each.endsWith("/discussion.json"));
  const { highest } = await since(open, source);
  const order = into(open, source, path ?? "");
  const { events } = await runRestore(connector.restore(open.session(), snapshot, order, memoryJournal()));
  expect((await since(open, source, highest)).made).toMatchObject([{ state: "closed" }]);
  expect(events).toContainEqual({ type: "restored", kind: "discussion", count: 1 });
});

test("a restore that loses the response to any call adds one issue with each comment once, also beside others", async () => {
  const open = await openWorld();
  const source = await makeSource(open);
  const snapshot = await versionOf(open, source);
  const number = numberOf(open, source, (title) => title === "Oil the crane");
  const counting = open.session();
  // The same issue was restored before, and stays another one.
  const order = into(open, source, recordPaths.issue(number));
  await runRestore(connector.restore(counting, snapshot, order, memoryJournal()));
  const wanted = (await since(open, source, (await since(open, source)).highest - 1)).made.map(comparable);
  await sweep(async () => {
    for (const lost of samplePoints(counting.requests.length, LOST)) {
      const { highest } = await since(open, source);
      const journal = memoryJournal();
      const dying = connector.restore(dyingAt(open, lost), snapshot, order, journal);
      await runRestore(dying).catch(() => undefined);
      await answerOf(open, source, highest);
      const { events } = await runRestore(connector.restore(open.session(), snapshot, order, journal));
      const { made } = await since(open, source, highest);
      expect(made.map(comparable), `lost the response to call ${lost}`).toEqual(wanted);
      expect(events).toContainEqual({ type: "restored", kind: "comment", count: 3 });
    }
  });
}, 120_000);

test("a repository that is archived, deleted or without issues is refused before anything is written", async () => {
  const open = await openWorld();
  const source = await makeSource(open);
  const snapshot = await versionOf(open, source);
  const path = recordPaths.issue(numberOf(open, source, (title) => title === "Oil the crane"));
  const refusalIn = async (repository: Repository) => {
    const order = into(open, repository, path);
    const error = await runRestore(connector.restore(open.session(), snapshot, order, memoryJournal())).catch(
      (cause: unknown) => cause,
    );
    expect(error).toBeInstanceOf(ConnectorError);
    const { kind, message } = error as ConnectorError;
    expect(kind).toBe("unsupported");
    return message;
  };
  expect(await refusalIn(await open.world.makeRepository("closed", { isArchived: true }))).toMatch(
    /archived/,
  );
  expect(await refusalIn(await open.world.makeRepository("quiet", { hasIssues: false }))).toMatch(
    /switched off/,
  );
  const gone = await open.world.makeRepository("gone");
  await open.world.deleteItem(open.world.reference(gone));
  expect(await refusalIn(gone)).toMatch(/no longer at GitHub/);
});

/** An issue without the mark, which differs each time. A robot's comment does not count. */
function comparable<T extends { body: string; comments: (string | undefined)[] }>(issue: T): T {
  const body = issue.body.replace(/[0-9a-f-]{36}/, "");
  return { ...issue, body, comments: issue.comments.filter((text) => text !== "Thank you for the issue!") };
}

/** A robot that answers new issues, as many repositories have one. */
async function answerOf(open: Open, { owner, name: repo }: Repository, before: number): Promise<void> {
  const { issues } = await talkOf(open.octokit, owner, repo);
  for (const { number, locked } of issues) {
    if (number <= before || locked) continue;
    const body = "Thank you for the issue!";
    await open.octokit.rest.issues.createComment({ owner, repo, issue_number: number, body });
  }
}

/** A session whose n-th response is lost after GitHub has handled the call. */
function dyingAt({ session }: Open, point: number): TestSession {
  let sent = 0;
  return session(async (url, init) => {
    const answer = await fetch(url, init);
    if (++sent < point) return answer;
    await answer.body?.cancel();
    throw new TypeError("The worker died.");
  });
}
