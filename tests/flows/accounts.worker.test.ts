import { env } from "cloudflare:workers";
import { afterEach, expect, test } from "vitest";
import { actionsOf, applyJobEvent, NO_JOBS } from "#app/live/running-jobs.ts";
import { createSession } from "#core/accounts/index.ts";
import { dispatchDue } from "#core/backups/index.ts";
import {
  beginAuthorisation,
  changeAccountByName,
  chooseRegion,
  completeAuthorisation,
  confirmAccount,
  connectByName,
  listConnections,
  listPlaces,
  listRestorePlaces,
  replaceToken,
  sendAccountCode,
  setAutoAdd,
  sweepRemovedConnections,
} from "#core/connections/index.ts";
import { addItems, listItems, lookForNewItems, queueAutoAdds } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { requestRestores } from "#core/restores/index.ts";
import { listObjectKeys } from "#tests/harness/empty-bindings.ts";
import { askForBackup, backUpNow, findRun, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

const LOGIN = "nora-lindqvist";
const ORG = "meridian-freight";
const REDIRECT = "http://localhost:8787/connect/github/callback";

let world: FlowWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function open(options: Parameters<typeof openFlowWorld>[0] = {}): Promise<FlowWorld> {
  world = await openFlowWorld(options);
  return world;
}

const connectionOf = async (w: FlowWorld) =>
  (await listConnections(w.services, w.member, { platform: PLATFORM })).at(-1)!;
const control = async <T>(sql: string, ...values: unknown[]) =>
  (
    await env.DB.prepare(sql)
      .bind(...values)
      .all<T>()
  ).results;
const installation = (w: FlowWorld, login: string, order: object) =>
  w.outside.control(`installations/${login}`, order);
/** The code in the newest e-mail. */
const codeOf = (w: FlowWorld) => /\b([0-9]{6})\b/.exec(w.mails.at(-1)?.text ?? "")?.[1] ?? "";

/** Allows access on the consent page as `login`. Returns the query of the redirect. */
async function agree(url: string, login: string): Promise<{ code: string; state: string }> {
  const page = new URL(url);
  const body = new URLSearchParams([...page.searchParams].filter(([name]) => name !== "login"));
  body.set("login", login);
  body.set("decision", "authorize");
  const answer = await fetch(`${page.origin}${page.pathname}`, { method: "POST", body, redirect: "manual" });
  await answer.body?.cancel();
  const back = new URL(answer.headers.get("location")!).searchParams;
  return { code: back.get("code")!, state: back.get("state")! };
}

/** Sends requests to the whole product over HTTP as the owner. */
async function asker(w: FlowWorld) {
  const { userId } = w.member;
  const { token } = await createSession(w.services, { userId, isRemembered: false });
  const headers = { Authorization: token };
  return async (method: string, path: string, body?: object) => {
    const call = { method, path: `/api/${PLATFORM}/${path}`, headers, ...(body && { body }) };
    // The simulated GitHub redirects only to its registered address.
    const bindings = { ...httpBindings(w), PUBLIC_URL: new URL(REDIRECT).origin } as Env;
    const { status, json } = await sendTo(bindings, call);
    await w.drain();
    return { status, code: json?.code ?? null, result: json?.result as unknown };
  };
}

/** A personal access token. */
async function tokenOf(w: FlowWorld, login: string): Promise<string> {
  const url = `${w.outside.webUrl}/__sim/github/token`;
  const answer = await fetch(url, { method: "POST", body: JSON.stringify({ login }) });
  return ((await answer.json()) as { token: string }).token;
}

/** Goes through the consent page as `login` and completes the authorisation. */
async function consent(
  w: FlowWorld,
  login: string,
  order: { isChange?: boolean; accountName?: string; connectionId?: string } = {},
) {
  const { url } = await beginAuthorisation(w.services, w.member, {
    platform: PLATFORM,
    region: "US",
    redirectUri: REDIRECT,
    ...order,
  });
  const { code, state } = await agree(url, login);
  const completed = await completeAuthorisation(w.services, w.member, {
    platform: PLATFORM,
    code,
    state,
    redirectUri: REDIRECT,
  });
  return completed.kind === "connected" ? completed.connections[0]! : Promise.reject(completed);
}

test("[P-318] [P-226] changing the account by name deletes every item, version and byte of the previous one", async () => {
  const w = await open();
  const item = await w.protect("crane", "tiny");
  await w.drain();
  const former = await connectionOf(w);
  const listed = await env[`VAULT_${w.region}`].list();
  expect(listed.objects.length).toBeGreaterThan(0);
  const bars = () => actionsOf(w.events.reduce(applyJobEvent, NO_JOBS), null);
  await askForBackup(w, item.id);
  expect(bars()).toEqual(["backup"]);

  const view = await changeAccountByName(w.services, w.member, { platform: PLATFORM, name: ` ${ORG} ` });
  await w.drain();
  expect(bars()).toEqual([]);

  expect(view).toMatchObject({
    name: ORG,
    accountType: "Organization",
    isConfirmed: false,
    grantName: LOGIN,
  });
  expect(view.region).toBe(former.region);
  for (const table of [
    "item",
    "snapshot",
    "manifest",
    "object_span",
    "schedule",
    "place",
    "object",
    "numbered_item",
  ]) {
    expect([table, (await w.rows(`SELECT * FROM ${table}`)).length]).toEqual([table, 0]);
  }
  expect(await listObjectKeys(env[`VAULT_${w.region}`])).toEqual([]);
  expect(await control("SELECT * FROM removed_connection")).toEqual([]);
  expect(await control("SELECT id FROM connection WHERE id = ?", former.id)).toEqual([]);
  const [entry] = await control<{ subject: string }>(
    "SELECT subject FROM audit_entry WHERE action = 'change-account'",
  );
  expect(entry?.subject).toBe(`${LOGIN} → ${ORG}`);
  await expect(askForBackup(w, item.id)).rejects.toMatchObject({ code: "err.not.found" });
});

test("an account without the app returns 404 with the installation page, and nothing is lost", async () => {
  const w = await open();
  const item = await w.protect("crane", "tiny");
  await w.drain();
  await installation(w, ORG, { isInstalled: false });
  await expect(
    changeAccountByName(w.services, w.member, { platform: PLATFORM, name: ORG }),
  ).rejects.toMatchObject({
    code: "err.account.missing",
    status: 404,
    details: { installUrl: expect.stringMatching(/\/apps\/.+\/installations\/new$/) },
  });
  expect((await newestSnapshot(w, item.id)).verify_state).toBe("verified");
});

test("[P-209] [P-210] an account connected by name is confirmed with the code from the owner's e-mail", async () => {
  const w = await open();
  const view = await changeAccountByName(w.services, w.member, { platform: PLATFORM, name: ORG });
  await w.drain();
  const first = codeOf(w);
  expect(first).toMatch(/^[0-9]{6}$/);
  expect(w.mails.at(-1)?.subject).not.toContain(first);
  const [stored] = await control<{ sealed_code: string }>("SELECT sealed_code FROM account_code");
  expect(stored?.sealed_code).not.toContain(first);

  const externals = [{ externalId: "1" }];
  await expect(
    addItems(w.services, w.member, { platform: PLATFORM, kind: KIND, placeId: null, externals }),
  ).rejects.toMatchObject({ code: "err.connection.unconfirmed" });

  expect(await sendAccountCode(w.services, w.member, { platform: PLATFORM })).toEqual({
    sentTo: expect.stringMatching(/^n•••@/),
  });
  await w.drain();
  const second = codeOf(w);
  const confirm = (code: string) => confirmAccount(w.services, w.member, { platform: PLATFORM, code });
  if (first !== second) await expect(confirm(first)).rejects.toMatchObject({ code: "err.account.code" });
  const both = await Promise.allSettled([
    confirm(` ${second.slice(0, 3)} ${second.slice(3)}`),
    confirm(second),
  ]);
  expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await connectionOf(w)).toMatchObject({ id: view.id, isConfirmed: true });
  await expect(confirm(second)).rejects.toMatchObject({ code: "err.account.confirmed" });
  await expect(sendAccountCode(w.services, w.member, { platform: PLATFORM })).rejects.toMatchObject({
    code: "err.account.confirmed",
  });
  expect(await control("SELECT * FROM audit_entry WHERE action = 'confirm-account'")).toHaveLength(1);
  const places = await listPlaces(w.services, w.member, { platform: PLATFORM });
  expect(places.map(({ name }) => name)).toEqual([ORG]);
});

