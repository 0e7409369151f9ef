import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import {
  beginAuthorisation,
  type ConnectionView,
  chooseRegion,
  completeAuthorisation,
  findConnectionRow,
  listConnections,
  openSession,
  removeAccount,
  reportLostConnection,
  type UsedTokens,
} from "#core/connections/index.ts";
import { HOUR_MS, SECOND_MS } from "#core/kernel/clock.ts";
import type { CoreServices } from "#core/services.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";

const SITES = "sites";
const REDIRECT = "http://localhost:8787/connect/sites/callback";
const METHODS = [
  { id: "consent", label: "Consent", text: "Reads and adds to everything." },
  { id: "app", label: "App", text: "Also reads the members." },
];

let world: FlowWorld;
let s: CoreServices;
let sites: ReturnType<typeof sitesPlatform>;
beforeEach(async () => {
  world = await openFlowWorld({ isConnected: false });
  sites = sitesPlatform(world.services.connectors.get(PLATFORM)!);
  s = { ...world.services, connectors: new Map([...world.services.connectors, [SITES, sites.connector]]) };
});
afterEach(() => world.close());

/** A platform with two ways to grant access. Tokens expire after an hour; a refresh token works once. */
function sitesPlatform(like: PlatformConnector) {
  const state = {
    ...{ issued: 0, asked: 0, valid: new Set<string>(), account: "acme" },
    /** What a renewal waits for on its way to the platform, and on its way back. */
    ...{ isAsked: Promise.resolve(), isAnswered: Promise.resolve() },
  };
  const issue = (authMethod: string, now: number) => {
    const mark = `${authMethod}-${++state.issued}`;
    state.valid.add(`refresh-${mark}`);
    const expires = { accessTokenExpiresAt: now + HOUR_MS };
    return { accessToken: `access-${mark}`, ...expires, refreshToken: `refresh-${mark}` };
  };
  const connector: PlatformConnector = {
    ...like,
    descriptor: { ...like.descriptor, id: SITES, label: "Sites", authMethods: METHODS },
    authoriser: {
      consentUrl: (_config, { state: sent, authMethod }) =>
        `https://sites.example/${authMethod}?state=${sent}`,
      exchange: async ({ clock }, { authMethod }) => ({
        kind: "granted",
        grant: {
          ...issue(authMethod, clock.now()),
          account: { externalId: state.account, name: state.account, type: "Organization" },
          details: { [authMethod]: state.issued },
        },
      }),
      refresh: async ({ clock }, refreshToken, authMethod) => {
        state.asked += 1;
        await state.isAsked;
        const isRight = refreshToken.startsWith(`refresh-${authMethod}`);
        if (isRight && state.valid.delete(refreshToken)) {
          const tokens = issue(authMethod, clock.now());
          await state.isAnswered;
          return tokens;
        }
        throw new ConnectorError("unauthorized", "It is not accepted.");
      },
    },
  };
  const refuse = (authMethod: string) => {
    for (const token of state.valid) if (token.includes(authMethod)) state.valid.delete(token);
  };
  return { connector, state, refuse };
}

type Order = { connectionId?: string; authMethod?: string; isChange?: boolean };
async function consent(order: Order = {}): Promise<{ asked: string; connection: ConnectionView }> {
  const begun = { platform: SITES, redirectUri: REDIRECT };
  const { url } = await beginAuthorisation(s, world.member, { ...begun, region: "DE", ...order });
  const { pathname, searchParams } = new URL(url);
  const brought = { ...begun, state: searchParams.get("state")!, code: "c" };
  const completed = await completeAuthorisation(s, world.member, brought);
  if (completed.kind === "choice") throw new Error("There is no choice.");
  return { asked: pathname.slice(1), connection: completed.connections[0]! };
}

/** A connection with both credentials. */
async function connectTwice(): Promise<ConnectionView> {
  const { connection } = await consent();
  return (await consent({ connectionId: connection.id, authMethod: "app" })).connection;
}

const sessionOf = async ({ id }: Pick<ConnectionView, "id">, usedTokens: UsedTokens = new Map()) =>
  openSession(s, (await findConnectionRow(s.control, world.member.organisationId, id))!, { usedTokens });
const connected = () => listConnections(s, world.member, { platform: SITES });
const stored = async () =>
  (await env.DB.prepare("SELECT * FROM credential ORDER BY auth_method").all()).results;
const working = (...isWorking: boolean[]) =>
  isWorking.map((works, at) => ({ authMethod: METHODS[at]!.id, isWorking: works }));

