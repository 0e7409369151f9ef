import { afterAll, beforeAll, expect, test } from "vitest";
import type { RestoreEvent, Session } from "#connectors/contract/platform-connector.ts";
import { createdBy } from "#tests/conformance/expect-plan-kept.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { memoryJournal, testSession } from "#tests/conformance/test-session.ts";
import { configSchema } from "../authorize.ts";
import { backUp } from "../backup/back-up.ts";
import { jiraVars } from "../simulator/index.ts";
import { transitionIssue } from "../simulator/issues.ts";
import { SCOPES } from "../simulator/scopes.ts";
import { createField } from "../simulator/sites.ts";
import type { Project, Scheme } from "../simulator/state.ts";
import { issueToken } from "../simulator/tokens.ts";
import { fillProject, openRestoreBench, type RestoreBench } from "../test-bench.ts";
import { getProjectsColumns } from "./get-projects-columns.ts";
import { restoreQuestions } from "./restore-questions.ts";

let bench: RestoreBench;
let source: Project;
let snapshot: Awaited<ReturnType<RestoreBench["backUp"]>>;
beforeAll(async () => {
  bench = await openRestoreBench();
  source = bench.makeProject("OPS");
  fillProject(bench, source, bench.makeProject("WEB"));
  snapshot = await bench.backUp(source);
});
afterAll(() => bench.stop());

type Line = Extract<RestoreEvent, { type: "changed" | "impossible" | "missing" }>;
const linesOf = (events: readonly RestoreEvent[], type: Line["type"]) =>
  events.flatMap((event) => (event.type === type ? [`${event.what}: ${event.reason}`] : []));
const issueIn = (project: Project, summary: string) =>
  bench.dump(project).issues.find((issue) => issue.summary === summary);
const comparedIn = (events: readonly RestoreEvent[]) =>
  Object.fromEntries(events.flatMap((event) => (event.type === "compared" ? [[event.what, event]] : [])));

/** A session of a person with the given scopes. */
function sessionOf(name: string, scopes: readonly string[]): Session {
  const { world } = bench.simulator;
  const accountId = bench.personId(name);
  const { cloudId } = bench.site;
  const { value: token } = issueToken(world, { accountId, cloudIds: [cloudId], scopes: [...scopes] });
  const connectionDetails = {
    cloudId,
    siteUrl: bench.siteUrl,
    accountId,
    fullName: name,
    timeZone: "Etc/UTC",
  };
  return testSession({
    config: jiraVars(bench.simulator),
    token,
    accountName: bench.site.name,
    connectionDetails,
  });
}

test("without rights to administer the project, issues come back and the report names what did not", async () => {
  const target = bench.makeProject("LIM");
  const by = sessionOf("ivo", Object.keys(SCOPES)) as ReturnType<typeof bench.session>;
  const { events } = await bench.restoreInto(snapshot, target, { by });
  expect(createdBy(events)).toMatchObject({ issue: 5, comment: expect.any(Number), attachment: 2 });
  const missing = linesOf(events, "missing");
  expect(missing.some((line) => line.startsWith("Component API: "))).toBe(true);
  expect(missing.some((line) => line.startsWith("Version 1.0: "))).toBe(true);
  expect(linesOf(events, "changed")).toContain("Field Components: API: The target does not know this value.");
  // The workflow is hidden from him, but not the transitions of an issue.
  expect(issueIn(target, "Plan the route")?.status).toBe("In Review");
  expect(comparedIn(events).statuses).toMatchObject({ same: 5, all: 5 });
});

test("with the scopes that the consent asks for, nothing is lost that the report does not name", async () => {
  const target = bench.makeProject("SCO");
  const scopes = String(configSchema.parse({}).JIRA_SCOPES).split(" ");
  const by = sessionOf("nora", scopes) as ReturnType<typeof bench.session>;
  const { events } = await bench.restoreInto(snapshot, target, { by });
  expect(createdBy(events)).toMatchObject({ issue: 5, comment: 4, worklog: 2, attachment: 2, link: 2 });
});

