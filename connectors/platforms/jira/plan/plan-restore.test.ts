import { expect, test } from "vitest";
import type { BackupEvent, RestoreOrder } from "#connectors/contract/platform-connector.ts";
import type { RestoreAnswers } from "#connectors/contract/restore-question.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { promisedBy } from "#tests/conformance/expect-plan-kept.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { recordPaths } from "../record-paths.ts";
import { planRestore } from "./plan-restore.ts";

const ACCOUNT = { accountName: "Meridian Freight" };
const TYPE = { id: "1", name: "Task", subtask: false, hierarchyLevel: 0 };
const DONE = { id: "9", name: "Done", statusCategory: { key: "done" } };

type Shape = {
  issues: number;
  typeKey?: string;
  fields?: (number: number) => { [name: string]: Json | undefined };
};

/** A version with issues, each with a comment, and every second one with a web link. */
function versionOf({ issues, typeKey = "software", fields = () => ({}) }: Shape): Promise<MemorySnapshot> {
  const record = (path: string, kind: string, value: Json): BackupEvent => ({
    type: "record",
    path,
    kind,
    value,
  });
  const project = { id: "10", key: "OPS", name: "Fleet", projectTypeKey: typeKey, style: "classic" };
  async function* events(): AsyncGenerator<BackupEvent> {
    yield record(recordPaths.project, "project", project);
    yield record(recordPaths.issueType(1), "issue-type", TYPE);
    yield record(recordPaths.status(9), "status", DONE);
    yield record(recordPaths.component(1), "component", { id: "1", name: "API" });
    for (const [id, state] of ["closed", "active", "future"].entries())
      yield record(recordPaths.sprint(id), "sprint", { id: String(id), name: state, state });
    for (let number = 1; number <= issues; number++) {
      const own = { summary: `Issue ${number}`, issuetype: TYPE, status: DONE, ...fields(number) } as Json;
      yield record(recordPaths.issue(number), "issue", {
        id: String(number),
        key: `OPS-${number}`,
        fields: own,
      });
      yield record(recordPaths.comment(number, number), "comment", { id: String(number) });
      const remoteLinks = [{ id: "1", object: { url: "https://wiki.example", title: "Wiki" } }];
      if (number % 2 === 0) yield record(recordPaths.issueExtras(number), "issue-extras", { remoteLinks });
    }
  }
  return takeSnapshot(events());
}

const into = (fullName: string, answers: RestoreAnswers = {}, part: string | null = null): RestoreOrder => ({
  target: { kind: "existing", item: { externalId: "20", name: "Other", fullName } },
  part,
  answers,
});
const linkTo = (key: string): Json => ({
  id: "1",
  type: { id: "1", name: "Blocks" },
  outwardIssue: { id: "2", key },
});

test("a large version is planned from few records, and the plan says that it is an estimate", async () => {
  const snapshot = await versionOf({ issues: 3_000 });
  let reads = 0;
  const counting = {
    ...snapshot,
    readRecord: async (path: string) => {
      reads += 1;
      return await snapshot.readRecord(path);
    },
  };
  const plan = await planRestore(ACCOUNT, counting, into("NEW · Other"));
  expect(reads).toBeLessThan(200);
  expect(plan.isEstimate).toBe(true);
  const { "web-link": webLinks, ...sure } = promisedBy(plan);
  expect(sure).toEqual({ issue: 3_000, comment: 3_000, component: 1, sprint: 2 });
  expect(webLinks).toBeGreaterThan(900);
  expect(webLinks).toBeLessThan(2_100);
});

test("a plan counts with the answers: what is left out costs nothing", async () => {
  const snapshot = await versionOf({ issues: 120 });
  const all = await planRestore(ACCOUNT, snapshot, into("NEW · Other"));
  const few = await planRestore(ACCOUNT, snapshot, into("NEW · Other", { comments: false }));
  expect(all.isEstimate).toBe(false);
  expect(promisedBy(few).comment).toBeUndefined();
  expect(all.cost.writes - few.cost.writes).toBe(120);
  expect(few.changed.map(({ what }) => what)).not.toContain("Authors and dates of comments");
  // Three batches, a transition and a web link for every second issue, the component, two sprints and their ranks.
  expect(few.cost.writes).toBe(3 + 120 + 60 + 1 + 2 + 3);
});

test("links to the original project count only where they can be made", async () => {
  const fields = (number: number) => (number === 1 ? { issuelinks: [linkTo("OPS-2"), linkTo("WEB-1")] } : {});
  const snapshot = await versionOf({ issues: 2, fields });
  const links = async (order: RestoreOrder) => promisedBy(await planRestore(ACCOUNT, snapshot, order)).link;
  expect(await links(into("NEW · Other"))).toBe(2);
  const part = recordPaths.issue(1);
  expect(await links(into("NEW · Other", {}, part))).toBe(1);
  expect(await links(into("OPS · Fleet", {}, part))).toBe(2);
});

test("restricted issues are left out of a new project, unless the user wants them", async () => {
  const fields = (number: number) => (number === 1 ? { security: { id: "1", name: "Board" } } : {});
  const snapshot = await versionOf({ issues: 3, fields });
  expect(promisedBy(await planRestore(ACCOUNT, snapshot, asNew("New"))).issue).toBe(2);
  const answers = { restricted: true };
  expect(promisedBy(await planRestore(ACCOUNT, snapshot, asNew("New", { answers }))).issue).toBe(3);
});

test("the template decides on sprints, and types that Jira's API cannot make are refused", async () => {
  const snapshot = await versionOf({ issues: 1 });
  const template = "com.pyxis.greenhopper.jira:gh-simplified-kanban-classic";
  expect(promisedBy(await planRestore(ACCOUNT, snapshot, asNew("New"))).sprint).toBe(2);
  const kanban = await planRestore(ACCOUNT, snapshot, asNew("New", { answers: { template } }));
  expect(promisedBy(kanban).sprint).toBeUndefined();
  const ideas = await versionOf({ issues: 1, typeKey: "product_discovery" });
  await expect(planRestore(ACCOUNT, ideas, asNew("New"))).rejects.toMatchObject({ kind: "unsupported" });
  expect(promisedBy(await planRestore(ACCOUNT, ideas, into("NEW · Other"))).issue).toBe(1);
  await expect(planRestore(ACCOUNT, ideas, into("NEW · Other", {}, "project.json"))).rejects.toMatchObject({
    kind: "unsupported",
  });
});
