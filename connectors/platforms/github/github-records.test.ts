import { afterAll, beforeAll, expect, test } from "vitest";
import type { PlatformItem } from "#connectors/contract/platform-connector.ts";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { joined, takeUntil } from "#tests/conformance/connector/suite.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import type { TestSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import type { Reaction, ReactionContent } from "./simulator/records.ts";
import { seedProject, seedSettings } from "./simulator/seed-extras.ts";
import { nextId, type Repository } from "./simulator/state.ts";
import { type GithubTestWorld, openGithubWorld } from "./test-world.ts";

const DAY_MS = 86_400_000;
let world: GithubTestWorld;
beforeAll(async () => {
  world = await openGithubWorld();
});
afterAll(() => world.stop());

/** A session on a day with a full read, or on an ordinary day that reads only changes. */
function session(repository: Repository, day: "whole" | "ordinary" = "ordinary"): TestSession {
  const base = world.session();
  let now = Date.now();
  while (isWholeDay(String(repository.id), now) !== (day === "whole")) now += DAY_MS;
  return { ...base, clock: { now: () => now } };
}

/** Creates a repository that the simulator has filled with records. */
async function makeRepository(name: string, content: object = {}): Promise<Repository> {
  const repository = await world.makeRepository(name);
  await happen(repository, "generate", content);
  return repository;
}

/** Makes something happen at GitHub, through the simulator's control routes. */
async function happen(
  repository: Repository,
  what: string,
  order: object,
): Promise<{ numbers?: number[]; ids?: number[] }> {
  const { fullName } = world.reference(repository);
  const url = `${world.simulator.url}/__sim/github/repos/${fullName}/${what}`;
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(order) });
  expect(`${answer.status} ${answer.ok ? "" : await answer.text()}`).toBe("200 ");
  return (await answer.json()) as { numbers?: number[] };
}

async function itemOf(repository: Repository): Promise<PlatformItem> {
  return await connector.getItem(session(repository), { kind: "repository", ...world.reference(repository) });
}

async function backUp(
  repository: Repository,
  previous: MemorySnapshot | null = null,
  by = session(repository),
) {
  const order = { item: await itemOf(repository), previous, cursor: null };
  return await takeSnapshot(connector.backUp(by, order), previous);
}

const countOf = (snapshot: MemorySnapshot, kind: string) =>
  [...snapshot.entries.values()].filter(({ info }) => info.kind === kind).length;
const hashes = (snapshot: MemorySnapshot) =>
  Object.fromEntries([...snapshot.entries.values()].map(({ info }) => [info.path, info.hash]));
const pad = (id: number) => String(id).padStart(12, "0");
const requestsTo = (by: TestSession, part: RegExp) =>
  by.requests.filter(({ url }) => part.test(new URL(url).pathname)).length;

test("comments and events are requested only once a repository has an issue or pull request", async () => {
  const repository = await makeRepository("quiet");
  const about = /\/(pulls|comments|events)$/;
  const first = session(repository);
  const quiet = await backUp(repository, null, first);
  expect(requestsTo(first, about)).toBe(0);
  expect(quiet.skipped).toEqual([]);
  await happen(repository, "generate", { issues: 1, pulls: 1, commentsPerIssue: 1, eventsPerIssue: 1 });
  const second = session(repository);
  const lively = await backUp(repository, quiet, second);
  expect(requestsTo(second, about)).toBe(4);
  const { comments, events } = world.simulator.world.records.of(repository);
  expect(countOf(lively, "issue-comment")).toBe(comments.length);
  expect(countOf(lively, "issue-event")).toBe(events.length);
  expect(countOf(lively, "pull-request")).toBe(1);
});

test("a version has every issue, pull request, comment, event and review, and completeness has their counts", async () => {
  const repository = await makeRepository("everything", {
    ...{ issues: 120, pulls: 15, commentsPerIssue: 2, eventsPerIssue: 1, reviewsPerPull: 2 },
  });
  const records = world.simulator.world.records.of(repository);
  const snapshot = await backUp(repository);
  expect(countOf(snapshot, "issue")).toBe(120);
  expect(countOf(snapshot, "pull-request")).toBe(15);
  expect(countOf(snapshot, "issue-comment")).toBe(records.comments.length);
  expect(countOf(snapshot, "issue-event")).toBe(records.events.length);
  expect(countOf(snapshot, "review")).toBe(records.reviews.length);
  expect(records.reviewComments.length).toBe(30);
  expect(countOf(snapshot, "review-comment")).toBe(30);
  expect(countOf(snapshot, "label")).toBe(records.labels.length);
  expect(countOf(snapshot, "milestone")).toBe(records.milestones.length);
});