test("a second way of granting access adds a credential, and sessions use the preferred one or the named one", async () => {
  const { asked, connection } = await consent();
  expect([asked, connection.credentials]).toEqual(["consent", working(true)]);
  expect((await sessionOf(connection)).as("app")).toBeNull();
  const both = await consent({ connectionId: connection.id, authMethod: "app" });
  expect(both).toMatchObject({
    asked: "app",
    connection: { id: connection.id, credentials: working(true, true) },
  });
  const session = await sessionOf(connection);
  expect(session.connectionDetails).toEqual({ consent: 1, app: 2 });
  expect([session.authMethod, await session.accessToken()]).toEqual(["consent", "access-consent-1"]);
  const other = session.as("app");
  expect([other?.authMethod, await other?.accessToken()]).toEqual(["app", "access-app-2"]);
  expect(session.as("invented")).toBeNull();
  expect(await connected()).toHaveLength(1);
});

test("a connection may begin with any method, but not with one that the platform lacks, nor for another account", async () => {
  await expect(consent({ authMethod: "invented" })).rejects.toMatchObject({ code: "err.request.invalid" });
  const { connection } = await consent({ authMethod: "app" });
  expect((await sessionOf(connection)).authMethod).toBe("app");
  sites.state.account = "beta";
  const asBeta = consent({ connectionId: connection.id, authMethod: "consent" });
  await expect(asBeta).rejects.toMatchObject({ code: "err.connection.other" });
  expect((await connected()).map(({ credentials }) => credentials)).toEqual([
    [{ authMethod: "app", isWorking: true }],
  ]);
});

test("each credential is renewed by itself, once for all callers, and is sealed", async () => {
  const connection = await connectTwice();
  world.clock.advance(2 * HOUR_MS);
  const session = await sessionOf(connection);
  const app = session.as("app")!;
  const tokens = await Promise.all([session, app, session, app].map((each) => each.accessToken()));
  expect(new Set(tokens)).toEqual(new Set(["access-consent-3", "access-app-4"].sort()));
  expect(await session.accessToken()).toBe(tokens[0]);
  const rows = await stored();
  expect(rows.map(({ token_version }) => token_version)).toEqual([2, 2]);
  expect(JSON.stringify(rows)).not.toMatch(/access-|refresh-/);
  // A sealed token is bound to its method: swapped with the other one, it does not open.
  await env.DB.prepare(
    `UPDATE credential SET sealed_access_token =
       (SELECT sealed_access_token FROM credential WHERE auth_method = 'app') WHERE auth_method = 'consent'`,
  ).run();
  await expect((await sessionOf(connection)).accessToken()).rejects.toThrow();
});

test("while one credential works the connection stays; with the last one it is lost, and its owner is told once", async () => {
  const connection = await connectTwice();
  const run = { organisationId: world.member.organisationId, connectionId: connection.id, platform: SITES };
  const lose = async (authMethod: string) => {
    sites.refuse(authMethod);
    world.clock.advance(2 * HOUR_MS);
    const used: UsedTokens = new Map();
    const session = await sessionOf(connection, used);
    const failure = await (session.authMethod === authMethod ? session : session.as(authMethod)!)
      .accessToken()
      .catch((error: unknown) => error as ConnectorError);
    expect(failure).toMatchObject({ kind: "unauthorized", authMethod });
    await reportLostConnection(s, run, failure as ConnectorError, used);
    await reportLostConnection(s, run, failure as ConnectorError, used);
    await world.drain();
  };
  await lose("consent");
  expect(await connected()).toMatchObject([{ status: "active", credentials: working(false, true) }]);
  expect(world.mails).toEqual([]);
  const session = await sessionOf(connection);
  expect([session.authMethod, session.as("consent")]).toEqual(["app", null]);
  await lose("app");
  expect(await connected()).toMatchObject([
    { status: "revoked", lostReason: "token", credentials: working(false, false) },
  ]);
  expect(world.mails.map(({ subject }) => subject)).toHaveLength(1);
  await expect((await sessionOf(connection)).accessToken()).rejects.toMatchObject({ kind: "unauthorized" });

  // A renewal asks for what was lost, the preferred one first.
  expect(await consent({ connectionId: connection.id })).toMatchObject({
    asked: "consent",
    connection: { status: "active", credentials: working(true, false) },
  });
  expect(await consent({ connectionId: connection.id })).toMatchObject({
    asked: "app",
    connection: { credentials: working(true, true) },
  });
});

test("a change of the account asks for the preferred method, even if another one was lost", async () => {
  const connection = await connectTwice();
  const run = { organisationId: world.member.organisationId, connectionId: connection.id, platform: SITES };
  await reportLostConnection(
    s,
    run,
    new ConnectorError("unauthorized", "Gone.", { authMethod: "app" }),
    new Map(),
  );
  expect(await connected()).toMatchObject([{ credentials: working(true, false) }]);
  sites.state.account = "beta";
  expect(await consent({ connectionId: connection.id, isChange: true })).toMatchObject({
    asked: "consent",
    connection: { name: "beta", credentials: working(true) },
  });
});

