import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type Json, jiraForTest } from "./test-world.ts";

test("a project with one of everything is read whole: fields of each type, parts, history", async () => {
  const jira = await jiraForTest();
  await jira.project({ content: "full" });
  const { issues, names, schema, isLast } = await jira.post("/search/jql", {
    jql: "project = QUAY ORDER BY created ASC",
    fields: ["*all"],
    expand: "names,schema,changelog",
  });
  expect(isLast).toBe(true);
  expect(issues.map(({ key }: Json) => key)).toEqual(["QUAY-1", "QUAY-2", "QUAY-3", "QUAY-4"]);
  const [rich] = issues;
  const byName = Object.fromEntries(Object.entries(names).map(([id, name]) => [name as string, id]));
  const value = (name: string) => rich.fields[byName[name]!];
  expect(value("Tonnes")).toBe(24.75);
  expect(value("Route")).toMatchObject({ value: "Baltic", child: { value: "Göteborg–Kiel" } });
  expect(value("Papers").map((one: Json) => one.value)).toEqual(["CMR", "T1"]);
  expect(value("Crew").map((one: Json) => one.displayName)).toEqual(["Nora Lindqvist", "Ivo Petrov"]);
  expect(value("Informed groups")).toHaveLength(2);
  expect(value("Handover notes").type).toBe("doc");
  // Times are in the zone of whoever asks.
  expect(value("Loaded at")).toBe("2026-11-20T05:40:00.000+0100");
  expect(schema[byName.Route!]).toMatchObject({
    type: "option-with-child",
    custom: expect.stringContaining("cascadingselect"),
  });
  expect(rich.fields.attachment.map(({ filename, size }: Json) => [filename, size > 0])).toEqual([
    ["Ångström (1) 100% #1.png", true],
    ["scan?.bin", true],
    ["scan?.bin", true],
    ["empty.txt", false],
  ]);
  expect(rich.fields.comment).toMatchObject({
    total: 2,
    comments: [{ jsdPublic: true }, { visibility: { type: "role", value: "Member" } }],
  });
  expect(rich.fields.worklog).toMatchObject({
    total: 1,
    worklogs: [{ timeSpentSeconds: 5_400, timeSpent: "1h 30m" }],
  });
  expect(rich.fields.issuelinks[0]).toMatchObject({
    type: { outward: "blocks" },
    outwardIssue: { key: "QUAY-2" },
  });
  expect(rich.fields.subtasks[0]).toMatchObject({ key: "QUAY-3", fields: { issuetype: { subtask: true } } });
  expect(rich.fields.timetracking).toMatchObject({
    originalEstimate: "1d 2h",
    remainingEstimate: "4h",
    timeSpent: "1h 30m",
  });
  expect(rich.changelog.histories[0].items[0].field).toBe("Link");
  expect(rich.changelog.total).toBeGreaterThan(6);
  for (const part of ["watchers", "votes", "remotelink", "properties", "comment", "worklog", "changelog"]) {
    await jira.get(`/issue/QUAY-1/${part}`);
  }
  expect(await jira.get("/issue/QUAY-1/properties/meridian.weighbridge")).toMatchObject({
    value: { gross: 38.4 },
  });
  expect((await jira.get("/issue/QUAY-1/watchers")).watchers).toHaveLength(2);
  expect(jira.log.refusals()).toEqual([]);
});

test("a search tells ids only by default, other fields when asked, and pages by token to the end", async () => {
  const jira = await jiraForTest();
  await jira.project();
  await jira.control("sites/meridian/projects/QUAY/generate", { issues: 240, comments: 3 });
  const jql = "project = QUAY ORDER BY created ASC";
  const first = await jira.post("/search/jql", { jql });
  expect(first.issues).toHaveLength(50);
  expect(Object.keys(first.issues[0])).toEqual(["id"]);
  expect(first).not.toHaveProperty("total");
  expect(await jira.search(jql, { maxResults: 5_000 })).toHaveLength(240);
  const seen: string[] = [];
  for (let nextPageToken: string | undefined; ; ) {
    const order = {
      jql,
      fields: ["summary"],
      maxResults: 5_000,
      ...(nextPageToken ? { nextPageToken } : {}),
    };
    const page = await jira.post("/search/jql", order);
    expect(page.issues.length).toBeLessThanOrEqual(100);
    expect(Object.keys(page.issues[0].fields)).toEqual(["summary"]);
    seen.push(...page.issues.map(({ id }: Json) => id));
    nextPageToken = page.nextPageToken;
    if (page.isLast) break;
  }
  expect(new Set(seen).size).toBe(240);
  expect(await jira.post("/search/approximate-count", { jql: "project = QUAY" })).toEqual({ count: 240 });
  const { nextPageToken } = first;
  const [status] = await jira.refusal("/search/jql", {
    method: "POST",
    body: { jql: "project = 10000", nextPageToken },
  });
  expect(status).toBe(400);
});