test("[P-130] [P-318] [P-320] [P-321] an account is changed, sent a code and confirmed over its documented calls", async () => {
  const w = await open();
  const ask = await asker(w);
  const account = async () => (await ask("GET", "get-github-users")).result;
  const own = { id: expect.stringMatching(/^con_/), username: LOGIN, userType: "User", auto_add: false };
  const grant = { githubapp: true, githubAppOwner: LOGIN };
  const [before] = (await account()) as { owner_id: unknown }[];
  expect(before).toMatchObject({ ...own, ...grant, isConfirmed: true, owner_id: expect.any(String) });
  expect((await ask("POST", "change-github-user", { username: ORG })).status).toBe(200);
  const there = { ...own, username: ORG, userType: "Organization" };
  expect(await account()).toMatchObject([{ ...there, ...grant, isConfirmed: false }]);
  const sent = w.mails.length;
  expect((await ask("POST", "send-confirm-github-user")).status).toBe(200);
  expect(w.mails).toHaveLength(sent + 1);
  expect(w.mails.at(-1)?.to).toBe(w.member.email);
  const code = codeOf(w);
  expect(code).toMatch(/^[0-9]{6}$/);
  const wrong = await ask("POST", "confirm-code", { code: code === "000000" ? "111111" : "000000" });
  expect([wrong.status, wrong.code]).toEqual([400, "err.account.code"]);
  expect(await account()).toMatchObject([{ isConfirmed: false }]);
  expect((await ask("POST", "confirm-code", { code })).status).toBe(200);
  expect(await account()).toMatchObject([{ username: ORG, isConfirmed: true }]);
});

