import { afterAll, beforeAll, expect, test } from "vitest";
import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { createdBy, promisedBy } from "#tests/conformance/expect-plan-kept.ts";
import { memoryJournal } from "#tests/conformance/test-session.ts";
import { samplePoints, sweep } from "#tests/harness/sample.ts";
import { planRestore } from "../plan/plan-restore.ts";
import { plainText } from "../simulator/adf.ts";
import { exhaust } from "../simulator/limits.ts";
import type { Project } from "../simulator/state.ts";
import { fillProject, openRestoreBench, type RestoreBench } from "../test-bench.ts";
import { contentOf, reportOf } from "../test-outcomes.ts";
import { COLUMNS } from "./answers.ts";

let bench: RestoreBench;
let source: Project;
let outside: Project;
let snapshot: Awaited<ReturnType<RestoreBench["backUp"]>>;
beforeAll(async () => {
  bench = await openRestoreBench();
  source = bench.makeProject("OPS");
  outside = bench.makeProject("WEB");
  fillProject(bench, source, outside);
  snapshot = await bench.backUp(source);
});
afterAll(() => bench.stop());

const ACCOUNT = { accountName: "Meridian Freight" };
const PATIENCE_MS = 120_000;

const bySummary = (project: Project) =>
  Object.fromEntries(bench.dump(project).issues.map((issue) => [issue.summary as string, issue]));
const linesOf = (events: readonly RestoreEvent[], type: "changed" | "impossible" | "missing") =>
  events.flatMap((event) => (event.type === type ? [event.what] : []));
test("issues come into another project with everything that belongs to them, and the original does not change", async () => {
  const before = bench.dump(source);
  const target = bench.makeProject("AAA");
  const there = bench.makeIssue(target, "Was there before");
  const { events, item } = await bench.restoreInto(snapshot, target);
  expect(bench.dump(source)).toEqual(before);
  expect(item).toMatchObject({ externalId: target.id, webUrl: `${bench.siteUrl}/browse/AAA` });
  const made = bySummary(target);
  expect(made["Was there before"]).toMatchObject({ changes: there.changes.length });
  expect(made["Plan the route"]).toMatchObject({
    type: "Story",
    status: "In Review",
    parent: "Move the depot",
    fields: {
      Priority: "High",
      Assignee: "Ivo Petrov",
      Reporter: "Ivo Petrov",
      Labels: "route winter",
      Components: "API",
      "Fix versions": "1.0",
      "Due date": "2026-05-01",
      Severity: "High",
      Sprint: "Sprint 2",
    },
  });
  expect(made["Measure the bridge"]).toMatchObject({
    type: "Sub-task",
    parent: "Plan the route",
    status: "In Progress",
  });
  expect(made["Wrong gate"]).toMatchObject({
    status: "Done",
    fields: { Resolution: "Done", Labels: "sprint-Sprint-1" },
    remoteLinks: [{ url: "https://wiki.example/gate", title: "Gates", relationship: "wiki" }],
    links: [["relates to", "Elsewhere"]],
  });
  expect(made["Clean the yard"]?.links).toEqual([["blocks", "Plan the route"]]);
  expect(made["Wrong gate"]?.properties).toMatchObject({ "holdfast.restored": { key: "OPS-4" } });
  const keys = events.flatMap((event) => (event.type === "mapped" ? [[event.from, event.to]] : []));
  expect(Object.fromEntries(keys)).toEqual({
    "OPS-1": "AAA-2",
    "OPS-2": "AAA-3",
    "OPS-3": "AAA-6",
    "OPS-4": "AAA-4",
    "OPS-5": "AAA-5",
  });
});

