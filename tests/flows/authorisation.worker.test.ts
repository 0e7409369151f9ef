import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  beginAuthorisation,
  completeAuthorisation,
  declineAuthorisation,
  listConnections,
  listPlaces,
} from "#core/connections/index.ts";
import { addItems, removeItems } from "#core/inventory/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import type { Member } from "#core/organisations/index.ts";
import { allowInBrowser } from "#tests/conformance/allow-in-browser.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

const REDIRECT = "http://localhost:8787/connect/github/callback";
const LOGIN = "nora-lindqvist";

let world: FlowWorld;
beforeEach(async () => {
  world = await openFlowWorld({ isConnected: false });
});
afterEach(() => world.close());

const begin = async (member: Member = world.member) => {
  const order = { platform: PLATFORM, region: "UK" as const, redirectUri: REDIRECT };
  return (await beginAuthorisation(world.services, member, order)).url;
};
const comeBack = async (member: Member, brought: { state: string; code: string }, platform = PLATFORM) => {
  const order = { platform, redirectUri: REDIRECT, ...brought };
  const completed = await completeAuthorisation(world.services, member, order);
  return completed.kind === "connected" ? completed.connections[0]! : Promise.reject(completed);
};
const broughtBy = async (url: string, login = LOGIN) => {
  const back = await allowInBrowser(url, login);
  return { state: back.get("state")!, code: back.get("code")! };
};
const connected = (member: Member) => listConnections(world.services, member, { platform: PLATFORM });
const trades = async () =>
  (await world.outside.requests()).filter(({ path }) => path === "/login/oauth/access_token").length;
const refused = { code: "err.connection.state" };

test("a state is valid once, in time, for its person, organisation and platform", async () => {
  const { member } = world;
  const stranger = await world.stranger();
  const strangersOwn = await connected(stranger);
  await world.outside.forgetRequests();
  const brought = await broughtBy(await begin());
  const { organisationId } = stranger;
  const colleague = { ...member, userId: stranger.userId };
  for (const [who, given, platform] of [
    [
      member,
      { ...brought, state: `${brought.state.slice(0, -1)}${brought.state.endsWith("A") ? "B" : "A"}` },
    ],
    [member, { ...brought, state: "" }],
    [stranger, brought],
    [colleague, brought],
    [{ ...member, organisationId }, brought],
    [member, brought, "gitlab"],
  ] as const) {
    await expect(comeBack(who, given, platform)).rejects.toMatchObject(refused);
  }
  expect(await connected(member)).toEqual([]);
  expect(await connected(stranger)).toEqual(strangersOwn);
  // Nothing reached the platform: a code without a matching request is not exchanged.
  expect(await trades()).toBe(0);
  expect(await comeBack(member, brought)).toMatchObject({ name: LOGIN, region: "UK" });
  await expect(comeBack(member, brought)).rejects.toMatchObject(refused);
  expect(await trades()).toBe(1);
  const late = await broughtBy(await begin());
  world.clock.advance(DAY_MS);
  await expect(comeBack(member, late)).rejects.toMatchObject(refused);
  expect(await trades()).toBe(1);
});

test("a code fails with another person's state, because its verifier differs", async () => {
  const stranger = await world.stranger();
  const attackers = await broughtBy(await begin(stranger));
  const mine = new URL(await begin()).searchParams.get("state")!;
  await expect(comeBack(world.member, { state: mine, code: attackers.code })).rejects.toMatchObject(refused);
  expect(await connected(world.member)).toEqual([]);
  expect(await trades()).toBeGreaterThan(0);
});

test("a declined authorisation cannot be used, and only its person can decline it", async () => {
  const stranger = await world.stranger();
  const brought = await broughtBy(await begin());
  const { state } = brought;
  await declineAuthorisation(world.services, stranger, { platform: PLATFORM, state });
  const kept = await broughtBy(await begin());
  await declineAuthorisation(world.services, world.member, { platform: PLATFORM, state });
  await expect(comeBack(world.member, brought)).rejects.toMatchObject(refused);
  expect(await comeBack(world.member, kept)).toMatchObject({ name: LOGIN });
});

test("tokens and verifiers are stored sealed, and backups only in the chosen region", async () => {
  const brought = await broughtBy(await begin());
  await comeBack(world.member, brought);
  const [place] = await listPlaces(world.services, world.member, { platform: PLATFORM });
  const { externalId } = await world.outside.createRepository("cranes", "tiny");
  const order = { platform: PLATFORM, kind: KIND, placeId: place!.id };
  await addItems(world.services, world.member, { ...order, externals: [{ externalId }] });
  await world.drain();
  const tables = ["connection", "credential", "authorisation"].map((table) =>
    env.DB.prepare(`SELECT * FROM ${table}`).all(),
  );
  const rows = JSON.stringify(await Promise.all(tables));
  expect(rows).not.toMatch(/gh[ursp]_[A-Za-z0-9]/);
  expect(rows).not.toContain(brought.code);
  expect(rows).not.toContain(brought.state);
  expect(rows).toMatch(/"sealed_access_token":"s1\./);
  expect(rows).toMatch(/"sealed_refresh_token":"s1\./);
  for (const region of REGIONS) {
    const items = await env[`LEDGER_${region}`].prepare("SELECT count(*) AS count FROM item").first("count");
    const { objects } = await env[`VAULT_${region}`].list();
    expect([region, items, objects.length > 0]).toEqual([region, region === "UK" ? 1 : 0, region === "UK"]);
  }
});

test("only items of added places can be protected", async () => {
  await comeBack(world.member, await broughtBy(await begin()));
  const [own] = await listPlaces(world.services, world.member, { platform: PLATFORM });
  const mine = (await world.outside.createRepository("cranes", "tiny")).externalId;
  await world.outside.control("repos/meridian-freight/ledgers", {});
  await world.outside.control("repos/ivo-petrov/open", { visibility: "public" });
  const theirs = (await world.outside.listRepositories()).filter(
    ({ fullName }) => !fullName.startsWith(LOGIN),
  );
  expect(theirs).toHaveLength(2);
  const add = (placeId: string | null, externalId: string) =>
    addItems(world.services, world.member, {
      platform: PLATFORM,
      kind: KIND,
      placeId,
      externals: [{ externalId }],
    });
  const itemCount = () => env.LEDGER_UK.prepare("SELECT count(*) AS count FROM item").first("count");
  for (const { externalId } of theirs) {
    await expect(add(own!.id, externalId)).rejects.toMatchObject({ code: "err.not.found" });
    await expect(add(null, externalId)).rejects.toMatchObject({ code: "err.not.found" });
  }
  expect(await itemCount()).toBe(0);
  const { added } = await add(own!.id, mine);
  const remove = (placeId: string | null) =>
    removeItems(world.services, world.member, {
      platform: PLATFORM,
      kind: KIND,
      placeId,
      itemIds: added.map(({ id }) => id),
    });
  await expect(remove("plc_00000000000000000000000000")).rejects.toMatchObject({ code: "err.not.found" });
  expect(await itemCount()).toBe(1);
  expect((await remove(own!.id)).removed).toHaveLength(1);
});
