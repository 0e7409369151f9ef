import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlatformItem, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { describePlatformConnector } from "#tests/conformance/describe-platform-connector.ts";
import {
  type MemorySnapshot,
  runVerify,
  takeSnapshot,
  WHOLE_CHECK,
} from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { openGitlabConformance } from "./conformance-world.ts";
import { connector } from "./connector.ts";
import { codeDirectory, deleteProject, wikiDirectory } from "./simulator/projects.ts";
import { changeFiles, snippetDirectory } from "./simulator/snippets.ts";
import type { Project, Snippet } from "./simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld, refsOf } from "./test-world.ts";

describe("projects", () =>
  describePlatformConnector(connector, { open: () => openGitlabConformance("project") }));
describe("snippets", () =>
  describePlatformConnector(connector, { open: () => openGitlabConformance("snippet") }));

let world: GitlabTestWorld;
let token: string;
beforeAll(async () => {
  // Another test covers the limits per minute.
  world = await openGitlabWorld("project", { issueLimit: 100_000, noteLimit: 100_000, rateLimit: 1_000_000 });
  token = await world.issueToken();
});
afterAll(() => world.stop());

const session = (more: Partial<Parameters<typeof testSession>[0]> = {}): TestSession =>
  testSession({ config: world.config, token, accountName: world.accountName, ...more });

/** A session on a day without a full read of the project. */
function onAnOrdinaryDay(project: Project): TestSession {
  let now = Date.now();
  while (isWholeDay(String(project.id), now)) now += DAY_MS;
  return { ...session(), clock: { now: () => now } };
}

function itemOf(thing: Project | Snippet): Promise<PlatformItem> {
  const kind = "title" in thing ? "snippet" : "project";
  return connector.getItem(session(), { kind, ...world.reference(thing) });
}

async function backUp(thing: Project | Snippet, previous: MemorySnapshot | null = null, by = session()) {
  const item = await itemOf(thing);
  return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
}

async function restore(
  snapshot: MemorySnapshot,
  name: string,
  { answers = {}, journal = memoryJournal(), by = session() } = {},
) {
  return await runRestore(connector.restore(by, snapshot, asNew(name, { answers }), journal));
}

const codeOf = (project: Project) => codeDirectory(world.simulator.world, project);
/** The refs that a push can restore. */
const pushable = (folder: string) =>
  refsOf(folder)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("refs/merge-requests/"));
const of = (events: RestoreEvent[], type: RestoreEvent["type"]) =>
  events.filter((event) => event.type === type);
const pathsOf = (snapshot: MemorySnapshot, prefix: string) =>
  [...snapshot.entries.keys()].filter((path) => path.startsWith(prefix)).sort();

type Numbered = { id: number; iid: number };

