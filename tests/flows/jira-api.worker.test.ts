import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { type OutsideJira, openJira } from "#tests/harness/outside.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

// Each test continues where the one before it ended.

const JIRA = "jira";
const CALLBACK = "/connect/jira/callback";
const LOGIN = "nora@meridian.example";
const PAGE = { page: "0", perPage: "10" };

type Row = { id: string; name: string } & Record<string, unknown>;

let world: FlowWorld;
let jira: OutsideJira;
let session: string;
let fleet: Row;
let desk: Row;

beforeAll(async () => {
  jira = await openJira(`${env.PUBLIC_URL}${CALLBACK}`);
  world = await openFlowWorld({ isConnected: false, vars: jira.vars });
  const { userId } = world.member;
  session = (await createSession(world.services, { userId, isRemembered: false })).token;
  const make = (order: object) => jira.control("sites/meridian/projects", order);
  await make({ key: "OPS", name: "Fleet", template: "kanban" });
  await make({ key: "OPSB", name: "Fleet again", template: "scrum" });
  await make({ key: "HELP", name: "Help desk", template: "service" });
  for (const summary of ["Timber to Rostock", "Paper to Hamburg"])
    await jira.control("sites/meridian/projects/OPS/issues", { login: LOGIN, summary });
});
afterAll(async () => {
  await world.close();
  await jira.close();
});

/** Sends a request to the whole product over HTTP, as the owner. */
async function ask(
  method: string,
  path: string,
  given: { query?: Record<string, string>; body?: object } = {},
) {
  const answer = await send({ method, path: `/api/${JIRA}/${path}`, ...given });
  return {
    status: answer.status,
    text: answer.text,
    json: answer.json as Record<string, unknown> & { result: Record<string, never> },
  };
}

function send(call: Omit<Parameters<typeof sendTo>[1], "headers">) {
  const bindings = { ...httpBindings(world), ...jira.vars } as unknown as Env;
  return sendTo(bindings, { ...call, headers: { Authorization: session } });
}

const rowsOf = (value: unknown) => value as Row[];