test("what a restore shortens, or gives no line with its origin, is in the report", async () => {
  const long = {
    ...{ type: "doc", version: 1 },
    content: [{ type: "paragraph", content: [{ type: "text", text: "x".repeat(31_990) }] }],
  };
  const change = (path: string, value: Record<string, unknown>) => {
    if (path.startsWith("sprints/")) return { ...value, name: `Sprint ${"x".repeat(40)}` };
    if (path.includes("/worklogs/")) return { ...value, comment: long };
    if (!path.endsWith("/issue.json")) return value;
    return { ...value, fields: { ...(value.fields as object), description: long } };
  };
  const changed: typeof snapshot = Object.assign(Object.create(snapshot), {
    readRecord: async (path: string) =>
      change(path, (await snapshot.readRecord(path)) as Record<string, unknown>),
  });
  const { events } = await bench.restoreInto(changed, bench.makeProject("CUT"));
  const told = linesOf(events, "changed");
  expect(told.some((line) => /^Sprint Sprint x+: Jira takes 30 characters/.test(line))).toBe(true);
  expect(told.some((line) => /^A worklog of OPS-\d+: Its text is so long/.test(line))).toBe(true);
  expect(told.some((line) => /^Where issues come from/.test(line))).toBe(true);
});

test("fields that Jira refuses are left out one by one, and the issue comes back without them", async () => {
  const target = bench.makeProject("REF");
  const field = bench.site.fields.find(({ name }) => name === "Severity")!;
  // Jira's screen still offers the option: it was disabled between the reading and the creation.
  let batches = 0;
  const by = bench.session({
    fetch: async (url, init) => {
      // The first batch is the epic.
      if (url.endsWith("/issue/bulk") && ++batches === 2)
        for (const option of field.options) option.isDisabled = true;
      return await fetch(url, init);
    },
  });
  const { events } = await bench.restoreInto(snapshot, target, { by });
  for (const option of field.options) option.isDisabled = false;
  expect(createdBy(events).issue).toBe(5);
  const story = issueIn(target, "Plan the route");
  expect(story?.fields.Severity).toBeUndefined();
  expect(story?.fields).toMatchObject({ Priority: "High", Components: "API" });
  expect(linesOf(events, "changed").some((line) => /^Field Severity of OPS-2: .*disabled/.test(line))).toBe(
    true,
  );
});

test("an issue that Jira refuses again and again comes back with what it needs only", async () => {
  const target = bench.makeProject("BAR");
  const needed = ["project", "issuetype", "summary", "parent"];
  // Names one wrong field at a time.
  const by = bench.session({
    fetch: async (url, init) => {
      if (!/\/api\/3\/issue(\/bulk)?$/.test(url)) return await fetch(url, init);
      const body = JSON.parse(String(init?.body));
      const isWrong = (fields: object) => Object.keys(fields).find((name) => !needed.includes(name));
      const wrong = (body.issueUpdates ?? [body]).map(({ fields }: { fields: object }) => isWrong(fields));
      if (wrong.every((name: string | undefined) => name === undefined)) return await fetch(url, init);
      const errors = { [wrong[0]]: "It is wrong." };
      const answer = body.issueUpdates
        ? {
            issues: [],
            errors: wrong.map((_: unknown, at: number) => ({
              failedElementNumber: at,
              elementErrors: { errors },
            })),
          }
        : { errorMessages: [], errors };
      return Response.json(answer, { status: 400 });
    },
  });
  const { events } = await bench.restoreInto(snapshot, target, { by });
  expect(createdBy(events).issue).toBe(5);
  expect(bench.dump(target).issues.every(({ fields }) => fields.Labels === undefined)).toBe(true);
  expect(linesOf(events, "changed").filter((line) => line.includes(" of OPS-2: ")).length).toBeGreaterThan(8);
});