/** A project with entries of every kind. */
async function makeBusyProject(name: string): Promise<Project> {
  const project = await world.makeProject(name, { visibility: "internal" });
  const at = `/projects/${project.id}`;
  const label = await world.ask<{ id: number }>("POST", `${at}/labels`, { name: "bug", color: "#d9534f" });
  await world.ask("POST", `${at}/labels`, { name: "yard", color: "#428bca", description: "About the yard" });
  const milestone = await world.ask<{ id: number }>("POST", `${at}/milestones`, {
    title: "Spring",
    due_date: "2026-04-01",
  });
  const issue = (iid: number, title: string, more: object = {}) =>
    world.ask<Numbered>("POST", `${at}/issues`, {
      iid,
      title,
      created_at: `2025-0${iid}-02T10:00:00.000Z`,
      description: "Seen by @ivo.petrov",
      ...more,
    });
  await issue(1, "The crane squeaks", { labels: "bug,yard", milestone_id: milestone.id });
  await issue(3, "Berth 4 is too short");
  await issue(7, "Nothing happens here");
  // A quick action that an edit added and GitLab never ran; it would close a new issue created with this text.
  for (const one of project.issues) one.description = `${one.description}\n/close`;
  await world.ask("POST", `${at}/issues/1/notes`, {
    body: "Oiled it",
    created_at: "2025-02-01T08:00:00.000Z",
  });
  const discussion = await world.ask<{ id: string }>("POST", `${at}/issues/1/discussions`, {
    body: "Which oil?",
    created_at: "2025-02-02T08:00:00.000Z",
  });
  await world.ask("POST", `${at}/issues/1/discussions/${discussion.id}/notes`, {
    body: "The red one",
    created_at: "2025-02-03T08:00:00.000Z",
  });
  await world.ask("PUT", `${at}/issues/3`, { state_event: "close" });
  await addCommits(codeOf(project), { count: 1, branch: "release/1.x" });
  const merge = (source: string, title: string) =>
    world.ask<Numbered>("POST", `${at}/merge_requests`, {
      source_branch: source,
      target_branch: "main",
      title,
      description: "Please look",
    });
  runGit(codeOf(project), ["branch", "hotfix", "release/1.x~1"]);
  const first = await merge("hotfix", "Mend the winch");
  await world.ask("PUT", `${at}/merge_requests/${first.iid}`, { state_event: "close" });
  const second = await merge("release/1.x", "Bring the release back");
  await world.ask("POST", `${at}/merge_requests/${second.iid}/notes`, { body: "Looks good" });
  await world.ask("POST", `${at}/releases`, {
    tag_name: "v1.0",
    name: "One",
    description: "Thanks @ivo.petrov",
    released_at: "2025-05-01T00:00:00.000Z",
    assets: { links: [{ name: "manual", url: "https://docs.example/manual.pdf" }] },
  });
  const board = await world.ask<{ id: number }>("POST", `${at}/boards`, { name: "Yard board" });
  await world.ask("POST", `${at}/boards/${board.id}/lists`, { label_id: label.id });
  await world.ask("POST", `${at}/variables`, { key: "DEPLOY_KEY", value: "s3cr3t-value" });
  await world.ask("POST", `${at}/hooks`, { url: "https://hooks.example/gitlab", token: "hook-s3cret" });
  await world.ask("POST", `${at}/protected_branches`, {
    name: "release/*",
    push_access_level: 40,
    merge_access_level: 30,
  });
  return project;
}

test("a version of a project has git, wiki, issues, merge requests and everything around them", async () => {
  const project = await makeBusyProject("everything");
  const snapshot = await backUp(project);
  expect(snapshot.skipped).toEqual([]);
  const kinds = new Map<string, number>();
  for (const { info } of snapshot.entries.values()) kinds.set(info.kind, (kinds.get(info.kind) ?? 0) + 1);
  expect(Object.fromEntries(kinds)).toMatchObject({
    project: 1,
    "git-pack": 2,
    label: 2,
    milestone: 1,
    issue: 3,
    "merge-request": 2,
    release: 1,
    setting: 8,
  });
  expect(snapshot.entries.has("issues/000000000007/issue.json")).toBe(true);
  expect(snapshot.entries.has("releases/v1.0/release.json")).toBe(true);
  expect(pathsOf(snapshot, "issues/000000000001/notes/").length).toBeGreaterThanOrEqual(3);
  expect(snapshot.reported).toMatchObject({ issue: 3, "merge-request": 2, label: 2 });
  const text = [...snapshot.entries.values()]
    .filter(({ info }) => info.type === "record")
    .map(({ bytes }) => new TextDecoder().decode(bytes))
    .join("\n");
  expect(text).not.toMatch(/s3cr3t-value|hook-s3cret|_links|avatar_url/);
  expect(text).toContain("DEPLOY_KEY");
  expect(text).toContain("https://hooks.example/gitlab");
});