/** Opens the consent page, and consents to a site there. Returns where the product then leads. */
async function consentTo(slug: string): Promise<string> {
  const { json } = await ask("GET", "add-jira-user", { query: { region: world.region } });
  const page = new URL(String((json.result as unknown as { url: string }).url));
  const { sites } = await jira.control<{ sites: { slug: string; cloudId: string }[] }>("sites");
  const site = sites.find((each) => each.slug === slug)?.cloudId ?? "";
  const form = new URLSearchParams([
    ...page.searchParams,
    ["login", LOGIN],
    ["site", site],
    ["decision", "authorize"],
  ]);
  const given = await fetch(`${page.origin}${page.pathname}`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  await given.body?.cancel();
  const { search } = new URL(given.headers.get("location") ?? "");
  const back = await send({ method: "GET", path: `${CALLBACK}${search}` });
  return back.headers.get("Location") ?? "";
}

test("[P-370] add-jira-user returns the consent page, and the consent connects the site", async () => {
  const { status, json } = await ask("GET", "add-jira-user");
  expect(status).toBe(200);
  const consent = new URL(String((json.result as unknown as { url: string }).url));
  expect(`${consent.origin}${consent.pathname}`).toBe(`${jira.url}/authorize`);
  const told = Object.fromEntries(consent.searchParams);
  expect(told).toMatchObject({ audience: "api.atlassian.com", response_type: "code", prompt: "consent" });
  expect(told.scope?.split(" ")).toEqual(expect.arrayContaining(["read:jira-work", "offline_access"]));
  expect(told.redirect_uri).toBe(`${env.PUBLIC_URL}${CALLBACK}`);
  expect(await consentTo("meridian")).toBe("/platform/dashboard/jira");
  await env.DB.prepare("UPDATE subscription SET plan = 'pro', quantity = 1000, ends_at = NULL").run();
});

test("[P-372] a consent for two sites waits for a choice, and update-user-workspace stores the site of the name", async () => {
  const query = { name: "Harbour Works" };
  expect((await ask("PUT", "update-user-workspace", { body: query })).json.code).toBe("err.connection.state");
  expect(await consentTo("harbourworks")).toMatch(/^\/app-connector\?platform=jira&choice=\w/);
  const unknown = await ask("PUT", "update-user-workspace", { body: { name: "Elsewhere" } });
  expect([unknown.status, unknown.json.code]).toEqual([400, "err.request.invalid"]);
  const chosen = await ask("PUT", "update-user-workspace", { body: query });
  expect(chosen.status).toBe(200);
  expect(chosen.json.result).toMatchObject({ user_name: "Harbour Works" });
  const stored = await env.DB.prepare(
    "SELECT name FROM connection WHERE platform = 'jira' ORDER BY created_at",
  ).all();
  expect(stored.results).toEqual([{ name: "Meridian Freight" }, { name: "Harbour Works" }]);
  expect((await ask("PUT", "update-user-workspace", { body: query })).json.code).toBe("err.connection.state");
});

test("[P-131] [P-369] get-jira-users returns the connected sites", async () => {
  const { json } = await ask("GET", "get-jira-users");
  expect(rowsOf(json.result)).toMatchObject([
    {
      ...{ id: expect.any(String), user_name: "Meridian Freight", full_name: "Nora Lindqvist" },
      authMethod: "Connect",
    },
    { id: expect.any(String), user_name: "Harbour Works", full_name: "Nora Lindqvist" },
  ]);
});

test("[P-371] change-jira-user returns a consent page, and nothing is deleted before consent", async () => {
  const { id } = rowsOf((await ask("GET", "get-jira-users")).json.result)[1]!;
  const { status, json } = await ask("GET", "change-jira-user", { query: { connection_id: id } });
  expect(status).toBe(200);
  expect(String((json.result as unknown as { url: string }).url)).toContain(`${jira.url}/authorize?`);
  expect(rowsOf((await ask("GET", "get-jira-users")).json.result)).toHaveLength(2);
});

test("[P-373] the list of available projects pages and searches, and returns available_projects", async () => {
  const path = "get-all-available-for-backup-jira-projects-list";
  const namesOf = async (query: Record<string, string>) => {
    const { json } = await ask("GET", path, { query });
    return rowsOf(json.result.available_projects).map(({ name }) => name);
  };
  expect(await namesOf({ ...PAGE, name: "fleet" })).toEqual(["Fleet", "Fleet again"]);
  const pages = [await namesOf({ page: "0", perPage: "2" }), await namesOf({ page: "1", perPage: "2" })];
  expect(pages.flat().sort()).toEqual(["Fleet", "Fleet again", "Help desk"]);
  expect(pages[1]).toHaveLength(1);
});

test("[P-376] add-jira-projects adds projects by id", async () => {
  const path = "get-all-available-for-backup-jira-projects-list";
  const { json } = await ask("GET", path, { query: PAGE });
  const all = rowsOf(json.result.available_projects);
  const projectsIds = ["Fleet", "Help desk"].map((name) => ({
    id: all.find((row) => row.name === name)!.id,
  }));
  const added = await ask("POST", "add-jira-projects", { body: { projectsIds } });
  const rows = rowsOf(added.json.result.projects_list);
  expect(rows.map(({ name }) => name).sort()).toEqual(["Fleet", "Help desk"]);
  fleet = rows.find(({ name }) => name === "Fleet")!;
  desk = rows.find(({ name }) => name === "Help desk")!;
  await world.drain();
});

test("[P-142] [P-374] get-user-jira-projects pages and searches, and each row has its projectTypeKey", async () => {
  const { json } = await ask("GET", "get-user-jira-projects", { query: PAGE });
  expect(json).toMatchObject({ totalItemsNumber: 2 });
  expect(rowsOf(json.result)).toMatchObject([
    { name: "Fleet", projectTypeKey: "software" },
    { name: "Help desk", projectTypeKey: "service_desk" },
  ]);
  const second = await ask("GET", "get-user-jira-projects", { query: { page: "1", perPage: "1" } });
  expect(rowsOf(second.json.result).map(({ name }) => name)).toEqual(["Help desk"]);
  const searched = await ask("GET", "get-user-jira-projects", { query: { ...PAGE, name: "flee" } });
  expect(rowsOf(searched.json.result).map(({ name }) => name)).toEqual(["Fleet"]);
});

test("[P-143] each row has its projectType, and a project of the type bug_tracking is offered as unsuitable and refused", async () => {
  await jira.control("sites/meridian/projects", { key: "BUGS", name: "Defects", template: "kanban" });
  await jira.control("sites/meridian/projects/BUGS/edit", { typeKey: "bug_tracking" });
  const list = await ask("GET", "get-all-available-for-backup-jira-projects-list", { query: PAGE });
  const offered = rowsOf(list.json.result.available_projects);
  const defects = offered.find(({ name }) => name === "Defects")!;
  expect(defects).toMatchObject({
    projectType: "bug_tracking",
    view: { blocked: "Board type not applicable" },
  });
  const refused = await ask("POST", "add-jira-projects", { body: { projectsIds: [{ id: defects.id }] } });
  expect([refused.status, refused.json.code]).toEqual([400, "err.request.invalid"]);
  expect(refused.json.message).toContain("Board type not applicable");
  const { json } = await ask("GET", "get-user-jira-projects", { query: PAGE });
  expect(rowsOf(json.result)).toMatchObject([
    { name: "Fleet", projectType: "software" },
    { name: "Help desk", projectType: "service_desk" },
  ]);
  await jira.control("sites/meridian/projects/BUGS/delete", {});
});

test("[P-375] get-all-available-user-jira-projects returns only projects of the type", async () => {
  const of = async (query: Record<string, string>) => {
    const { json } = await ask("GET", "get-all-available-user-jira-projects", { query });
    return rowsOf(json.result).map(({ name }) => name);
  };
  expect(await of({ projectTypeKey: "software" })).toEqual(["Fleet", "Fleet again"]);
  expect(await of({ projectTypeKey: "service_desk" })).toEqual(["Help desk"]);
  expect((await of({})).sort()).toEqual(["Fleet", "Fleet again", "Help desk"]);
});

const queued = () =>
  world.rows<{ item_id: string }>("SELECT item_id FROM run WHERE kind = 'backup' AND status = 'queued'");

test("[P-378] backup-now takes projectId and queues one run", async () => {
  expect((await ask("POST", "backup-now", { body: { projectId: fleet.id } })).status).toBe(200);
  expect(await queued()).toEqual([{ item_id: fleet.id }]);
  await world.drain();
});

async function versionOf({ id }: Row) {
  return (await newestSnapshot(world, id)).id;
}

async function targetNamed(name: string) {
  const { json } = await ask("GET", "get-all-available-user-jira-projects");
  return rowsOf(json.result).find((row) => row.name === name)!;
}

type Columns = {
  backedUpProjectColumns: { transitionId: string; name: string }[];
  restoredProjectColumns: { name: string }[];
};

async function columnsOf(body: object) {
  const answer = await ask("POST", "get-projects-columns", { body });
  return {
    status: answer.status,
    message: answer.json.message,
    columns: answer.json.result as unknown as Columns,
  };
}

test("[P-379] get-projects-columns returns the columns of the version and those of the target", async () => {
  const versions = await versionOf(fleet);
  const target = await targetNamed("Fleet again");
  const body = { backedUpProjectId: fleet.id, restoredProjectId: target.id, versions };
  const { status, columns } = await columnsOf(body);
  expect(status).toBe(200);
  expect(columns.backedUpProjectColumns.map(({ name }) => name)).toContain("Backlog");
  for (const column of columns.backedUpProjectColumns) expect(column.transitionId).toMatch(/^\d+$/);
  expect(columns.restoredProjectColumns.map(({ name }) => name)).toEqual([
    "To Do",
    "In Progress",
    "In Review",
    "Done",
  ]);
  const help = await targetNamed("Help desk");
  const refused = await columnsOf({ ...body, restoredProjectId: help.id });
  expect(refused.message).toContain("Jira Service Management projects cannot match columns");
});

test("[P-380] restore-projects takes restoredId and matchedColumns, and the issues appear in the target, in the matched column", async () => {
  const versions = await versionOf(fleet);
  const target = await targetNamed("Fleet again");
  const { columns } = await columnsOf({
    backedUpProjectId: fleet.id,
    restoredProjectId: target.id,
    versions,
  });
  const order = { id: fleet.id, versions, restoredId: target.id };
  const matchedColumns = columns.backedUpProjectColumns.map((backedUpProjectColumn) => ({
    backedUpProjectColumn,
    restoredProjectColumn: { name: "In Progress" },
  }));
  const emails = "ivo@meridian.example";
  const answer = await ask("POST", "restore-projects", {
    body: { items: [{ ...order, matchedColumns }], emails },
  });
  expect([answer.status, answer.text]).toEqual([
    200,
    expect.stringContaining("Your restore is now in process"),
  ]);
  await world.drain();
  expect(await issuesIn("OPSB")).toEqual([
    ["Paper to Hamburg", "In Progress"],
    ["Timber to Rostock", "In Progress"],
  ]);
  expect(world.mails.some(({ to }) => to === emails)).toBe(true);
});

/** Summary and status of a project's issues, at Jira itself. */
async function issuesIn(key: string): Promise<[string, string][]> {
  const { issues } = await jira.control<{ issues: { summary: string; status: string }[] }>(
    `sites/meridian/projects/${key}/dump`,
  );
  return issues.map(({ summary, status }): [string, string] => [summary, status]).sort();
}

test("a restore of a project without columns needs no matches, and one into a project that is missing is refused", async () => {
  const versions = await versionOf(desk);
  const target = await targetNamed("Help desk");
  const body = { items: [{ id: desk.id, versions, restoredId: target.id }] };
  expect((await ask("POST", "restore-projects", { body })).status).toBe(200);
  await world.drain();
  const missing = { items: [{ id: desk.id, versions, restoredId: "99999" }] };
  expect((await ask("POST", "restore-projects", { body: missing })).status).toBe(404);
});

test("[P-381] jira-get-zip returns the URL of a version's ZIP", async () => {
  const body = { projectId: fleet.id, versionId: await versionOf(fleet) };
  const { json } = await ask("POST", "jira-get-zip", { body });
  expect(String(json.result.url)).toMatch(/^https?:\/\//);
});

test("update-daily-backup-items-statuses takes is_daily_backed_up and projectsIds", async () => {
  const body = { is_daily_backed_up: false, projectsIds: [fleet.id] };
  expect((await ask("PUT", "update-daily-backup-items-statuses", { body })).status).toBe(200);
  const [row] = await world.rows<{ is_daily: number }>("SELECT is_daily FROM item WHERE id = ?", fleet.id);
  expect(row?.is_daily).toBe(0);
});

test("[P-377] delete-projects removes projects by id", async () => {
  expect((await ask("DELETE", "delete-projects", { body: { ids: [fleet.id] } })).status).toBe(200);
  const { json } = await ask("GET", "get-user-jira-projects", { query: PAGE });
  expect(rowsOf(json.result).map(({ name }) => name)).toEqual(["Help desk"]);
});
