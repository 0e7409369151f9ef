import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RestoreEvent, Session } from "#connectors/contract/platform-connector.ts";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { initBare } from "#connectors/toolkit/simulator/init-bare.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { isDeep, sweep, sweepSeed } from "#tests/harness/sample.ts";
import { connector } from "../connector.ts";
import { addSystemNote } from "../simulator/issuables.ts";
import { codeDirectory, createProject } from "../simulator/projects.ts";
import type { Project } from "../simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld, refsOf } from "../test-world.ts";

const UGLY_TITLES = [
  "Кран 🏗️ – «сломан»",
  "/close me, @everyone, group/project#12 & !3",
  "  <script>alert(1)</script> `x` \\ %2F..%2F ../../etc",
  "‮esrever‬ and a\u0301 accents",
  "x".repeat(255),
];

let world: GitlabTestWorld;
let token: string;
beforeAll(async () => {
  world = await openGitlabWorld("project", { issueLimit: 100_000, noteLimit: 100_000, rateLimit: 1_000_000 });
  token = await world.issueToken();
});
afterAll(() => world.stop());

const session = (fetched: Session["fetch"] = (url, init) => fetch(url, init)): TestSession =>
  testSession({ config: world.config, token, accountName: world.accountName, fetch: fetched });
const codeOf = (project: Project) => codeDirectory(world.simulator.world, project);
const into = (name: string) => asNew(name);
const lines = (events: RestoreEvent[]) =>
  events.filter(({ type }) => type !== "progress" && type !== "checkpoint");

async function backUp(project: Project): Promise<MemorySnapshot> {
  const by = session();
  const item = await connector.getItem(by, { kind: "project", ...world.reference(project) });
  return await takeSnapshot(connector.backUp(by, { item, previous: null, cursor: null }));
}

async function restore(snapshot: MemorySnapshot, name: string, journal = memoryJournal(), by = session()) {
  const { events } = await runRestore(connector.restore(by, snapshot, into(name), journal));
  return { events: lines(events), restored: world.projectNamed(name) };
}

/** A project with everything that is hard to restore. */
async function makeHardCases(name: string): Promise<Project> {
  const project = await world.makeProject(name);
  const at = `/projects/${project.id}`;
  await world.ask("POST", `${at}/labels`, { name: "späť/🚛 ~ 100 %", color: "#0f0", description: "odd" });
  await world.ask("POST", `${at}/labels`, { name: "priority::1", color: "#123abc", priority: 3 });
  const milestone = await world.ask<{ id: number }>("POST", `${at}/milestones`, {
    ...{ title: "Long ago", start_date: "2019-01-01", due_date: "2019-02-03", description: "Over." },
  });
  const issue = async (iid: number, title: string, more: object = {}) => {
    await world.ask("POST", `${at}/issues`, { iid, title, created_at: "2019-02-03T04:05:06.000Z", ...more });
  };
  await issue(2, "In the old milestone", {
    milestone_id: milestone.id,
    labels: "späť/🚛 ~ 100 %,priority::1",
  });
  await issue(40, "Between us", { confidential: true, due_date: "2019-03-01" });
  await issue(41, "Too heated");
  await issue(900, "Much later", { issue_type: "incident" });
  for (const [index, title] of UGLY_TITLES.entries()) await issue(1_000 + index * 7, title);
  await world.ask("PUT", `${at}/issues/41`, { state_event: "close", discussion_locked: true });
  await world.ask("PUT", `${at}/milestones/${milestone.id}`, { state_event: "close" });
  await talk(project, `${at}/issues/41`);
  await makeRequests(project);
  await world.ask("POST", `${at}/releases`, {
    ...{ tag_name: "v1.0", name: "Näytös", description: "See @ivo.petrov", milestones: ["Long ago"] },
    released_at: "2019-02-01T00:00:00.000Z",
    assets: {
      links: [
        { name: "Plán № 1", url: "https://docs.example/plan.pdf", link_type: "runbook" },
        { name: "image", url: "https://docs.example/a?b=c&d=e#f", link_type: "image" },
      ],
    },
  });
  return project;
}