test("[P-316] [P-317] [P-319] an account is connected by name, given a token and set to auto-add over its documented calls", async () => {
  const w = await open({ isConnected: false });
  const ask = await asker(w);
  const account = async () => (await ask("GET", "get-github-users")).result;
  const { result } = await ask("POST", "add-github-user", { username: LOGIN, auto_add: true });
  const { code, state } = await agree((result as { url: string }).url, LOGIN);
  await completeAuthorisation(w.services, w.member, {
    platform: PLATFORM,
    code,
    state,
    redirectUri: REDIRECT,
  });
  expect(await account()).toMatchObject([{ username: LOGIN, auto_add: true }]);
  for (const auto_add of [false, true]) {
    expect((await ask("POST", "change-github-user-auto-add", { auto_add })).status).toBe(200);
    expect(await account()).toMatchObject([{ auto_add }]);
  }
  const refused = await ask("POST", "change-github-owner-token", { access_token: "ghu_nobody" });
  expect([refused.status, refused.code]).toEqual([400, "err.account.token"]);
  const access_token = await tokenOf(w, LOGIN);
  expect((await ask("POST", "change-github-owner-token", { access_token })).status).toBe(200);
});

test("[P-321] a code fails if wrong, after five tries or after its time, and is sent at most five times per hour", async () => {
  const w = await open();
  await changeAccountByName(w.services, w.member, { platform: PLATFORM, name: ORG });
  await w.drain();
  const confirm = (code: string) => confirmAccount(w.services, w.member, { platform: PLATFORM, code });
  const right = codeOf(w);
  const wrong = right === "000000" ? "111111" : "000000";
  for (let i = 0; i < 5; i++)
    await expect(confirm(wrong)).rejects.toMatchObject({ code: "err.account.code" });
  await expect(confirm(right)).rejects.toMatchObject({ code: "err.account.code" });
  const send = () => sendAccountCode(w.services, w.member, { platform: PLATFORM });
  await send();
  await w.drain();
  const late = codeOf(w);
  w.clock.advance(15 * MINUTE_MS);
  await expect(confirm(late)).rejects.toMatchObject({ code: "err.account.code" });
  for (let sent = 2; sent < 5; sent++) await send();
  await expect(send()).rejects.toMatchObject({ code: "err.attempts.limit" });
  w.clock.advance(HOUR_MS);
  await send();
  await w.drain();
  expect((await confirm(codeOf(w))).isConfirmed).toBe(true);
});

