import { expect, test } from "vitest";
import { documentOf, type Json, jiraForTest, jsonOf } from "./test-world.ts";

type Jira = Awaited<ReturnType<typeof jiraForTest>>;

/** Ids of the issue types of a project, by name. */
async function typesOf(jira: Jira, key = "QUAY"): Promise<Record<string, string>> {
  const { issueTypes } = await jira.get(`/issue/createmeta/${key}/issuetypes`);
  return Object.fromEntries(issueTypes.map(({ name, id }: Json) => [name, id]));
}

const project = { key: "QUAY" };

test("an issue is made with fields and properties; wrong fields are each named", async () => {
  const jira = await jiraForTest();
  await jira.project({ content: "full" });
  const { Story } = await typesOf(jira);
  const fields = { project, issuetype: { id: Story }, summary: "Crane", description: documentOf("Oil it.") };
  const made = await jira.post("/issue", {
    fields: { ...fields, labels: ["a"], fixVersions: [{ name: "2026.1" }] },
    properties: [{ key: "from", value: "OLD-1" }],
  });
  const { fields: read } = await jira.get(`/issue/${made.key}`);
  expect(read).toMatchObject({
    summary: "Crane",
    labels: ["a"],
    fixVersions: [{ name: "2026.1" }],
    status: { name: "To Do" },
  });
  expect(read.description).toEqual(fields.description);
  expect(await jira.get(`/issue/${made.key}/properties/from`)).toEqual({ key: "from", value: "OLD-1" });
  const refused = async (more: Record<string, unknown>) =>
    Object.keys(
      (await jira.refusal("/issue", { method: "POST", body: { fields: { ...fields, ...more } } }))[1].errors,
    );
  expect(await refused({ made_up: 1 })).toEqual(["made_up"]);
  expect(await refused({ status: { name: "Done" }, created: "2020-01-01T00:00:00.000+0000" })).toEqual([
    "status",
    "created",
  ]);
  expect(await refused({ description: "plain text", summary: "" })).toEqual(["description", "summary"]);
  expect(await refused({ description: { type: "doc", version: 1, content: [{ type: "marquee" }] } })).toEqual(
    ["description"],
  );
  expect(await refused({ summary: "x".repeat(256) })).toEqual(["summary"]);
  expect(await refused({ labels: ["two words"], duedate: "tomorrow", priority: { name: "Urgent" } })).toEqual(
    ["labels", "duedate", "priority"],
  );
  expect(await refused({ assignee: { name: "ivo" }, fixVersions: [{ name: "9.9" }] })).toEqual([
    "assignee",
    "fixVersions",
  ]);
  expect(await refused({ project: { key: "NONE" } })).toEqual(["project"]);
  expect(await refused({ issuetype: { name: "Saga" } })).toEqual(["issuetype"]);
  const media = {
    type: "mediaSingle",
    attrs: { layout: "center" },
    content: [{ type: "media", attrs: { type: "file", id: "0a1b", collection: "" } }],
  };
  expect(await refused({ description: { type: "doc", version: 1, content: [media] } })).toEqual([
    "description",
  ]);
});

test("a picture of the issue's own can be shown in its text, by the id in the address of its bytes", async () => {
  const jira = await jiraForTest();
  await jira.project();
  await jira.issue("QUAY", "Crane");
  const form = new FormData();
  form.append("file", new File(["png"], "Ångström 1.png", { type: "image/png" }));
  const [attachment] = await jira.get("/issue/QUAY-1/attachments", { method: "POST", body: form });
  expect(attachment).toMatchObject({ filename: "Ångström 1.png", size: 3, mimeType: "image/png" });
  const location = (await jira.ask(`/attachment/content/${attachment.id}`)).headers.get("location")!;
  const id = /\/file\/([^/]+)\/binary/.exec(location)?.[1];
  const media = {
    type: "mediaSingle",
    attrs: { layout: "center" },
    content: [{ type: "media", attrs: { type: "file", id, collection: "" } }],
  };
  const description = { type: "doc", version: 1, content: [media] };
  await jira.put("/issue/QUAY-1", { fields: { description } });
  expect((await jira.get("/issue/QUAY-1")).fields.description).toEqual(description);
  const bare = await fetch(`${jira.base}/rest/api/3/issue/QUAY-1/attachments`, {
    method: "POST",
    body: form,
    headers: { Authorization: jira.headerOf("nora@meridian.example") },
  });
  expect([bare.status, (await jsonOf(bare)).errorMessages]).toEqual([403, ["XSRF check failed"]]);
});