test("a backup without changes writes equal records with a handful of requests", async () => {
  const repository = await makeRepository("calm", {
    issues: 30,
    pulls: 3,
    commentsPerIssue: 2,
    eventsPerIssue: 2,
  });
  const first = await backUp(repository);
  const by = session(repository);
  const second = await backUp(repository, first, by);
  expect(hashes(second)).toEqual(hashes(first));
  expect(second.newStreams).toEqual([]);
  expect(requestsTo(by, /\/issues|\/pulls/)).toBeLessThanOrEqual(5);
});

test("only changed issues are read again, and deleted ones are dropped with everything below them", async () => {
  const repository = await makeRepository("busy-issues", {
    issues: 300,
    commentsPerIssue: 1,
    eventsPerIssue: 1,
  });
  const first = await backUp(repository);
  const { numbers: edited = [] } = await happen(repository, "issues/edit", { numbers: [7, 150] });
  const { ids: added = [] } = await happen(repository, "comments/add", { number: 8, by: world.accountName });
  const { ids: changed = [] } = await happen(repository, "comments/edit", { count: 1 });
  await happen(repository, "issues/delete", { numbers: [200] });
  const by = session(repository);
  const second = await backUp(repository, first, by);
  const [before, after] = [hashes(first), hashes(second)];
  const different = Object.keys(after).filter(
    (path) => after[path] !== before[path] && path !== "state.json",
  );
  const issue = (number: number) => `issues/${String(number).padStart(12, "0")}/`;
  expect(different.sort()).toEqual(
    [
      ...edited.map((number) => `${issue(number)}issue.json`),
      `${issue(8)}issue.json`,
      `${issue(8)}comments/${String(added[0]).padStart(12, "0")}.json`,
      `${issue(1)}comments/${String(changed[0]).padStart(12, "0")}.json`,
    ].sort(),
  );
  const gone = Object.keys(before).filter((path) => after[path] === undefined);
  expect(gone.length).toBeGreaterThanOrEqual(3);
  expect(gone.every((path) => path.startsWith(issue(200)))).toBe(true);
  expect(Object.keys(after).some((path) => path.startsWith(issue(200)))).toBe(false);
  expect(requestsTo(by, /\/issues|\/pulls|\/graphql/)).toBeLessThanOrEqual(12);
});

test("a deleted comment is detected when its issue changes, and in the weekly full read otherwise", async () => {
  const repository = await makeRepository("quiet-deletions", { issues: 5, commentsPerIssue: 3 });
  const first = await backUp(repository);
  const { comments } = world.simulator.world.records.of(repository);
  const [ofFirst, ofSecond] = [1, 2].map((number) => comments.find(({ issue }) => issue === number));
  await happen(repository, "comments/delete", { ids: [ofFirst?.id, ofSecond?.id] });
  await happen(repository, "issues/edit", { numbers: [1] });
  const second = await backUp(repository, first);
  expect(countOf(first, "issue-comment") - countOf(second, "issue-comment")).toBe(1);
  const third = await backUp(repository, second, session(repository, "whole"));
  expect(countOf(first, "issue-comment") - countOf(third, "issue-comment")).toBe(2);
});

test("a backup resumed from any checkpoint gives the same version", async () => {
  const repository = await makeRepository("cut", {
    ...{ issues: 420, pulls: 12, commentsPerIssue: 2, eventsPerIssue: 2, reviewsPerPull: 1 },
  });
  const whole = await backUp(repository);
  expect(whole.checkpoints.length).toBeGreaterThanOrEqual(2);
  const item = await itemOf(repository);
  for (let cut = 0; cut < whole.checkpoints.length; cut++) {
    const order = { item, previous: null, cursor: null };
    const { begun, cursor } = await takeUntil(connector.backUp(session(repository), order), cut);
    const again = await takeSnapshot(
      joined(begun, connector.backUp(session(repository), { item, previous: null, cursor })),
    );
    expect(hashes(again)).toEqual(hashes(whole));
    expect(again.reported).toEqual(whole.reported);
  }
});