/** Protects something of a connection daily. */
async function protectDaily({ id }: Pick<ConnectionView, "id">): Promise<void> {
  const { organisationId } = world.member;
  await env.LEDGER_DE.prepare(
    `INSERT INTO item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name, name_folded,
       description, visibility, details, status, is_daily, created_at)
     VALUES ('itm_daily', ?, ?, ?, 'repository', '1', 'one', 'one', 'one', '', 'private', '{}', 'new', 1, 0)`,
  )
    .bind(organisationId, id, SITES)
    .run();
  await env.LEDGER_DE.prepare(
    `INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
     SELECT id, 1, 43200000, organisation_id, connection_id, platform FROM item`,
  ).run();
}
const scheduled = async () =>
  (await env.LEDGER_DE.prepare("SELECT item_id FROM schedule").all()).results.map(({ item_id }) => item_id);

test("a slow renewal that is stored after the loss was noted ends the loss, and the daily backups go on", async () => {
  const { connection } = await consent();
  await protectDaily(connection);
  expect(await scheduled()).toEqual(["itm_daily"]);
  world.clock.advance(2 * HOUR_MS);
  const gate = Promise.withResolvers<void>();
  sites.state.isAnswered = gate.promise;
  const slow = (await sessionOf(connection)).accessToken();
  await vi.waitUntil(() => sites.state.issued === 2);
  // The flight of a renewal ends after half a minute, because its isolate may have died.
  world.clock.advance(31 * SECOND_MS);
  const used: UsedTokens = new Map();
  const refused = await (await sessionOf(connection, used)).accessToken().catch((cause: unknown) => cause);
  const run = { organisationId: world.member.organisationId, connectionId: connection.id, platform: SITES };
  await reportLostConnection(s, run, refused as ConnectorError, used);
  expect([await connected(), await scheduled()]).toMatchObject([[{ status: "revoked" }], []]);
  gate.resolve();
  await slow.catch(() => {});
  expect([await connected(), await scheduled()]).toMatchObject([[{ status: "active" }], ["itm_daily"]]);
  expect(await (await sessionOf(connection)).accessToken()).toBe("access-consent-2");
});

/** A token that the platform refused, after which something else is stored, before its refusal is reported. */
async function reportAfter(
  connection: ConnectionView,
  refusal: ConnectorError,
  store: () => Promise<unknown>,
) {
  const used: UsedTokens = new Map();
  await (await sessionOf(connection, used)).accessToken();
  await store();
  const run = { organisationId: world.member.organisationId, connectionId: connection.id, platform: SITES };
  await reportLostConnection(s, run, refusal, used);
  await world.drain();
}

test("a slow renewal that is stored between a refusal and its report is kept", async () => {
  const { connection } = await consent();
  await protectDaily(connection);
  world.clock.advance(2 * HOUR_MS);
  const gate = Promise.withResolvers<void>();
  sites.state.isAnswered = gate.promise;
  const slow = (await sessionOf(connection)).accessToken();
  await vi.waitUntil(() => sites.state.issued === 2);
  world.clock.advance(31 * SECOND_MS);
  const used: UsedTokens = new Map();
  const refused = await (await sessionOf(connection, used)).accessToken().catch((cause: unknown) => cause);
  expect(refused).toMatchObject({ kind: "unauthorized", authMethod: "consent" });
  gate.resolve();
  await slow.catch(() => {});
  const run = { organisationId: world.member.organisationId, connectionId: connection.id, platform: SITES };
  await reportLostConnection(s, run, refused as ConnectorError, used);
  await world.drain();
  expect([await connected(), await scheduled()]).toMatchObject([
    [{ status: "active", credentials: working(true) }],
    ["itm_daily"],
  ]);
  expect(world.mails).toEqual([]);
  expect(await (await sessionOf(connection)).accessToken()).toBe("access-consent-2");
});

test.each([
  ["a token", { authMethod: "consent" }],
  ["the account", {}],
  ["the app", { isAppMissing: true }],
])("a consent that is given between a refusal of %s and its report is kept", async (_what, of) => {
  const { connection } = await consent();
  const refusal = new ConnectorError("unauthorized", "Gone.", of);
  await reportAfter(connection, refusal, () => consent({ connectionId: connection.id }));
  expect(await connected()).toMatchObject([
    { status: "active", lostReason: null, credentials: working(true) },
  ]);
  expect(world.mails).toEqual([]);
  // The same refusal of the tokens that are used now is a loss.
  await reportAfter(connection, refusal, async () => {});
  expect(await connected()).toMatchObject([{ status: "revoked", credentials: working(false) }]);
  expect(world.mails).toHaveLength(1);
});

