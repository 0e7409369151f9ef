import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { connect, type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { type OutsideTrello, openTrello } from "#tests/harness/outside.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

const TRELLO = "trello";
const LOGIN = "nora_lindqvist";
const PAGE = { page: "0", perPage: "10" };

let world: FlowWorld;
let trello: OutsideTrello;
let session: string;
let crane: Row;

beforeAll(async () => {
  trello = await openTrello();
  world = await openFlowWorld({ isConnected: false, vars: trello.vars });
  await connect(world, TRELLO, LOGIN);
  const { userId } = world.member;
  session = (await createSession(world.services, { userId, isRemembered: false })).token;
  await trello.control("boards", { name: "Crane", content: "fleet", prefs: { permissionLevel: "org" } });
  await trello.control("boards", { name: "Winch", organization: null });
});
afterAll(async () => {
  await world.close();
  await trello.close();
});

type Row = { id: string; name: string } & Record<string, unknown>;

/** Sends a request to the whole product over HTTP, as the owner. */
async function ask(
  method: string,
  path: string,
  given: { query?: Record<string, string>; body?: object } = {},
) {
  const bindings = { ...httpBindings(world), ...trello.vars } as unknown as Env;
  const headers = { Authorization: session };
  const answer = await sendTo(bindings, { method, path: `/api/${TRELLO}/${path}`, headers, ...given });
  return {
    status: answer.status,
    text: answer.text,
    json: answer.json as Record<string, unknown> & { result: Record<string, never> },
  };
}

const rowsOf = (value: unknown) => value as Row[];
const consentOf = (result: unknown) => new URL((result as { url: string }).url);

test("[P-131] [P-358] get-trello-user returns the connected account by id, user name and full name", async () => {
  const { json } = await ask("GET", "get-trello-user");
  const account = { id: expect.any(String), user_name: LOGIN, full_name: "Nora Lindqvist" };
  expect(rowsOf(json.result)).toMatchObject([account]);
});

test("[P-359] [P-360] login-trello and change-trello-user return their own consent pages, and nothing is deleted before consent", async () => {
  const states = new Set<string | null>();
  for (const path of ["login-trello", "change-trello-user"]) {
    const { status, json } = await ask("GET", path);
    expect(status).toBe(200);
    const consent = consentOf(json.result);
    expect(`${consent.origin}${consent.pathname}`).toBe(`${trello.url}/authorize`);
    const told = Object.fromEntries(consent.searchParams);
    expect(told).toMatchObject({ response_type: "code", code_challenge_method: "S256" });
    expect(told.scope?.split(" ")).toContain("write:board:trello");
    expect(told.redirect_uri).toMatch(/\/connect\/trello\/callback$/);
    states.add(consent.searchParams.get("state"));
  }
  expect([...states].filter(Boolean)).toHaveLength(2);
  expect(rowsOf((await ask("GET", "get-trello-user")).json.result)).toHaveLength(1);
});

test("[P-361] get-available-trello-boards pages and searches, and returns not_added_boards", async () => {
  const path = "get-available-trello-boards";
  const found = await ask("GET", path, { query: { ...PAGE, name: "RAN" } });
  expect(rowsOf(found.json.result.not_added_boards).map(({ name }) => name)).toEqual(["Crane"]);
  const pages: string[] = [];
  for (const page of ["0", "1"]) {
    const { json } = await ask("GET", path, { query: { page, perPage: "1" } });
    pages.push(...rowsOf(json.result.not_added_boards).map(({ name }) => name));
  }
  expect(pages).toEqual(["Crane", "Winch"]);
});

test("[P-363] get-available-trello-organizations returns the workspaces, including new ones", async () => {
  const workspaces = async () => {
    const { status, json } = await ask("GET", "get-available-trello-organizations");
    expect(status).toBe(200);
    return rowsOf(json.result).map(({ name }) => name);
  };
  expect(await workspaces()).toEqual(["Harbour Works", "Meridian Freight"]);
  await trello.control("organizations", {
    name: "tugs",
    displayName: "Tugs",
    plan: "standard",
    login: LOGIN,
  });
  expect(await workspaces()).toEqual(["Harbour Works", "Meridian Freight", "Tugs"]);
});

test("[P-364] add-boards adds boards by id and returns them", async () => {
  const { json } = await ask("GET", "get-available-trello-boards", { query: PAGE });
  const boardsIds = rowsOf(json.result.not_added_boards).map(({ id }) => ({ id }));
  const added = await ask("POST", "add-boards", { body: { boardsIds } });
  const boards = rowsOf(added.json.result.boards_list);
  expect(boards.map(({ name }) => name).sort()).toEqual(["Crane", "Winch"]);
  crane = boards.find(({ name }) => name === "Crane")!;
  await world.drain();
});

test("[P-146] [P-362] get-user-trello-boards pages and searches, and returns visibility and workspace of a board", async () => {
  const { json } = await ask("GET", "get-user-trello-boards", { query: PAGE });
  expect(json).toMatchObject({ canUserBackup: true, totalItemsNumber: 2 });
  expect(rowsOf(json.result)).toMatchObject([
    { name: "Crane", is_private: false, permissionLevel: "org", organizationName: "Meridian Freight" },
    { name: "Winch", is_private: true, permissionLevel: "private" },
  ]);
  const second = await ask("GET", "get-user-trello-boards", { query: { page: "1", perPage: "1" } });
  expect(rowsOf(second.json.result).map(({ name }) => name)).toEqual(["Winch"]);
  const searched = await ask("GET", "get-user-trello-boards", { query: { ...PAGE, name: "win" } });
  expect(rowsOf(searched.json.result).map(({ name }) => name)).toEqual(["Winch"]);
});

const queued = () =>
  world.rows<{ item_id: string }>("SELECT item_id FROM run WHERE kind = 'backup' AND status = 'queued'");

test("[P-366] backup-now takes boardId and queues one run", async () => {
  expect((await ask("POST", "backup-now", { body: { boardId: crane.id } })).status).toBe(200);
  expect(await queued()).toEqual([{ item_id: crane.id }]);
  await world.drain();
});

test("backup-all-items-now queues a run for every board that may be backed up now", async () => {
  const { json } = await ask("GET", "backup-all-items-now");
  // The previous test used the window of the other board.
  expect(json.result).toMatchObject({ queued: 1 });
  expect(await queued()).toHaveLength(1);
  await world.drain();
});

test("[P-368] trello-get-zip returns the URL of a version's ZIP", async () => {
  const { id } = await newestSnapshot(world, crane.id);
  const { json } = await ask("POST", "trello-get-zip", { body: { boardId: crane.id, versionId: id } });
  expect(String(json.result.url)).toMatch(/^https?:\/\//);
});

test("[P-367] [P-458] restore-boards creates a board in the given workspace, matches no columns, and sends the requested e-mails", async () => {
  const { id } = await newestSnapshot(world, crane.id);
  const places = rowsOf((await ask("GET", "get-available-trello-organizations")).json.result);
  const organizationId = places.find(({ name }) => name === "Tugs")!.id;
  const items = [{ id: crane.id, versions: id, name: "Crane two", organizationId }];
  const emails = "ivo@meridian.example";
  const columns = [{ ...items[0], columns: {} }];
  expect((await ask("POST", "restore-boards", { body: { items: columns, emails } })).status).toBe(200);
  await world.drain();
  const made = (await boards()).filter(({ name }) => name === "Crane two");
  expect(made).toHaveLength(1);
  const { idOrganization } = await board(made[0]!.id);
  expect(await workspaceName(idOrganization)).toBe("Tugs");
  expect(world.mails.some(({ to }) => to === emails)).toBe(true);
});

async function boards() {
  const answer = await fetch(`${trello.url}/__sim/trello/boards`);
  return ((await answer.json()) as { boards: Row[] }).boards;
}

async function asNora<T>(path: string): Promise<T> {
  const { authorization } = await trello.control<{ authorization: string }>("token", { login: LOGIN });
  const answer = await fetch(`${trello.vars.TRELLO_API_URL}/${path}`, { headers: { authorization } });
  return (await answer.json()) as T;
}

const board = (id: string) => asNora<{ idOrganization: string }>(`boards/${id}?fields=idOrganization`);
const workspaceName = async (id: string) =>
  (await asNora<{ displayName: string }>(`organizations/${id}`)).displayName;

test("[P-394] update-daily-backup-items-statuses takes is_daily_backed_up and boardsIds", async () => {
  const body = { is_daily_backed_up: false, boardsIds: [crane.id] };
  expect((await ask("PUT", "update-daily-backup-items-statuses", { body })).status).toBe(200);
  const [row] = await world.rows<{ is_daily: number }>("SELECT is_daily FROM item WHERE id = ?", crane.id);
  expect(row?.is_daily).toBe(0);
});

test("[P-365] delete-boards removes boards by id", async () => {
  expect((await ask("DELETE", "delete-boards", { body: { boardsIds: [crane.id] } })).status).toBe(200);
  const { json } = await ask("GET", "get-user-trello-boards", { query: PAGE });
  expect(rowsOf(json.result).map(({ name }) => name)).toEqual(["Winch"]);
});

test("a token of the token page is accepted as a code, once, only with its person's state", async () => {
  const { status, json } = await ask("GET", "login-trello");
  expect(status).toBe(200);
  const state = consentOf(json.result).searchParams.get("state") ?? "";
  const { token } = await trello.control<{ token: string }>("token", { login: LOGIN, kind: "legacy" });
  const send = async (form: Record<string, string>, origin = "https://app.example.test") => {
    const bindings = { ...httpBindings(world), ...trello.vars } as unknown as Env;
    const headers = { Authorization: session, Origin: origin };
    const call = {
      method: "POST",
      path: `/connect/${TRELLO}/callback`,
      headers,
      body: new URLSearchParams(form),
    };
    return await sendTo(bindings, call);
  };
  const wayBack = async (form: Record<string, string>, origin?: string) => {
    const { status: redirect, headers } = await send(form, origin);
    expect(redirect).toBe(302);
    const location = headers.get("Location") ?? "";
    expect(location).not.toContain(token);
    return location;
  };
  expect(env.PUBLIC_URL).toBe("https://app.example.test");
  const brought = { code: token, state };
  expect(await wayBack(brought, "https://evil.example")).toContain("/app-connector?error_message=");
  expect(await wayBack({ ...brought, state: "made-up" })).toContain("/app-connector?error_message=");
  expect(await wayBack(brought)).toBe("/platform/dashboard/trello");
  expect(await wayBack(brought)).toContain("/app-connector?error_message=");
});