test("an issue or pull request that is read by its number has the same record as one from a list", async () => {
  const repository = await makeRepository("by-number", { issues: 3, pulls: 4, commentsPerIssue: 1 });
  const { issues } = world.simulator.world.records.of(repository);
  const [issue, closed] = issues.filter(({ pull }) => pull === null);
  const [pull, merged] = issues.filter((one) => one.pull !== null);
  if (!issue || !closed || !pull || !merged?.pull) throw new Error("a thing is missing");
  Object.assign(closed, { state: "closed", closedBy: "ivo-petrov", closedAt: closed.updatedAt });
  Object.assign(merged, { state: "closed", closedAt: merged.updatedAt });
  Object.assign(merged.pull, { mergedAt: merged.updatedAt, mergedBy: "ivo-petrov" });
  const byList = await backUp(repository);
  expect(byList.skipped).toEqual([]);
  const lost = [issue, closed, pull, merged].map(({ number }) => number);
  const withoutState = ({ "state.json": _, ...rest }: Record<string, unknown>) => rest;
  for (const day of ["whole", "ordinary"] as const) {
    await happen(repository, "issues/edit", { numbers: [pull.number, merged.number] });
    const previous = day === "whole" ? null : byList;
    const reference = await backUp(repository, previous, session(repository, day));
    const by = session(repository, day);
    // Lists that lose members, as when a thing moves to a page that was already read.
    const lossy: TestSession["fetch"] = async (url, init) => {
      const answer = await by.fetch(url, init);
      const list = /\/(issues|pulls)$/.exec(new URL(url).pathname)?.[1];
      if (list === undefined || !answer.ok) return answer;
      const members = (await answer.json()) as { number: number; pull_request?: object }[];
      const isKept = ({ number, pull_request }: (typeof members)[number]) =>
        !lost.includes(number) || (list === "issues" && pull_request !== undefined);
      return Response.json(members.filter(isKept), { headers: answer.headers });
    };
    const byNumber = await backUp(repository, previous, { ...by, fetch: lossy });
    expect(requestsTo(by, /\/pulls\/\d+$/)).toBe(2);
    expect(requestsTo(by, /\/issues\/\d+$/)).toBe(day === "whole" ? 2 : 0);
    expect(withoutState(hashes(byNumber))).toEqual(withoutState(hashes(reference)));
  }
});

test("disabled issues are reported, and their previous entries are kept", async () => {
  const repository = await makeRepository("switched-off", { issues: 4, commentsPerIssue: 1 });
  const first = await backUp(repository);
  await happen(repository, "features", { hasIssues: false });
  const second = await backUp(repository, first);
  expect(countOf(second, "issue")).toBe(4);
  expect(second.skipped.find(({ kind }) => kind === "issue")?.reason).toBe(
    "Issues are switched off in this repository. What the previous version holds is kept.",
  );
  await happen(repository, "features", { hasIssues: true });
  const third = await backUp(repository, second);
  expect(countOf(third, "issue")).toBe(4);
  expect(third.skipped.filter(({ kind }) => kind === "issue")).toEqual([]);
});

test("no record contains an API URL, a volatile counter or an avatar", async () => {
  const repository = await makeRepository("tidy", {
    issues: 3,
    pulls: 2,
    commentsPerIssue: 1,
    reviewsPerPull: 1,
  });
  const snapshot = await backUp(repository);
  for (const [path, { info, bytes }] of snapshot.entries) {
    if (info.type !== "record" || path.startsWith("git/")) continue;
    const text = new TextDecoder().decode(bytes);
    expect(text, path).not.toContain(world.simulator.apiUrl);
    expect(text, path).not.toMatch(
      /"(avatar_url|gravatar_id|author_association|open_issues|stargazers_count|_links)"/,
    );
  }
  const issue = await snapshot.readRecord("issues/000000000001/issue.json");
  expect(issue).toMatchObject({ number: 1, user: { login: expect.any(String) }, body: expect.any(String) });
});