test("a project without epics and fields gets what it can take, and the report names the rest", async () => {
  const target = bench.makeProject("BIZ", "business");
  const { events } = await bench.restoreInto(snapshot, target);
  expect(createdBy(events).issue).toBe(5);
  expect(issueIn(target, "Move the depot")?.type).toBe("Task");
  expect(issueIn(target, "Measure the bridge")).toMatchObject({ type: "Sub-task", parent: "Plan the route" });
  const changed = linesOf(events, "changed");
  expect(changed).toContain("Type Epic: The target has none on its level; such issues became Task.");
  expect(changed).toContain("Parents: The parent is not in the target, or its type there has no children.");
  expect(changed.some((line) => line.startsWith("Status In Review: Its issues got the status"))).toBe(true);
  expect(issueIn(target, "Plan the route")?.fields.Labels).toContain("sprint-Sprint-2");
});

test("a status is reached over several transitions of the workflow", async () => {
  const target = bench.makeProject("FLO");
  const scheme = bench.site.schemes.find(
    ({ id, kind }) => kind === "workflow" && id === target.schemeIds.workflow,
  )!;
  const workflow = bench.site.workflows.find(({ id }) => id === scheme.workflowIds?.default)!;
  const [todo, doing, review, done] = workflow.statusIds as [string, string, string, string];
  const step = (id: string, from: string, to: string) => ({
    id,
    name: id,
    kind: "DIRECTED" as const,
    from: [from],
    to,
  });
  workflow.transitions = [
    workflow.transitions.find(({ kind }) => kind === "INITIAL")!,
    step("11", todo, doing),
    step("21", doing, review),
    step("31", review, done),
  ];
  const { events } = await bench.restoreInto(snapshot, target);
  expect(issueIn(target, "Wrong gate")?.status).toBe("Done");
  // The answer to the second of three transitions is lost.
  const journal = memoryJournal();
  let moves = 0;
  const dying = bench.session({
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      if (url.endsWith("/transitions") && init?.method === "POST") moves += 1;
      if (moves < 5) return answer;
      throw new Error("The worker died.");
    },
  });
  await expect(bench.restoreInto(snapshot, target, { journal, by: dying })).rejects.toThrow();
  const resumed = await bench.restoreInto(snapshot, target, { journal });
  expect(comparedIn(resumed.events).statuses).toMatchObject({ same: 5, all: 5 });
  expect(issueIn(target, "Plan the route")?.status).toBe("In Review");
  workflow.transitions.pop();
  const blocked = await bench.restoreInto(snapshot, target);
  expect(comparedIn(events).statuses).toMatchObject({ same: 5, all: 5 });
  expect(comparedIn(blocked.events).statuses).toMatchObject({ same: 4, all: 5 });
  expect(linesOf(blocked.events, "changed")).toContain(
    "Status of OPS-4: No transition that the account may use leads to Done.",
  );
});

test("a transition whose screen wants a resolution gets the original's", async () => {
  const desk = bench.makeProject("RSO");
  const scheme = bench.site.schemes.find(
    ({ id, kind }) => kind === "workflow" && id === desk.schemeIds.workflow,
  )!;
  const workflow = bench.site.workflows.find(({ id }) => id === scheme.workflowIds?.default)!;
  const done = workflow.transitions.find(({ to }) => to === workflow.statusIds.at(-1))!;
  Object.assign(done, { screen: ["resolution"], required: ["resolution"], setsResolution: undefined });
  for (const [summary, resolution] of [
    ["Never mind", "10001"],
    ["Painted", "10000"],
  ] as const) {
    const issue = bench.makeIssue(desk, summary);
    transitionIssue(bench.simulator.world, bench.site, bench.personId("nora"), {
      ...{ issue, transition: done, values: { resolution } },
    });
  }
  const by = bench.session();
  const { events } = await bench.restoreInto(await bench.backUp(desk), desk, { by });
  const made = bench.dump(desk).issues.slice(2);
  expect(made.map(({ status, fields }) => [status, fields.Resolution])).toEqual([
    ["Done", "Won't Do"],
    ["Done", "Done"],
  ]);
  expect(linesOf(events, "changed").filter((line) => /^(Status|Resolution) /.test(line))).toEqual([]);
  // A transition's screen is asked for once.
  expect(by.requests.filter(({ url }) => url.includes("transitions.fields"))).toHaveLength(1);
});

