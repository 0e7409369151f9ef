import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import { requestBackup } from "#core/backups/index.ts";
import { DAY_MS, HOUR_MS } from "#core/kernel/clock.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { type OutsideNotion, openNotion } from "#tests/harness/outside.ts";
import { makeMember, makeSession } from "#tests/harness/people.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

// Each test continues where the one before it ended.

const NOTION = "notion";
const CALLBACK = "/connect/notion/callback";
const PAGE = { page: "0", perPage: "10" };
const MERIDIAN = "Meridian Freight";
const HARBOUR = "Harbour Works";

type Row = { id: string; name: string } & Record<string, unknown>;
type Scope = { id: string; title: string; object: string; children: Scope[] };

let world: FlowWorld;
let notion: OutsideNotion;
let session: string;
/** The pages at the top of the workspace, by title. */
const pages = new Map<string, string>();
let meridian: Row;
let harbour: Row;

beforeAll(async () => {
  notion = await openNotion(`${env.PUBLIC_URL}${CALLBACK}`);
  world = await openFlowWorld({ isConnected: false, vars: notion.vars });
  const { userId } = world.member;
  session = (await createSession(world.services, { userId, isRemembered: false })).token;
  await make({ title: "Handbook", text: "How we drive, load and bill." });
  await make({ title: "Loading", parentId: pages.get("Handbook")! });
  await make({ title: "Ropes", parentId: pages.get("Loading")! });
  await make({ title: "Plans" });
  await make({ title: "Harbour rota", login: "lena", workspace: HARBOUR });
  const table = { title: "Lorries", parentId: pages.get("Handbook"), rows: ["MF-101", "MF-102"] };
  await notion.control("tables", table);
});
afterAll(async () => {
  await world.close();
  await notion.close();
});

/** Creates a page at Notion. */
async function make(order: { title: string } & Record<string, unknown>): Promise<void> {
  pages.set(order.title, (await notion.control<{ id: string }>("pages", order)).id);
}

type Given = { query?: Record<string, string>; body?: object; token?: string };

/** Sends a request to the whole product over HTTP, as the owner unless another session is given. */
async function ask(method: string, path: string, given: Given = {}) {
  const answer = await send({ method, path: `/api/${NOTION}/${path}`, ...given });
  return {
    status: answer.status,
    text: answer.text,
    json: answer.json as Record<string, unknown> & { result: Record<string, never> },
  };
}

function send({ token = session, ...call }: Omit<Parameters<typeof sendTo>[1], "headers"> & Given) {
  const bindings = { ...httpBindings(world), ...notion.vars } as unknown as Env;
  return sendTo(bindings, { ...call, headers: { Authorization: token } });
}

const rowsOf = (value: unknown) => value as Row[];
const urlOf = (result: unknown) => new URL((result as { url: string }).url);

