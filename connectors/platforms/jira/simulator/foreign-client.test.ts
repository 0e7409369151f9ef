import { AgileClient, Version3Client } from "jira.js";
import { expect, test } from "vitest";
import { documentOf, type Json, jiraForTest } from "./test-world.ts";

/** A client that others wrote, with a token of OAuth at the gateway. */
async function foreignWorld(order: Record<string, unknown> = {}) {
  const jira = await jiraForTest();
  await jira.project(order);
  const { value: accessToken } = jira.tokenOf("nora@meridian.example");
  const config = { host: jira.base, authentication: { oauth2: { accessToken } } };
  return { jira, client: new Version3Client(config), agile: new AgileClient(config) };
}

test("a client of others reads a project: itself, projects, issues by search and in bulk, history, parts, files", async () => {
  const { jira, client } = await foreignWorld({ content: "full" });
  expect((await client.myself.getCurrentUser()).displayName).toBe("Nora Lindqvist");
  const projects = await client.projects.searchProjects({
    query: "Quay",
    expand: ["lead", "insight"],
  } as Json);
  expect(projects.values.map(({ key }) => key)).toEqual(["QUAY"]);
  expect((await client.projects.getProject("QUAY")).issueTypes).toHaveLength(5);
  const keys: string[] = [];
  for (let nextPageToken: string | undefined; ; ) {
    const page = await client.issueSearch.searchForIssuesUsingJqlEnhancedSearchPost({
      jql: "project = QUAY ORDER BY created ASC",
      fields: ["*all"],
      expand: "names,schema",
      maxResults: 2,
      ...(nextPageToken ? { nextPageToken } : {}),
    });
    keys.push(...(page.issues ?? []).map(({ key }) => key));
    nextPageToken = page.nextPageToken;
    if (!nextPageToken) break;
  }
  expect(keys).toEqual(["QUAY-1", "QUAY-2", "QUAY-3", "QUAY-4"]);
  expect((await client.issueSearch.countIssues({ jql: "project = QUAY" })).count).toBe(4);
  const bulk = await client.issues.bulkFetchIssues({ issueIdsOrKeys: keys, fields: ["summary"] });
  expect(bulk.issues).toHaveLength(4);
  const logs = await client.issues.getBulkChangelogs({ issueIdsOrKeys: keys });
  expect(logs.issueChangeLogs?.length).toBeGreaterThan(0);
  const { fields } = await client.issues.getIssue({ issueIdOrKey: "QUAY-1" });
  expect((await client.issueComments.getComments({ issueIdOrKey: "QUAY-1" })).total).toBe(2);
  expect((await client.issueWorklogs.getIssueWorklog({ issueIdOrKey: "QUAY-1" })).total).toBe(1);
  expect((await client.issueWatchers.getIssueWatchers({ issueIdOrKey: "QUAY-1" })).watchCount).toBe(2);
  expect((await client.issueVotes.getVotes({ issueIdOrKey: "QUAY-1" })).votes).toBe(1);
  expect(await client.issueRemoteLinks.getRemoteIssueLinks({ issueIdOrKey: "QUAY-1" })).toHaveLength(1);
  expect((await client.issueProperties.getIssuePropertyKeys({ issueIdOrKey: "QUAY-1" })).keys).toHaveLength(
    1,
  );
  const scan = fields.attachment.find(({ filename }) => filename === "scan?.bin");
  const bytes = await client.issueAttachments.getAttachmentContent({ id: String(scan?.id) });
  expect(Buffer.from(bytes).toString()).toBe("first scan");
  expect(jira.media.log.requests()).toHaveLength(1);
  expect(jira.log.refusals()).toEqual([]);
});

test("a client of others reads the configuration: fields, statuses, workflows, roles, boards and sprints", async () => {
  const { jira, client, agile } = await foreignWorld({ content: "fleet" });
  expect((await client.issueFields.getFields()).some(({ custom }) => custom)).toBe(true);
  expect(await client.projects.getAllStatuses("QUAY")).toHaveLength(5);
  expect(Object.keys(await client.projectRoles.getProjectRoles("QUAY"))).toContain("Administrators");
  expect((await client.issueLinkTypes.getIssueLinkTypes()).issueLinkTypes).toHaveLength(4);
  expect(
    (await client.projectVersions.getProjectVersions({ projectIdOrKey: "QUAY" })).map(({ name }) => name),
  ).toEqual(["Autumn timetable", "Winter timetable"]);
  expect(await client.projectComponents.getProjectComponents({ projectIdOrKey: "QUAY" })).toHaveLength(4);
  const { permissions }: Json = await client.permissions.getMyPermissions({ permissions: "ADMINISTER" });
  expect(permissions?.ADMINISTER?.havePermission).toBe(true);
  const boards = await agile.board.getAllBoards({ projectKeyOrId: "QUAY" });
  const boardId = boards.values[0]!.id!;
  const configuration: Json = await agile.board.getConfiguration({ boardId });
  expect(configuration.columnConfig.columns.map(({ name }: Json) => name)).toEqual([
    "To Do",
    "In Progress",
    "In Review",
    "Done",
  ]);
  const sprints: Json = await agile.board.getAllSprints({ boardId });
  expect(sprints.values.map(({ state }: Json) => state)).toEqual([
    "closed",
    "closed",
    "closed",
    "active",
    "future",
  ]);
  expect(jira.log.refusals()).toEqual([]);
});

