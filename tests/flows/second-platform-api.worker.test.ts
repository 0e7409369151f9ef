import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { connect, type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { type OutsideGitlab, openGitlab } from "#tests/harness/outside.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

const GITLAB = "gitlab";
const LOGIN = "nora-lindqvist";
const PAGE = { page: "0", perPage: "10" };

let world: FlowWorld;
let gitlab: OutsideGitlab;
let vars: Record<string, string>;
let session: string;
let ids: Record<"project" | "snippet", string>;

beforeAll(async () => {
  gitlab = await openGitlab();
  vars = {
    GITLAB_URL: gitlab.url,
    GITLAB_CLIENT_ID: gitlab.clientId,
    GITLAB_CLIENT_SECRET: gitlab.clientSecret,
  };
  world = await openFlowWorld({ isConnected: false, vars });
  await connect(world, GITLAB);
  const { userId } = world.member;
  session = (await createSession(world.services, { userId, isRemembered: false })).token;
  for (const name of ["crane", "winch"]) {
    const { id } = await gitlab.control<{ id: number }>("projects", { path: `${LOGIN}/${name}` });
    await gitlab.control(`projects/${id}/commits`, { count: 1 });
  }
  const { token } = await gitlab.control<{ token: string }>("token", { login: LOGIN });
  for (const title of ["deploy hook", "tariff query"]) {
    await fetch(`${gitlab.url}/api/v4/snippets`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ title, files: [{ file_path: "a.sh", content: "echo 1\n" }] }),
    });
  }
});
afterAll(async () => {
  await world.close();
  await gitlab.close();
});

type Row = { id: string; name: string; organizationName: string | null };

/** Sends a request to the whole product over HTTP, as the owner. */
async function ask(
  method: string,
  path: string,
  given: { query?: Record<string, string>; body?: object } = {},
) {
  const bindings = { ...httpBindings(world), ...vars } as unknown as Env;
  const headers = { Authorization: session };
  const answer = await sendTo(bindings, { method, path: `/api/${GITLAB}/${path}`, headers, ...given });
  return {
    status: answer.status,
    json: answer.json as Record<string, unknown> & { result: Record<string, never> },
  };
}

const rowsOf = (value: unknown) => value as Row[];

test("[P-131] [P-341] get-gitlab-users returns the connected accounts by id, user name and full name", async () => {
  const { json } = await ask("GET", "get-gitlab-users");
  const account = { id: expect.any(String), user_name: LOGIN, full_name: "Nora Lindqvist" };
  expect(rowsOf(json.result)).toMatchObject([{ ...account, username: LOGIN }]);
});

/** The consent page in a call's result. */
const consentOf = (result: unknown) => new URL((result as { url: string }).url);

test("[P-342] add-gitlab-user returns the consent page, which redirects back with the given state", async () => {
  const { status, json } = await ask("GET", "add-gitlab-user");
  expect(status).toBe(200);
  const consent = consentOf(json.result);
  expect(`${consent.origin}${consent.pathname}`).toBe(`${gitlab.url}/oauth/authorize`);
  const told = Object.fromEntries(consent.searchParams);
  expect(told).toMatchObject({
    response_type: "code",
    client_id: gitlab.clientId,
    code_challenge_method: "S256",
  });
  expect(told.redirect_uri).toMatch(/\/connect\/gitlab\/callback$/);
  expect(told.state).toBeTruthy();
});

test("[P-343] change-gitlab-user returns its own consent page, and nothing is deleted before consent", async () => {
  const first = await ask("GET", "add-gitlab-user");
  const { status, json } = await ask("GET", "change-gitlab-user");
  expect(status).toBe(200);
  const stateOf = (result: unknown) => consentOf(result).searchParams.get("state");
  expect(stateOf(json.result)).toBeTruthy();
  expect(stateOf(json.result)).not.toBe(stateOf(first.json.result));
  const users = await ask("GET", "get-gitlab-users");
  expect(rowsOf(users.json.result)).toHaveLength(1);
});

