import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  AccountCandidate,
  GrantTokens,
  PlatformConnector,
} from "#connectors/contract/platform-connector.ts";
import {
  beginAuthorisation,
  type ConnectionView,
  chooseAccounts,
  completeAuthorisation,
  openSession as converse,
  findConnectionRow,
  listCandidates,
  listConnections,
  pruneAuthorisations,
} from "#core/connections/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import type { CoreServices } from "#core/services.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

const SITES = "sites";
const REDIRECT = "http://localhost:8787/connect/sites/callback";
const ACME = { externalId: "site-a", name: "Acme", note: "acme.example" };
const BETA = { externalId: "site-b", name: "Beta", note: "beta.example" };

let world: FlowWorld;
let s: CoreServices;
let sites: ReturnType<typeof sitesPlatform>;
beforeEach(async () => {
  world = await openFlowWorld({ isConnected: false });
  sites = sitesPlatform(world.services.connectors.get(PLATFORM)!);
  s = { ...world.services, connectors: new Map([...world.services.connectors, [SITES, sites.connector]]) };
});
afterEach(() => world.close());

/** A platform whose consent covers several sites. Its tokens expire after an hour; a refresh token works once. */
function sitesPlatform(like: PlatformConnector) {
  const state = {
    offered: [ACME, BETA] as readonly AccountCandidate[],
    issued: 0,
    renewals: 0,
    isDown: false,
    valid: new Set<string>(),
  };
  const issue = (now: number): GrantTokens => {
    const mark = ++state.issued;
    state.valid.add(`refresh-${mark}`);
    return {
      accessToken: `access-${mark}`,
      accessTokenExpiresAt: now + HOUR_MS,
      refreshToken: `refresh-${mark}`,
    };
  };
  const connector: PlatformConnector = {
    ...like,
    descriptor: { ...like.descriptor, id: SITES, label: "Sites" },
    authoriser: {
      consentUrl: (_config, { state: sent }) => `https://sites.example/consent?state=${sent}`,
      exchange: async ({ clock }) => ({
        kind: "candidates",
        candidates: state.offered,
        tokens: issue(clock.now()),
      }),
      choose: async (_io, tokens, externalId) => {
        if (state.isDown) throw new ConnectorError("unavailable", "Sites does not answer.");
        const { name } = state.offered.find((each) => each.externalId === externalId)!;
        return {
          ...tokens,
          account: { externalId, name, type: "Organization" },
          details: { site: externalId },
        };
      },
      refresh: async ({ clock }, refreshToken) => {
        if (!state.valid.delete(refreshToken))
          throw new ConnectorError("unauthorized", "It was used already.");
        state.renewals++;
        return issue(clock.now());
      },
    },
  };
  return { connector, state };
}

async function consent(order: { connectionId?: string; isChange?: boolean; accountName?: string } = {}) {
  const begun = { platform: SITES, redirectUri: REDIRECT };
  const { url } = await beginAuthorisation(s, world.member, { ...begun, region: "DE", ...order });
  const state = new URL(url).searchParams.get("state")!;
  return completeAuthorisation(s, world.member, { ...begun, state, code: "c" });
}

async function choiceAfter(order: Parameters<typeof consent>[0] = {}): Promise<string> {
  const completed = await consent(order);
  return completed.kind === "choice" ? completed.choiceId : Promise.reject(completed);
}

const choose = (choiceId: string, ...externalIds: string[]) =>
  chooseAccounts(s, world.member, { platform: SITES, choiceId, externalIds });
const connected = () => listConnections(s, world.member, { platform: SITES });
const tokenOf = async ({ id }: Pick<ConnectionView, "id">, refused?: string) => {
  const row = await findConnectionRow(s.control, world.member.organisationId, id);
  return converse(s, row!).accessToken(refused);
};
const spent = { code: "err.connection.state" };

test("a consent that opens several accounts waits, sealed, for its person's choice and expires after 15 minutes", async () => {
  const choiceId = await choiceAfter();
  expect(await connected()).toEqual([]);
  const view = await listCandidates(s, world.member, { platform: SITES, choiceId });
  expect(view).toEqual({
    candidates: [
      { ...ACME, isConnected: false },
      { ...BETA, isConnected: false },
    ],
    isOne: false,
  });
  const [row] = (await env.DB.prepare("SELECT * FROM authorisation WHERE sealed_choice IS NOT NULL").all())
    .results;
  for (const secret of ["access-1", "refresh-1", "acme"]) expect(JSON.stringify(row)).not.toContain(secret);

  const stranger = await world.stranger();
  for (const who of [stranger, { ...world.member, userId: stranger.userId }]) {
    await expect(listCandidates(s, who, { platform: SITES, choiceId })).rejects.toMatchObject(spent);
    await expect(
      chooseAccounts(s, who, { platform: SITES, choiceId, externalIds: ["site-a"] }),
    ).rejects.toMatchObject(spent);
  }
  for (const ids of [[], ["site-x"], ["site-a", "site-x"]]) {
    await expect(choose(choiceId, ...ids)).rejects.toMatchObject({ code: "err.request.invalid" });
  }
  world.clock.advance(15 * MINUTE_MS);
  await expect(listCandidates(s, world.member, { platform: SITES, choiceId })).rejects.toMatchObject(spent);
  await expect(choose(choiceId, "site-a")).rejects.toMatchObject(spent);
  expect(await connected()).toEqual([]);
  world.clock.advance(DAY_MS);
  await pruneAuthorisations(s);
  expect(
    (await env.DB.prepare("SELECT * FROM authorisation WHERE platform = 'sites'").all()).results,
  ).toEqual([]);
});