test("fifty issues are made at once, with a transition each; wrong ones are told by their place", async () => {
  const jira = await jiraForTest();
  await jira.project();
  const { Story, Epic, "Sub-task": Subtask } = await typesOf(jira);
  const epic = await jira.post("/issue", { fields: { project, issuetype: { id: Epic }, summary: "Epic" } });
  const child = (issuetype: string | undefined, summary: string, parent: string) => ({
    fields: { project, issuetype: { id: issuetype }, summary, parent: { key: parent } },
    transition: { id: "41" },
  });
  const { issues, errors } = await jira.post("/issue/bulk", {
    issueUpdates: [
      child(Story, "One", epic.key),
      { fields: { project } },
      child(Subtask, "Two", epic.key),
      child(Story, "Three", epic.key),
    ],
  });
  expect(issues).toMatchObject([{ key: "QUAY-2", transition: { status: 200 } }, { key: "QUAY-3" }]);
  expect(errors.map(({ failedElementNumber, status }: Json) => [failedElementNumber, status])).toEqual([
    [1, 400],
    [2, 400],
  ]);
  const { fields } = await jira.get("/issue/QUAY-2");
  expect(fields).toMatchObject({
    status: { name: "Done" },
    resolution: { name: "Done" },
    parent: { key: epic.key },
  });
  const [status, body] = await jira.refusal("/issue/bulk", {
    method: "POST",
    body: { issueUpdates: [{ fields: {} }] },
  });
  expect([status, body.issues, body.errors.length]).toEqual([400, [], 1]);
  const many = Array.from({ length: 51 }, () => child(Story, "x", epic.key));
  expect((await jira.refusal("/issue/bulk", { method: "POST", body: { issueUpdates: many } }))[0]).toBe(400);
});

test("a workflow has one way: conditions hide transitions, and their screens ask for fields", async () => {
  const jira = await jiraForTest();
  await jira.project({ content: "fleet" });
  const issue = await jira.issue("QUAY", "New crane");
  const key = `QUAY-${issue.number}`;
  const names = async (as?: string) =>
    (await jira.get(`/issue/${key}/transitions`, as ? { as } : {})).transitions.map(({ name }: Json) => name);
  const go = (id: string, fields = {}) =>
    jira.post(`/issue/${key}/transitions`, { transition: { id }, fields });
  expect(await names()).toEqual(["Start work", "Put back"]);
  expect(
    (
      await jira.refusal(`/issue/${key}/transitions`, { method: "POST", body: { transition: { id: "31" } } })
    )[0],
  ).toBe(400);
  await go("11");
  await go("21");
  expect(await names()).toEqual(["Approve", "Put back"]);
  expect(await names(jira.headerOf("ivo@meridian.example"))).toEqual(["Put back"]);
  const { transitions } = await jira.get(`/issue/${key}/transitions?expand=transitions.fields`);
  expect(transitions[0].fields.resolution).toMatchObject({ required: true });
  const [status, body] = await jira.refusal(`/issue/${key}/transitions`, {
    method: "POST",
    body: { transition: { id: "31" } },
  });
  expect([status, body.errors]).toEqual([400, { resolution: "Resolution is required." }]);
  await go("31", { resolution: { name: "Won't Do" } });
  expect((await jira.get(`/issue/${key}`)).fields).toMatchObject({
    resolution: { name: "Won't Do" },
    resolutiondate: expect.any(String),
  });
});

test("many issues move in a task: nothing moves before it is complete, and what failed is named", async () => {
  const jira = await jiraForTest({ settings: { bulkTaskMs: 100 } });
  await jira.project();
  const one = await jira.issue("QUAY", "One");
  await jira.issue("QUAY", "Two");
  const order = (keys: string[], transitionId: string) => ({
    bulkTransitionInputs: [{ selectedIssueIdsOrKeys: keys, transitionId }],
    sendBulkNotification: false,
  });
  const { taskId } = await jira.post("/bulk/issues/transition", order(["QUAY-1", "QUAY-2", "NONE-1"], "41"));
  expect(await jira.get(`/bulk/queue/${taskId}`)).toMatchObject({ status: "RUNNING", progressPercent: 0 });
  expect(one.statusId).toBe("10001");
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(await jira.get(`/bulk/queue/${taskId}`)).toMatchObject({
    status: "COMPLETE",
    invalidOrInaccessibleIssueCount: 1,
    totalIssueCount: 3,
    processedAccessibleIssues: [10_000, 10_001],
  });
  expect((await jira.get("/issue/QUAY-1")).fields.status.name).toBe("Done");
  const { taskId: second } = await jira.post("/bulk/issues/transition", order(["QUAY-1"], "99"));
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect((await jira.get(`/bulk/queue/${second}`)).failedAccessibleIssues).toEqual({
    "10000": ["The transition is not valid for this issue."],
  });
  const many = Array.from({ length: 1_001 }, () => "QUAY-1");
  expect(
    (await jira.refusal("/bulk/issues/transition", { method: "POST", body: order(many, "41") }))[0],
  ).toBe(400);
  await jira.get("/bulk/issues/transition?issueIdsOrKeys=QUAY-1,QUAY-2");
});