test("work that began with a lost connection does not lose the consent that was given since", async () => {
  const { connection } = await consent();
  const used: UsedTokens = new Map();
  await reportAfter(connection, new ConnectorError("unauthorized", "Gone."), async () => {});
  const late = await sessionOf(connection, used);
  await consent({ connectionId: connection.id });
  const refused = await late.accessToken().catch((cause: unknown) => cause);
  const run = { organisationId: world.member.organisationId, connectionId: connection.id, platform: SITES };
  await reportLostConnection(s, run, refused as ConnectorError, used);
  expect(await connected()).toMatchObject([{ status: "active", credentials: working(true) }]);
});

test("a renewal that is refused because another one overtook it loses nothing", async () => {
  const { connection } = await consent();
  world.clock.advance(2 * HOUR_MS);
  const gate = Promise.withResolvers<void>();
  sites.state.isAsked = gate.promise;
  const slow = (await sessionOf(connection)).accessToken();
  await vi.waitUntil(() => sites.state.asked === 1);
  sites.state.isAsked = Promise.resolve();
  world.clock.advance(31 * SECOND_MS);
  expect(await (await sessionOf(connection)).accessToken()).toBe("access-consent-2");
  gate.resolve();
  await expect(slow).rejects.toMatchObject({ kind: "unavailable" });
  expect(await connected()).toMatchObject([{ status: "active", credentials: working(true) }]);
});

test("a loss that ends while it is being noted does not pause the daily backups", async () => {
  const { connection } = await consent();
  await protectDaily(connection);
  let renewal: Promise<unknown> = Promise.resolve();
  const ledger: CoreServices["ledger"] = (region) => {
    renewal = env.DB.prepare("UPDATE connection SET status = 'active'").run();
    return s.ledger(region);
  };
  const run = { organisationId: world.member.organisationId, connectionId: connection.id, platform: SITES };
  const refused = new ConnectorError("unauthorized", "Gone.", { authMethod: "consent" });
  await reportLostConnection({ ...s, ledger }, run, refused, new Map());
  await renewal;
  expect([await connected(), await scheduled()]).toMatchObject([[{ status: "active" }], ["itm_daily"]]);
  expect(world.mails).toEqual([]);
});

test("a loss that names no credential is that of the whole account", async () => {
  const connection = await connectTwice();
  const run = { organisationId: world.member.organisationId, connectionId: connection.id, platform: SITES };
  await reportLostConnection(
    s,
    run,
    new ConnectorError("unauthorized", "Gone.", { isAppMissing: true }),
    new Map(),
  );
  expect(await connected()).toMatchObject([
    { status: "revoked", lostReason: "app", credentials: working(false, false) },
  ]);
});

test("a move to another region keeps every credential, and a removal deletes them", async () => {
  const connection = await connectTwice();
  const { connectionId } = await chooseRegion(s, world.member, { platform: SITES, region: "UK" });
  expect(connectionId).not.toBe(connection.id);
  const moved = { id: connectionId! };
  expect((await stored()).map(({ connection_id }) => connection_id)).toEqual([moved.id, moved.id]);
  const session = await sessionOf(moved);
  expect(await session.as("app")!.accessToken()).toBe("access-app-2");
  world.clock.advance(2 * HOUR_MS);
  expect(await session.accessToken()).toBe("access-consent-3");
  await removeAccount(s, world.member, { platform: SITES, connectionId: moved.id });
  expect(await stored()).toEqual([]);
});

test("what the release before writes while this one is rolled out is not lost", async () => {
  const { connection } = await consent();
  await env.DB.prepare("DELETE FROM credential").run();
  const write = (token: string, version: number) =>
    env.DB.prepare("UPDATE connection SET sealed_access_token = ?, token_version = ? WHERE id = ?")
      .bind(token, version, connection.id)
      .run();
  const seen = async () =>
    (await stored()).map((row) => [row.auth_method, row.sealed_access_token, row.token_version]);
  await write("first", 4);
  expect(await seen()).toEqual([["default", "first", 4]]);
  await write("renewed", 5);
  expect(await seen()).toEqual([["default", "renewed", 5]]);
  // This release has renewed the token meanwhile: the older one does not replace it.
  await env.DB.prepare("UPDATE credential SET token_version = 9, sealed_access_token = 'newest'").run();
  await write("late", 6);
  expect(await seen()).toEqual([["default", "newest", 9]]);
  await env.DB.prepare(
    `INSERT INTO connection (id, organisation_id, platform, region, external_id, name, account_type, status, details,
       created_at, token_version, sealed_access_token)
     SELECT 'con_other', organisation_id, platform, region, 'other', name, account_type, status, details,
       created_at, 1, 'added' FROM connection`,
  ).run();
  expect(await seen()).toContainEqual(["default", "added", 1]);
});