test("a code is sent only with the app installed or being installed", async () => {
  const w = await open();
  await changeAccountByName(w.services, w.member, { platform: PLATFORM, name: ORG });
  await w.drain();
  const mails = w.mails.length;
  const send = () => sendAccountCode(w.services, w.member, { platform: PLATFORM });
  await installation(w, ORG, { isInstalled: false });
  await expect(send()).rejects.toMatchObject({
    code: "err.app.missing",
    message: "Please install the GitHub app first before your email will be connected to the system",
    details: { installUrl: expect.stringContaining("/installations/new") },
  });
  await w.drain();
  expect(w.mails).toHaveLength(mails);
  await installation(w, ORG, { isInstalled: true, isSettlingIn: true });
  await expect(send()).rejects.toMatchObject({ code: "err.app.delay" });
  await w.drain();
  expect(w.mails).toHaveLength(mails + 1);
  const code = codeOf(w);
  expect((await confirmAccount(w.services, w.member, { platform: PLATFORM, code })).isConfirmed).toBe(true);
});

test("[P-316] connecting by name leads through the consent page; the named account is added with its auto-add", async () => {
  const w = await open({ isConnected: false });
  const named = await connectByName(w.services, w.member, {
    platform: PLATFORM,
    name: LOGIN,
    isAutoAdd: true,
    region: "UK",
    redirectUri: REDIRECT,
  });
  expect(new URL(named.url ?? "").searchParams.get("login")).toBe(LOGIN);
  const { code, state } = await agree(named.url ?? "", LOGIN);
  await completeAuthorisation(w.services, w.member, {
    platform: PLATFORM,
    code,
    state,
    redirectUri: REDIRECT,
  });
  expect(await connectionOf(w)).toMatchObject({
    name: LOGIN,
    isAutoAdd: true,
    isConfirmed: true,
    region: "UK",
  });
});

test("an organisation in a consent is connected under its own name and waits for its code", async () => {
  const w = await open({ isConnected: false });
  const view = await consent(w, LOGIN, { accountName: ORG });
  expect(view).toMatchObject({ name: ORG, isConfirmed: false, grantName: LOGIN });
});

test("an organisation reached by a person's consent is renewed by that consent", async () => {
  const w = await open({ isConnected: false });
  const { id } = await consent(w, LOGIN, { accountName: ORG });
  expect(await consent(w, LOGIN, { connectionId: id })).toMatchObject({ id, name: ORG, grantName: LOGIN });
  await installation(w, ORG, { isInstalled: false });
  await expect(consent(w, LOGIN, { connectionId: id })).rejects.toMatchObject({ code: "err.app.missing" });
  expect(await control("SELECT name FROM connection")).toEqual([{ name: ORG }]);
});

test("renewing refuses another account's consent, unless it was asked to replace the connected one", async () => {
  const w = await open();
  const item = await w.protect("crane", "tiny");
  await w.drain();
  const { id: connectionId } = await connectionOf(w);
  await expect(consent(w, "ivo-petrov", { connectionId })).rejects.toMatchObject({
    code: "err.connection.other",
  });
  expect(await newestSnapshot(w, item.id)).toBeDefined();
  expect(await consent(w, LOGIN, { isChange: true })).toMatchObject({ name: LOGIN });
  expect(await newestSnapshot(w, item.id)).toBeDefined();
  expect(await consent(w, "ivo-petrov", { isChange: true })).toMatchObject({ name: "ivo-petrov" });
  await w.drain();
  expect(await w.rows("SELECT * FROM snapshot")).toEqual([]);
  expect(await w.rows("SELECT * FROM object")).toEqual([]);
});

