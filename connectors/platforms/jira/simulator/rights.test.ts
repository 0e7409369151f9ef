import { expect, test } from "vitest";
import { type Json, jiraForTest } from "./test-world.ts";

const IVO = "ivo@meridian.example";

test("a private project and an issue with a security level are hidden from those without them, also in searches", async () => {
  const jira = await jiraForTest();
  const as = jira.headerOf(IVO);
  await jira.project({ isPrivate: true });
  await jira.issue("QUAY", "Secret");
  expect((await jira.refusal("/project/QUAY", { as }))[0]).toBe(404);
  expect((await jira.refusal("/issue/QUAY-1", { as }))[0]).toBe(404);
  expect((await jira.get("/project/search", { as })).total).toBe(0);
  await jira.control("sites/meridian/projects/QUAY/roles", { role: "Member", logins: [IVO] });
  expect((await jira.get("/issue/QUAY-1", { as })).key).toBe("QUAY-1");
  const { levels } = await jira.control("sites/meridian/projects/QUAY/security", {
    levels: [{ name: "Board", logins: ["nora@meridian.example"] }],
  });
  await jira.put("/issue/QUAY-1", { fields: { security: { id: levels[0].id } } });
  expect((await jira.refusal("/issue/QUAY-1", { as }))[0]).toBe(404);
  expect(
    (await jira.get("/search/jql", { method: "POST", body: { jql: "project = QUAY" }, as })).issues,
  ).toEqual([]);
  expect(
    (await jira.get("/search/approximate-count", { method: "POST", body: { jql: "project = QUAY" }, as }))
      .count,
  ).toBe(0);
  expect((await jira.get("/issue/QUAY-1")).fields.security.name).toBe("Board");
});

test("missing permissions give 403 for what is seen: browsing alone does not let anyone write", async () => {
  const jira = await jiraForTest();
  await jira.project();
  await jira.issue("QUAY", "A");
  const as = jira.headerOf(IVO);
  for (const permission of ["EDIT_ISSUES", "ADD_COMMENTS", "CREATE_ATTACHMENTS", "LINK_ISSUES"]) {
    await jira.control("sites/meridian/projects/QUAY/permissions", { permission, roles: ["Administrators"] });
  }
  const edit = { method: "PUT", body: { fields: { summary: "B" } }, as };
  expect((await jira.refusal("/issue/QUAY-1", edit))[0]).toBe(403);
  expect((await jira.refusal("/issue/QUAY-1/comment", { method: "POST", body: {}, as }))[0]).toBe(403);
  expect((await jira.refusal("/issue/QUAY-1", { method: "DELETE", as }))[0]).toBe(403);
  expect((await jira.refusal("/workflows/search", { as }))[0]).toBe(403);
  const { permissions } = await jira.get(
    "/mypermissions?permissions=EDIT_ISSUES,BROWSE_PROJECTS,ADMINISTER&projectKey=QUAY",
    { as },
  );
  expect(Object.values(permissions).map(({ havePermission }: Json) => havePermission)).toEqual([
    false,
    true,
    false,
  ]);
  expect((await jira.refusal("/mypermissions"))[0]).toBe(400);
  await jira.put("/issue/QUAY-1", { fields: { summary: "C" } });
  await jira.control("sites/meridian/withhold", { permissions: ["BULK_CHANGE"] });
  const bulk = { bulkTransitionInputs: [{ selectedIssueIdsOrKeys: ["QUAY-1"], transitionId: "41" }] };
  expect((await jira.refusal("/bulk/issues/transition", { method: "POST", body: bulk, as }))[0]).toBe(403);
  await jira.control("sites/meridian/remove-app");
  expect((await jira.refusal("/myself"))[0]).toBe(404);
});

test("a project's new key gives its issues new keys, and the old ones still find them", async () => {
  const jira = await jiraForTest();
  const { id } = await jira.project();
  await jira.issue("QUAY", "A");
  await jira.control("sites/meridian/projects/QUAY/edit", { key: "PIER" });
  expect((await jira.get("/issue/QUAY-1")).key).toBe("PIER-1");
  expect((await jira.get(`/project/${id}`)).key).toBe("PIER");
  expect(await jira.search("project = PIER")).toHaveLength(1);
});

test("deleted issues, comments and files are gone; a project in the trash is listed for administrators only", async () => {
  const jira = await jiraForTest();
  await jira.project({ content: "full" });
  await jira.control("sites/meridian/issues/QUAY-2/delete");
  expect((await jira.refusal("/issue/QUAY-2"))[0]).toBe(404);
  expect((await jira.get("/issue/QUAY-1")).fields.issuelinks).toEqual([]);
  expect((await jira.refusal("/issue/QUAY-1", { method: "DELETE" }))[0]).toBe(400);
  await jira.get("/issue/QUAY-1?deleteSubtasks=true", { method: "DELETE" });
  expect((await jira.refusal("/issue/QUAY-3"))[0]).toBe(404);
  expect(
    (await jira.get("/search/approximate-count", { method: "POST", body: { jql: "project = QUAY" } })).count,
  ).toBe(1);
  await jira.control("sites/meridian/projects/QUAY/delete");
  expect((await jira.refusal("/project/QUAY"))[0]).toBe(404);
  expect((await jira.refusal("/search/jql", { method: "POST", body: { jql: "project = QUAY" } }))[0]).toBe(
    400,
  );
  expect((await jira.get("/project/search?status=deleted")).values.map(({ key }: Json) => key)).toEqual([
    "QUAY",
  ]);
  expect((await jira.get("/project/search?status=deleted", { as: jira.headerOf(IVO) })).values).toEqual([]);
});

test("watching, voting and ranking leave the time of change; editing, commenting, linking and moving set it", async () => {
  const jira = await jiraForTest();
  await jira.project();
  const issue = await jira.issue("QUAY", "A", { at: Date.now() - 86_400_000 });
  await jira.issue("QUAY", "B");
  const isTouched = async (act: () => Promise<unknown>) => {
    const before = issue.updatedAt;
    await act();
    return issue.updatedAt !== before;
  };
  const control = (path: string, body: unknown = {}) =>
    jira.control(`sites/meridian/issues/QUAY-1/${path}`, body);
  const rank = { issues: ["QUAY-1"], rankAfterIssue: "QUAY-2" };
  expect(await isTouched(() => control("watchers", { login: IVO }))).toBe(false);
  expect(await isTouched(() => control("votes", { login: IVO }))).toBe(false);
  expect(await isTouched(() => jira.agile("/issue/rank", { method: "PUT", body: rank }))).toBe(false);
  expect(await isTouched(() => jira.put("/issue/QUAY-1/properties/k", 1))).toBe(false);
  for (const act of [
    () => control("edit", { fields: { summary: "C" } }),
    () => control("comments", { text: "x" }),
    () => control("links", { type: "Relates", to: "QUAY-2" }),
    () => control("transition", { to: "Done" }),
    () => control("worklogs", { seconds: 60 }),
    () => control("attachments", { fileName: "a", text: "a" }),
  ]) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(await isTouched(act)).toBe(true);
  }
});