test("a client of others restores: types, fifty issues, moves, comments, work, files, links, sprints, ranks", async () => {
  const { jira, client, agile } = await foreignWorld();
  const { issueTypes = [] } = await client.issues.getCreateIssueMetaIssueTypes({ projectIdOrKey: "QUAY" });
  const issuetype = { id: issueTypes.find(({ name }) => name === "Story")!.id! };
  const meta = await client.issues.getCreateIssueMetaIssueTypeId({
    projectIdOrKey: "QUAY",
    issueTypeId: issuetype.id,
  });
  expect(meta.fields?.find(({ fieldId }) => fieldId === "summary")?.required).toBe(true);
  const project = { key: "QUAY" };
  const one = await client.issues.createIssue({
    fields: { project, issuetype, summary: "One", description: documentOf("Hello") as Json },
  });
  const issueUpdates = Array.from({ length: 50 }, (_, index) => ({
    fields: { project, issuetype, summary: `Crate ${index}` },
  }));
  const many = await client.issues.createIssues({ issueUpdates });
  expect(many.issues).toHaveLength(50);
  await client.issues.editIssue({
    issueIdOrKey: one.key,
    notifyUsers: false,
    fields: { labels: ["restored"] },
  });
  const { transitions } = await client.issues.getTransitions({ issueIdOrKey: one.key });
  await client.issues.doTransition({ issueIdOrKey: one.key, transition: { id: transitions!.at(-1)!.id! } });
  const { taskId } = await client.issueBulkOperations.submitBulkTransition({
    bulkTransitionInputs: [
      { selectedIssueIdsOrKeys: many.issues!.map(({ key }) => key!), transitionId: "21" },
    ],
    sendBulkNotification: false,
  });
  await expect
    .poll(async () => (await client.issueBulkOperations.getBulkOperationProgress({ taskId: taskId! })).status)
    .toBe("COMPLETE");
  await client.issueComments.addComment({
    issueIdOrKey: one.key,
    comment: documentOf("Then 21:30.") as Json,
  });
  await client.issueWorklogs.addWorklog({
    issueIdOrKey: one.key,
    adjustEstimate: "leave",
    notifyUsers: false,
    started: "2026-03-04T10:00:00.000+0000",
    timeSpentSeconds: 3_600,
    comment: documentOf("Loaded") as Json,
  });
  await client.issueAttachments.addAttachment({
    issueIdOrKey: one.key,
    attachment: { filename: "räkning 1.txt", file: Buffer.from("öre"), mimeType: "text/plain" },
  });
  const other = many.issues![0]!.key!;
  await client.issueLinks.linkIssues({
    type: { name: "Blocks" },
    inwardIssue: { key: one.key },
    outwardIssue: { key: other },
  });
  await client.issueRemoteLinks.createOrUpdateRemoteIssueLink({
    issueIdOrKey: one.key,
    object: { url: "https://x.example", title: "X" },
  });
  await client.issueWatchers.addWatcher({
    issueIdOrKey: one.key,
    accountId: jira.world.state.people[1]!.accountId,
  } as Json);
  await client.issueProperties.setIssueProperty({
    issueIdOrKey: one.key,
    propertyKey: "origin",
    propertyValue: { key: "OLD-1" },
  });
  await client.projectComponents.createComponent({ project: "QUAY", name: "Ramp" });
  const { values } = await agile.board.getAllBoards({ projectKeyOrId: "QUAY" });
  const sprint: Json = await agile.sprint.createSprint({ name: "Ferries", originBoardId: values[0]!.id! });
  await agile.sprint.moveIssuesToSprintAndRank({ sprintId: sprint.id, issues: [one.key, other] });
  await agile.issue.rankIssues({ issues: [other], rankBeforeIssue: one.key });
  const { fields } = await client.issues.getIssue({ issueIdOrKey: one.key });
  expect(fields).toMatchObject({
    status: { name: "Done" },
    labels: ["restored"],
    comment: { total: 1 },
    worklog: { total: 1 },
    attachment: [{ filename: "räkning 1.txt", size: 4 }],
    issuelinks: [{ outwardIssue: { key: other } }],
    watches: { watchCount: 2 },
  });
  expect((await client.issues.getIssue({ issueIdOrKey: other })).fields.status.name).toBe("In Progress");
});

test("a client of others uses an e-mail address and an API token at the site's own address", async () => {
  const { jira } = await foreignWorld();
  const { email, token: apiToken } = await jira.control("api-token");
  const client = new Version3Client({
    host: `${jira.url}/sites/meridian`,
    authentication: { basic: { email, apiToken } },
  });
  expect((await client.myself.getCurrentUser()).emailAddress).toBe("nora@meridian.example");
});