test("the sweep deletes the rest of a replaced connection after a crash", async () => {
  const w = await open();
  await w.protect("crane", "tiny");
  await w.drain();
  const { id } = await connectionOf(w);
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO removed_connection (connection_id, organisation_id, platform, region, name, removed_by, removed_at)
       SELECT id, organisation_id, platform, region, name, 'usr', ? FROM connection WHERE id = ?`,
    ).bind(w.clock.now(), id),
    env.DB.prepare("DELETE FROM connection WHERE id = ?").bind(id),
  ]);
  await sweepRemovedConnections(w.services);
  expect((await w.rows("SELECT * FROM item")).length).toBe(1);
  w.clock.advance(HOUR_MS);
  await sweepRemovedConnections(w.services);
  await w.drain();
  expect(await w.rows("SELECT * FROM item")).toEqual([]);
  expect(await w.rows("SELECT * FROM object")).toEqual([]);
  expect(await control("SELECT * FROM removed_connection")).toEqual([]);
});

test("[P-317] a token entered manually replaces a revoked grant, and the schedule resumes", async () => {
  const w = await open();
  const item = await w.protect("crane", "tiny");
  await w.drain();
  await w.outside.control("token/revoke", {});
  await askForBackup(w, item.id);
  await w.drain();
  expect(await connectionOf(w)).toMatchObject({ status: "revoked", lostReason: "token" });
  expect(await w.rows("SELECT * FROM schedule")).toEqual([]);

  const replace = (accessToken: string) =>
    replaceToken(w.services, w.member, { platform: PLATFORM, accessToken });
  await expect(replace("ghu_nobody")).rejects.toMatchObject({ code: "err.account.token" });
  const stranger = await tokenOf(w, "ivo-petrov");
  await expect(replace(stranger)).rejects.toMatchObject({ code: "err.connection.other" });
  expect(await replace(await tokenOf(w, LOGIN))).toMatchObject({ status: "active", lostReason: null });
  expect(await w.rows("SELECT * FROM schedule")).toHaveLength(1);
  expect((await backUpNow(w, item.id)).status).toBe("succeeded");
  const [row] = await control<{ sealed_access_token: string }>("SELECT sealed_access_token FROM credential");
  expect(row?.sealed_access_token).toMatch(/^s1\./);
});

test("a removed app pauses the schedule, keeps every item, and the schedule resumes after reconnecting", async () => {
  const w = await open();
  const item = await w.protect("crane", "tiny");
  await w.drain();
  await installation(w, LOGIN, { isInstalled: false });
  const runId = await askForBackup(w, item.id);
  await w.drain();
  expect((await findRun(w, runId)).error_code).toBe("err.app.missing");
  expect(await connectionOf(w)).toMatchObject({ status: "revoked", lostReason: "app" });
  const [row] = await w.rows<{ status: string; is_daily: number }>("SELECT status, is_daily FROM item");
  expect(row).toEqual({ status: "backuped", is_daily: 1 });
  expect(w.mails.at(-1)?.text).toContain("The app was removed");
  w.clock.advance(3 * DAY_MS);
  expect(await dispatchDue(w.services, w.region)).toMatchObject({ done: 0 });

  await installation(w, LOGIN, { isInstalled: true });
  expect(await consent(w, LOGIN)).toMatchObject({ status: "active", lostReason: null });
  w.clock.advance(2 * DAY_MS);
  expect(await dispatchDue(w.services, w.region)).toMatchObject({ done: 1 });
  await w.drain();
  expect((await newestSnapshot(w, item.id)).verify_state).toBe("verified");
});

test("[P-319] a new repository is protected automatically; existing and removed ones are not", async () => {
  const w = await open();
  await listPlaces(w.services, w.member, { platform: PLATFORM });
  await w.outside.createRepository("old-crane", "tiny");
  await setAutoAdd(w.services, w.member, { platform: PLATFORM, isAutoAdd: true });
  await w.drain();
  expect(await w.rows("SELECT * FROM item")).toEqual([]);

  await w.outside.createRepository("new-crane", "tiny");
  w.clock.advance(HOUR_MS);
  await queueAutoAdds(w.services);
  await w.drain();
  const added = await w.rows<{ id: string; name: string; last_backup_at: number | null }>(
    "SELECT * FROM item",
  );
  expect(added.map(({ name }) => name)).toEqual(["new-crane"]);
  expect(added[0]?.last_backup_at).not.toBeNull();
  expect(w.events).toContainEqual({
    method: "items-auto-added",
    platform: PLATFORM,
    connectionId: (await connectionOf(w)).id,
    names: ["new-crane"],
    count: 1,
    waiting: 0,
  });
  const entries = await control<{ user_name: string }>(
    "SELECT * FROM audit_entry WHERE action = 'auto-add-item'",
  );
  expect(entries).toMatchObject([{ user_name: "Holdfast", subject: `${LOGIN}/new-crane` }]);

  await w.ledger.prepare("DELETE FROM item").run();
  w.clock.advance(HOUR_MS);
  await queueAutoAdds(w.services);
  await w.drain();
  expect(await w.rows("SELECT * FROM item")).toEqual([]);
});

test("the check for new items stops at the plan's limit, reports the rest, and adds them once the limit allows", async () => {
  const w = await open();
  await listPlaces(w.services, w.member, { platform: PLATFORM });
  const { id: connectionId } = await connectionOf(w);
  const look = () => lookForNewItems(w.services, { organisationId: w.member.organisationId, connectionId });
  await setAutoAdd(w.services, w.member, { platform: PLATFORM, isAutoAdd: true });
  await w.drain();
  await env.DB.prepare("UPDATE subscription SET quantity = 1").run();
  await w.outside.createRepository("one", "tiny");
  await w.outside.createRepository("two", "tiny");
  await look();
  await look();
  expect(await w.rows("SELECT * FROM item")).toHaveLength(1);
  expect(w.events.findLast(({ method }) => method === "items-auto-added")).toMatchObject({ waiting: 1 });
  expect(await control("SELECT * FROM audit_entry WHERE action = 'auto-add-limit'")).toHaveLength(1);
  await env.DB.prepare("UPDATE subscription SET quantity = 5").run();
  await look();
  expect(await w.rows("SELECT * FROM item")).toHaveLength(2);
});

test("a deleted item may be restored to any place of the account, another one only to added places", async () => {
  const w = await open();
  const item = await w.protect("crane", "tiny");
  await w.drain();
  const places = await listRestorePlaces(w.services, w.member, { platform: PLATFORM });
  expect(places.map(({ name }) => name)).toEqual([LOGIN, ORG]);
  const org = places.find(({ name }) => name === ORG)!;
  const { id: snapshotId } = await newestSnapshot(w, item.id);
  const wish = { itemId: item.id, snapshotId, name: "again", place: { externalId: org.externalId } };
  const restore = () =>
    requestRestores(w.services, w.member, {
      platform: PLATFORM,
      kind: KIND,
      items: [wish],
      placeId: null,
      emails: [],
    });
  await expect(restore()).rejects.toMatchObject({ code: "err.not.found" });
  await w.ledger.prepare("UPDATE item SET status = 'deleted'").run();
  const { runIds } = await restore();
  await w.drain();
  expect((await findRun(w, runIds[0]!)).status).toBe("succeeded");
});

test("[P-409] [B-264] the region saved before connecting becomes the account's region", async () => {
  const w = await open({ isConnected: false });
  const admin = { ...w.member, role: "member" as const, platformRoles: { [PLATFORM]: "admin" as const } };
  const save = (member: typeof w.member, region: "AP" | "UK") =>
    chooseRegion(w.services, member, { platform: PLATFORM, region });
  const reader = { ...admin, platformRoles: { [PLATFORM]: "user" as const } };
  await expect(save(reader, "AP")).rejects.toMatchObject({ code: "err.role.forbidden" });
  await save(w.member, "UK");
  expect(await save(w.member, "AP")).toEqual({
    platform: PLATFORM,
    region: "AP",
    connectionId: null,
  });
  const { url } = await beginAuthorisation(w.services, w.member, {
    platform: PLATFORM,
    redirectUri: REDIRECT,
  });
  const back = await agree(url, LOGIN);
  await completeAuthorisation(w.services, w.member, { platform: PLATFORM, ...back, redirectUri: REDIRECT });
  expect(await connectionOf(w)).toMatchObject({ name: LOGIN, region: "AP", isConfirmed: true });
});

test("an account moved to another region starts over there, and every byte of the previous one is deleted", async () => {
  const w = await open();
  await w.protect("crane", "tiny");
  await w.drain();
  const former = await connectionOf(w);
  expect(former.region).toBe("DE");
  const admin = { ...w.member, role: "member" as const, platformRoles: { [PLATFORM]: "admin" as const } };
  const move = (member: typeof w.member, region: "DE" | "UK") =>
    chooseRegion(w.services, member, { platform: PLATFORM, region });
  await move(admin, "DE");
  await expect(move(admin, "UK")).rejects.toMatchObject({ code: "err.role.forbidden" });
  expect(await connectionOf(w)).toMatchObject({ id: former.id });

  const both = await Promise.allSettled([move(w.member, "UK"), move(w.member, "UK")]);
  expect(both.map(({ status }) => status)).toContain("fulfilled");
  await w.drain();
  const present = await connectionOf(w);
  expect(present).toMatchObject({ name: LOGIN, region: "UK", isConfirmed: true, status: "active" });
  expect(present.id).not.toBe(former.id);
  expect(await control("SELECT id FROM connection")).toHaveLength(1);
  for (const table of ["item", "snapshot", "schedule", "place", "object"]) {
    expect([table, (await w.rows(`SELECT * FROM ${table}`)).length]).toEqual([table, 0]);
  }
  expect(await listObjectKeys(env.VAULT_DE)).toEqual([]);
  const [entry] = await control<{ subject: string }>(
    "SELECT subject FROM audit_entry WHERE action = 'change-region'",
  );
  expect(entry?.subject).toBe(`${LOGIN}: DE → UK`);
  // The moved tokens work in the new region.
  const places = await listPlaces(w.services, w.member, { platform: PLATFORM });
  expect(places.map(({ name }) => name)).toEqual([LOGIN]);
});

test("[P-309] only the owner renews and changes a connected account; any manager may connect the first one", async () => {
  const w = await open();
  const admin = { ...w.member, role: "member" as const, platformRoles: { [PLATFORM]: "admin" as const } };
  const order = { platform: PLATFORM, redirectUri: REDIRECT };
  for (const isChange of [false, true]) {
    await expect(beginAuthorisation(w.services, admin, { ...order, isChange })).rejects.toMatchObject({
      code: "err.role.forbidden",
    });
  }
  const other = await w.stranger();
  await env.DB.prepare("DELETE FROM connection WHERE organisation_id = ?").bind(other.organisationId).run();
  const colleague = { ...other, role: "member" as const, platformRoles: { [PLATFORM]: "admin" as const } };
  expect((await beginAuthorisation(w.services, colleague, order)).url).toContain("/login/oauth/authorize");
});

test("a manager who is not the owner can change neither account nor token", async () => {
  const w = await open();
  const admin = { ...w.member, role: "member" as const, platformRoles: { [PLATFORM]: "admin" as const } };
  const refused = { code: "err.role.forbidden" };
  const platform = PLATFORM;
  await expect(changeAccountByName(w.services, admin, { platform, name: ORG })).rejects.toMatchObject(
    refused,
  );
  await expect(replaceToken(w.services, admin, { platform, accessToken: "x" })).rejects.toMatchObject(
    refused,
  );
  const change = { platform, region: "US" as const, redirectUri: REDIRECT, isChange: true };
  await expect(beginAuthorisation(w.services, admin, change)).rejects.toMatchObject(refused);
  expect(
    await listItems(w.services, admin, {
      platform,
      kind: KIND,
      placeId: null,
      page: 0,
      perPage: 10,
      name: null,
      filter: "all",
    }),
  ).toMatchObject({ total: 0 });
});