test("the records of a project equal GitLab's data", async () => {
  const project = await makeBusyProject("word-by-word");
  const ivo = world.simulator.world.state.users.find(({ username }) => username === "ivo.petrov");
  project.members.push({
    ...{ userId: ivo?.id ?? 0, level: 30, createdAt: "2026-01-02T03:04:05.000Z", expiresAt: null },
  });
  const hidden = { key: "CERTIFICATE", value: "c3rtificate-value", variable_type: "file" };
  await world.ask("POST", `/projects/${project.id}/variables`, {
    ...hidden,
    environment_scope: "production",
  });
  const snapshot = await backUp(project);
  const pad = (id: number) => String(id).padStart(12, "0");
  const read = async (path: string) => await snapshot.readRecord(path);
  expect(await read("project.json")).toMatchObject({
    ...{ description: project.description, visibility: "internal", defaultBranch: "main" },
    topics: ["billing", "freight"],
  });
  for (const [folder, file, things] of [
    ["issues", "issue.json", project.issues],
    ["merge-requests", "merge-request.json", project.mergeRequests],
  ] as const) {
    for (const { iid, title, description, state, labels, notes, createdAt } of things) {
      const record = { iid, title, description, state, labels: [...labels].sort(), created_at: createdAt };
      expect(await read(`${folder}/${pad(iid)}/${file}`)).toMatchObject(record);
      for (const { id, body, discussionId, isSystem } of notes) {
        const note = {
          body,
          system: isSystem,
          discussion_id: discussionId,
          author: { id: expect.any(Number) },
        };
        expect(await read(`${folder}/${pad(iid)}/notes/${pad(id)}.json`)).toMatchObject(note);
      }
    }
  }
  expect(project.mergeRequests.flatMap(({ notes }) => notes).length).toBeGreaterThan(0);
  expect(await read(`merge-requests/${pad(2)}/merge-request.json`)).toMatchObject({
    ...{ source_branch: "release/1.x", target_branch: "main" },
  });
  for (const { id, name, description } of project.labels)
    expect(await read(`labels/${pad(id)}.json`)).toMatchObject({ name, description });
  for (const { id, title, dueDate } of project.milestones)
    expect(await read(`milestones/${pad(id)}.json`)).toMatchObject({ title, due_date: dueDate });
  expect(await read("releases/v1.0/release.json")).toMatchObject({
    ...{ tag_name: "v1.0", name: "One", description: "Thanks @ivo.petrov" },
    assets: { links: [{ name: "manual", url: "https://docs.example/manual.pdf" }] },
  });
  const board = project.boards.find(({ name }) => name === "Yard board");
  expect(await read(`boards/${pad(board?.id ?? 0)}.json`)).toMatchObject({
    ...{ name: "Yard board", lists: [{ label: { name: "bug" } }] },
  });
  expect(await read("settings/members.json")).toContainEqual(
    expect.objectContaining({ username: "ivo.petrov", access_level: 30 }),
  );
  const variables = (await read("settings/variable-names.json")) as { key: string }[];
  expect(variables).toMatchObject([
    { key: "CERTIFICATE", variable_type: "file", environment_scope: "production" },
    { key: "DEPLOY_KEY" },
  ]);
  expect(variables.some((one) => "value" in one)).toBe(false);
  expect(await read("settings/hooks.json")).toMatchObject([
    { url: "https://hooks.example/gitlab", push_events: true },
  ]);
  expect(await read("settings/protected-branches.json")).toContainEqual(
    expect.objectContaining({
      ...{ name: "release/*", push_access_levels: [expect.objectContaining({ access_level: 40 })] },
    }),
  );
  const { refs } = (await read("git/refs.json")) as { refs: { name: string }[] };
  const names = refs.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["refs/heads/main", "refs/merge-requests/7/head"]));
  const everything = [...snapshot.entries.values()]
    .map(({ bytes }) => new TextDecoder().decode(bytes))
    .join();
  for (const value of ["s3cr3t-value", "hook-s3cret", "c3rtificate-value"])
    expect(everything).not.toContain(value);
});

test("a second backup of an unchanged project requests no notes and writes nothing", async () => {
  const project = await makeBusyProject("quiet");
  const first = await backUp(project);
  const by = onAnOrdinaryDay(project);
  const second = await backUp(project, first, by);
  const asked = by.requests.map(({ url }) => new URL(url).pathname);
  expect(asked.filter((path) => path.includes("/discussions"))).toEqual([]);
  expect(by.requests.length).toBeLessThanOrEqual(16);
  expect([...second.entries.keys()].sort()).toEqual([...first.entries.keys()].sort());
  for (const [path, { info }] of second.entries)
    expect(info.hash, path).toBe(first.entries.get(path)?.info.hash);
});