test("comments, worklogs, links, watchers and votes are written by the caller, whatever the request says", async () => {
  const jira = await jiraForTest();
  await jira.project();
  await jira.issue("QUAY", "One", { login: "ivo@meridian.example" });
  await jira.issue("QUAY", "Two");
  const author = { accountId: "somebody-else" };
  const comment = await jira.post("/issue/QUAY-1/comment", {
    body: documentOf("Hello"),
    author,
    created: "2020-01-01T00:00:00.000+0000",
    visibility: { type: "role", value: "Administrators" },
  });
  expect(comment).toMatchObject({
    author: { displayName: "Nora Lindqvist" },
    visibility: { value: "Administrators" },
  });
  expect(comment.created).not.toContain("2020");
  expect((await jira.get("/issue/QUAY-1/comment", { as: jira.headerOf("ivo@meridian.example") })).total).toBe(
    0,
  );
  await jira.put(`/issue/QUAY-1/comment/${comment.id}`, { body: documentOf("Hello again") });
  for (const body of ["text", { type: "doc", version: 1, content: [] }]) {
    expect((await jira.refusal("/issue/QUAY-1/comment", { method: "POST", body: { body } }))[0]).toBe(400);
  }
  const query = "adjustEstimate=leave&notifyUsers=false";
  const worklog = await jira.post(`/issue/QUAY-1/worklog?${query}`, {
    started: "2026-03-04T10:00:00.000+0000",
    timeSpentSeconds: 5_400,
    comment: documentOf("Loaded"),
  });
  expect(worklog).toMatchObject({ started: "2026-03-04T11:00:00.000+0100", timeSpent: "1h 30m" });
  for (const started of ["2026-03-04T10:00:00Z", "2026-03-04T10:00:00.000Z"]) {
    expect(
      (
        await jira.refusal("/issue/QUAY-1/worklog", {
          method: "POST",
          body: { started, timeSpentSeconds: 60 },
        })
      )[0],
    ).toBe(400);
  }
  await jira.post("/issueLink", {
    type: { name: "Blocks" },
    inwardIssue: { key: "QUAY-1" },
    outwardIssue: { key: "QUAY-2" },
  });
  expect((await jira.get("/issue/QUAY-2")).fields.issuelinks[0]).toMatchObject({
    type: { inward: "is blocked by" },
    inwardIssue: { key: "QUAY-1" },
  });
  await jira.get(`/issueLink/${(await jira.get("/issue/QUAY-2")).fields.issuelinks[0].id}`);
  const web = { globalId: "w=1", object: { url: "https://x.example", title: "X" } };
  const { id } = await jira.post("/issue/QUAY-1/remotelink", web);
  expect((await jira.post("/issue/QUAY-1/remotelink", web)).id).toBe(id);
  const asa = jira.world.state.people[2]!.accountId;
  await jira.post("/issue/QUAY-1/watchers", asa);
  await jira.post("/issue/QUAY-1/votes", undefined);
  expect((await jira.get("/issue/QUAY-1")).fields).toMatchObject({
    watches: { watchCount: 2 },
    votes: { votes: 1, hasVoted: true },
  });
  expect((await jira.refusal("/issue/QUAY-2/votes", { method: "POST" }))[0]).toBe(404);
  await jira.put("/issue/QUAY-1/properties/k", { a: 1 });
});

test("nobody is told of a quiet edit; of a created issue and of a comment people are told all the same", async () => {
  const jira = await jiraForTest();
  await jira.project();
  await jira.issue("QUAY", "One", { login: "ivo@meridian.example" });
  const mails = () => jira.site.mails;
  await jira.put("/issue/QUAY-1?notifyUsers=false", { fields: { summary: "Uno" } });
  expect(mails()).toBe(0);
  await jira.put("/issue/QUAY-1", { fields: { summary: "Eins" } });
  expect(mails()).toBe(1);
  await jira.post("/issue/QUAY-1/comment", { body: documentOf("Hello") });
  expect(mails()).toBe(2);
  // The wish of somebody who administers nothing is ignored.
  const as = jira.headerOf("asa@meridian.example");
  await jira.put("/issue/QUAY-1?notifyUsers=false", { fields: { summary: "Ett" } }, { as });
  expect(mails()).toBe(3);
});

