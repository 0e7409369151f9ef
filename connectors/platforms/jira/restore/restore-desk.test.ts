import { afterAll, beforeAll, expect, test } from "vitest";
import { planRestore } from "../plan/plan-restore.ts";
import { restoreWords } from "../restore-words.ts";
import { transitionIssue, transitionsFrom } from "../simulator/issues.ts";
import { createField } from "../simulator/sites.ts";
import { openRestoreBench, type RestoreBench } from "../test-bench.ts";

let bench: RestoreBench;
beforeAll(async () => {
  bench = await openRestoreBench();
});
afterAll(() => bench.stop());

test("the type of a request is named in plan and report, because no call sets it", async () => {
  const desk = bench.makeProject("HLP", "service");
  const field = createField(bench.simulator.world, bench.site, {
    name: "Request Type",
    type: "vp-origin",
  });
  const requestOf = (name: string) => ({ [field.id]: { requestType: { id: "11", name } } });
  const values = [requestOf("Get help"), requestOf("Get help"), requestOf("Lost badge"), {}];
  for (const [index, own] of values.entries()) {
    const issue = bench.makeIssue(desk, `Request ${index}`);
    Object.assign(issue.values, own);
  }
  const version = await bench.backUp(desk);
  const reason = "Jira's API for issues sets none; customers see such requests without a type.";
  const wanted = ["Get help", "Lost badge"].map((name) => ({ what: `Request type ${name}`, reason }));
  const plan = await planRestore({ accountName: "Meridian" }, version, bench.orderOf(desk));
  const { events } = await bench.restoreInto(version, desk);
  const told = events.flatMap((event) =>
    event.type === "changed" && event.what.startsWith("Request type")
      ? [{ what: event.what, reason: event.reason }]
      : [],
  );
  expect(told).toEqual(wanted);
  expect(plan.changed.filter(({ what }) => what.startsWith("Request type"))).toEqual(wanted);
  expect(bench.issuesIn(desk)).toHaveLength(8);
});

test("issues of a service project get the status of the same name, or one of the same kind, as the screens say", async () => {
  const desk = bench.makeProject("SDK", "service");
  const issues = ["Fix the printer", "Lend a badge"].map((summary) => bench.makeIssue(desk, summary));
  const ways = transitionsFrom(bench.site, issues[0]!);
  const transition = ways.find(
    ({ to }) => bench.site.statuses.find(({ id }) => id === to)?.category === "done",
  )!;
  transitionIssue(bench.simulator.world, bench.site, bench.personId("nora"), {
    issue: issues[0]!,
    transition,
  });
  const version = await bench.backUp(desk);
  const statusesIn = (project: typeof desk) =>
    Object.fromEntries(bench.dump(project).issues.map(({ summary, status }) => [summary, status]));
  const same = bench.makeProject("SDL", "service");
  await bench.restoreInto(version, same);
  expect(statusesIn(same)).toEqual(statusesIn(desk));
  expect(restoreWords.unmatched.service_desk.instead).toContain("same name");
  const software = bench.makeProject("SDM");
  await bench.restoreInto(version, software);
  expect(statusesIn(software)).toEqual({ "Fix the printer": "Done", "Lend a badge": "In Progress" });
});
