import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import { listSnapshots, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

/** The documented calls of gists, from a real GitHub account to a real restore. */

const LOGIN = "nora-lindqvist";
const PAGE = { page: "0", perPage: "10" };

let world: FlowWorld;
let session: string;
let ids: Record<string, string>;

beforeAll(async () => {
  world = await openFlowWorld();
  const { userId } = world.member;
  session = (await createSession(world.services, { userId, isRemembered: false })).token;
  for (const name of ["berths", "cranes", "tariffs"]) {
    const body = { description: `About ${name}`, public: false, files: { [name]: { content: "# A" } } };
    expect((await atGithub("POST", "", body)).status).toBe(201);
  }
});
afterAll(() => world.close());

/** A call of GitHub's gists, as the connected account. */
async function atGithub(method: "GET" | "POST", path = "", body?: object): Promise<Response> {
  const { webUrl, apiUrl } = world.outside;
  const order = JSON.stringify({ login: LOGIN, scopes: ["gist"] });
  const granted = await fetch(`${webUrl}/__sim/github/token`, { method: "POST", body: order });
  const { token } = (await granted.json()) as { token: string };
  const headers = { authorization: `Bearer ${token}`, "user-agent": "test" };
  return fetch(`${apiUrl}/gists${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

type Row = { id: string; name: string };

/** Sends a request to the whole product over HTTP, as the owner. */
async function ask(
  method: string,
  path: string,
  given: { query?: Record<string, string>; body?: object } = {},
) {
  const call = { method, path: `/api/${PLATFORM}/${path}`, headers: { Authorization: session } };
  const { status, json } = await sendTo(httpBindings(world), { ...call, ...given });
  return { status, json: json as Record<string, unknown> & { result: Record<string, never> } };
}

const rowsOf = (value: unknown) => value as Row[];
const namesOf = (rows: unknown) => rowsOf(rows).map(({ name }) => name);
const listed = async (query: Record<string, string> = PAGE) =>
  (await ask("GET", "get-user-github-gists", { query })).json;

/** The gists with a queued backup. */
const queued = async () => {
  const runs = await world.rows<{ item_id: string }>(
    "SELECT item_id FROM run WHERE kind = 'backup' AND status = 'queued'",
  );
  return runs.map(({ item_id }) => item_id).toSorted();
};

test("[P-323] get-available-gists-for-github-user pages the gists of the account", async () => {
  const pages: string[][] = [];
  for (const page of ["0", "1", "2"]) {
    const query = { page, perPage: "2" };
    const { json } = await ask("GET", "get-available-gists-for-github-user", { query });
    pages.push(namesOf(json.result.not_added));
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 1, 0]);
  expect(pages.flat().toSorted()).toEqual(["berths", "cranes", "tariffs"]);
});

test("[P-327] add-github-gists adds every gist of its list", async () => {
  const { json } = await ask("GET", "get-available-gists-for-github-user", { query: PAGE });
  const gists = json.result.not_added;
  expect((await ask("POST", "add-github-gists", { body: { gists } })).status).toBe(200);
  const rows = rowsOf((await listed()).result);
  expect(namesOf(rows)).toEqual(["berths", "cranes", "tariffs"]);
  ids = Object.fromEntries(rows.map(({ name, id }) => [name, id]));
  await world.drain();
});

test("[P-325] get-user-github-gists takes page, perPage and name", async () => {
  const second = await listed({ page: "1", perPage: "2" });
  expect([namesOf(second.result), second.totalItemsNumber]).toEqual([["tariffs"], 3]);
  const found = await listed({ ...PAGE, name: "ran" });
  expect([namesOf(found.result), found.totalItemsNumber]).toEqual([["cranes"], 1]);
});

test("[P-333] backup-all-gists-now takes nothing and queues a backup of every active gist", async () => {
  await world.protect("quay", "tiny");
  await world.drain();
  const off = { is_daily_backed_up: false, gistsIds: [ids.tariffs] };
  expect((await ask("PUT", "update-daily-backup-items-statuses", { body: off })).status).toBe(200);
  expect((await ask("GET", "backup-all-gists-now")).json.result).toMatchObject({ queued: 2 });
  expect(await queued()).toEqual([ids.berths, ids.cranes].toSorted());
  await world.drain();
});

test("[P-331] backup-now-gist takes id and queues one backup, of that gist", async () => {
  // The previous test used the window of the other gists.
  expect((await ask("POST", "backup-now-gist", { body: { id: ids.tariffs } })).status).toBe(200);
  expect(await queued()).toEqual([ids.tariffs]);
  await world.drain();
});

test("[P-335] restore-gists creates a gist at GitHub and sends the requested e-mails", async () => {
  const idsThere = async () =>
    ((await (await atGithub("GET")).json()) as { id: string }[]).map(({ id }) => id);
  const before = await idsThere();
  const { id: versionid } = await newestSnapshot(world, ids.cranes ?? "");
  const emails = "ivo@meridian.example";
  const body = { items: [{ id: ids.cranes, versionid }], emails };
  expect((await ask("POST", "restore-gists", { body })).status).toBe(200);
  await world.drain();
  const made = (await idsThere()).filter((id) => !before.includes(id));
  expect(made).toHaveLength(1);
  const gist = await (await atGithub("GET", `/${made[0]}`)).json();
  expect(gist).toMatchObject({ public: false, files: { cranes: { content: "# A" } } });
  expect(world.mails.filter(({ to }) => to === emails)).toHaveLength(1);
});

test("[P-337] github-gist-get-zip takes id and versionId and returns the URL of the ZIP", async () => {
  const { id: versionId } = await newestSnapshot(world, ids.cranes ?? "");
  const { json } = await ask("POST", "github-gist-get-zip", { body: { id: ids.cranes, versionId } });
  expect(String(json.result.url)).toMatch(/^https?:\/\//);
});

test("[P-329] delete-gists takes gistsIds in the body and removes those gists with their backups", async () => {
  expect((await listSnapshots(world, ids.berths ?? "")).length).toBeGreaterThan(0);
  const body = { gistsIds: [ids.berths, { id: ids.tariffs }] };
  expect((await ask("DELETE", "delete-gists", { body })).status).toBe(200);
  await world.drain();
  expect(namesOf((await listed()).result)).toEqual(["cranes"]);
  const left = await world.rows<{ item_id: string }>("SELECT DISTINCT item_id FROM snapshot");
  const gone = [ids.berths, ids.tariffs];
  expect(left.filter(({ item_id }) => gone.includes(item_id))).toEqual([]);
  expect((await listSnapshots(world, ids.cranes ?? "")).length).toBeGreaterThan(0);
});