test("releases with files, discussions, projects and settings are backed up, each file verified by hash and fetched once", async () => {
  const repository = await makeRepository("the-rest", { issues: 2, discussions: 3 });
  const records = world.simulator.world.records.of(repository);
  await happen(repository, "features", { hasDiscussions: true });
  const { fullName } = world.reference(repository);
  const call = async (url: string, init: RequestInit) => {
    const headers = { authorization: `Bearer ${world.token}`, "content-type": "application/octet-stream" };
    const answer = await fetch(url, { method: "POST", headers, ...init });
    expect(answer.status).toBe(201);
    return (await answer.json()) as { id: number; upload_url: string };
  };
  const release = await call(`${world.simulator.apiUrl}/repos/${fullName}/releases`, {
    body: JSON.stringify({ tag_name: "v1.1", name: "First crane" }),
  });
  const asset = await call(`${release.upload_url.replace(/\{.*$/, "")}?name=crane.bin`, {
    body: "bytes of a crane",
  });
  const first = await backUp(repository);
  expect(countOf(first, "release")).toBe(1);
  expect(first.reported).toMatchObject({ release: 1, "release-asset": 1, discussion: 3, issue: 2 });
  expect(countOf(first, "discussion")).toBe(3);
  expect(countOf(first, "discussion-comment")).toBe(records.discussionComments.length);
  const path = `releases/${pad(release.id)}/assets/${pad(asset.id)}`;
  expect(new TextDecoder().decode(first.entries.get(path)?.bytes)).toBe("bytes of a crane");
  expect(countOf(first, "setting")).toBe(10);
  expect(first.skipped).toEqual([]);
  const paths: string[] = [];
  for await (const file of connector.exportFiles(first, { name: "the-rest" })) paths.push(file.path);
  expect(paths).toContain(`release-files/${pad(release.id)}/${pad(asset.id)}-crane.bin`);
  expect(paths).toContain("metadata/issues/000000000001/issue.json");
  const by = session(repository);
  const second = await backUp(repository, first, by);
  expect(hashes(second)).toEqual(hashes(first));
  expect(second.newStreams).toEqual([]);
  expect(requestsTo(by, /releases\/assets/)).toBe(0);
});

test("a version has every setting, names of secrets and variables, and no secret value", async () => {
  const repository = await world.makeRepository("guarded", { visibility: "public" });
  runGit(world.directory(repository), ["branch", "release/9.x", "main"]);
  seedSettings(world.simulator.world, repository);
  const { settings } = world.simulator.world.records.of(repository);
  settings.protections["release/9.x"] = { enforce_admins: false, required_linear_history: true };
  settings.collaborators.push({ login: "ivo-petrov", role: "maintain" });
  settings.variables.push({
    ...{ name: "HARBOUR", value: "value-of-a-variable" },
    ...{ createdAt: "2026-01-02T03:04:05Z", updatedAt: "2026-01-02T03:04:05Z" },
  });
  for (const hook of settings.hooks) Object.assign(hook.config, { secret: "secret-of-a-webhook" });
  for (const one of settings.environments) one.variables.LOG_LEVEL = "value-in-an-environment";
  const snapshot = await backUp(repository);
  expect(snapshot.skipped).toEqual([]);
  const setting = async (name: string) => await snapshot.readRecord(`settings/${name}.json`);
  expect(await setting("branch-protection")).toMatchObject({
    main: {
      required_status_checks: { strict: true, contexts: ["test", "lint"] },
      required_pull_request_reviews: { required_approving_review_count: 1 },
    },
    "release/9.x": { required_linear_history: expect.anything() },
  });
  expect(await setting("rulesets")).toMatchObject([
    {
      ...{ name: "Release tags stay", target: "tag", enforcement: "active" },
      conditions: { ref_name: { include: ["refs/tags/v*"] } },
      rules: [{ type: "deletion" }, { type: "non_fast_forward" }],
    },
  ]);
  expect(await setting("webhooks")).toMatchObject([
    {
      ...{ active: true, events: ["push", "release"] },
      config: { url: "https://ci.meridian.example/hook", content_type: "json" },
    },
  ]);
  const named = (...names: string[]) => names.map((name) => expect.objectContaining({ name }));
  expect(await setting("secret-names")).toMatchObject({ actions: named("DEPLOY_KEY", "FERRY_FEED_TOKEN") });
  expect(await setting("variables")).toMatchObject({
    actions: expect.arrayContaining(named("REGION", "HARBOUR")),
  });
  expect(await setting("environments")).toMatchObject([
    { name: "production", secretNames: named("DATABASE_URL"), variableNames: named("LOG_LEVEL") },
  ]);
  expect(await setting("collaborators")).toContainEqual(
    expect.objectContaining({ login: "ivo-petrov", role_name: "maintain" }),
  );
  expect(await snapshot.readRecord("repository.json")).toMatchObject({
    ...{ topics: ["billing", "freight"], visibility: "public", defaultBranch: "main" },
    ...{ description: "The guarded of the company", homepage: "https://meridian.example" },
  });
  const everything = [...snapshot.entries.values()]
    .map(({ bytes }) => new TextDecoder().decode(bytes))
    .join("\n");
  for (const value of ["value-of-a-variable", "secret-of-a-webhook", "value-in-an-environment", "eu-north-1"])
    expect(everything).not.toContain(value);
});