test("texts name their author, show the restored files and mention the new keys; restricted comments stay restricted", async () => {
  const target = bench.makeProject("BBB");
  await bench.restoreInto(snapshot, target);
  const { "Plan the route": story, "Wrong gate": bug } = bySummary(target);
  const description = plainText(story?.description);
  expect(description).toContain("Restored from OPS-2, created by Nora Lindqvist on 2 March 2026");
  expect(description).toContain("Blocked by BBB-4, see  @Ivo Petrov");
  expect(JSON.stringify(story?.description)).toContain(`${bench.siteUrl}/browse/BBB-3`);
  const shown = bench.issuesIn(target).find(({ values }) => values.summary === "Plan the route")
    ?.attachments[0]?.id;
  expect(JSON.stringify(story?.description)).toContain(`/rest/api/3/attachment/content/${shown}`);
  expect(story?.fields.Notes).toBe("As in BBB-1.");
  expect(story?.attachments.map(({ sha256 }) => sha256)).toEqual(
    bySummary(source)["Plan the route"]?.attachments.map(({ sha256 }) => sha256),
  );
  const comments = story?.comments.map(({ body, visibility }) => [plainText(body), visibility]) ?? [];
  expect(comments[0]?.[0]).toMatch(/^Ivo Petrov wrote this on .*\nSame as BBB-3 @Ivo Petrov$/s);
  expect(comments[1]?.[1]).toBe("role");
  expect(JSON.stringify(bench.dump(target))).not.toContain('"mention"');
  expect(bug?.worklogs).toMatchObject([{ seconds: 600 }]);
  expect(plainText(story?.worklogs[0]?.comment)).toBe("Logged by Ivo Petrov.\nDriving");
});

test("a plan promises what the report counts, into an existing project, a new one and for a part", async () => {
  const target = bench.makeProject("CCC");
  const part = [...snapshot.entries.keys()].find((path) => path.includes("10001/issue.json")) ?? null;
  expect(part).not.toBeNull();
  for (const [into, of, answers] of [
    [target, null, {}],
    ["Planned", null, { watchers: true }],
    [target, part, { comments: false }],
  ] as const) {
    const order = bench.orderOf(into, answers, of);
    const plan = await planRestore(ACCOUNT, snapshot, order);
    const by = bench.session();
    const { events } = await bench.restoreInto(snapshot, into, { answers, part: of, by });
    expect(promisedBy(plan)).toEqual(createdBy(events));
    expect(plan.impossible.map(({ what }) => what).sort()).toEqual(linesOf(events, "impossible").sort());
    expect(plan.missing.map(({ what }) => what).sort()).toEqual(linesOf(events, "missing").sort());
    const all = by.requests.length;
    expect(Math.abs(plan.cost.reads + plan.cost.writes - all)).toBeLessThan(Math.max(12, all * 0.3));
  }
});

test("one issue comes with its sub-tasks, and links to the original project are left out", async () => {
  const target = bench.makeProject("DDD");
  const part = [...snapshot.entries.keys()].find((path) => path.includes("10001/issue.json")) ?? "";
  const { item, events } = await bench.restoreInto(snapshot, target, { part });
  expect(Object.keys(bySummary(target)).sort()).toEqual(["Measure the bridge", "Plan the route"]);
  expect(item).toMatchObject({ name: "Plan the route", webUrl: `${bench.siteUrl}/browse/DDD-1` });
  expect(linesOf(events, "changed")).toContain("Link of OPS-2 to OPS-5");
  const record = await bench
    .restoreInto(snapshot, target, { part: "project.json" })
    .catch((error: unknown) => error);
  expect(record).toMatchObject({ kind: "unsupported" });
});

test("a new project gets a free key and the content, and a taken name gets a number", async () => {
  const { item, events } = await bench.restoreInto(snapshot, "Fleet again", { answers: { key: "fleet" } });
  const again = await bench.restoreInto(snapshot, "Fleet again", { answers: { key: "fleet" } });
  const project = bench.site.projects.find(({ id }) => id === item.externalId)!;
  expect([project.key, project.name]).toEqual(["FLEET", "Fleet again"]);
  expect(again.item.name).toBe("Fleet again-2");
  expect(again.item.externalId).not.toBe(item.externalId);
  expect(createdBy(events).issue).toBe(5);
  expect(Object.keys(bySummary(project))).toHaveLength(5);
});

test("matched columns decide the status, and a column that is left out leaves its issues at the start", async () => {
  const target = bench.makeProject("EEE", "kanban");
  const status = (name: string) =>
    bench.site.statuses.find((one) => one.name === name && one.scope === null)!.id;
  const columns = {
    [status("To Do")]: "Done",
    [status("In Progress")]: "Selected for Development",
    [status("In Review")]: "In Progress",
    [status("Done")]: null,
  };
  const { events } = await bench.restoreInto(snapshot, target, { answers: { [COLUMNS]: columns } });
  const made = bySummary(target);
  const statusOf = (summary: string) => made[summary]?.status;
  expect(statusOf("Clean the yard")).toBe("Done");
  expect(statusOf("Measure the bridge")).toBe("Selected for Development");
  expect(statusOf("Plan the route")).toBe("In Progress");
  expect(statusOf("Wrong gate")).toBe("Backlog");
  expect(linesOf(events, "changed")).toContain("Status Done");
});

