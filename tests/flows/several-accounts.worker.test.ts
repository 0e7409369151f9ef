import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import { listActions, requestAllBackups } from "#core/backups/index.ts";
import {
  beginAuthorisation,
  type ConnectionView,
  changeAccountByName,
  chooseRegion,
  completeAuthorisation,
  listConnections,
  listPlaces,
  removeAccount,
} from "#core/connections/index.ts";
import type { Shard } from "#core/database/shards.ts";
import {
  addItems,
  type ItemView,
  listAvailableItems,
  listItems,
  removeItems,
  setDailyBackup,
  summariseAccounts,
} from "#core/inventory/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import { listRestorePoints, requestRestores } from "#core/restores/index.ts";
import { listObjectKeys } from "#tests/harness/empty-bindings.ts";
import { askForBackup, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

const OTHER = "ivo-petrov";
const REDIRECT = "http://localhost:8787/connect/github/callback";

let world: FlowWorld;
let first: ConnectionView;
let second: ConnectionView;

/** One organisation with two GitHub accounts in two regions. */
beforeEach(async () => {
  world = await openFlowWorld();
  [first] = (await listConnections(world.services, world.member, { platform: PLATFORM })) as [ConnectionView];
  second = await consent(OTHER, { region: "UK" });
  await world.drain();
});
afterEach(() => world.close());

/** Allows access on the consent page and returns to the product. */
async function consent(
  login: string,
  order: { region?: Region; connectionId?: string; isChange?: boolean } = {},
  member: Member = world.member,
): Promise<ConnectionView> {
  const begun = { platform: PLATFORM, redirectUri: REDIRECT };
  const { url } = await beginAuthorisation(world.services, member, { ...begun, ...order });
  const page = new URL(url);
  const body = new URLSearchParams([...page.searchParams, ["login", login], ["decision", "authorize"]]);
  const answer = await fetch(`${page.origin}${page.pathname}`, { method: "POST", body, redirect: "manual" });
  await answer.body?.cancel();
  const back = new URL(answer.headers.get("location")!).searchParams;
  const brought = { code: back.get("code")!, state: back.get("state")! };
  const completed = await completeAuthorisation(world.services, member, { ...begun, ...brought });
  return completed.kind === "connected" ? completed.connections[0]! : Promise.reject(completed);
}

/** Protects a new repository of the second account. */
async function protectOfOther(name: string): Promise<ItemView> {
  await world.outside.control(`repos/${OTHER}/${name}`, { visibility: "private" });
  await world.outside.control(`repos/${OTHER}/${name}/commits`, { count: 1 });
  const scope = { platform: PLATFORM, connectionId: second.id };
  const [place] = await listPlaces(world.services, world.member, scope);
  const query = { ...scope, kind: KIND, placeId: place!.id, name, page: 0, perPage: 10 };
  const { items } = await listAvailableItems(world.services, world.member, query);
  const externals = items.map(({ externalId }) => ({ externalId }));
  const { added } = await addItems(world.services, world.member, { ...query, externals });
  return added[0]!;
}

const namesOf = async (connectionId?: string) => {
  const query = { platform: PLATFORM, kind: KIND, placeId: null, page: 0, perPage: 10, name: null };
  const list = await listItems(world.services, world.member, {
    ...query,
    filter: "all",
    ...(connectionId ? { connectionId } : {}),
  });
  return { names: list.items.map(({ name }) => name), used: list.quota.used };
};
const inLedger = async <T>(region: Region, sql: string) =>
  (await env[`LEDGER_${region}`].prepare(sql).all<T>()).results;
const inControl = async <T>(sql: string) => (await env.DB.prepare(sql).all<T>()).results;
const accounts = async () =>
  (await listConnections(world.services, world.member, { platform: PLATFORM })).map(({ name }) => name);

test("two accounts are side by side with their own region, places and items, and the plan counts both", async () => {
  expect(await accounts()).toEqual(["nora-lindqvist", OTHER]);
  expect([first.region, second.region]).toEqual(["DE", "UK"]);
  const [one, other] = [await world.protect("crane", "tiny"), await protectOfOther("winch")];
  await world.drain();
  expect([one.connectionId, other.connectionId]).toEqual([first.id, second.id]);
  expect(await namesOf(first.id)).toEqual({ names: ["crane"], used: 2 });
  expect(await namesOf(second.id)).toEqual({ names: ["winch"], used: 2 });
  // Without an id, the call uses the oldest account.
  expect((await namesOf()).names).toEqual(["crane"]);
  expect(await inLedger("UK", "SELECT name FROM item")).toEqual([{ name: "winch" }]);
  expect(await inLedger("UK", "SELECT verify_state FROM snapshot")).toEqual([{ verify_state: "verified" }]);
  const told = world.events.filter(({ method }) => method === "items-changed");
  expect(told).toContainEqual(expect.objectContaining({ connectionId: second.id, ids: [other.id] }));

  await env.DB.prepare("UPDATE subscription SET quantity = 2").run();
  await expect(protectOfOther("spare")).rejects.toMatchObject({ code: "err.item.limit" });
});

test("calls about items use each item's account, also for several accounts at once", async () => {
  const [one, other] = [await world.protect("crane", "tiny"), await protectOfOther("winch")];
  await world.drain();
  const { services, member } = world;
  const itemIds = [one.id, other.id];
  const points = await listRestorePoints(services, member, { platform: PLATFORM, itemIds });
  const [ofOne, ofOther] = [points[one.id]?.[0]?.snapshotId, points[other.id]?.[0]?.snapshotId];
  const wish = { name: null, place: null };
  const { runIds } = await requestRestores(services, member, {
    platform: PLATFORM,
    kind: KIND,
    items: [
      { ...wish, itemId: other.id, snapshotId: ofOther! },
      { ...wish, itemId: one.id, snapshotId: ofOne! },
    ],
    placeId: null,
    emails: [],
  });
  await world.drain();
  const runs = [
    ...(await inLedger<{ id: string; status: string }>(
      "UK",
      "SELECT id, status FROM run WHERE kind = 'restore'",
    )),
    ...(await inLedger<{ id: string; status: string }>(
      "DE",
      "SELECT id, status FROM run WHERE kind = 'restore'",
    )),
  ];
  expect(runs).toEqual(runIds.map((id) => ({ id, status: "succeeded" })));

  const switched = { platform: PLATFORM, items: [{ kind: KIND, itemIds }], isDaily: false };
  expect((await setDailyBackup(services, member, switched)).changed.toSorted()).toEqual(itemIds.toSorted());
  for (const region of ["DE", "UK"] as const)
    expect(await inLedger(region, "SELECT * FROM schedule")).toEqual([]);
  expect(
    (await listActions(services, member, { platform: PLATFORM, itemId: other.id, page: 0, perPage: 10 }))
      .total,
  ).toBe(2);

  // A call with an account's id does not find items of another account.
  const scope = { platform: PLATFORM, kind: KIND, itemIds };
  await expect(removeItems(services, member, { ...scope, connectionId: first.id })).rejects.toMatchObject({
    code: "err.not.found",
  });
  expect((await removeItems(services, member, scope)).removed.toSorted()).toEqual(itemIds.toSorted());
  await world.drain();
  for (const region of ["DE", "UK"] as const)
    expect(await inLedger(region, "SELECT * FROM object")).toEqual([]);
});

test("a restore is refused if it names another account than its item's, or an unconfirmed one", async () => {
  const [one, other] = [await world.protect("crane", "tiny"), await protectOfOther("winch")];
  await world.drain();
  const order = { platform: PLATFORM, kind: KIND, placeId: null, emails: [] };
  const wishOf = async ({ id }: ItemView, region: Region) => {
    const sql = `SELECT id FROM snapshot WHERE item_id = '${id}'`;
    const [version] = await inLedger<{ id: string }>(region, sql);
    return { itemId: id, snapshotId: version!.id, name: null, place: null };
  };
  const [ofOne, ofOther] = [await wishOf(one, "DE"), await wishOf(other, "UK")];
  const restore = (more: object, ...items: (typeof ofOne)[]) =>
    requestRestores(world.services, world.member, { ...order, ...more, items });

  const foreign = restore({ connectionId: first.id }, ofOne, ofOther);
  await expect(foreign).rejects.toMatchObject({ code: "err.not.found" });
  await env.DB.prepare("UPDATE connection SET is_confirmed = 0 WHERE id = ?").bind(second.id).run();
  await expect(restore({}, ofOne, ofOther)).rejects.toMatchObject({ code: "err.connection.unconfirmed" });
  for (const region of ["DE", "UK"] as const)
    expect(await inLedger(region, "SELECT id FROM run WHERE kind = 'restore'")).toEqual([]);
  expect((await restore({}, ofOne)).runIds).toHaveLength(1);
});

test("Backup now for everything covers one account, and each account has its own window", async () => {
  await world.protect("crane", "tiny");
  await protectOfOther("winch");
  await world.drain();
  const { services, member } = world;
  const all = { platform: PLATFORM, kind: KIND, placeId: null };
  expect(await requestAllBackups(services, member, { ...all, connectionId: second.id })).toMatchObject({
    queued: 1,
  });
  expect(await requestAllBackups(services, member, { ...all, connectionId: first.id })).toMatchObject({
    queued: 1,
  });
  await expect(
    requestAllBackups(services, member, { ...all, connectionId: second.id }),
  ).rejects.toMatchObject({ code: "err.user.backup.limit" });
});

test("the summary of all accounts equals the counts of their lists and needs two queries per region", async () => {
  await world.protect("crane", "tiny");
  await protectOfOther("winch");
  await protectOfOther("hoist");
  await world.drain();
  world.clock.advance(2 * DAY_MS);
  const { services, member } = world;
  const asked: Shard[] = [];
  const watched = {
    ...services,
    ledger: (region: Shard, owner?: string) => {
      asked.push(region);
      return services.ledger(region, owner);
    },
  };
  const summary = await summariseAccounts(
    watched,
    member,
    [first, second].map((connection) => ({ connection, kind: KIND })),
  );
  expect(asked.toSorted()).toEqual(["DE", "DE", "UK", "UK"]);
  const none = { failed: 0, never: 0, paused: 0, deleted: 0 };
  expect(summary.get(first.id)).toEqual({ ...none, all: 1, stale: 1 });
  expect(summary.get(second.id)).toEqual({ ...none, all: 2, stale: 2 });
});

test("a removed account loses its data, and the others stay", async () => {
  const [one, other] = [await world.protect("crane", "tiny"), await protectOfOther("winch")];
  await world.drain();
  const { services, member } = world;
  const scope = { platform: PLATFORM, connectionId: second.id };
  const both = await Promise.allSettled([
    removeAccount(services, member, scope),
    removeAccount(services, member, scope),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(askForBackup(world, other.id)).rejects.toMatchObject({ code: "err.not.found" });
  await world.drain();
  for (const table of ["item", "snapshot", "schedule", "place", "object"]) {
    expect([table, await inLedger("UK", `SELECT * FROM ${table}`)]).toEqual([table, []]);
  }
  expect(await listObjectKeys(env.VAULT_UK)).toEqual([]);
  expect(await inControl("SELECT * FROM removed_connection")).toEqual([]);
  expect(await inControl("SELECT subject FROM audit_entry WHERE action = 'remove-account'")).toEqual([
    { subject: OTHER },
  ]);
  expect(await accounts()).toEqual(["nora-lindqvist"]);
  expect((await newestSnapshot(world, one.id)).verify_state).toBe("verified");
  expect(await namesOf()).toEqual({ names: ["crane"], used: 1 });
});

test("one of two concurrent changes wins, and no account is connected twice", async () => {
  const { services, member } = world;
  const change = (name: string) =>
    changeAccountByName(services, member, { platform: PLATFORM, connectionId: first.id, name });
  await expect(
    changeAccountByName(services, member, { platform: PLATFORM, name: "meridian-freight" }),
  ).rejects.toMatchObject({ code: "err.request.invalid" });
  const both = await Promise.allSettled([change("meridian-freight"), change("meridian-freight")]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await world.drain();
  expect((await accounts()).toSorted()).toEqual([OTHER, "meridian-freight"].toSorted());
});

test("consent for a connected account renews it and replaces no other", async () => {
  const { services, member } = world;
  expect(await consent(OTHER, { region: "AP" })).toMatchObject({ id: second.id, region: "UK" });
  await expect(consent(OTHER, { connectionId: first.id })).rejects.toMatchObject({
    code: "err.connection.other",
  });
  await expect(consent(OTHER, { connectionId: first.id, isChange: true })).rejects.toMatchObject({
    code: "err.connection.exists",
  });
  expect(await accounts()).toEqual(["nora-lindqvist", OTHER]);
  const move = { platform: PLATFORM, region: "AP" as const };
  await expect(chooseRegion(services, member, move)).rejects.toMatchObject({ code: "err.request.invalid" });
  await chooseRegion(services, member, { ...move, connectionId: second.id });
  await world.drain();
  const regions = (await listConnections(services, member, { platform: PLATFORM })).map(
    ({ region }) => region,
  );
  expect(regions).toEqual(["DE", "AP"]);
});

test("only the owner adds and removes accounts, and the API takes connection_id for both", async () => {
  const { services, member } = world;
  const manager: Member = { ...member, role: "member", platformRoles: { [PLATFORM]: "admin" } };
  const begun = { platform: PLATFORM, redirectUri: REDIRECT };
  await expect(beginAuthorisation(services, manager, begun)).rejects.toMatchObject({
    code: "err.role.forbidden",
  });
  await expect(
    removeAccount(services, manager, { platform: PLATFORM, connectionId: second.id }),
  ).rejects.toMatchObject({ code: "err.role.forbidden" });

  await world.protect("crane", "tiny");
  await protectOfOther("winch");
  const { token } = await createSession(services, { userId: member.userId, isRemembered: false });
  const ask = async (
    method: string,
    path: string,
    order: { query?: Record<string, string>; body?: object } = {},
  ) => {
    const call = { method, path: `/api/${PLATFORM}/${path}`, headers: { Authorization: token }, ...order };
    const { status, json } = await sendTo(httpBindings(world), call);
    await world.drain();
    return { status, code: json?.code ?? null, result: json?.result as never };
  };
  const list = async (query: Record<string, string>) =>
    (await ask("GET", "get-user-github-items", { query })).result;
  expect(await list({})).toMatchObject([{ name: "crane", connection_id: first.id }]);
  expect(await list({ connection_id: second.id })).toMatchObject([
    { name: "winch", connection_id: second.id },
  ]);
  const taken = await ask("DELETE", "remove-account", { body: { connection_id: second.id } });
  expect(taken).toMatchObject({ status: 200, result: { removed: second.id } });
  expect((await ask("GET", "get-github-users")).result).toMatchObject([{ id: first.id }]);
  expect(await ask("GET", "get-user-github-items", { query: { connection_id: second.id } })).toMatchObject({
    status: 409,
    code: "err.connection.missing",
  });
});