test("records equal GitHub's data: texts, authors, labels, milestones, reviews, events and discussions", async () => {
  const repository = await makeRepository("word-by-word", {
    ...{ issues: 4, pulls: 2, commentsPerIssue: 1, eventsPerIssue: 1, reviewsPerPull: 1, discussions: 2 },
  });
  await happen(repository, "features", { hasDiscussions: true });
  const { fullName } = world.reference(repository);
  const milestone = await fetch(`${world.simulator.apiUrl}/repos/${fullName}/milestones`, {
    ...{ method: "POST", headers: { authorization: `Bearer ${world.token}` } },
    body: JSON.stringify({ title: "Spring", state: "closed", description: "When the ice is gone" }),
  });
  expect(milestone.status).toBe(201);
  const records = world.simulator.world.records.of(repository);
  const snapshot = await backUp(repository);
  const read = async (path: string) => await snapshot.readRecord(path);
  const folderOf = (number: number) => {
    const isPull = records.issues.find((one) => one.number === number)?.pull !== null;
    return `${isPull ? "pulls" : "issues"}/${pad(number)}`;
  };
  for (const one of records.issues) {
    const file = one.pull === null ? "issue.json" : "pull.json";
    expect(await read(`${folderOf(one.number)}/${file}`)).toMatchObject({
      ...{ number: one.number, title: one.title, body: one.body, state: one.state },
      user: { login: one.author },
      ...(one.pull === null ? {} : { head: { ref: expect.any(String) }, base: { ref: expect.any(String) } }),
    });
  }
  for (const { id, issue, body, author } of records.comments)
    expect(await read(`${folderOf(issue)}/comments/${pad(id)}.json`)).toMatchObject({
      ...{ body, user: { login: author } },
    });
  const eventPaths = [...snapshot.entries.keys()].filter((path) => path.includes("/events/"));
  expect(eventPaths).toHaveLength(records.events.length);
  for (const path of eventPaths)
    expect(await read(path)).toMatchObject({
      event: expect.any(String),
      actor: { login: expect.any(String) },
    });
  for (const { id, pull, body, state } of records.reviews)
    expect(await read(`pulls/${pad(pull)}/reviews/${pad(id)}.json`)).toMatchObject({ body, state });
  for (const { id, pull, body, path } of records.reviewComments)
    expect(await read(`pulls/${pad(pull)}/review-comments/${pad(id)}.json`)).toMatchObject({ body, path });
  for (const { id, name, color, description } of records.labels)
    expect(await read(`labels/${pad(id)}.json`)).toMatchObject({ name, color, description });
  for (const { number, title, state, description } of records.milestones)
    expect(await read(`milestones/${pad(number)}.json`)).toMatchObject({ title, state, description });
  for (const { number, title, body, author } of records.discussions)
    expect(await read(`discussions/${pad(number)}/discussion.json`)).toMatchObject({
      ...{ title, body, author: { login: author } },
    });
  for (const { id, discussion, body } of records.discussionComments)
    expect(await read(`discussions/${pad(discussion)}/comments/${pad(id)}.json`)).toMatchObject({ body });
  for (const list of ["comments", "events", "reviews", "reviewComments", "labels", "milestones"] as const)
    expect(records[list].length, list).toBeGreaterThan(0);
});