test("a changed issue is read again with its notes, and a deleted one is dropped with everything below it", async () => {
  const project = await makeBusyProject("moving");
  const at = `/projects/${project.id}`;
  const first = await backUp(project);
  await world.ask("PUT", `${at}/issues/1`, { title: "The crane sings" });
  const [note] = await world.ask<{ id: number; body: string }[]>("GET", `${at}/issues/1/notes?sort=asc`);
  await world.ask("DELETE", `${at}/issues/1/notes/${note?.id}`);
  await world.ask("DELETE", `${at}/issues/3`);
  await world.ask("POST", `${at}/issues`, { title: "A new one" });
  const by = onAnOrdinaryDay(project);
  const second = await backUp(project, first, by);
  const asked = by.requests
    .filter(({ url }) => url.includes("/discussions"))
    .map(({ url }) => new URL(url).pathname);
  expect(asked.filter((path) => !path.includes("/issues/1/"))).toEqual([]);
  const issue = await second.readRecord("issues/000000000001/issue.json");
  expect(issue).toMatchObject({ title: "The crane sings" });
  const padded = String(note?.id).padStart(12, "0");
  expect(first.entries.has(`issues/000000000001/notes/${padded}.json`)).toBe(true);
  expect(second.entries.has(`issues/000000000001/notes/${padded}.json`)).toBe(false);
  expect(pathsOf(second, "issues/000000000003/")).toEqual([]);
  expect(second.entries.has("issues/000000000008/issue.json")).toBe(true);
  expect(second.reported.issue).toBe(3);
});

test("a restored project has the same git, wiki, issues with numbers and dates, threads, releases and boards", async () => {
  const project = await makeBusyProject("origin");
  const snapshot = await backUp(project);
  const untouched = JSON.stringify(project);
  const { item, events } = await restore(snapshot, "origin_restored");
  expect(JSON.stringify(project)).toBe(untouched);
  const restored = world.projectNamed("origin_restored");
  expect(item).toMatchObject({ externalId: String(restored.id), fullName: "nora-lindqvist/origin_restored" });
  expect(pushable(codeOf(restored))).toEqual(pushable(codeOf(project)));
  runGit(codeOf(restored), ["fsck", "--strict", "--full"]);
  const wiki = (one: Project) => refsOf(wikiDirectory(world.simulator.world, one));
  expect(wiki(restored)).toBe(wiki(project));
  expect(restored).toMatchObject({ visibility: "private", description: project.description });
  expect([...restored.topics].sort()).toEqual([...project.topics].sort());

  const issues = restored.issues.filter(({ iid }) => iid <= 7);
  expect(issues.map(({ iid, title, createdAt, state }) => [iid, title, createdAt, state])).toEqual([
    [1, "The crane squeaks", "2025-01-02T10:00:00.000Z", "opened"],
    [3, "Berth 4 is too short", "2025-03-02T10:00:00.000Z", "closed"],
    [7, "Nothing happens here", "2025-07-02T10:00:00.000Z", "opened"],
  ]);
  const [crane] = issues;
  expect([...(crane?.labels ?? [])].sort()).toEqual(["bug", "yard"]);
  expect(crane?.description).toContain("**nora-lindqvist** wrote this on 2 January 2025, 10:00 UTC");
  expect(crane?.description).toContain("@\u200bivo.petrov");
  const notes = crane?.notes.filter(({ isSystem }) => !isSystem) ?? [];
  expect(notes.map(({ body }) => body.split("\n").at(-1))).toEqual(["Oiled it", "Which oil?", "The red one"]);
  expect(notes[1]?.discussionId).toBe(notes[2]?.discussionId);
  expect(notes[0]?.discussionId).not.toBe(notes[1]?.discussionId);
  expect(notes.map(({ createdAt }) => createdAt)).toEqual([
    "2025-02-01T08:00:00.000Z",
    "2025-02-02T08:00:00.000Z",
    "2025-02-03T08:00:00.000Z",
  ]);
  expect(restored.milestones.map(({ title }) => title)).toEqual(["Spring"]);
  expect(restored.mergeRequests.map(({ title, state }) => [title, state])).toEqual([
    ["Mend the winch", "closed"],
    ["Bring the release back", "opened"],
  ]);
  expect(restored.releases).toMatchObject([
    { tag: "v1.0", name: "One", releasedAt: "2025-05-01T00:00:00.000Z" },
  ]);
  expect(restored.boards.map(({ name }) => name)).toContain("Yard board");
  expect(restored.protectedBranches.map(({ name }) => name)).toContain("release/*");
  expect(restored.hooks).toEqual([]);
  expect(restored.variables).toEqual([]);

  const told = of(events, "impossible").map((event) => ("what" in event ? event.what : ""));
  expect(told.some((what) => what.includes("DEPLOY_KEY"))).toBe(true);
  expect(told.some((what) => what.includes("hooks.example"))).toBe(true);
  expect(of(events, "restored")).toEqual(
    expect.arrayContaining([
      { type: "restored", kind: "issue", count: 3 },
      { type: "restored", kind: "merge-request", count: 2 },
      { type: "restored", kind: "label", count: 2 },
      { type: "restored", kind: "wiki", count: 1 },
    ]),
  );
});