/** Writes threads, an internal comment and system notes. */
async function talk(project: Project, thing: string): Promise<void> {
  const say = (body: string, minute: number) => ({ body, created_at: `2019-02-04T08:0${minute}:00.000Z` });
  const first = await world.ask<{ id: string }>("POST", `${thing}/discussions`, say("Why?", 1));
  const second = await world.ask<{ id: string }>("POST", `${thing}/discussions`, say("How?", 2));
  await world.ask("POST", `${thing}/discussions/${first.id}/notes`, say("Because.", 3));
  await world.ask("POST", `${thing}/discussions/${second.id}/notes`, say("Like so.", 4));
  await world.ask("POST", `${thing}/notes`, { ...say("Only for us", 5), internal: true });
  const hidden = await world.ask<{ id: number }>("POST", `${thing}/notes`, {
    ...say("A hole in the door", 7),
    internal: true,
  });
  const answered = await discussionWith(thing, hidden.id);
  await world.ask("POST", `${thing}/discussions/${answered}/notes`, say("Which one?", 8));
  await world.ask("POST", `${thing}/discussions/${answered}/notes`, say("The front door.", 9));
  await world.ask("POST", `${thing}/notes`, say("```\n/close\n```\nSee @all", 6));
  const issue = project.issues.find(({ iid }) => iid === 41);
  if (issue === undefined) throw new Error("there is no issue 41");
  addSystemNote(world.simulator.world, issue, issue.authorId, "changed the weight to 5");
}

/** The discussion of a comment. GitLab's response to a new comment does not contain it. */
async function discussionWith(thing: string, noteId: number): Promise<string> {
  const all = await world.ask<{ id: string; notes: { id: number }[] }[]>(
    "GET",
    `${thing}/discussions?per_page=100`,
  );
  const found = all.find(({ notes }) => notes.some(({ id }) => id === noteId));
  if (!found) throw new Error(`no discussion holds the comment ${noteId}`);
  return found.id;
}

/** One open and locked, one whose branch is gone, one from a fork, one merged. */
async function makeRequests(project: Project): Promise<void> {
  const at = `/projects/${project.id}`;
  for (const branch of ["lives", "goes", "merged"]) {
    runGit(codeOf(project), ["branch", branch, "main"]);
    await addCommits(codeOf(project), { count: 1, branch });
    const body = { source_branch: branch, target_branch: "main", title: `It ${branch}`, description: "Look" };
    await world.ask("POST", `${at}/merge_requests`, body);
  }
  const [lives, , merged] = project.mergeRequests;
  if (lives === undefined || merged === undefined) throw new Error("there is no merge request");
  const talk = await world.ask<{ id: string }>("POST", `${at}/merge_requests/${lives.iid}/discussions`, {
    ...{ body: "Too short", created_at: "2019-05-05T08:00:00.000Z" },
  });
  await world.ask("PUT", `${at}/merge_requests/${lives.iid}/discussions/${talk.id}`, { resolved: true });
  lives.isDiscussionLocked = true;
  Object.assign(merged, {
    state: "merged",
    mergedAt: "2019-05-06T07:08:09.000Z",
    mergeCommitSha: merged.sha,
  });
  runGit(codeOf(project), ["branch", "-D", "goes"]);
}

