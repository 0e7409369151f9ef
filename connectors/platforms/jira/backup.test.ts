import { afterEach, beforeEach, expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { isWholeDay } from "#connectors/toolkit/records/backup-state.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import type { TestSession } from "#tests/conformance/test-session.ts";
import { isDeep } from "#tests/harness/sample.ts";
import { pointsUsed } from "./simulator/limits.ts";
import { type JiraTestWorld, openJiraWorld, type ProjectReference } from "./test-world.ts";

let world: JiraTestWorld;

beforeEach(async () => {
  world = await openJiraWorld();
});
afterEach(() => world.stop());

/** A session at a day on which a project at rest is not read again, unless a weekly one is wanted. */
async function sessionOn(
  reference: ProjectReference,
  { isWeekly = false, days = 0 } = {},
): Promise<TestSession> {
  let now = Date.now() + days * DAY_MS;
  while (isWholeDay(reference.externalId, now) !== isWeekly) now += DAY_MS;
  return { ...(await world.session()), clock: { now: () => now } };
}

const pathsOf = ({ requests }: TestSession) =>
  requests.map(({ method, url }) => `${method} ${new URL(url).pathname.replace(/^.*\/rest\//, "")}`);
const issuePaths = (snapshot: MemorySnapshot) =>
  [...snapshot.entries.keys()].filter((path) => path.endsWith("/issue.json"));
const hashesOf = (snapshot: MemorySnapshot) =>
  Object.fromEntries([...snapshot.entries.values()].map(({ info }) => [info.path, info.hash]));
const generate = (key: string, order: object) =>
  world.happen(`/sites/meridian/projects/${key}/generate`, order);

/** Lets the project's issues be old: the last change of each lies ten minutes before that of the next. */
function age({ externalId }: ProjectReference, ago = 0): void {
  const issues = world.site.issues.filter(({ projectId }) => projectId === externalId);
  for (const [index, issue] of issues.entries()) {
    issue.updatedAt = Date.now() - ago - (issues.length - index) * 600_000;
    issue.createdAt = Math.min(issue.createdAt, issue.updatedAt);
    issue.indexDueAt = 0;
  }
}

type Size = { issues: number; attachments: number; issueTypes: number; roles: number };

/**
 * Calls of a first backup that nothing can save, with the points that Jira counts for them, by what is asked. A point is
 * for the call and one for each issue or file in the answer.
 */
function fewest(of: Size): Record<string, { calls: number; points: number }> {
  const { issues, attachments } = of;
  const pages = Math.ceil(issues / 100);
  const lists = Math.ceil(issues / 5_000);
  // Project twice, and what there is once: statuses, fields, filters, boards, columns, sprints, schemes.
  const once = 3 + 4 + 16 + of.issueTypes + of.roles;
  return {
    // All issues, and the list of ids that shows whether one was missed.
    "search/jql": { calls: pages + lists, points: pages + lists + 2 * issues },
    "search/approximate-count": { calls: 1, points: 1 },
    // Who watches an issue, its web links and its properties come with no list; nobody voted.
    "issue/watchers": { calls: issues, points: issues },
    "issue/remotelink": { calls: issues, points: issues },
    "issue/properties": { calls: issues, points: issues },
    "attachment/content": { calls: attachments, points: 2 * attachments },
    // The host of the bytes, which has no points.
    media: { calls: attachments, points: 0 },
    // Each answer may have a project, which costs one more.
    other: { calls: once, points: once + 3 },
  };
}

/** The part of the API that a call belongs to. */
function endpointOf(path: string): string {
  const [, rest] = path.split(" ") as [string, string];
  if (/^api\/3\/search\//.test(rest)) return rest.slice("api/3/".length);
  if (/^api\/3\/attachment\/content\//.test(rest)) return "attachment/content";
  const part = /^api\/3\/issue\/[^/]+\/(\w+)$/.exec(rest)?.[1];
  if (part !== undefined) return `issue/${part}`;
  return /^(api\/3|agile\/1\.0|servicedeskapi)\//.test(rest) ? "other" : "media";
}

function callsByEndpoint(session: TestSession): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const path of pathsOf(session)) counts[endpointOf(path)] = (counts[endpointOf(path)] ?? 0) + 1;
  return counts;
}

const sumOf = (each: readonly number[]) => each.reduce((sum, one) => sum + one, 0);

test(
  "costs few calls: a first backup, a day with one in a hundred changed, a day without changes",
  async () => {
    const issues = isDeep() ? 10_000 : 300;
    const attachments = issues / 10;
    const project = await world.makeProject("SIZE");
    await generate("SIZE", { issues, comments: 3 * issues, attachments });
    age(project);
    const spent = () => pointsUsed(world.simulator.world, null);
    const start = spent();
    const first = await sessionOn(project);
    const whole = await world.backUp(project, null, first);
    const firstPoints = spent() - start;
    expect(issuePaths(whole)).toHaveLength(issues);
    expect(whole.counts()).toMatchObject({ comment: 3 * issues, attachment: attachments });
    const { length: calls } = first.requests;
    const issueTypes = [...whole.entries.keys()].filter((path) => path.startsWith("issue-types/")).length;
    const wanted = fewest({ issues, attachments, issueTypes, roles: 3 });
    const asked = callsByEndpoint(first);
    expect(Object.keys(asked).sort()).toEqual(Object.keys(wanted).sort());
    for (const [endpoint, count] of Object.entries(asked))
      expect(count, endpoint).toBeLessThanOrEqual(1.1 * wanted[endpoint]!.calls);
    const fewestPoints = sumOf(Object.values(wanted).map(({ points }) => points));
    expect(firstPoints).toBeLessThanOrEqual(1.1 * fewestPoints);

    const rest = await sessionOn(project);
    const same = await world.backUp(project, whole, rest);
    const restPoints = spent() - start - firstPoints;
    // A point for each call, two for each project, and at most one for an issue of the overlap.
    expect(restPoints).toBeLessThanOrEqual(rest.requests.length + 10);
    expect(pathsOf(rest)).toEqual([
      ...[`GET api/3/project/${project.externalId}`, `GET api/3/project/${project.externalId}`],
      `GET api/3/project/${project.externalId}/statuses`,
      ...["POST api/3/search/jql", "POST api/3/search/approximate-count"],
    ]);
    expect(hashesOf(same)).toEqual(hashesOf(whole));
    expect(same.newStreams).toEqual([]);

    for (let number = 1; number <= issues / 100; number++) {
      await world.happen(`/sites/meridian/issues/SIZE-${number}/comments`, { text: "Changed" });
    }
    const beforeBusy = spent();
    const busy = await sessionOn(project);
    const next = await world.backUp(project, same, busy);
    const busyPoints = spent() - beforeBusy;
    if (isDeep()) {
      const lengths = [first, rest, busy].map(({ requests }) => requests.length);
      console.log("calls", lengths, "points", [firstPoints, restPoints, busyPoints]);
      console.table(
        Object.entries(wanted).map(([endpoint, least]) => ({
          endpoint,
          asked: asked[endpoint],
          least: least.calls,
        })),
      );
      expect(busy.requests.length).toBeLessThanOrEqual(0.03 * calls);
      expect(busyPoints).toBeLessThanOrEqual(0.03 * firstPoints);
    }
    expect(next.newStreams).toEqual([]);
    const rolling = pathsOf(busy).filter((path) => /remotelink|properties/.test(path)).length;
    expect(rolling).toBeLessThanOrEqual(2 * (issues / 100 + Math.ceil(issues / 90) + 2));
    // The configuration costs the same at any size, so the share is that of what grows.
    const fixed = pathsOf(busy).filter((path) => !/search\/jql|\/issue\/\d/.test(path)).length;
    expect(busy.requests.length - fixed).toBeLessThanOrEqual(0.03 * calls + 10);
  },
  isDeep() ? 1_200_000 : 60_000,
);

test("drops a deleted issue with everything below it, and a deleted comment", async () => {
  const project = await world.makeProject("GONE", { content: "full" });
  const before = await world.backUp(project);
  const [first, second] = world.site.issues.filter(({ projectId }) => projectId === project.externalId);
  const comment = first!.comments[0]!;
  await world.happen(`/sites/meridian/issues/GONE-${first!.number}/comments/${comment.id}/delete`, {});
  await world.happen(`/sites/meridian/issues/GONE-${second!.number}/delete`, {});
  const by = await sessionOn(project);
  const after = await world.backUp(project, before, by);
  expect(issuePaths(before).length - issuePaths(after).length).toBe(1);
  expect(
    [...after.entries.keys()].filter((path) => path.startsWith(`issues/${second!.id.padStart(12, "0")}/`)),
  ).toEqual([]);
  expect(
    [...after.entries.keys()].filter((path) => path.includes(`comments/${comment.id.padStart(12, "0")}`)),
  ).toEqual([]);
  const fresh = await world.backUp(project);
  expect(after.reported).toEqual(fresh.reported);
});

test("believes that an issue is gone only if it cannot be read by its id either", async () => {
  const project = await world.makeProject("LAG");
  for (const title of ["one", "two", "three"]) await world.makeIssue("LAG", title);
  const before = await world.backUp(project);
  const [late] = world.site.issues.filter(({ projectId }) => projectId === project.externalId);
  // The index forgets an issue for a while, so count and list lack it.
  late!.indexed = null;
  late!.indexDueAt = Date.now() + 60_000;
  const after = await world.backUp(project, before, await sessionOn(project));
  expect(issuePaths(after)).toEqual(issuePaths(before));
});

test("finds an issue that search learns of late, in the next backup", async () => {
  const project = await world.makeProject("LATE");
  await world.makeIssue("LATE", "known");
  const first = await world.backUp(project);
  await world.happen("/index-lag", { ms: 60_000 });
  const made = await world.makeIssue("LATE", "not yet in the index");
  const second = await world.backUp(project, first, await sessionOn(project));
  expect(issuePaths(second)).toHaveLength(1);
  await world.happen("/index-lag", { ms: 0 });
  world.site.issues.find(({ id }) => id === made.id)!.indexDueAt = Date.now();
  await world.makeIssue("LATE", "a later one");
  const third = await world.backUp(project, second, await sessionOn(project));
  expect(issuePaths(third)).toHaveLength(3);
});

test("reads an issue again that changes between two pages", async () => {
  const project = await world.makeProject("EDIT");
  await generate("EDIT", { issues: 120 });
  const session = await world.session();
  let isEdited = false;
  const by: TestSession = {
    ...session,
    fetch: async (url, init) => {
      const body = String(init?.body ?? "");
      if (!isEdited && body.includes("nextPageToken")) {
        isEdited = true;
        await world.happen("/sites/meridian/issues/EDIT-1/edit", { fields: { summary: "Meanwhile" } });
      }
      return await session.fetch(url, init);
    },
  };
  const first = await world.backUp(project, null, by);
  expect(isEdited).toBe(true);
  expect(issuePaths(first)).toHaveLength(120);
  const next = await world.backUp(project, first, await sessionOn(project));
  const [path] = issuePaths(next);
  expect(JSON.stringify(await next.readRecord(path!))).toContain("Meanwhile");
});

test("loses no issue when another is deleted between two pages", async () => {
  const project = await world.makeProject("SHIFT");
  await generate("SHIFT", { issues: 120 });
  age(project, 2 * DAY_MS);
  const session = await world.session();
  const deleting = (key: string): TestSession => {
    let isDone = false;
    const fetch: TestSession["fetch"] = async (url, init) => {
      if (!isDone && String(init?.body ?? "").includes("nextPageToken")) {
        isDone = true;
        await world.happen(`/sites/meridian/issues/${key}/delete`, {});
      }
      return await session.fetch(url, init);
    };
    return { ...session, fetch };
  };
  const first = await world.backUp(project, null, deleting("SHIFT-1"));
  const numbers = (snapshot: MemorySnapshot) =>
    [...snapshot.entries.values()].flatMap(({ info }) =>
      info.kind === "issue" ? [info.title?.split(" ")[0]] : [],
    );
  const wanted = (from: number) => Array.from({ length: 121 - from }, (_, index) => `SHIFT-${from + index}`);
  expect(numbers(first)).toEqual(expect.arrayContaining(wanted(2)));
  for (let number = 2; number <= 120; number++) {
    await world.happen(`/sites/meridian/issues/SHIFT-${number}/edit`, {
      fields: { summary: `New ${number}` },
    });
  }
  age(project);
  const second = await world.backUp(project, first, {
    ...deleting("SHIFT-2"),
    clock: (await sessionOn(project)).clock,
  });
  const third = await world.backUp(project, second, await sessionOn(project));
  expect(numbers(third).toSorted()).toEqual(wanted(3).toSorted());
  for (const { info } of third.entries.values())
    if (info.kind === "issue") expect(info.title).toContain(" New ");
});

test("a version whose state is lost is followed by a whole one, with the same totals", async () => {
  const project = await world.makeProject("STATE", { content: "full" });
  const before = await world.backUp(project);
  before.entries.delete("state.json");
  const after = await world.backUp(project, before);
  const fresh = await world.backUp(project);
  expect(hashesOf(after)).toEqual(hashesOf(fresh));
  expect(after.reported).toEqual(fresh.reported);
});

test("pages comments, work and history beyond the first page, each entry once", async () => {
  const project = await world.makeProject("LONG");
  const issue = await world.makeIssue("LONG", "long");
  for (let index = 0; index < 130; index++) {
    await world.happen(`/sites/meridian/issues/${issue.key}/comments`, { text: `Remark ${index}` });
    await world.happen(`/sites/meridian/issues/${issue.key}/edit`, { fields: { summary: `Title ${index}` } });
  }
  for (let index = 0; index < 30; index++) {
    await world.happen(`/sites/meridian/issues/${issue.key}/worklogs`, { seconds: 60 });
  }
  const snapshot = await world.backUp(project);
  const counts = snapshot.counts();
  expect([counts.comment, counts.worklog, counts.change]).toEqual([130, 30, 160]);
  expect([snapshot.reported.comment, snapshot.reported.worklog, snapshot.reported.change]).toEqual([
    130, 30, 160,
  ]);
});

test("tells how many issues the account does not see", async () => {
  const project = await world.makeProject("HIDE", { content: "full" });
  const ivo = await world.happen<{ token: string }>("/token", {
    login: "ivo@meridian.example",
    sites: ["meridian"],
  });
  const snapshot = await world.backUp(project, null, await world.session({ token: ivo.token }));
  const told = snapshot.skipped.filter(({ kind }) => kind === "issue");
  expect(told).toEqual([
    {
      type: "skipped",
      path: "issues/",
      kind: "issue",
      reason: expect.stringMatching(/does not show 1 of them to Nora/),
    },
  ]);
  expect(snapshot.skipped.filter(({ kind }) => kind === "setting").length).toBeGreaterThan(0);
  const record = JSON.stringify(await snapshot.readRecord("settings/not-kept.json"));
  expect(record).toContain("Nora Lindqvist");
});

test("sees once a week what does not update an issue", async () => {
  const project = await world.makeProject("VOTE");
  const issue = await world.makeIssue("VOTE", "popular");
  await world.makeIssue("VOTE", "newest");
  age(project);
  let version = await world.backUp(project, null, await sessionOn(project));
  await world.happen(`/sites/meridian/issues/${issue.key}/votes`, { login: "ivo@meridian.example" });
  const rested = await world.backUp(project, version, await sessionOn(project));
  expect(hashesOf(rested)).toEqual(hashesOf(version));
  for (let week = 0; week < 5; week++) {
    version = await world.backUp(
      project,
      version,
      await sessionOn(project, { isWeekly: true, days: 7 * week }),
    );
  }
  const extras = [...version.entries.keys()].filter((path) => path.endsWith("extras.json"));
  expect(JSON.stringify(await version.readRecord(extras[0]!))).toContain("Ivo Petrov");
});

test("a removed way of asking is not taken for a deleted project", async () => {
  const project = await world.makeProject("HELD");
  await world.makeIssue("HELD", "one");
  const headers = { "content-type": "application/json" };
  const body = { errorMessages: ["The requested API has been removed."] };
  world.simulator.faults.add({
    match: { path: "search/jql" },
    times: 10,
    action: { kind: "answer", status: 410, headers, body },
  });
  const failure = await world.backUp(project).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConnectorError);
  expect((failure as ConnectorError).kind).toBe("unsupported");
});