async function offersTwo(kind: string, { part, found, all }: { part: string; found: string; all: string[] }) {
  const path = `get-available-${kind}-for-gitlab-user`;
  const one = await ask("GET", path, { query: { ...PAGE, name: part } });
  expect(rowsOf(one.json.result[`not_added_${kind}`]).map(({ name }) => name)).toEqual([found]);
  const pages: string[] = [];
  for (const page of ["0", "1"]) {
    const { json } = await ask("GET", path, { query: { page, perPage: "1" } });
    pages.push(...rowsOf(json.result[`not_added_${kind}`]).map(({ name }) => name));
  }
  expect(pages.sort()).toEqual(all);
}

test("[P-344] get-available-projects-for-gitlab-user pages and searches, and returns not_added_projects", () =>
  offersTwo("projects", { part: "RAN", found: "crane", all: ["crane", "winch"] }));

test("[P-345] get-available-snippets-for-gitlab-user pages and searches, and returns not_added_snippets", () =>
  offersTwo("snippets", { part: "HOOK", found: "deploy hook", all: ["deploy hook", "tariff query"] }));

test("[P-348] [P-349] add-gitlab-projects and add-gitlab-snippets return the added items", async () => {
  const available = async (kind: string) => {
    const { json } = await ask("GET", `get-available-${kind}-for-gitlab-user`, { query: PAGE });
    return rowsOf(json.result[`not_added_${kind}`]).map(({ id }) => ({ id }));
  };
  const projects = await ask("POST", "add-gitlab-projects", {
    body: { projectsIds: await available("projects") },
  });
  const added = rowsOf(projects.json.result.projects_list);
  expect(added.map(({ name }) => name).sort()).toEqual(["crane", "winch"]);
  const snippets = await ask("POST", "add-gitlab-snippets", {
    body: { snippetsIds: await available("snippets") },
  });
  const more = rowsOf(snippets.json.result.snippets_list);
  expect(more.map(({ name }) => name).sort()).toEqual(["deploy hook", "tariff query"]);
  const idOf = (rows: Row[], name: string) => rows.find((row) => row.name === name)?.id ?? "";
  ids = { project: idOf(added, "crane"), snippet: idOf(more, "deploy hook") };
  await world.drain();
});

async function listsTwo(kind: string, { part, found }: { part: string; found: string }) {
  const { json } = await ask("GET", `get-user-gitlab-${kind}`, { query: PAGE });
  expect(json).toMatchObject({ canUserBackup: true, totalItemsNumber: 2 });
  expect(rowsOf(json.result)).toHaveLength(2);
  for (const row of rowsOf(json.result))
    expect(row).toMatchObject({ is_private: true, visibility: "private" });
  const searched = await ask("GET", `get-user-gitlab-${kind}`, { query: { ...PAGE, name: part } });
  expect(rowsOf(searched.json.result).map(({ name }) => name)).toEqual([found]);
  expect(searched.json.totalItemsNumber).toBe(1);
  for (const page of ["0", "1"]) {
    const one = await ask("GET", `get-user-gitlab-${kind}`, { query: { page, perPage: "1" } });
    expect([rowsOf(one.json.result), one.json.totalItemsNumber]).toMatchObject([
      [{ name: rowsOf(json.result)[Number(page)]?.name }],
      2,
    ]);
  }
}

test("[P-346] get-user-gitlab-projects returns result, canUserBackup and totalItemsNumber", () =>
  listsTwo("projects", { part: "cra", found: "crane" }));

test("[P-347] get-user-gitlab-snippets returns result, canUserBackup and totalItemsNumber", () =>
  listsTwo("snippets", { part: "hook", found: "deploy hook" }));

const runsOf = (kind: string) =>
  world.rows<{ id: string }>("SELECT id FROM run WHERE kind = ? AND status = 'queued'", kind);

test("[P-353] backup-all-added-snippets-now queues a run for every snippet and for no project", async () => {
  const { json } = await ask("GET", "backup-all-added-snippets-now");
  expect(json.result).toMatchObject({ queued: 2 });
  const kinds = await world.rows<{ kind: string }>(
    "SELECT item.kind FROM run JOIN item ON item.id = run.item_id WHERE run.kind = 'backup' AND run.status = 'queued'",
  );
  expect(kinds.map(({ kind }) => kind)).toEqual(["snippet", "snippet"]);
  await world.drain();
});

