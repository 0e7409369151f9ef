import { afterAll, beforeAll, expect, test } from "vitest";
import { listHistory, requestBackup } from "#core/backups/index.ts";
import { listConnections } from "#core/connections/index.ts";
import { openZipDownload, requestZip, zipRange } from "#core/exports/index.ts";
import { addItems, getItem, type ItemView, listAvailableItems } from "#core/inventory/index.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { requestRestores } from "#core/restores/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import { findRun, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { connect, type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { judgeArchive, type OutsideGitlab, openGitlab } from "#tests/harness/outside.ts";

// Each test continues where the one before it ended.

const GITLAB = "gitlab";
const LOGIN = "nora-lindqvist";

let world: FlowWorld;
let gitlab: OutsideGitlab;
let token: string;
let project: { id: number; path: string };
let item: ItemView;
let snippet: ItemView;

beforeAll(async () => {
  gitlab = await openGitlab();
  const vars = {
    GITLAB_URL: gitlab.url,
    GITLAB_CLIENT_ID: gitlab.clientId,
    GITLAB_CLIENT_SECRET: gitlab.clientSecret,
  };
  world = await openFlowWorld({ isConnected: false, vars });
  token = (await gitlab.control<{ token: string }>("token", { login: LOGIN })).token;
  project = await gitlab.control("projects", { path: `${LOGIN}/crane`, description: "Drives the crane" });
  await gitlab.control(`projects/${project.id}/commits`, { count: 5 });
  await api("POST", `/projects/${project.id}/labels`, { name: "bug", color: "#d9534f" });
  const issue = { iid: 4, title: "It squeaks", labels: "bug", created_at: "2025-01-02T10:00:00.000Z" };
  await api("POST", `/projects/${project.id}/issues`, issue);
  await api("POST", `/projects/${project.id}/issues/4/notes`, { body: "Oiled" });
  const file = { file_path: "deploy.sh", content: "echo deploy\n" };
  await api("POST", "/snippets", { title: "deploy hook", visibility: "private", files: [file] });
});
afterAll(async () => {
  await world.close();
  await gitlab.close();
});

/** Calls the API as Nora, like a script of hers. */
async function api<T = unknown>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${gitlab.url}/api/v4${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function protect(kind: string, name: string): Promise<ItemView> {
  const query = { platform: GITLAB, kind, placeId: null, name, page: 0, perPage: 10 };
  const { items } = await listAvailableItems(world.services, world.member, query);
  const externals = items.map(({ externalId }) => ({ externalId }));
  const { added } = await addItems(world.services, world.member, {
    platform: GITLAB,
    kind,
    placeId: null,
    externals,
  });
  return added[0]!;
}

const history = (itemId: string) =>
  listHistory(world.services, world.member, { itemId, page: 0, perPage: 20 });

async function backUpNow(itemId: string): Promise<void> {
  world.clock.advance(DAY_MS);
  await requestBackup(world.services, world.member, { platform: GITLAB, itemId });
  await world.drain();
}

test("an account is connected on its consent page, and its projects are found by a part of their name", async () => {
  await connect(world, GITLAB);
  const connections = await listConnections(world.services, world.member, { platform: GITLAB });
  expect(connections).toMatchObject([{ name: LOGIN, status: "active" }]);
  item = await protect("project", "RAN");
  expect(item).toMatchObject({ name: "crane", fullName: `${LOGIN}/crane`, isOpen: false });
});

test("[A-006] an added GitLab project is backed up and checked at once", async () => {
  await world.drain();
  const view = await getItem(world.services, world.member, { itemId: item.id });
  expect(view).toMatchObject({ status: "backuped", lastError: null, versionCount: 1 });
  const { rows } = await history(item.id);
  expect(rows[0]).toMatchObject({
    type: "backup",
    status: "success",
    canRestore: true,
    skippedCount: 0,
    verify: { state: "verified", text: null },
  });
  expect(await findFaults(world)).toEqual([]);
});

test("[A-007] an added GitLab snippet is backed up and checked at once", async () => {
  snippet = await protect("snippet", "deploy");
  await world.drain();
  const { rows } = await history(snippet.id);
  expect(rows[0]).toMatchObject({ status: "success", skippedCount: 0, verify: { state: "verified" } });
});

test("a second version has the changes, and an unchanged project writes no object", async () => {
  await gitlab.control(`projects/${project.id}/commits`, { count: 2 });
  await api("PUT", `/projects/${project.id}/issues/4`, { title: "It sings" });
  await backUpNow(item.id);
  const changed = await newestSnapshot(world, item.id);
  expect(changed).toMatchObject({ verify_state: "verified" });
  expect(changed.new_bytes).toBeGreaterThan(0);
  await backUpNow(item.id);
  const same = await newestSnapshot(world, item.id);
  expect(same).toMatchObject({ manifest_id: changed.manifest_id, new_bytes: 0 });
});

test("the ZIP opens in unzip, Python and bsdtar, and git clones its repository", async () => {
  const snapshot = await newestSnapshot(world, item.id);
  const order = { platform: GITLAB, itemId: item.id, snapshotId: snapshot.id };
  const answer = await requestZip(world.services, world.member, order);
  if (answer.kind !== "ready") throw new Error("The ZIP is not ready.");
  const download = await openZipDownload(world.services, answer.url.split("/").at(-1)!);
  const range = zipRange(download.layout, { from: 0, to: download.layout.totalBytes }, download.read);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of range) parts.push(chunk.slice() as Uint8Array<ArrayBuffer>);
  const verdict = await judgeArchive(new Uint8Array(await new Blob(parts).arrayBuffer()));
  expect(verdict.names.python).toEqual(verdict.names.unzip);
  expect(verdict.names.bsdtar).toEqual(verdict.names.unzip);
  expect(verdict.names.unzip).toContain("metadata/issues/000000000004/issue.json");
  const branch = await api<{ commit: { id: string } }>(
    "GET",
    `/projects/${project.id}/repository/branches/main`,
  );
  expect(verdict.clonedHead).toBe(branch.commit.id);
});