test(
  "a restore that dies at any journal entry goes on without duplicates, with the same content and report",
  async () => {
    const whole = bench.makeProject("FFF");
    const counting = memoryJournal();
    const first = await bench.restoreInto(snapshot, whole, { journal: counting });
    const wanted = contentOf(bench, whole);
    await sweep(async () => {
      for (const death of samplePoints(counting.recorded(), 3)) {
        const target = bench.makeProject(`FA${death}`);
        const journal = memoryJournal();
        journal.failAt = death;
        await expect(bench.restoreInto(snapshot, target, { journal })).rejects.toThrow("The worker died.");
        journal.failAt = null;
        const { events } = await bench.restoreInto(snapshot, target, { journal });
        expect(contentOf(bench, target), `dead at note ${death}`).toBe(wanted);
        expect(reportOf(events, target), `dead at note ${death}`).toEqual(reportOf(first.events, whole));
      }
    });
  },
  PATIENCE_MS,
);

test(
  "a restore whose answer is lost at any request goes on without duplicates, although search lags",
  async () => {
    const whole = bench.makeProject("GGG");
    const by = bench.session();
    await bench.restoreInto(snapshot, whole, { by });
    const wanted = contentOf(bench, whole);
    bench.simulator.world.settings.indexLagMs = 60_000;
    await sweep(async () => {
      for (const lost of samplePoints(by.requests.length, 3)) {
        const target = bench.makeProject(`GA${lost}`);
        const journal = memoryJournal();
        let sent = 0;
        const dying = bench.session({
          fetch: async (url, init) => {
            const answer = await fetch(url, init);
            sent += 1;
            if (sent < lost) return answer;
            await answer.body?.cancel();
            throw new Error("The worker died.");
          },
        });
        await bench.restoreInto(snapshot, target, { journal, by: dying }).catch(() => undefined);
        await bench.restoreInto(snapshot, target, { journal });
        expect(contentOf(bench, target), `lost the answer to request ${lost}`).toBe(wanted);
      }
    });
    bench.simulator.world.settings.indexLagMs = 0;
  },
  PATIENCE_MS,
);

test("a restore that meets the end of the quota stops with a time, and a later attempt makes the rest", async () => {
  const whole = bench.makeProject("HHH");
  const by = bench.session();
  const first = await bench.restoreInto(snapshot, whole, { by });
  const target = bench.makeProject("HAA");
  const journal = memoryJournal();
  let sent = 0;
  const { world } = bench.simulator;
  const spending = bench.session({
    fetch: async (url, init) => {
      sent += 1;
      if (sent === Math.floor(by.requests.length / 2)) exhaust(world, null);
      return await fetch(url, init);
    },
  });
  const failure = await bench
    .restoreInto(snapshot, target, { journal, by: spending })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind: "rate-limited" });
  expect((failure as { retryAt: number }).retryAt).toBeGreaterThan(Date.now());
  world.ledger.windows.clear();
  const { events } = await bench.restoreInto(snapshot, target, { journal });
  expect(contentOf(bench, target)).toBe(contentOf(bench, whole));
  expect(reportOf(events, target)).toEqual(reportOf(first.events, whole));
});

test("a restore that hands over at every checkpoint gives the same", async () => {
  const whole = bench.makeProject("III");
  await bench.restoreInto(snapshot, whole);
  const target = bench.makeProject("IAA");
  const journal = memoryJournal();
  const { restore } = await import("./restore.ts");
  for (let slice = 0; ; slice++) {
    const run = restore(bench.session(), snapshot, bench.orderOf(target), journal);
    let met = 0;
    let isDone = false;
    for (;;) {
      const step = await run.next();
      isDone = step.done === true;
      if (isDone || (!step.done && step.value.type === "checkpoint" && met++ > slice * 3)) break;
    }
    if (isDone) break;
    await run.return({ externalId: "", name: "", fullName: "", webUrl: "" });
  }
  expect(contentOf(bench, target)).toBe(contentOf(bench, whole));
});