/** Consents on Notion's page to some pages of a workspace. Returns where the product then leads. */
async function consent(
  page: URL,
  order: { login: string; workspace: string; titles: readonly string[] },
): Promise<string> {
  const { workspaces } = await notion.control<{ workspaces: Row[] }>("workspaces");
  const { id } = workspaces.find(({ name }) => name === order.workspace)!;
  const form = new URLSearchParams([
    ...page.searchParams,
    ["place", `${order.login} ${id}`],
    ...order.titles.map((title) => ["page", pages.get(title)!]),
    ["decision", "allow"],
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

const owners = async () => rowsOf((await ask("GET", "get-notion-users")).json.result);

test("[P-382] auth-url returns Notion's consent page, and the consent connects the owner", async () => {
  const { status, json } = await ask("GET", "auth-url", { query: { region: world.region } });
  expect(status).toBe(200);
  const page = urlOf(json.result);
  expect(`${page.origin}${page.pathname}`).toBe(`${notion.url}/v1/oauth/authorize`);
  const told = Object.fromEntries(page.searchParams);
  expect(told).toMatchObject({
    response_type: "code",
    owner: "user",
    client_id: notion.vars.NOTION_CLIENT_ID,
  });
  expect(told.redirect_uri).toBe(`${env.PUBLIC_URL}${CALLBACK}`);
  const titles = ["Handbook", "Plans"];
  expect(await consent(page, { login: "nora", workspace: MERIDIAN, titles })).toBe(
    "/platform/dashboard/notion",
  );
  await env.DB.prepare("UPDATE subscription SET plan = 'pro', quantity = 200, ends_at = NULL").run();
});

test("[P-133] [P-383] get-notion-users returns the owners by id, name, type, e-mail and username, side by side", async () => {
  const page = urlOf((await ask("GET", "auth-url")).json.result);
  const titles = ["Harbour rota"];
  await consent(page, { login: "nora", workspace: HARBOUR, titles });
  const found = await owners();
  const nora = {
    id: expect.stringMatching(/^con_/),
    ...{ name: "Nora Lindqvist", username: "Nora Lindqvist", type: "user", email: "nora@meridian.example" },
  };
  expect(found).toMatchObject([
    { ...nora, workspace_name: MERIDIAN },
    { ...nora, workspace_name: HARBOUR },
  ]);
  for (const { id, ownerId } of found) expect(ownerId).toBe(id);
});

test("get-available-notion-workspaces offers the workspace of an owner, and add-workspaces protects it", async () => {
  for (const { ownerId, workspace_name: name } of await owners()) {
    const query = { ...PAGE, ownerId: String(ownerId) };
    const { json } = await ask("GET", "get-available-notion-workspaces", { query });
    const offered = rowsOf(json.result.available_workspaces);
    expect(offered.map((row) => row.name)).toEqual([name]);
    const workspacesIds = offered.map(({ id }) => ({ id }));
    const added = await ask("POST", "add-workspaces", { body: { ownerId, workspacesIds } });
    expect(rowsOf(added.json.result.workspaces_list)).toMatchObject([{ name, type: "workspace" }]);
  }
  await world.drain();
});

/** Lists workspaces. */
async function workspacesOf(query: Record<string, string>) {
  const { json } = await ask("GET", "get-user-workspaces", { query });
  const rows = json.result === null ? [] : rowsOf(json.result);
  return { json, rows, names: rows.map(({ name }) => name) };
}

test("[P-384] get-user-workspaces takes ownerId, page, perPage and name, and without an owner lists the first one's", async () => {
  const [nora, other] = (await owners()).map(({ id }) => id);
  const ofNora = await workspacesOf({ ...PAGE, ownerId: nora! });
  expect(ofNora.json).toMatchObject({ canUserBackup: true, totalItemsNumber: 1 });
  meridian = ofNora.rows[0]!;
  harbour = (await workspacesOf({ ...PAGE, ownerId: other! })).rows[0]!;
  const state = { status: "backuped", lastBackup: expect.any(Number), is_daily_backed_up: true };
  expect([meridian, harbour]).toMatchObject([
    { name: MERIDIAN, ...state },
    { name: HARBOUR, ...state },
  ]);
  expect((await workspacesOf(PAGE)).names).toEqual([MERIDIAN]);
  expect((await workspacesOf({ ...PAGE, ownerId: other!, name: "harb" })).names).toEqual([HARBOUR]);
  expect((await workspacesOf({ ...PAGE, ownerId: other!, name: "meri" })).names).toEqual([]);
  const second = await workspacesOf({ page: "1", perPage: "1", ownerId: nora! });
  expect([second.names, second.json.totalItemsNumber]).toEqual([[], 1]);
  const unknown = await workspacesOf({ ownerId: "con_00000000000000000000000000" });
  expect(unknown.json.code).toBe("err.connection.missing");
});

async function history(itemId: string, token = session) {
  const body = { itemId, perPage: 10, page: 0 };
  const answer = await send({ method: "POST", path: "/api/user/get-items-backups", body, token });
  const { result, totalItemsNumber } = answer.json as unknown as { result: Row[]; totalItemsNumber: number };
  return { rows: result, totalItemsNumber };
}

test("[P-161] [P-390] the versions of a workspace are listed by itemId, and each names itself for the scope", async () => {
  const { rows, totalItemsNumber } = await history(meridian.id);
  const version = (await newestSnapshot(world, meridian.id)).id;
  expect(totalItemsNumber).toBe(1);
  expect(rows).toMatchObject([
    {
      ...{ type: "backup", status: "success", versions: version, data_size: expect.any(Number) },
      extra_fields: { fullBackupSize: rows[0]?.size, get_zip: null, scopeVersionId: version },
    },
  ]);
});

async function scopeOf({ id }: Row, more: Record<string, string> = {}) {
  const workspaceVersionId = (await newestSnapshot(world, id)).id;
  const query = { workspaceId: id, workspaceVersionId, ...more };
  const { status, json } = await ask("GET", "get-workspace-backup-scope", { query });
  expect(status).toBe(200);
  return json.result as unknown as { items: Scope[]; next: string | null };
}

/** A scope as titles, with an indent for each level. */
const outline = (items: readonly Scope[], indent = ""): string[] =>
  items.flatMap(({ title, object, children }) => [
    `${indent}${title} (${object})`,
    ...outline(children, `${indent}  `),
  ]);

test("[P-385] get-workspace-backup-scope returns the titles of a version with type and children", async () => {
  const { items, next } = await scopeOf(meridian);
  expect(next).toBeNull();
  expect(outline(items)).toEqual([
    "Handbook (page)",
    "  Loading (page)",
    "    Ropes (page)",
    "  Lorries (database)",
    "Plans (page)",
  ]);
  expect(outline((await scopeOf(harbour)).items)).toEqual(["Harbour rota (page)"]);
});

test("the scope of a version that is missing, or of another workspace, is not found", async () => {
  const version = (await newestSnapshot(world, meridian.id)).id;
  for (const query of [
    { workspaceId: meridian.id, workspaceVersionId: "snp_00000000000000000000000000" },
    { workspaceId: harbour.id, workspaceVersionId: version },
  ])
    expect((await ask("GET", "get-workspace-backup-scope", { query })).json.code).toBe("err.not.found");
});

const queued = async () =>
  (
    await world.rows<{ item_id: string }>(
      "SELECT item_id FROM run WHERE kind = 'backup' AND status = 'queued' ORDER BY item_id",
    )
  ).map(({ item_id }) => item_id);

test("[P-386] backup-all-items-now takes ownerId and queues one run per workspace of the owner", async () => {
  const found = await owners();
  const { id: ownerId } = found.find(({ workspace_name: name }) => name === HARBOUR)!;
  const { status, json } = await ask("POST", "backup-all-items-now", { body: { ownerId } });
  expect([status, json.result]).toMatchObject([200, { queued: 1, refused: 0 }]);
  expect(await queued()).toEqual([harbour.id]);
  await world.drain();
});

test("backup-now takes workspaceId, and a second one within the window is refused", async () => {
  expect((await ask("POST", "backup-now", { body: { workspaceId: meridian.id } })).status).toBe(200);
  expect(await queued()).toEqual([meridian.id]);
  await world.drain();
  const again = await ask("POST", "backup-now", { body: { workspaceId: meridian.id } });
  expect(again.json.code).toBe("err.user.backup.limit");
});

test("[P-389] notion-get-zip takes workspaceId and workspaceVersionId and returns a URL", async () => {
  const workspaceVersionId = (await newestSnapshot(world, meridian.id)).id;
  const body = { workspaceId: meridian.id, workspaceVersionId };
  const { json } = await ask("POST", "notion-get-zip", { body });
  expect(String(json.result.url)).toMatch(/^https?:\/\//);
  const { rows } = await history(meridian.id);
  expect(rows[0]).toMatchObject({ extra_fields: { get_zip: json.result.url } });
});

test("[P-388] restore-boards takes items and e-mails, and the pages appear at Notion under the new name", async () => {
  const versions = (await newestSnapshot(world, meridian.id)).id;
  const emails = "ivo@meridian.example";
  const answer = await ask("POST", "restore-boards", {
    body: { items: [{ id: meridian.id, versions, name: "Meridian of Tuesday" }], emails },
  });
  expect([answer.status, answer.json.message]).toEqual([200, "Your restore is now in process"]);
  await world.drain();
  const { rows } = await history(meridian.id);
  expect(rows[0]).toMatchObject({ type: "restore", status: "success" });
  const { workspaces } = await notion.control<{ workspaces: (Row & { rootIds: string[] })[] }>("workspaces");
  const { rootIds } = workspaces.find(({ name }) => name === MERIDIAN)!;
  const roots = await Promise.all(rootIds.map((id) => notion.control(`things/${id}/dump`)));
  const restored = roots
    .map((root) => JSON.stringify(root))
    .find((text) => text.includes("Meridian of Tuesday"));
  for (const title of ["Handbook", "Loading", "Ropes", "Lorries", "MF-101", "How we drive, load and bill."])
    expect(restored).toContain(title);
  expect(world.mails.some(({ to }) => to === emails)).toBe(true);
});

test("[P-399] update-daily-backup-items-statuses takes is_daily_backed_up and workspacesIds", async () => {
  for (const isDaily of [false, true]) {
    const body = { is_daily_backed_up: isDaily, workspacesIds: [meridian.id] };
    const { status } = await ask("PUT", "update-daily-backup-items-statuses", { body });
    expect(status).toBe(200);
    const [row] = await world.rows<{ is_daily: number }>(
      "SELECT is_daily FROM item WHERE id = ?",
      meridian.id,
    );
    expect(row?.is_daily).toBe(Number(isDaily));
  }
});

test("[P-230] changing the account takes over the newly selected pages: the next version holds them only", async () => {
  const [nora] = await owners();
  const begun = await ask("GET", "change-notion-user", { query: { ownerId: nora!.id } });
  const titles = ["Plans"];
  await consent(urlOf(begun.json.result), { login: "nora", workspace: MERIDIAN, titles });
  expect((await owners()).map(({ id }) => id)).toContain(nora!.id);
  world.clock.advance(DAY_MS + HOUR_MS);
  await requestBackup(world.services, world.member, { platform: NOTION, itemId: meridian.id });
  await world.drain();
  expect(outline((await scopeOf(meridian)).items)).toEqual(["Plans (page)"]);
  // The versions of the former selection stay until their time is over.
  expect((await history(meridian.id)).rows.filter(({ type }) => type === "backup")).toHaveLength(3);
});

/** The session of a new member with a role on Notion. */
const invited = async (role: "admin" | "user") =>
  makeSession(world.services, await makeMember(world.services, world.member, { [NOTION]: role }));

test("[P-303] Backup now needs an admin of Notion, and a trial or Pro that runs", async () => {
  const tokens = { owner: session, admin: await invited("admin"), user: await invited("user") };
  const body = { workspaceId: meridian.id };
  const table: Record<string, unknown> = {};
  for (const [name, plan, endsAt] of [
    ["trial", "trial", null],
    ["Pro", "pro", null],
    ["Essential", "essential", null],
    ["ended Pro", "pro", 1],
  ] as const) {
    await env.DB.prepare("UPDATE subscription SET plan = ?, ends_at = ?").bind(plan, endsAt).run();
    const verdicts: string[] = [];
    for (const token of Object.values(tokens)) {
      const { code } = (await ask("POST", "backup-now", { body, token })).json;
      // Who is told to wait for the next window is allowed.
      verdicts.push(code === null || code === "err.user.backup.limit" ? "allowed" : String(code));
    }
    table[name] = verdicts;
  }
  await env.DB.prepare("UPDATE subscription SET plan = 'pro', ends_at = NULL").run();
  const [allowed, plan, role] = ["allowed", "err.plan.required", "err.role.forbidden"];
  expect(table).toEqual({
    trial: [allowed, allowed, role],
    Pro: [allowed, allowed, role],
    Essential: [plan, plan, role],
    "ended Pro": [plan, plan, role],
  });
});

test("[P-302] an invited user reads lists and histories, opens versions as an admin, and never adds a workspace", async () => {
  const [reader, admin] = [await invited("user"), await invited("admin")];
  const workspaceVersionId = (await newestSnapshot(world, meridian.id)).id;
  const query = { workspaceId: meridian.id, workspaceVersionId };
  const body = { workspacesIds: [{ id: String(meridian.externalId) }] };
  const verdicts = async (token: string) => ({
    owners: (await ask("GET", "get-notion-users", { token })).status,
    list: (await ask("GET", "get-user-workspaces", { token })).status,
    history: (await history(meridian.id, token)).rows.length > 0,
    scope: (await ask("GET", "get-workspace-backup-scope", { query, token })).json.code ?? null,
    all: (await ask("POST", "backup-all-items-now", { body: {}, token })).json.code ?? null,
    add: (await ask("POST", "add-workspaces", { body, token })).json.code,
    connect: (await ask("GET", "auth-url", { token })).json.code,
    change: (await ask("GET", "change-notion-user", { token })).json.code,
    remove: (await ask("DELETE", "delete-workspaces", { body: { ids: ["itm_1"] }, token })).json.code,
  });
  const seen = { owners: 200, list: 200, history: true };
  const no = "err.role.forbidden";
  expect(await verdicts(reader)).toEqual({
    ...seen,
    scope: no,
    all: no,
    add: no,
    connect: no,
    change: no,
    remove: no,
  });
  expect(await verdicts(admin)).toMatchObject({
    ...seen,
    scope: null,
    add: no,
    connect: no,
    change: no,
    remove: "err.not.found",
  });
});

test("[P-387] delete-workspaces removes workspaces by id", async () => {
  expect((await ask("DELETE", "delete-workspaces", { body: { ids: [meridian.id] } })).status).toBe(200);
  expect((await workspacesOf(PAGE)).names).toEqual([]);
  const ownerId = String(harbour.connection_id);
  expect((await workspacesOf({ ...PAGE, ownerId })).names).toEqual([HARBOUR]);
});