test("restores create a project and a snippet with the same content and leave the sources unchanged", async () => {
  const before = await api("GET", `/projects/${project.id}/issues`);
  const order = async (one: ItemView, kind: string) =>
    await requestRestores(world.services, world.member, {
      platform: GITLAB,
      kind,
      items: [
        { itemId: one.id, snapshotId: (await newestSnapshot(world, one.id)).id, name: null, place: null },
      ],
      placeId: null,
      emails: [],
    });
  await order(item, "project");
  await order(snippet, "snippet");
  await world.drain();
  expect(await findUnfinished(world)).toEqual([]);

  const { rows } = await history(item.id);
  expect(rows[0]).toMatchObject({
    type: "restore",
    status: "success",
    restoredTo: { name: "crane_restored" },
  });
  const copy = encodeURIComponent(`${LOGIN}/crane_restored`);
  const branch = (of: string) =>
    api<{ commit: { id: string } }>("GET", `/projects/${of}/repository/branches/main`);
  expect((await branch(copy)).commit.id).toBe((await branch(String(project.id))).commit.id);
  const restored = await api<{ description: string; visibility: string }>("GET", `/projects/${copy}`);
  expect(restored).toMatchObject({ description: "Drives the crane", visibility: "private" });
  const issues = await api<object[]>("GET", `/projects/${copy}/issues`);
  expect(issues).toMatchObject([
    { iid: 4, title: "It sings", labels: ["bug"], created_at: "2025-01-02T10:00:00.000Z" },
  ]);
  const notes = await api<{ body: string; system: boolean }[]>("GET", `/projects/${copy}/issues/4/notes`);
  expect(notes.filter(({ system }) => !system).map(({ body }) => body.endsWith("Oiled"))).toEqual([true]);
  expect(await api("GET", `/projects/${project.id}/issues`)).toEqual(before);
  const snippets = await api<{ title: string }[]>("GET", "/snippets");
  expect(snippets.map(({ title }) => title)).toContain("deploy hook_restored");
  expect(await gitlab.refusals()).toEqual([]);
});

test("attached files are uploaded once each when an answer is lost or an upload breaks, and a refused one is reported", async () => {
  const source = await gitlab.control<{ id: number }>("projects", { path: `${LOGIN}/pictures` });
  const links = [];
  for (const name of ["lost.txt", "broken.txt", "refused.txt"]) {
    const body = new FormData();
    body.append("file", new File([`bytes of ${name}`], name));
    const url = `${gitlab.url}/api/v4/projects/${source.id}/uploads`;
    const answer = await fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` }, body });
    links.push(((await answer.json()) as { markdown: string }).markdown);
  }
  const description = links.join(" ");
  await api("POST", `/projects/${source.id}/issues`, { title: "Look", description });
  const pictures = await protect("project", "pictures");
  await world.drain();
  const snapshotId = (await newestSnapshot(world, pictures.id)).id;
  const upload = { method: "POST", path: "^/api/v4/projects/[0-9]+/uploads$" };
  const faults = [
    // GitLab has the file, and its answer is lost.
    { action: { kind: "drop", handled: true } },
    // After the first file was uploaded again, the second one breaks off.
    { skip: 1, action: { kind: "drop" } },
    // After the second one was uploaded again, the third one is refused.
    { skip: 2, action: { kind: "answer", status: 413, body: { message: "too large" } } },
  ] as const;
  for (const fault of faults) await gitlab.fault({ match: upload, ...fault });
  await gitlab.forgetRequests();
  const items = [{ itemId: pictures.id, snapshotId, name: null, place: null }];
  const order = { platform: GITLAB, kind: "project", items, placeId: null, emails: [] };
  await requestRestores(world.services, world.member, order);
  await world.drain();
  const sent = (await gitlab.requests()).filter(
    ({ method, path }) => method === "POST" && path.endsWith("/uploads"),
  );
  expect(sent).toHaveLength(5);
  const copy = encodeURIComponent(`${LOGIN}/pictures_restored`);
  const there = await api<{ filename: string }[]>("GET", `/projects/${copy}/uploads`);
  expect(there.map(({ filename }) => filename).sort()).toEqual(["broken.txt", "lost.txt"]);
  const [issue] = await api<{ description: string }[]>("GET", `/projects/${copy}/issues`);
  const found = [...(issue?.description.matchAll(/\/uploads\/([0-9a-f]{32})\/([a-z]+\.txt)/g) ?? [])];
  expect(found.map(([, , name]) => name)).toEqual(["lost.txt", "broken.txt", "refused.txt"]);
  for (const [, secret, name] of found.slice(0, 2)) {
    const url = `${gitlab.url}/api/v4/projects/${copy}/uploads/${secret}/${name}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    expect(await answer.text()).toBe(`bytes of ${name}`);
  }
  // The link to the refused file still leads to the original's.
  expect(links[2]).toContain(found[2]?.[1]);
  const { rows } = await history(pictures.id);
  expect(rows[0]).toMatchObject({ type: "restore", status: "success", report: { restored: { upload: 2 } } });
  expect(rows[0]?.report?.missing).toEqual([
    expect.objectContaining({ what: "Attached file refused.txt", reason: expect.stringContaining("413") }),
  ]);
});

