import { expect, test } from "vitest";
import { type Json, jiraForTest } from "./test-world.ts";

test("the demo has a project of each type, and each is read whole without a refusal", async () => {
  const jira = await jiraForTest({ seed: "demo" });
  const { values } = await jira.get("/project/search?expand=insight");
  expect(values.map(({ key, projectTypeKey, style }: Json) => [key, projectTypeKey, style])).toEqual([
    ["BILL", "business", "classic"],
    ["CUST", "software", "classic"],
    ["DIS", "software", "classic"],
    ["EMPT", "software", "classic"],
    ["HELP", "service_desk", "classic"],
    ["IDEA", "product_discovery", "next-gen"],
    ["OPS", "software", "classic"],
    ["YARD", "software", "next-gen"],
  ]);
  for (const { key, insight } of values) {
    const order = { jql: `project = ${key}`, fields: ["*all"], expand: "changelog", maxResults: 100 };
    const { issues, isLast } = await jira.post("/search/jql", order);
    expect([key, issues.length, isLast]).toEqual([key, insight.totalIssueCount, true]);
  }
  const [board] = (await jira.agile("/board?projectKeyOrId=OPS")).values;
  const sprints = await jira.agile(`/board/${board.id}/sprint`);
  expect(sprints.values.map(({ state }: Json) => state)).toEqual([
    "closed",
    "closed",
    "closed",
    "active",
    "future",
  ]);
  expect(await jira.get("/project/OPS/versions")).toHaveLength(2);
  expect(jira.log.refusals()).toEqual([]);
});