test("JQL is bounded, compares times by the minute in the asker's zone or by milliseconds, and knows keys", async () => {
  const jira = await jiraForTest();
  await jira.project();
  const at = Date.parse("2026-03-04T09:30:40Z");
  const old = await jira.issue("QUAY", "Old", { at: at - 3_600_000 });
  const fresh = await jira.issue("QUAY", "Fresh", { at });
  const where = (condition: string, as?: string) =>
    jira.get("/search/jql", {
      method: "POST",
      body: { jql: `project = QUAY AND ${condition}` },
      ...(as ? { as } : {}),
    });
  const idsOf = ({ issues }: Json) => issues.map(({ id }: Json) => id);
  expect(idsOf(await where(`updated >= "2026/03/04 10:30"`))).toEqual([fresh.id]);
  // Ivo is an hour further east.
  const ivo = jira.headerOf("ivo@meridian.example");
  expect(idsOf(await where(`updated >= "2026-03-04 10:30"`, ivo))).toEqual([fresh.id, old.id]);
  expect(idsOf(await where(`updated >= ${at}`))).toEqual([fresh.id]);
  expect(idsOf(await where(`updated > ${at}`))).toEqual([]);
  expect(idsOf(await where("key in (QUAY-1, 'QUAY-2') ORDER BY key ASC"))).toEqual([old.id, fresh.id]);
  for (const jql of [
    "",
    "ORDER BY created",
    "project = QUAY AND summary ~ x",
    "project = NONE",
    "key = QUAY-9",
    "project = QUAY ORDER BY votes",
    `project = QUAY AND updated >= "2026-03-04T10:30"`,
  ]) {
    expect((await jira.refusal("/search/jql", { method: "POST", body: { jql } }))[0], jql).toBe(400);
  }
  expect((await jira.refusal("/search?jql=project=QUAY"))[0]).toBe(410);
});

test("the bulk reads take a hundred issues, tell missing ones, and page the history", async () => {
  const jira = await jiraForTest();
  await jira.project({ content: "full" });
  const { issues, issueErrors } = await jira.post("/issue/bulkfetch", {
    issueIdsOrKeys: ["QUAY-2", "QUAY-1", "NONE-7"],
    fields: ["summary", "customfield_10000"],
    expand: ["changelog"],
  });
  expect(issues.map(({ key }: Json) => key)).toEqual(["QUAY-1", "QUAY-2"]);
  expect(issueErrors).toMatchObject([{ id: "NONE-7" }]);
  const issueIdsOrKeys = Array.from({ length: 101 }, (_, index) => `QUAY-${index}`);
  expect((await jira.refusal("/issue/bulkfetch", { method: "POST", body: { issueIdsOrKeys } }))[0]).toBe(400);
  const seen: string[] = [];
  for (let nextPageToken: string | undefined; ; ) {
    const order = {
      issueIdsOrKeys: ["QUAY-1", "QUAY-2"],
      maxResults: 4,
      ...(nextPageToken ? { nextPageToken } : {}),
    };
    const page = await jira.post("/changelog/bulkfetch", order);
    for (const { changeHistories } of page.issueChangeLogs)
      seen.push(...changeHistories.map(({ id }: Json) => id));
    nextPageToken = page.nextPageToken;
    if (nextPageToken === undefined) break;
  }
  const { total } = await jira.get("/issue/QUAY-1/changelog");
  expect(new Set(seen).size).toBe(total + (await jira.get("/issue/QUAY-2/changelog")).total);
});

test("a file is at another origin behind a signed address, which refuses our token; or comes directly", async () => {
  const jira = await jiraForTest();
  await jira.project();
  await jira.issue("QUAY", "With a file");
  const { id } = await jira.control("sites/meridian/issues/QUAY-1/attachments", {
    fileName: "a.txt",
    text: "ahoy",
  });
  const answer = await jira.ask(`/attachment/content/${id}`);
  expect(answer.status).toBe(303);
  const location = answer.headers.get("location")!;
  expect(new URL(location).origin).toBe(jira.media.url);
  expect(await (await fetch(location)).text()).toBe("ahoy");
  const part = await fetch(location, { headers: { Range: "bytes=1-2" } });
  expect([part.status, await part.text()]).toEqual([206, "ho"]);
  expect((await fetch(location, { headers: { Authorization: "Bearer x" } })).status).toBe(400);
  expect(jira.media.log.refusals()).toEqual([]);
  expect(jira.log.refusals()).toHaveLength(1);
  const direct = await jira.ask(`/attachment/content/${id}?redirect=false`);
  expect(
    createHash("sha256")
      .update(Buffer.from(await direct.arrayBuffer()))
      .digest("hex"),
  ).toBe(createHash("sha256").update("ahoy").digest("hex"));
});