test("a GitLab rate limit parks a run until its reset time, and then it finishes", async () => {
  await gitlab.control(`projects/${project.id}/commits`, { count: 1 });
  world.clock.advance(DAY_MS);
  const { runId } = await requestBackup(world.services, world.member, { platform: GITLAB, itemId: item.id });
  const action = { kind: "rate-limit", shape: "throttle", retryAfter: "1200" } as const;
  await gitlab.fault({ match: { path: "^/api/" }, action });
  await world.deliver(world.queue.letters.shift()!);
  const parked = await findRun(world, runId);
  expect(parked.status).toBe("queued");
  expect(parked.waiting_until).toBeGreaterThan(world.clock.now() + 15 * MINUTE_MS);
  await world.drain();
  expect((await findRun(world, runId)).status).toBe("succeeded");
  expect(world.clock.now()).toBeGreaterThanOrEqual(parked.waiting_until!);
});

test("a damaged pack from GitLab fails only its attempt: the next one is complete", async () => {
  for (const kind of ["wrong-trailer", "drop"] as const) {
    await gitlab.control(`projects/${project.id}/commits`, { count: 1 });
    await gitlab.fault({ match: { method: "POST", path: "git-upload-pack" }, skip: 1, action: { kind } });
    await backUpNow(item.id);
    expect(await newestSnapshot(world, item.id)).toMatchObject({ verify_state: "verified" });
    expect((await history(item.id)).rows[0]).toMatchObject({ type: "backup", status: "success" });
  }
  expect(await findFaults(world)).toEqual([]);
});

test("an expired token is refreshed once for all runs that need it", async () => {
  world.clock.advance(DAY_MS);
  for (const each of [item, snippet])
    await requestBackup(world.services, world.member, { platform: GITLAB, itemId: each.id });
  await gitlab.control("expire-tokens");
  await gitlab.forgetRequests();
  await Promise.all(world.queue.letters.splice(0).map((letter) => world.deliver(letter)));
  await world.drain();
  const renewals = (await gitlab.requests()).filter(({ path }) => path === "/oauth/token");
  expect(renewals).toHaveLength(1);
  for (const each of [item, snippet]) expect((await history(each.id)).rows[0]?.status).toBe("success");
});

test("a project deleted at GitLab marks its item as deleted, and its version is restored completely", async () => {
  const doomed = await gitlab.control<{ id: number }>("projects", { path: `${LOGIN}/doomed` });
  await gitlab.control(`projects/${doomed.id}/commits`, { count: 2 });
  const gone = await protect("project", "doomed");
  await world.drain();
  await gitlab.control(`projects/${doomed.id}/delete`);
  await backUpNow(gone.id);
  const view = await getItem(world.services, world.member, { itemId: gone.id });
  expect(view).toMatchObject({ status: "deleted", nextDueAt: null, versionCount: 1 });
  const wish = {
    itemId: gone.id,
    snapshotId: (await newestSnapshot(world, gone.id)).id,
    name: null,
    place: null,
  };
  const order = { platform: GITLAB, kind: "project", items: [wish], placeId: null, emails: [] };
  await requestRestores(world.services, world.member, order);
  await world.drain();
  expect((await history(gone.id)).rows[0]).toMatchObject({ type: "restore", status: "success" });
});

test("access revoked at GitLab stops the run, marks the connection, and is reported once", async () => {
  await gitlab.control("token/revoke");
  world.mails.length = 0;
  for (let time = 0; time < 2; time++) await backUpNow(item.id);
  expect((await history(item.id)).rows[0]?.status).toBe("failed");
  const [connection] = await listConnections(world.services, world.member, { platform: GITLAB });
  expect(connection?.status).toBe("revoked");
  expect(world.mails.map(({ to }) => to)).toEqual([world.member.email]);
  expect((await getItem(world.services, world.member, { itemId: item.id })).status).toBe("backuped");
});