/** What people see of a project's issues and comments, without GitLab's ids. */
function shapeOf(project: Project) {
  const { issues, mergeRequests, labels, milestones, releases } = project;
  const of = ({ notes }: { notes: Project["issues"][number]["notes"] }) => {
    const said = notes
      .filter(({ isSystem }) => !isSystem)
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    const threads = [...new Set(said.map(({ discussionId }) => discussionId))];
    return said.map(({ body, isInternal, createdAt, discussionId }) => {
      const text = body.split("\n").at(-1)?.replaceAll("\u200b", "");
      return [text, isInternal, createdAt, threads.indexOf(discussionId)];
    });
  };
  return {
    labels: labels.map(({ name, color, description, priority }) => [name, color, description, priority]),
    milestones: milestones.map(({ title, state, dueDate, startDate }) => [title, state, dueDate, startDate]),
    issues: issues.map((one) => ({
      ...{ iid: one.iid, title: one.title, state: one.state, isConfidential: one.isConfidential },
      ...{ isLocked: one.isDiscussionLocked, type: one.type, dueDate: one.dueDate, createdAt: one.createdAt },
      ...{ labels: [...one.labels].sort(), notes: of(one) },
      milestone: milestones.find(({ id }) => id === one.milestoneId)?.title ?? null,
    })),
    requests: mergeRequests.map((one) => ({
      ...{ title: one.title, state: one.state, isLocked: one.isDiscussionLocked, notes: of(one) },
    })),
    releases: releases.map(({ tag, name, releasedAt, links }) => ({
      ...{ tag, name, releasedAt },
      links: links.map((link) => [link.name, link.url]).sort(),
    })),
  };
}

test("rare cases are restored: gaps, confidential and locked issues, threads, links, titles of every kind", async () => {
  const project = await makeHardCases("hard");
  const snapshot = await backUp(project);
  expect(snapshot.skipped).toEqual([]);
  const before = shapeOf(project);
  const { events, restored } = await restore(snapshot, "hard_restored");
  const after = shapeOf(restored);
  expect(shapeOf(project)).toEqual(before);
  expect(after.labels.sort()).toEqual(before.labels.sort());
  expect(after.milestones).toEqual([["Long ago", "closed", "2019-02-03", "2019-01-01"]]);
  expect(after.releases).toEqual(before.releases);
  expect(after.issues.slice(0, before.issues.length)).toEqual(before.issues);
  const told = (iid: number) => restored.issues.find((one) => one.iid === iid);
  expect(told(41)?.description).toContain("Closed on ");
  expect(told(41)?.description).toContain(`hard/-/issues/41`);
  const bodies = told(41)?.notes.map(({ body }) => body) ?? [];
  expect(bodies.some((body) => body.includes("@\u200ball"))).toBe(true);
  expect(bodies.join()).not.toMatch(/@all|changed the weight/);
  expect(events).toContainEqual(
    expect.objectContaining({ type: "changed", what: expect.stringContaining("Notes of the system") }),
  );
  const said = ["Too short", false, "2019-05-05T08:00:00.000Z", 0];
  expect(after.requests).toEqual([{ title: "It lives", state: "opened", isLocked: true, notes: [said] }]);
  const remark = restored.mergeRequests[0]?.notes.find(({ isSystem }) => !isSystem);
  expect(remark?.body).toContain(`Resolved by ${world.accountName}.`);
  const rest = restored.issues.slice(before.issues.length);
  expect(rest.map(({ title, state }) => [title, state])).toEqual([
    ["Merge request !2: It goes", "opened"],
    ["Merge request !3: It merged", "closed"],
  ]);
  expect(rest[0]?.description).toContain("from `goes` into `main`");
  expect(rest[0]?.description).toContain("hard/-/merge_requests/2");
  expect(rest[1]?.description).toContain("Merged on 6 May 2019");
  expect(events.filter(({ type }) => type === "mapped")).toMatchObject([
    { kind: "merge-request", from: "!2", to: `#${rest[0]?.iid}` },
    { kind: "merge-request", from: "!3", to: `#${rest[1]?.iid}` },
  ]);
});

test("internal comments that GitLab would expose are not restored, which is reported", async () => {
  const project = await makeHardCases("between_us");
  const snapshot = await backUp(project);
  const secrets = ["Only for us", "A hole in the door", "Which one?", "The front door."];
  const saidIn = (restored: Project) => restored.issues.flatMap(({ notes }) => notes);
  const isSecret = ({ body }: { body: string }) => secrets.some((secret) => body.includes(secret));
  const { restored } = await restore(snapshot, "between_us_kept");
  expect(saidIn(restored).filter(isSecret)).toHaveLength(secrets.length);
  expect(
    saidIn(restored)
      .filter(isSecret)
      .filter((note) => !note.isInternal),
  ).toEqual([]);

  // A GitLab that drops the flag, as it does for accounts that may not set it.
  const forgetful = session((url, init) =>
    fetch(
      url,
      typeof init?.body === "string" ? { ...init, body: init.body.replace(/,"internal":true/, "") } : init,
    ),
  );
  const { restored: shown, events } = await restore(snapshot, "between_us_shown", memoryJournal(), forgetful);
  expect(saidIn(shown).filter(isSecret)).toEqual([]);
  expect(saidIn(shown).some(({ body }) => body.includes("Because."))).toBe(true);
  const told = events.filter((event) => event.type === "missing" && /internal/.test(event.reason));
  expect(told).toHaveLength(secrets.length);
});