test("a transition with a condition is gone round, and each is tried once", async () => {
  const target = bench.makeProject("CON");
  const scheme = bench.site.schemes.find(
    ({ id, kind }) => kind === "workflow" && id === target.schemeIds.workflow,
  )!;
  const workflow = bench.site.workflows.find(({ id }) => id === scheme.workflowIds?.default)!;
  const [todo, doing, , done] = workflow.statusIds as [string, string, string, string];
  const step = (id: string, from: string, to: string) => ({
    id,
    name: id,
    kind: "DIRECTED" as const,
    from: [from],
    to,
  });
  const condition = { kind: "role" as const, roleId: "10004" };
  workflow.transitions = [
    workflow.transitions.find(({ kind }) => kind === "INITIAL")!,
    { ...step("11", todo, done), condition },
    step("21", todo, doing),
    { ...step("31", doing, done), condition },
    step("41", doing, done),
  ];
  const by = bench.session();
  await bench.restoreInto(snapshot, target, { by });
  const bug = bench.issuesIn(target).find(({ values }) => values.summary === "Wrong gate")!;
  expect(issueIn(target, "Wrong gate")?.status).toBe("Done");
  const tried = by.requests.filter(
    ({ method, url }) => method === "POST" && url.endsWith(`/CON-${bug.number}/transitions`),
  );
  expect(tried).toHaveLength(4);
});

test("a restricted issue stays out of a project without its level, unless the user wants it", async () => {
  const guarded = bench.makeProject("SEC");
  const level = {
    id: "19001",
    name: "Board only",
    description: "",
    members: [{ kind: "user" as const, accountId: bench.personId("nora") }],
  };
  const scheme: Scheme = {
    id: "19000",
    kind: "security",
    name: "Levels",
    description: "",
    levels: [level],
    defaultLevelId: null,
  };
  bench.site.schemes.push(scheme);
  guarded.schemeIds.security = scheme.id;
  bench.makeIssue(guarded, "Salaries", { values: { security: level.id } });
  bench.makeIssue(guarded, "Parking");
  const version = await bench.backUp(guarded);
  const target = bench.makeProject("OPN");
  const { events } = await bench.restoreInto(version, target);
  expect(issueIn(target, "Salaries")).toBeUndefined();
  expect(createdBy(events).issue).toBe(1);
  expect(linesOf(events, "missing")[0]).toMatch(/^Issue SEC-1: Only some people may see it \(Board only\)/);
  const wanted = await bench.restoreInto(version, target, { answers: { restricted: true } });
  expect(createdBy(wanted.events).issue).toBe(2);
  const own = await bench.restoreInto(version, guarded);
  expect(createdBy(own.events).issue).toBe(2);
  expect(bench.issuesIn(guarded).filter(({ values }) => values.security === level.id)).toHaveLength(2);
});

test("people who left are named instead of set, and a file without bytes is missing in plan and report", async () => {
  const target = bench.makeProject("GON");
  const ivo = bench.simulator.world.state.people.find(({ email }) => email.startsWith("ivo"))!;
  ivo.isActive = false;
  const poor = await bench.backUp(source);
  const [path] = [...poor.entries.keys()].filter((one) => one.includes("/attachments/"));
  poor.entries.delete(path!);
  const { events } = await bench.restoreInto(poor, target);
  ivo.isActive = true;
  expect(linesOf(events, "changed")).toContain(
    "Assignee Ivo Petrov: The account may not set them, or they have left the site.",
  );
  expect(linesOf(events, "missing")).toEqual([
    "File route.png of OPS-2: The version does not hold its bytes.",
  ]);
  expect(createdBy(events).attachment).toBe(1);
});

test("many issues come in batches, in their order and rank, with one call for each fifty", async () => {
  const large = bench.makeProject("BIG");
  for (let number = 1; number <= 60; number++) bench.makeIssue(large, `Pallet ${number}`, { type: "Task" });
  const issues = bench.issuesIn(large);
  // The last one is ranked first.
  issues.at(-1)!.rank = "0|h00000:";
  const version = await bench.backUp(large);
  const target = bench.makeProject("BAG");
  const by = bench.session();
  const { events } = await bench.restoreInto(version, target, { by });
  const made = bench.issuesIn(target).toSorted((one, other) => one.number - other.number);
  expect(made.map(({ values }) => values.summary)).toEqual(issues.map(({ values }) => values.summary));
  expect(by.requests.filter(({ url }) => url.endsWith("/issue/bulk"))).toHaveLength(2);
  const ranked = made
    .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ values }) => values.summary);
  expect(ranked.slice(0, 3)).toEqual(["Pallet 60", "Pallet 1", "Pallet 2"]);
  expect(createdBy(events).issue).toBe(60);
  expect(by.requests.length).toBeLessThan(60 + 60);
});

