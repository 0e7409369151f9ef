import { expect, test } from "vitest";
import { documentOf, jiraForTest, jsonOf } from "./test-world.ts";

const HEADERS = ["retry-after", "ratelimit-reason", "x-ratelimit-remaining", "ratelimit", "ratelimit-policy"];
const headersOf = (answer: Response) =>
  Object.fromEntries(HEADERS.map((name) => [name, answer.headers.get(name)]));

test("the hour's points are shared by all sites; a read costs what it tells, and tokens of people cost nothing", async () => {
  const jira = await jiraForTest();
  await jira.project();
  for (const summary of ["A", "B", "C"]) await jira.issue("QUAY", summary);
  const used = async () => (await jsonOf(fetch(`${jira.url}/__sim/jira/points`))).used;
  const cost = async (path: string, init = {}) => {
    const before = await used();
    await (await jira.ask(path, init)).text();
    return (await used()) - before;
  };
  const search = { method: "POST", body: { jql: "project = QUAY" } };
  expect(await cost("/search/jql", search)).toBe(4);
  expect(await cost("/issue/QUAY-1")).toBe(2);
  expect(await cost("/issue/QUAY-1/comment", { method: "POST", body: { body: documentOf("x") } })).toBe(1);
  expect(await cost("/myself")).toBe(3);
  const { authorization } = await jira.control("api-token", { scopes: ["read:jira-work"] });
  expect(await cost("/search/jql", { ...search, as: authorization })).toBe(0);
  await jira.control("exhaust-quota");
  const answer = await jira.ask("/issue/QUAY-1");
  expect(answer.status).toBe(429);
  expect(headersOf(answer)).toMatchObject({
    "ratelimit-reason": "jira-quota-global-based",
    "x-ratelimit-remaining": "0",
    "ratelimit-policy": `"quota-global-based";q=65000;w=3600`,
  });
  // The other site of the same app is refused as well; the person's own token is not.
  const other = jira.world.state.sites[1]!.cloudId;
  const headers = { Authorization: jira.headerOf("nora@meridian.example") };
  expect((await fetch(`${jira.url}/ex/jira/${other}/rest/api/3/myself`, { headers })).status).toBe(429);
  expect((await jira.ask("/issue/QUAY-1", { as: authorization })).status).toBe(200);
  await jira.control("reset-limits");
  expect((await jira.ask("/issue/QUAY-1")).status).toBe(200);
});

test("a site with a pool of its own draws on it alone", async () => {
  const jira = await jiraForTest();
  await jira.project();
  await jira.control("settings", { tenantPoints: 6 });
  expect((await jira.ask("/myself")).headers.get("x-ratelimit-remaining")).toBe("3");
  await jira.ask("/myself");
  const answer = await jira.ask("/myself");
  expect([answer.status, answer.headers.get("ratelimit-reason")]).toEqual([429, "jira-quota-tenant-based"]);
  const other = jira.world.state.sites[1]!.cloudId;
  const headers = { Authorization: jira.headerOf("nora@meridian.example") };
  expect((await fetch(`${jira.url}/ex/jira/${other}/rest/api/3/myself`, { headers })).status).toBe(200);
});

test("a burst ends one endpoint for a second, and leaves the others", async () => {
  const jira = await jiraForTest();
  await jira.project();
  await jira.control("settings", { burstRead: 5 });
  for (let count = 0; count < 5; count += 1) expect((await jira.ask("/field")).status).toBe(200);
  const answer = await jira.ask("/field");
  expect(answer.status).toBe(429);
  expect(headersOf(answer)).toMatchObject({ "ratelimit-reason": "jira-burst-based", "retry-after": "1" });
  expect((await jira.ask("/myself")).status).toBe(200);
});

test("one issue takes a number of writes in two seconds and in thirty, another one is free", async () => {
  const jira = await jiraForTest();
  await jira.project();
  await jira.issue("QUAY", "A");
  await jira.issue("QUAY", "B");
  await jira.control("settings", { issueWritesShort: 3 });
  const write = (key: string) =>
    jira.ask(`/issue/${key}`, { method: "PUT", body: { fields: { summary: "x" } } });
  for (let count = 0; count < 3; count += 1) expect((await write("QUAY-1")).status).toBe(204);
  const answer = await write("QUAY-1");
  expect([answer.status, answer.headers.get("ratelimit-reason")]).toEqual([429, "jira-per-issue-on-write"]);
  expect((await write("QUAY-2")).status).toBe(204);
  expect((await jira.ask("/issue/QUAY-1")).status).toBe(200);
});

test("each shape of a limit can be ordered as a fault, and an unknown shape is refused", async () => {
  const jira = await jiraForTest();
  for (const [shape, reason] of [
    ["global", "jira-quota-global-based"],
    ["tenant", "jira-quota-tenant-based"],
    ["burst", "jira-burst-based"],
    ["issue", "jira-per-issue-on-write"],
  ] as const) {
    jira.faults.add({
      match: { path: "/myself" },
      skip: 0,
      times: 1,
      action: { kind: "rate-limit", shape, retryAfter: "7" },
    });
    const answer = await jira.ask("/myself");
    expect(headersOf(answer)).toMatchObject({ "ratelimit-reason": reason, "retry-after": "7" });
  }
  const action = { kind: "rate-limit", shape: "lunar" };
  const order = await fetch(`${jira.url}/__sim/faults`, {
    method: "POST",
    body: JSON.stringify({ match: {}, action }),
  });
  expect(order.status).toBe(400);
});

test("search learns of a change after the index's lag, unless it is asked to look afresh", async () => {
  const jira = await jiraForTest();
  await jira.project();
  const known = await jira.issue("QUAY", "Known");
  const before = Date.now();
  await jira.search("project = QUAY");
  await jira.control("index-lag", { ms: 150 });
  const fresh = await jira.issue("QUAY", "Fresh");
  await jira.put("/issue/QUAY-1", { fields: { summary: "Changed" } });
  expect(await jira.search("project = QUAY")).toEqual([known.id]);
  expect(await jira.search(`project = QUAY AND updated > ${before}`)).toEqual([]);
  const reconcileIssues = [Number(fresh.id), Number(known.id)];
  expect(await jira.search(`project = QUAY AND updated > ${before}`, { reconcileIssues })).toHaveLength(2);
  // Reading an issue by its key does not ask the index.
  expect((await jira.get("/issue/QUAY-2")).fields.summary).toBe("Fresh");
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await jira.search("project = QUAY")).toEqual([fresh.id, known.id]);
});

test("a gateway that gives up has let the API do its work", async () => {
  const jira = await jiraForTest();
  await jira.project();
  await jira.control("spoil-answers", { method: "POST", path: "/comment$" });
  await jira.issue("QUAY", "A");
  const order = { method: "POST", body: { body: documentOf("x") } };
  expect((await jira.ask("/issue/QUAY-1/comment", order)).status).toBe(504);
  expect((await jira.get("/issue/QUAY-1/comment")).total).toBe(1);
});