test("the configuration of a project is read: types, statuses, workflows, schemes, roles, parts, filters", async () => {
  const jira = await jiraForTest();
  const project = await jira.project({ content: "full" });
  await jira.project({ key: "TEAM", name: "Team", template: "team" });
  for (const path of [
    ...[
      "/myself",
      "/field",
      "/field/search",
      "/status",
      "/statuses/search",
      "/statuses?id=10001",
      "/issuetype",
    ],
    ...[
      "/priority/search",
      "/resolution",
      "/issueLinkType",
      "/filter/search?expand=jql,owner,sharePermissions,viewUrl",
    ],
    ...[
      `/filter/10000`,
      "/workflows/search",
      "/priorityscheme",
      "/screens",
      "/screenscheme",
      "/screens/10000/tabs",
    ],
    ...["/screens/10000/tabs/10000/fields", "/issuetypescheme/mapping", "/issuetypescreenscheme/mapping"],
    ...["issuetypescheme", "workflowscheme", "issuetypescreenscheme", "fieldconfigurationscheme"].map(
      (scheme) => `/${scheme}/project?projectId=${project.id}`,
    ),
    ...[
      "",
      "/statuses",
      "/components",
      "/versions",
      "/version",
      "/role",
      "/role/10002",
      "/role/10003",
      "/features",
    ].map((part) => `/project/QUAY${part}`),
    ...[
      "/permissionscheme?expand=all",
      "/notificationscheme?expand=all",
      "/issuesecuritylevelscheme",
      "/securitylevel",
    ].map((part) => `/project/QUAY${part}`),
    ...[
      "/project/QUAY/properties",
      "/issuesecurityschemes/level/member",
      `/issuetype/project?projectId=${project.id}`,
    ],
    ...[
      "/users/search",
      "/user/search?query=ivo",
      "/license/approximateLicenseCount",
      "/instance/license",
      "/serverInfo",
    ],
    ...[
      "/mypermissions?permissions=ADMINISTER,BROWSE_PROJECTS",
      "/project/TEAM",
      "/statuses/search?projectId=10001",
    ],
    ...["/field/customfield_10006/context", "/field/customfield_10010/context/10010/option"],
    "/project/search?expand=description,lead,issueTypes,url,insight",
  ]) {
    await jira.get(path);
  }
  const types = await jira.get("/issue/createmeta/QUAY/issuetypes");
  for (const { id } of types.issueTypes) await jira.get(`/issue/createmeta/QUAY/issuetypes/${id}`);
  const { workflows, statuses } = await jira.post("/workflows", {
    projectAndIssueTypes: [{ projectId: project.id, issueTypeId: types.issueTypes[0].id }],
  });
  expect(workflows[0].transitions.map(({ type }: Json) => type)).toEqual([
    "INITIAL",
    "GLOBAL",
    "GLOBAL",
    "GLOBAL",
    "GLOBAL",
  ]);
  expect(statuses.map(({ name }: Json) => name)).toEqual(["To Do", "In Progress", "In Review", "Done"]);
  expect(jira.log.refusals()).toEqual([]);
});

test("the site's own address takes e-mail and API token, and no token of OAuth", async () => {
  const jira = await jiraForTest();
  const at = `${jira.url}/sites/meridian`;
  const { authorization } = await jira.control("api-token");
  const ask = (header: string) => fetch(`${at}/rest/api/3/myself`, { headers: { Authorization: header } });
  expect((await ask(authorization)).status).toBe(200);
  expect((await ask(jira.headerOf("nora@meridian.example"))).status).toBe(401);
  expect(await (await fetch(`${at}/_edge/tenant_info`)).json()).toEqual({ cloudId: jira.site.cloudId });
  // A token with scopes works at the gateway instead.
  const scoped = await jira.control("api-token", { scopes: ["read:jira-user"] });
  expect((await ask(scoped.authorization)).status).toBe(401);
  expect((await jira.ask("/myself", { as: scoped.authorization })).status).toBe(200);
  expect((await jira.ask("/field", { as: scoped.authorization })).status).toBe(401);
});

test("a service desk tells its types of requests and its queues, in pages of its own form", async () => {
  const jira = await jiraForTest();
  const project = await jira.project({ template: "service" });
  const api = "/rest/servicedeskapi";
  const desk = await jira.get(`/servicedesk/projectId:${project.id}`, { api });
  expect(desk).toMatchObject({ projectKey: "QUAY", projectId: project.id });
  const first = await jira.get(`/servicedesk/${desk.id}/requesttype?limit=1`, { api });
  expect(first).toMatchObject({ size: 1, isLastPage: false, values: [{ name: "Service request" }] });
  const second = await jira.get(`/servicedesk/${desk.id}/requesttype?limit=1&start=1`, { api });
  expect(second).toMatchObject({ isLastPage: true, values: [{ name: "Incident" }] });
  expect((await jira.get(`/servicedesk/${desk.id}/queue`, { api })).values).toHaveLength(1);
  expect((await jira.get("/servicedesk", { api })).values).toHaveLength(1);
  expect((await jira.refusal("/servicedesk/1", { api }))[0]).toBe(404);
});