test("sends the token to the site's API only, and never to the host of files", async () => {
  const project = await world.makeProject("FILE", { content: "full" });
  const sent: { url: string; isSigned: boolean }[] = [];
  const session = await world.session();
  const by: TestSession = {
    ...session,
    fetch: (url, init) => {
      sent.push({ url, isSigned: new Headers(init?.headers).has("authorization") });
      return session.fetch(url, init);
    },
  };
  const snapshot = await world.backUp(project, null, by);
  expect(snapshot.newStreams.length).toBeGreaterThan(2);
  const strange = sent.filter(({ url }) => !url.startsWith(`${world.simulator.url}/ex/jira/`));
  expect(strange.length).toBe(snapshot.newStreams.length);
  expect(strange.filter(({ isSigned }) => isSigned)).toEqual([]);
});

test("times do not depend on the zone of the account", async () => {
  const project = await world.makeProject("ZONE", { content: "full" });
  const before = await world.backUp(project);
  await world.happen("/people/nora@meridian.example/edit", { timeZone: "America/New_York" });
  const after = await world.backUp(project);
  expect(hashesOf(after)).toEqual(hashesOf(before));
});

test("without a sign-in on the main site the app inside Jira lacks only the files", async () => {
  const project = await world.makeProject("FORGE", { content: "full" });
  const whole = await world.backUp(project);
  const app = await world.backUp(project, null, await world.session({ authMethod: "forge" }));
  const missing = [...whole.entries.keys()].filter((path) => !app.entries.has(path));
  expect(missing.length).toBeGreaterThan(2);
  expect(missing.filter((path) => !path.includes("/attachments/"))).toEqual([]);
  expect(app.skipped.map(({ path }) => path).sort()).toEqual(missing.sort());
  const others = { oauth: await world.issueToken() };
  const both = await world.backUp(project, null, await world.session({ authMethod: "forge", others }));
  expect(both.skipped).toEqual([]);
});