test("[P-352] backup-now takes projectId and queues one run; snippets have their own path", async () => {
  expect((await ask("POST", "backup-now", { body: { projectId: ids.project } })).status).toBe(200);
  expect(await runsOf("backup")).toHaveLength(1);
  await world.drain();
  // The previous test has backed up all snippets, so this one's daily window is used.
  expect((await ask("POST", "backup-now-snippet", { body: { snippetId: ids.snippet } })).status).toBe(429);
});

async function givesZip(path: string, field: string, itemId: string) {
  const snapshot = await newestSnapshot(world, itemId);
  const { json } = await ask("POST", path, { body: { [field]: itemId, versionId: snapshot.id } });
  expect(String(json.result.url)).toMatch(/^https?:\/\//);
}

test("[P-356] gitlab-get-gzip returns the URL of a version's ZIP", () =>
  givesZip("gitlab-get-gzip", "projectId", ids.project));

test("[P-357] gitlab-snippet-get-zip returns the URL of a version's ZIP", () =>
  givesZip("gitlab-snippet-get-zip", "snippetId", ids.snippet));

async function restores(
  path: string,
  { itemId, name, list }: { itemId: string; name: string; list: string },
) {
  const snapshot = await newestSnapshot(world, itemId);
  const emails = `${name.replace(" ", "-")}@meridian.example`;
  const items = [{ id: itemId, versionId: snapshot.id, name }];
  expect((await ask("POST", path, { body: { items, emails } })).status).toBe(200);
  await world.drain();
  const { token } = await gitlab.control<{ token: string }>("token", { login: LOGIN });
  const answer = await fetch(`${gitlab.url}/api/v4${list}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const there = (await answer.json()) as { name?: string; title?: string }[];
  expect(there.map((one) => one.name ?? one.title)).toContain(name);
  expect(world.mails.some(({ to }) => to === emails)).toBe(true);
}

test("[P-354] restore-projects creates a project at GitLab and sends the requested e-mails", () =>
  restores("restore-projects", {
    itemId: ids.project,
    name: "crane two",
    list: "/projects?membership=true",
  }));

test("[P-355] restore-gitlab-snippets creates a snippet at GitLab and sends the requested e-mails", () =>
  restores("restore-gitlab-snippets", { itemId: ids.snippet, name: "hook two", list: "/snippets" }));

test("[P-398] update-daily-backup-items-statuses switches projects and snippets by separate lists", async () => {
  const daily = async (field: string, id: string) => {
    const body = { is_daily_backed_up: false, [field]: [id] };
    expect((await ask("PUT", "update-daily-backup-items-statuses", { body })).status).toBe(200);
    const [row] = await world.rows<{ is_daily: number }>("SELECT is_daily FROM item WHERE id = ?", id);
    return row?.is_daily;
  };
  expect(await daily("projectsIds", ids.project)).toBe(0);
  expect(await daily("snippetsIds", ids.snippet)).toBe(0);
});

test("[P-350] [P-351] delete-projects and delete-snippets take ids in the body, each only of its own kind", async () => {
  const wrong = await ask("DELETE", "delete-projects", { body: { ids: [ids.snippet] } });
  expect(wrong.status).toBe(404);
  expect((await ask("DELETE", "delete-projects", { body: { ids: [ids.project] } })).status).toBe(200);
  expect((await ask("DELETE", "delete-snippets", { body: { ids: [{ id: ids.snippet }] } })).status).toBe(200);
  for (const [kind, left] of [
    ["projects", "winch"],
    ["snippets", "tariff query"],
  ] as const) {
    const { json } = await ask("GET", `get-user-gitlab-${kind}`, { query: PAGE });
    expect([rowsOf(json.result).map(({ name }) => name), json.totalItemsNumber]).toEqual([[left], 1]);
  }
});