test("a project has its fields and every item, page by page: issues, pull requests, drafts and hidden ones", async () => {
  const repository = await makeRepository("planned", { issues: 12, pulls: 2 });
  const records = world.simulator.world.records.of(repository);
  seedProject(world.simulator.world, repository);
  const [project] = records.projects;
  const [draft] = project?.items.filter(({ type }) => type === "DRAFT_ISSUE") ?? [];
  if (project === undefined || draft === undefined) throw new Error("there is no project");
  const pull = records.issues.find((issue) => issue.pull !== null)?.number ?? 0;
  const more = (item: object) => ({
    ...structuredClone(draft),
    ...item,
    id: nextId(world.simulator.world.state),
  });
  project.items.push(more({ type: "PULL_REQUEST", number: pull, draft: null, isArchived: true }));
  project.items.push(more({ type: "ISSUE", number: 9_999, draft: null }));
  for (let index = 0; index < 130; index += 1) {
    project.items.push(more({ draft: { title: `Idea ${index}`, body: "Later." } }));
  }
  const first = await backUp(repository);
  expect(first.skipped).toEqual([]);
  expect(first.reported).toMatchObject({ project: 1, "project-item": project.items.length });
  expect(countOf(first, "project-item")).toBe(project.items.length);
  const folder = `projects/${pad(project.number)}`;
  const told = (await first.readRecord(`${folder}/project.json`)) as { fields: { name: string }[] };
  expect(told).toMatchObject({ title: "Autumn peak", readme: "Pull from the top.", closed: false });
  expect(told.fields.map(({ name }) => name)).toEqual(project.fields.map(({ name }) => name));
  expect(told.fields).toContainEqual(
    expect.objectContaining({
      name: "Sprint",
      configuration: expect.objectContaining({ iterations: expect.any(Array) }),
    }),
  );
  const item = async (index: number) =>
    await first.readRecord(`${folder}/items/${pad(project.items[index]?.id ?? 0)}.json`);
  expect(await item(0)).toMatchObject({
    ...{ type: "ISSUE", content: { number: 1 } },
    fieldValues: expect.arrayContaining([
      expect.objectContaining({ name: "Todo", field: { name: "Status" } }),
      expect.objectContaining({ number: 0.5, field: { name: "Estimate" } }),
      expect.objectContaining({ date: "2026-11-10", field: { name: "Due" } }),
      expect.objectContaining({ title: "Sprint 41", field: { name: "Sprint" } }),
    ]),
  });
  expect(await item(9)).toMatchObject({
    ...{ type: "DRAFT_ISSUE", content: { title: draft.draft?.title, body: draft.draft?.body } },
    fieldValues: expect.arrayContaining([expect.objectContaining({ text: "calls only in the morning" })]),
  });
  expect(await item(10)).toMatchObject({ type: "PULL_REQUEST", isArchived: true, content: { number: pull } });
  expect(await item(11)).toMatchObject({ type: "ISSUE", content: null });
  const second = await backUp(repository, first);
  expect(hashes(second)).toEqual(hashes(first));
  project.items.splice(0, 1);
  const third = await backUp(repository, second);
  expect(countOf(third, "project-item")).toBe(project.items.length);
});