test("a batch whose answer is lost is found by its marks, beside issues of others and although search lags", async () => {
  const target = bench.makeProject("LOS");
  bench.simulator.world.settings.indexLagMs = 60_000;
  // Search does not know the issues of this earlier restore, which have marks of their own.
  await bench.restoreInto(snapshot, target);
  const journal = memoryJournal();
  let batches = 0;
  const losing = bench.session({
    fetch: async (url, init) => {
      const isBatch = url.endsWith("/issue/bulk");
      // Somebody else makes an issue at the same time.
      if (isBatch) bench.makeIssue(target, "Of somebody else");
      const answer = await fetch(url, init);
      if (!isBatch || ++batches !== 1) return answer;
      await answer.body?.cancel();
      return new Response("", { status: 502 });
    },
  });
  await expect(bench.restoreInto(snapshot, target, { journal, by: losing })).rejects.toMatchObject({
    kind: "unavailable",
  });
  const { events } = await bench.restoreInto(snapshot, target, { journal });
  bench.simulator.world.settings.indexLagMs = 0;
  const summaries = bench.issuesIn(target).map(({ values }) => values.summary);
  expect(summaries.filter((one) => one !== "Of somebody else").sort()).toEqual(
    // The earlier restore's and this one's.
    [...bench.issuesIn(source), ...bench.issuesIn(source)].map(({ values }) => values.summary).sort(),
  );
  expect(createdBy(events).issue).toBe(5);
  expect(events.filter(({ type }) => type === "mapped")).toHaveLength(5);
});

test("an internal note of a service project stays internal", async () => {
  const desk = bench.makeProject("HLP", "service");
  const issue = bench.makeIssue(desk, "Printer", { type: "Incident" });
  const body = {
    type: "doc" as const,
    version: 1 as const,
    content: [{ type: "paragraph", content: [{ type: "text", text: "Secret" }] }],
  };
  const { addComment } = await import("../simulator/issue-parts.ts");
  addComment(bench.simulator.world, bench.site, bench.personId("nora"), { issue, body, isPublic: false });
  const version = await bench.backUp(desk);
  await bench.restoreInto(version, desk);
  const [, copy] = bench.issuesIn(desk);
  expect(copy?.comments.map(({ isPublic }) => isPublic)).toEqual([false]);
  // A Jira that shows it to customers all the same.
  const by = bench.session({
    fetch: async (url, init) => {
      const isComment = url.endsWith("/comment") && init?.method === "POST";
      if (!isComment) return await fetch(url, init);
      const { jsdPublic: _, ...body } = JSON.parse(String(init.body));
      return await fetch(url, { ...init, body: JSON.stringify(body) });
    },
  });
  const { events } = await bench.restoreInto(version, desk, { by });
  expect(bench.issuesIn(desk).at(-1)?.comments).toEqual([]);
  expect(linesOf(events, "missing")[0]).toMatch(/^A comment of HLP-1: It is internal/);
});