test("merged requests are restored as closed issues, and their new numbers are reported", async () => {
  const project = await makeBusyProject("merging");
  const [, open] = project.mergeRequests;
  if (open === undefined) throw new Error("there is no merge request");
  Object.assign(open, { state: "merged", mergedAt: "2025-06-01T09:00:00.000Z", mergeCommitSha: open.sha });
  const snapshot = await backUp(project);
  const { events } = await restore(snapshot, "merging_restored");
  const restored = world.projectNamed("merging_restored");
  const issue = restored.issues.at(-1);
  expect(issue).toMatchObject({ iid: 8, state: "closed" });
  expect(issue?.title).toBe(`Merge request !${open.iid}: Bring the release back`);
  expect(issue?.notes.some(({ body }) => body.endsWith("Looks good"))).toBe(true);
  expect(of(events, "mapped")).toMatchObject([{ kind: "merge-request", from: `!${open.iid}`, to: "#8" }]);
});

test("a restore that fails between any two requests resumes without duplicates", async () => {
  const project = await makeBusyProject("interrupted");
  const snapshot = await backUp(project);
  const journal = memoryJournal();
  let budget = 0;
  for (let attempt = 0; attempt < 60; attempt++) {
    budget = 9 + attempt;
    let left = budget;
    const dying = session({
      fetch: async (url, init) => {
        if (left-- <= 0) throw new Error("The worker died.");
        return await fetch(url, init);
      },
    });
    const ended = await restore(snapshot, "interrupted_restored", { journal, by: dying }).then(
      () => true,
      () => false,
    );
    if (ended) break;
  }
  await restore(snapshot, "interrupted_restored", { journal });
  const restored = world.projectNamed("interrupted_restored");
  expect(restored.issues.map(({ iid, title }) => [iid, title])).toEqual([
    [1, "The crane squeaks"],
    [3, "Berth 4 is too short"],
    [7, "Nothing happens here"],
  ]);
  expect(restored.mergeRequests.map(({ title }) => title)).toEqual([
    "Mend the winch",
    "Bring the release back",
  ]);
  const said = restored.issues.flatMap(({ notes }) => notes.filter(({ isSystem }) => !isSystem));
  expect(said).toHaveLength(3);
});

test("a restore creates at most 200 issues and 60 comments per minute", async () => {
  const project = await makeBusyProject("paced");
  const by = session();
  await restore(await backUp(project), "paced_restored", { by });
  const long = by.slept.filter((ms) => ms > 700);
  expect(long.length).toBeGreaterThanOrEqual(2);
  expect(Math.max(...by.slept)).toBeLessThanOrEqual(1_000);
});