test.each([
  ["left_open", "Only for us"],
  ["left_open_thread", "A hole in the door"],
])(
  "%s: an internal comment that a crashed attempt left readable is deleted and written again as internal",
  async (name, secret) => {
    const project = await makeHardCases(name);
    const snapshot = await backUp(project);
    let isDead = false;
    const dying = session(async (url, init) => {
      if (isDead) throw new TypeError("The worker died.");
      const body = typeof init?.body === "string" ? init.body : null;
      if (!body?.includes(secret)) return await fetch(url, init);
      isDead = true;
      return await fetch(url, { ...init, body: body.replace(/,"internal":true/, "") });
    });
    const journal = memoryJournal();
    await expect(restore(snapshot, `${name}_restored`, journal, dying)).rejects.toThrow();
    const notes = () => world.projectNamed(`${name}_restored`).issues.flatMap((issue) => issue.notes);
    expect(notes().filter(({ body }) => body.includes(secret))).toMatchObject([{ isInternal: false }]);
    const { events } = await restore(snapshot, `${name}_restored`, journal);
    for (const text of ["Only for us", "A hole in the door", "Which one?", "The front door."]) {
      const copies = notes().filter(({ body }) => body.includes(text));
      expect(copies.map(({ isInternal }) => isInternal)).toEqual([true]);
    }
    const thread = notes().filter(({ body }) => /A hole in the door|Which one|The front door/.test(body));
    expect(new Set(thread.map(({ discussionId }) => discussionId)).size).toBe(1);
    expect(events.filter((event) => event.type === "missing" && /internal/.test(event.reason))).toEqual([]);
  },
);

test("a restore that loses the response to any write continues without duplicates", async () => {
  const project = await makeHardCases("fragile");
  const snapshot = await backUp(project);
  const { restored } = await restore(snapshot, "fragile_whole");
  const wanted = shapeOf(restored);
  const journal = memoryJournal();
  // Each life gets a few writes further than the last; the sweep seed varies which writes are lost.
  const mostWrites = isDeep() ? 3 : 7;
  let isEnded = false;
  await sweep(async () => {
    for (let life = 1; !isEnded; life += 1) {
      const last = 1 + ((life + sweepSeed()) % mostWrites);
      let writes = 0;
      const dying = session(async (url, init) => {
        const answer = await fetch(url, init);
        const isWrite = init?.method !== undefined && !["GET", "HEAD"].includes(init.method);
        if (isWrite && url.includes("/api/") && ++writes === last) throw new TypeError("The worker died.");
        return answer;
      });
      isEnded = await restore(snapshot, "fragile_cut", journal, dying).then(
        () => true,
        () => false,
      );
      expect(life).toBeLessThan(200);
    }
  });
  expect(shapeOf(world.projectNamed("fragile_cut"))).toEqual(wanted);
}, 120_000);

test("an empty project is restored as an empty project", async () => {
  const { id: namespaceId } = await world.ask<{ id: number }>("GET", `/namespaces/${world.accountName}`);
  const project = createProject(world.simulator.world, {
    ...{ namespaceId, path: "void", name: "void", creatorId: world.projectNamed("tariffs").creatorId },
  });
  rmSync(codeOf(project), { recursive: true, force: true });
  initBare(codeOf(project));
  const snapshot = await backUp(project);
  const { restored } = await restore(snapshot, "void_restored");
  expect(shapeOf(restored)).toEqual(shapeOf(project));
  expect(refsOf(codeOf(restored))).toBe("");
});