test("software projects ask to match columns; service and business projects do not", async () => {
  const asked = async (version: typeof snapshot, target: Project) =>
    (await restoreQuestions(bench.session(), version, bench.orderOf(target))).filter(
      ({ type }) => type === "matching",
    );
  const software = bench.makeProject("QUE", "kanban");
  const [question] = await asked(snapshot, software);
  expect(question).toMatchObject({ label: "Match Columns", name: "columns", isRequired: true });
  expect(question?.type === "matching" && question.left.map(({ label }) => label)).toEqual([
    "To Do",
    "In Progress",
    "In Review",
    "Done",
  ]);
  const counted = await restoreQuestions(bench.session(), snapshot, {
    ...bench.orderOf(software),
    hasCounts: true,
  });
  const matching = counted.find(({ type }) => type === "matching");
  expect(matching?.type === "matching" && matching.left.map(({ count }) => count)).toEqual([2, 1, 1, 1]);
  expect(question).not.toHaveProperty("counted");
  expect(question?.type === "matching" && question.right.map(({ label }) => label)).toEqual([
    "Backlog",
    "Selected for Development",
    "In Progress",
    "Done",
  ]);
  const desk = bench.makeProject("QUD", "service");
  const business = bench.makeProject("QUB", "business");
  expect(await asked(snapshot, desk)).toEqual([]);
  expect(await asked(snapshot, business)).toEqual([]);
  const version = await bench.backUp(desk);
  expect(await asked(version, software)).toEqual([]);
  const names = (await restoreQuestions(bench.session(), snapshot, bench.orderOf("New"))).map(
    ({ name }) => name,
  );
  expect(names).toEqual(["template", "key", "comments", "worklogs", "watchers", "restricted"]);
});

test("the columns of both projects are told for a matching; service projects are refused in the specified words", async () => {
  const target = bench.makeProject("COL", "kanban");
  const desk = bench.makeProject("COD", "service");
  const ask = (restoredProjectId: string) =>
    getProjectsColumns.handle(
      {
        session: bench.session(),
        openVersion: async () => ({
          item: { kind: "project", externalId: source.id, name: "", fullName: "" },
          snapshot,
        }),
      },
      { backedUpProjectId: "itm_1", restoredProjectId, versions: "ver_1" },
    );
  const answer = getProjectsColumns.result.parse(await ask(target.id));
  expect(answer).toEqual({
    backedUpProjectColumns: [
      { transitionId: expect.stringMatching(/^\d+$/), name: "To Do" },
      { transitionId: expect.stringMatching(/^\d+$/), name: "In Progress" },
      { transitionId: expect.stringMatching(/^\d+$/), name: "In Review" },
      { transitionId: expect.stringMatching(/^\d+$/), name: "Done" },
    ],
    restoredProjectColumns: ["Backlog", "Selected for Development", "In Progress", "Done"].map((name) => ({
      name,
    })),
  });
  await expect(ask(desk.id)).rejects.toThrow("Jira Service Management projects cannot match columns.");
  await expect(ask("99999999")).rejects.toMatchObject({ kind: "gone" });
});

test("watchers come along only if the user wants it", async () => {
  const quiet = bench.makeProject("QUI");
  const loud = bench.makeProject("LOU");
  const issue = bench.issuesIn(source).find(({ values }) => values.summary === "Wrong gate")!;
  issue.watcherIds.push(bench.personId("asa"));
  const version = await takeSnapshot(
    backUp(bench.session(), { item: await bench.itemOf(source), previous: null, cursor: null }),
  );
  await bench.restoreInto(version, quiet);
  const { events } = await bench.restoreInto(version, loud, { answers: { watchers: true } });
  expect(issueIn(quiet, "Wrong gate")?.watchers).toEqual(["Nora Lindqvist"]);
  expect(issueIn(loud, "Wrong gate")?.watchers).toEqual(["Nora Lindqvist", "Åsa Nyström"]);
  expect(createdBy(events).watcher).toBeGreaterThan(0);
});

test("a field of another type with the same name is not written", async () => {
  const own = bench.makeProject("TYP");
  const wide = createField(bench.simulator.world, bench.site, {
    name: "Width",
    type: "float",
    projectIds: [own.id],
  });
  bench.makeIssue(own, "Door", { values: { [wide.id]: 3 } });
  const version = await bench.backUp(own);
  const target = bench.makeProject("TYQ");
  createField(bench.simulator.world, bench.site, {
    name: "Width",
    type: "textfield",
    projectIds: [target.id],
  });
  const { events } = await bench.restoreInto(version, target);
  expect(issueIn(target, "Door")?.fields.Width).toBeUndefined();
  expect(linesOf(events, "changed")).toContain(
    "Field Width: The create screen of the target has no such field.",
  );
});