test("parts of the configuration that another account was refused come with the first backup of one who may see them", async () => {
  const project = await world.makeProject("RIGHTS");
  const path = "settings/permissions.json";
  world.simulator.faults.add({
    match: { path: "/permissionscheme" },
    times: 10,
    action: { kind: "answer", status: 403, body: { errorMessages: ["You may not see this."] } },
  });
  const app = { ...world.connectionDetails, accountId: "app-account", fullName: "Holdfast" };
  const first = await world.backUp(project, null, { ...(await sessionOn(project)), connectionDetails: app });
  age(project);
  const idle = { ...(await sessionOn(project)), connectionDetails: app };
  const second = await world.backUp(project, first, idle);
  expect(idle.requests.length).toBeLessThanOrEqual(5);
  expect([second.entries.has(path), second.skipped.map((one) => one.path)]).toEqual([false, [path]]);

  world.simulator.faults.clear();
  const third = await world.backUp(project, second, await sessionOn(project));
  expect([third.entries.has(path), third.skipped]).toEqual([true, []]);
  const still = await sessionOn(project);
  await world.backUp(project, third, still);
  expect(still.requests.length).toBeLessThanOrEqual(5);
});

test("a project without issues is backed up again and again, and its first issue is found", async () => {
  const project = await world.makeProject("BARE");
  const first = await world.backUp(project, null, await sessionOn(project));
  const second = await world.backUp(project, first, await sessionOn(project));
  expect(issuePaths(second)).toEqual([]);
  await generate("BARE", { issues: 1 });
  age(project);
  const third = await world.backUp(project, second, await sessionOn(project));
  expect(issuePaths(third)).toHaveLength(1);
});