test("reactions to issues, pull requests, comments, reviews, line comments, releases and discussions name their users", async () => {
  const repository = await makeRepository("cheered", {
    ...{ issues: 3, pulls: 2, commentsPerIssue: 2, reviewsPerPull: 6, discussions: 4 },
  });
  await happen(repository, "features", { hasDiscussions: true });
  const { fullName } = world.reference(repository);
  const answer = await fetch(`${world.simulator.apiUrl}/repos/${fullName}/releases`, {
    ...{ method: "POST", headers: { authorization: `Bearer ${world.token}` } },
    body: JSON.stringify({ tag_name: "v1.1", name: "Cheered" }),
  });
  expect(answer.status).toBe(201);
  const records = world.simulator.world.records.of(repository);
  const issue = records.issues.find((one) => one.pull === null);
  const pull = records.issues.find((one) => one.pull !== null);
  const [comment] = records.comments;
  const [review] = records.reviews;
  const [release] = records.releases;
  const [discussion] = records.discussions;
  const [remark] = records.discussionComments;
  const reacted = [issue, pull, comment, review, records.reviewComments[0], release, discussion, remark];
  for (const thing of reacted) {
    if (thing === undefined) throw new Error("a thing is missing");
    thing.reactions = [reaction(world.accountName, "heart"), reaction("ivo-petrov", "+1")];
  }
  // More than a page, in reviews and discussions, whose reactions REST does not list.
  for (const thing of [review, remark]) {
    for (let count = 0; count < 130; count += 1) thing?.reactions.push(reaction("ivo-petrov", "eyes"));
  }
  const snapshot = await backUp(repository);
  const found: Record<string, unknown> = {};
  for (const { info } of snapshot.entries.values()) {
    if (info.type !== "record") continue;
    const record = (await snapshot.readRecord(info.path)) as { reactions?: unknown };
    if (record.reactions !== undefined) found[info.kind] = record.reactions;
  }
  const both = { "+1": ["ivo-petrov"], heart: [world.accountName] };
  expect(found).toEqual({
    ...{ issue: both, "pull-request": both, "issue-comment": both, "review-comment": both, release: both },
    ...{ discussion: both, review: { ...both, eyes: ["ivo-petrov"] } },
    "discussion-comment": { ...both, eyes: ["ivo-petrov"] },
  });
  const again = await backUp(repository, snapshot, session(repository, "whole"));
  expect(hashes(again)).toEqual(hashes(snapshot));
});

/** A reaction. */
function reaction(login: string, content: ReactionContent): Reaction {
  return { id: nextId(world.simulator.world.state), login, content, createdAt: "2026-03-01T08:00:00Z" };
}

test("a release file whose bytes do not match GitHub's hash fails the run", async () => {
  const repository = await makeRepository("broken-file", {});
  const { fullName } = world.reference(repository);
  const headers = { authorization: `Bearer ${world.token}` };
  const url = `${world.simulator.apiUrl}/repos/${fullName}/releases`;
  const made = await fetch(url, { method: "POST", headers, body: JSON.stringify({ tag_name: "v1.1" }) });
  const { upload_url } = (await made.json()) as { upload_url: string };
  await fetch(`${upload_url.replace(/\{.*$/, "")}?name=a.bin`, {
    method: "POST",
    headers,
    body: "0123456789",
  });
  const { releases } = world.simulator.world.records.of(repository);
  const asset = releases[0]?.assets[0];
  if (asset === undefined) throw new Error("there is no file");
  asset.size += 1;
  await expect(backUp(repository)).rejects.toMatchObject({ kind: "unavailable" });
});

test("a first backup needs fewer requests than issues, and one per cent of changes a fraction of that", async () => {
  const count = 1_000;
  const repository = await makeRepository("requests", {
    issues: count,
    commentsPerIssue: 2,
    eventsPerIssue: 1,
  });
  const full = session(repository);
  const first = await backUp(repository, null, full);
  expect(countOf(first, "issue-comment")).toBe(2 * count);
  const changed = count / 100;
  const numbers = Array.from({ length: changed }, (_, index) => 1 + index * 100);
  for (const number of numbers) {
    await happen(repository, "comments/add", { number, by: world.accountName });
  }
  const next = session(repository);
  const second = await backUp(repository, first, next);
  expect(countOf(second, "issue-comment")).toBe(2 * count + changed);
  // For comparison, one request per issue: pages of open and closed issues, then comments and events per issue.
  const oneByOne = { full: Math.ceil(count / 100) + 1 + 2 * count, next: 2 + 2 * changed };
  const api = (by: TestSession) => requestsTo(by, /\/(issues|pulls|graphql)(\/|$)/);
  expect(api(full) / oneByOne.full).toBeLessThan(0.1);
  expect(api(next)).toBeLessThan(oneByOne.next / 2);
}, 180_000);

test("a run depends on no earlier one: after changes, a full backup writes equal records", async () => {
  const repository = await makeRepository("no-memory", { issues: 12, pulls: 3, commentsPerIssue: 2 });
  const first = await backUp(repository);
  await happen(repository, "issues/edit", { numbers: [3] });
  await happen(repository, "issues/delete", { numbers: [7] });
  const second = await backUp(repository, first);
  const third = await backUp(repository, second);
  expect(hashes(third)).toEqual(hashes(second));
});