test("several chosen accounts become separate connections, and a choice can be made only once", async () => {
  const choiceId = await choiceAfter();
  const both = await Promise.allSettled([
    choose(choiceId, "site-a", "site-b"),
    choose(choiceId, "site-a", "site-b"),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await expect(choose(choiceId, "site-a")).rejects.toMatchObject(spent);
  const accounts = await connected();
  expect(accounts).toMatchObject([
    { name: "Acme", externalId: "site-a", region: "DE" },
    { name: "Beta", externalId: "site-b", region: "DE" },
  ]);
  for (const { id, externalId } of accounts) {
    const row = await findConnectionRow(s.control, world.member.organisationId, id);
    expect(converse(s, row!).connectionDetails).toEqual({ site: externalId });
  }
});

test("connections of one consent share its tokens: renewing one renews them all", async () => {
  const [acme, beta] = await choose(await choiceAfter(), "site-a", "site-b");
  for (let round = 1; round <= 3; round++) {
    world.clock.advance(2 * HOUR_MS);
    const tokens = await Promise.all([tokenOf(acme!), tokenOf(beta!), tokenOf(beta!)]);
    expect(tokens).toEqual(Array(3).fill(`access-${round + 1}`));
    expect(sites.state.renewals).toBe(round);
  }
  // The platform refuses a token that has not expired: it is renewed once for both accounts.
  const refused = await tokenOf(acme!);
  const [one, other] = await Promise.all([tokenOf(acme!, refused), tokenOf(beta!, refused)]);
  expect([one, other, sites.state.renewals]).toEqual(["access-5", "access-5", 4]);
  sites.state.valid.clear();
  world.clock.advance(2 * HOUR_MS);
  await expect(tokenOf(acme!)).rejects.toMatchObject({ kind: "unauthorized" });
  expect((await connected()).map(({ status }) => status)).toEqual(["revoked", "revoked"]);
});

test("reconnecting one account also reconnects those that share its tokens", async () => {
  const [acme, beta] = await choose(await choiceAfter(), "site-a", "site-b");
  sites.state.valid.clear();
  world.clock.advance(2 * HOUR_MS);
  await expect(tokenOf(beta!)).rejects.toMatchObject({ kind: "unauthorized" });
  expect(await consent({ connectionId: beta!.id })).toMatchObject({ kind: "connected" });
  expect(await connected()).toMatchObject([
    { id: acme!.id, status: "active" },
    { id: beta!.id, status: "active" },
  ]);
  world.clock.advance(2 * HOUR_MS);
  expect(await Promise.all([tokenOf(acme!), tokenOf(beta!)])).toEqual(["access-3", "access-3"]);
  sites.state.offered = [ACME];
  await expect(consent({ connectionId: beta!.id })).rejects.toMatchObject({ code: "err.connection.other" });
});

test("a consent that opens a single account needs no choice", async () => {
  sites.state.offered = [];
  await expect(consent()).rejects.toMatchObject({ code: "err.account.none" });
  sites.state.offered = [ACME];
  expect(await consent()).toMatchObject({ kind: "connected", connections: [{ name: "Acme" }] });
  sites.state.offered = [ACME, BETA];
  expect(await consent({ accountName: "beta" })).toMatchObject({
    kind: "connected",
    connections: [{ name: "Beta", isConfirmed: true }],
  });
  await expect(consent({ accountName: "gamma" })).rejects.toMatchObject({ code: "err.connection.other" });
  expect((await connected()).map(({ name }) => name)).toEqual(["Acme", "Beta"]);
});

test("changing an account accepts exactly one candidate that is not connected yet", async () => {
  sites.state.offered = [ACME];
  await consent();
  const [acme] = await connected();
  const gamma = { externalId: "site-c", name: "Gamma", note: null };
  sites.state.offered = [ACME, BETA, gamma];
  const choiceId = await choiceAfter({ connectionId: acme!.id, isChange: true });
  expect(await listCandidates(s, world.member, { platform: SITES, choiceId })).toMatchObject({ isOne: true });
  await expect(choose(choiceId, "site-b", "site-c")).rejects.toMatchObject({ code: "err.request.invalid" });
  expect(await choose(choiceId, "site-c")).toMatchObject([{ name: "Gamma" }]);
  expect((await connected()).map(({ name }) => name)).toEqual(["Gamma"]);
});

test("a failing platform leaves no connection, and the choice stays open", async () => {
  const choiceId = await choiceAfter();
  sites.state.isDown = true;
  await expect(choose(choiceId, "site-a", "site-b")).rejects.toMatchObject({
    code: "err.platform.unavailable",
  });
  expect(await connected()).toEqual([]);
  sites.state.isDown = false;
  expect(await choose(choiceId, "site-a")).toMatchObject([{ name: "Acme" }]);
});