test("a read-only connection reports that it cannot restore, before creating anything", async () => {
  const project = await makeBusyProject("read-only");
  const snapshot = await backUp(project);
  const { issueToken } = await import("./simulator/tokens.ts");
  const { state } = world.simulator.world;
  const nora = state.users.find(({ username }) => username === "nora-lindqvist");
  const readOnly = issueToken(world.simulator.world, {
    userId: nora?.id ?? 0,
    scopes: ["read_api", "read_repository"],
  }).value;
  const before = state.projects.length;
  await expect(restore(snapshot, "never", { by: session({ token: readOnly }) })).rejects.toThrow(
    /scope 'api'/,
  );
  expect(state.projects).toHaveLength(before);
  const again = await backUp(project, snapshot, session({ token: readOnly }));
  expect(again.newStreams).toEqual([]);
});

test("verification covers project and wiki, and both can be cloned and exported", async () => {
  const project = await makeBusyProject("proved");
  const snapshot = await backUp(project);
  const proof = await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK));
  expect(proof.problems).toEqual([]);
  expect((await connector.cloneRoots(snapshot)).map(({ name }) => name)).toEqual([
    "proved.git",
    "proved.wiki.git",
  ]);
  const files: string[] = [];
  for await (const file of connector.exportFiles(snapshot, { name: "proved" })) files.push(file.path);
  expect(files).toContain("metadata/issues/000000000001/issue.json");
  expect(files).toContain("proved.wiki.git/HEAD");
  expect(files).not.toContain("metadata/state.json");
  const views = await connector.views(snapshot);
  expect(views.flatMap(({ kind, label }) => (kind === "files" ? [label] : []))).toEqual(["Files", "Wiki"]);
});

test("a snippet is restored with its whole history, edited or not", async () => {
  const snippet = await world.makeSnippet("crane tool");
  const first = await backUp(snippet);
  await changeFiles(world.simulator.world, snippet, [
    { path: "deploy.sh", content: "echo 3\n", action: "update" },
  ]);
  const second = await backUp(snippet, first);
  expect(second.newStreams).toHaveLength(1);
  expect((await runVerify(second, connector.verify(second, WHOLE_CHECK))).problems).toEqual([]);
  await restore(second, "crane tool_restored");
  const restored = world.snippetTitled("crane tool_restored");
  const log = (one: Snippet) =>
    runGit(snippetDirectory(world.simulator.world, one), ["log", "--format=%H", "main"]);
  expect(log(restored)).toBe(log(snippet));
  expect(restored).toMatchObject({ visibility: "private", description: "About crane tool", projectId: null });
});

test("a project's snippet is listed, backed up with comments, and restored into its project if that still exists", async () => {
  const project = await world.makeProject("with-snippets");
  const snippet = await world.makeSnippet("query", { projectId: project.id });
  const at = `/projects/${project.id}/snippets/${snippet.id}`;
  await world.ask("POST", `${at}/notes`, { body: "Slow on Mondays" });
  const reference = world.reference(snippet);
  const found = await connector.listItems(session(), {
    kind: "snippet",
    place: null,
    name: "QUERY",
    page: 0,
    perPage: 10,
  });
  expect(found.items.map(({ externalId }) => externalId)).toContain(reference.externalId);
  expect(connector.webUrl(world.config, { kind: "snippet", fullName: reference.fullName })).toBe(
    `${world.simulator.url}/nora-lindqvist/with-snippets/-/snippets/${snippet.id}`,
  );
  const snapshot = await backUp(snippet);
  expect(pathsOf(snapshot, "notes/")).toHaveLength(1);
  await restore(snapshot, "query_restored");
  const restored = world.snippetTitled("query_restored");
  expect(restored.projectId).toBe(project.id);
  expect(restored.notes.map(({ body }) => body.split("\n").at(-1))).toEqual(["Slow on Mondays"]);
  deleteProject(world.simulator.world, project);
  const { events } = await restore(snapshot, "query_alone");
  expect(world.snippetTitled("query_alone").projectId).toBeNull();
  expect(of(events, "changed")).toEqual(
    expect.arrayContaining([expect.objectContaining({ what: "It is a personal snippet now" })]),
  );
});

test("a deleted project is gone, although GitLab keeps it for some days", async () => {
  const project = await world.makeProject("doomed-slowly");
  const item = world.reference(project);
  await world.ask("DELETE", `/projects/${project.id}`);
  await expect(connector.getItem(session(), { kind: "project", ...item })).rejects.toMatchObject({
    kind: "gone",
  });
});