test("each type of project lists what no call returns, and how old the undated parts may be", async () => {
  const listed = async (template: string) => {
    const project = await world.makeProject(template.slice(0, 6).toUpperCase(), { template });
    const record = await (await world.backUp(project)).readRecord("settings/not-kept.json");
    return record as { never: { what: string; reason: string }[]; ages: object[] };
  };
  const [software, desk, business, ideas] = await Promise.all(
    ["scrum", "service", "business", "discovery"].map(listed),
  );
  const words = (of = software) => of!.never.map(({ what }) => what).join("; ");
  expect(words(desk)).toMatch(/agreements.*Forms.*Assets.*Customers.*portal/);
  expect(words(business)).toContain("calendar");
  expect(words(ideas)).toContain("insights");
  expect(words()).not.toMatch(/Forms|insights|calendar/);
  for (const { never } of [software!, desk!, business!, ideas!])
    for (const { reason } of never) expect(reason).toMatch(/^[A-Z].+\.$/);
  expect(software!.ages).toEqual([
    { what: "Configuration, boards and sprints", mostDays: 7 },
    { what: "Votes, watchers, ranks and security levels of issues", mostDays: 30 },
    { what: "Web links and properties of issues", mostDays: 90 },
  ]);
});

test("keeps the types of requests and the queues of a service project, over all pages, and says when it may not", async () => {
  const desk = await world.makeProject("DESK", { template: "service" });
  const plain = await world.makeProject("PLAIN");
  const path = "settings/service-desk.json";
  // Jira may answer with a shorter page than was asked for.
  const pages = await sessionOn(desk);
  const fetchPage: TestSession["fetch"] = (url, init) =>
    pages.fetch(url.includes("/requesttype?") ? url.replace("limit=100", "limit=1") : url, init);
  const kept = await world.backUp(desk, null, { ...pages, fetch: fetchPage });
  expect(pathsOf(pages).filter((each) => each.endsWith("/requesttype"))).toHaveLength(2);
  expect(await kept.readRecord(path)).toMatchObject({
    desk: { projectKey: "DESK" },
    requestTypes: [{ name: "Service request" }, { name: "Incident" }],
    queues: [{ name: "All open", jql: expect.stringContaining("project = DESK") }],
  });
  expect((await world.backUp(plain)).entries.has(path)).toBe(false);

  world.simulator.faults.add({
    match: { path: "/queue" },
    times: 10,
    action: { kind: "answer", status: 403, body: { errorMessage: "You are not an agent." } },
  });
  const refused = await world.backUp(desk);
  expect(refused.entries.has(path)).toBe(false);
  expect(await refused.readRecord("settings/not-kept.json")).toMatchObject({
    refused: [{ path, reason: "Jira refuses access to the service desk (403)." }],
  });
});