test("sprints begin once they have dates, closed ones take nothing, and ranks keep the given order", async () => {
  const jira = await jiraForTest();
  await jira.project();
  for (const name of ["A", "B", "C"]) await jira.issue("QUAY", name);
  const { values } = await jira.agile("/board?projectKeyOrId=QUAY");
  const originBoardId = values[0].id;
  expect(await jira.agile(`/board/${originBoardId}/configuration`)).toMatchObject({
    columnConfig: {
      columns: [{ name: "To Do" }, { name: "In Progress" }, { name: "In Review" }, { name: "Done" }],
    },
    ranking: { rankCustomFieldId: 10_001 },
  });
  const send = (path: string, body: unknown, method = "POST") => jira.agile(path, { method, body });
  const refused = async (path: string, body: unknown, method = "POST") =>
    (await jira.refusal(path, { method, body, api: "/rest/agile/1.0" }))[0];
  expect(await refused("/sprint", { name: "x".repeat(31), originBoardId })).toBe(400);
  const sprint = await send("/sprint", { name: "Ferries", originBoardId });
  await send(`/sprint/${sprint.id}/issue`, { issues: ["QUAY-1", "QUAY-2"] });
  expect(await refused(`/sprint/${sprint.id}`, { state: "active" })).toBe(400);
  const dates = { startDate: "2026-03-04T10:00:00.000Z", endDate: "2026-03-18T10:00:00.000Z" };
  await send(`/sprint/${sprint.id}`, { state: "active", ...dates });
  await send(`/sprint/${sprint.id}`, { state: "closed" });
  expect(await refused(`/sprint/${sprint.id}/issue`, { issues: ["QUAY-3"] })).toBe(400);
  expect(await refused(`/sprint/${sprint.id}/issue`, { issues: Array(51).fill("QUAY-3") })).toBe(400);
  await send("/issue/rank", { issues: ["QUAY-3", "QUAY-1"], rankAfterIssue: "QUAY-2" }, "PUT");
  const board = await jira.get(`/board/${originBoardId}/issue?fields=key&maxResults=2`, {
    api: "/rest/software/1.0",
  });
  expect(board.issues.map(({ key }: Json) => key)).toEqual(["QUAY-2", "QUAY-3"]);
  const rest = await jira.get(
    `/board/${originBoardId}/issue?fields=key&nextPageToken=${board.nextPageToken}`,
    { api: "/rest/software/1.0" },
  );
  expect(rest).toMatchObject({ issues: [{ key: "QUAY-1" }], isLast: true });
  await send("/issue/rank", { issues: ["QUAY-1"], rankBeforeIssue: "QUAY-3" }, "PUT");
  const ranked = await jira.search("project = QUAY ORDER BY rank ASC");
  expect(ranked).toEqual(["10001", "10000", "10002"]);
});

test("projects, components and versions are made by administrators only", async () => {
  const jira = await jiraForTest();
  await jira.project();
  const leadAccountId = jira.world.state.people[0]!.accountId;
  const order = {
    key: "NEW",
    name: "New quay",
    leadAccountId,
    projectTypeKey: "software",
    projectTemplateKey: "com.pyxis.greenhopper.jira:gh-simplified-scrum-classic",
  };
  const made = await jira.post("/project", order);
  expect(await jira.get(`/project/${made.id}`)).toMatchObject({
    key: "NEW",
    projectTypeKey: "software",
    style: "classic",
  });
  await jira.post("/component", { project: "NEW", name: "Ramp", description: "" });
  await jira.post("/version", { projectId: made.id, name: "1.0", released: true, releaseDate: "2026-03-04" });
  await jira.put("/project/NEW/properties/k", { a: 1 });
  const [status, body] = await jira.refusal("/project", { method: "POST", body: { ...order, key: "new" } });
  expect([status, Object.keys(body.errors)]).toEqual([400, ["projectKey", "projectName"]]);
  const as = jira.headerOf("ivo@meridian.example");
  for (const [path, given] of [
    ["/project", { ...order, key: "IVO", name: "Ivo's" }],
    ["/component", { project: "QUAY", name: "R" }],
    ["/version", { project: "QUAY", name: "1" }],
  ] as const) {
    expect((await jira.refusal(path, { method: "POST", body: given, as }))[0], path).toBe(403);
  }
});
