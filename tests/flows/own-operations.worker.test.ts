import { env } from "cloudflare:workers";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { defineOperation } from "#connectors/contract/operations.ts";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { exampleClient, paths } from "#connectors/platforms/_template/client.ts";
import { connector as template } from "#connectors/platforms/_template/connector.ts";
import { endpoints } from "#connectors/platforms/_template/endpoints.ts";
import { sealTokens } from "#core/connections/open-session.ts";
import { InvariantError } from "#core/kernel/invariant.ts";
import { runOperation } from "#core/operations/index.ts";
import type { Member } from "#core/organisations/index.ts";
import { newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { answerHolder, documentFaults } from "#tests/harness/hold-answers.ts";
import { makeMember, makeOwner, makePlatform, makeSession } from "#tests/harness/people.ts";
import { createApi } from "#workers/api/create-api.ts";
import { operations } from "#workers/api/operations.ts";
import { apiPlatformOf } from "#workers/api/platform-endpoints.ts";
import { buildServices } from "#workers/services.ts";

/** A test connector declares operations. They appear in the API and its document without code outside its folder. */

const HARBOUR = "harbour";
const TOKEN = "token-of-the-harbour";
const name = z.string().min(1).max(40);

const listBerths = defineOperation({
  method: "GET",
  path: "get-berths",
  summary: "Berths of a board",
  input: z.strictObject({ boardId: name, most: z.coerce.number().int().min(1).max(50).default(10) }),
  result: z.array(z.object({ id: z.string(), name: z.string() })),
  isStateChanging: false,
  async handle({ session }, { boardId, most }) {
    const call = { method: "GET", path: paths.cards(boardId), about: "the berths" } as const;
    const berths = await exampleClient(session).request(call, berthsSchema);
    return berths.slice(0, most);
  },
});
/** Allows more than the operation returns: additional members must not reach the client. */
const berthsSchema = z.array(z.looseObject({ id: z.string(), name: z.string() }));

const renameBoard = defineOperation({
  method: "POST",
  path: "rename-board",
  summary: "Rename a board",
  input: z.strictObject({ boardId: name, name }),
  result: z.object({ name: z.string() }),
  isStateChanging: true,
  async handle({ session }, { boardId, name }) {
    const call = { method: "PUT", path: paths.board(boardId), body: { name }, about: "the board" } as const;
    return await exampleClient(session).request(call, z.object({ name: z.string() }));
  },
});

const connector: PlatformConnector = {
  ...template,
  descriptor: { ...template.descriptor, id: HARBOUR, label: "Harbour" },
  operations: [listBerths, renameBoard],
};

/** The platform: recorded requests and the next response. */
const asked: { method: string; path: string; token: string | null; body: unknown }[] = [];
let answer: () => Response = () => Response.json([]);

const s = buildServices(env);
const services = {
  ...s,
  connectors: new Map([...s.connectors, [HARBOUR, connector]]),
  sleep: async () => undefined,
  fetch: async (url: string, init?: RequestInit) => {
    const { method, headers, url: address } = new Request(url, init);
    const body = typeof init?.body === "string" ? JSON.parse(init.body) : null;
    asked.push({ method, path: new URL(address).pathname, token: headers.get("authorization"), body });
    return answer();
  },
};
const api = createApi({
  core: { ...operations, runOperation: (_, member, order) => runOperation(services, member, order) },
  platforms: [apiPlatformOf({ connector, endpoints })],
});
const ORIGIN = "https://app.example.test";
const openDocument = async () => (await api.fetch(new Request(`${ORIGIN}/api/openapi.json`), env)).json();
const hold = answerHolder(openDocument);

/** Calls the API as a person and checks every response against the document. */
async function asking(member: Member | null, extra: Record<string, string> = {}) {
  const session: Record<string, string> = member ? { Authorization: await makeSession(s, member) } : {};
  return async (method: string, path: string, body?: unknown) => {
    asked.length = 0;
    const init: RequestInit = {
      method,
      headers: { ...session, ...extra, "Content-Type": "application/json" },
    };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await heldLimits.invocation(async () =>
      api.fetch(new Request(`${ORIGIN}/api/${HARBOUR}/${path}`, init), env),
    );
    const json = (await response.json()) as { status: string; result: unknown; code: string | null };
    await hold({
      method,
      path: `/api/${HARBOUR}/${path.split("?")[0]}`,
      status: response.status,
      body: json as never,
    });
    return { status: response.status, json };
  };
}

async function house() {
  const owner = await makeOwner(s);
  await makePlatform(s, owner, { platform: HARBOUR });
  await giveToken(owner, TOKEN);
  return { owner, viewer: await makeMember(s, owner, { [HARBOUR]: "user" }) };
}

/** Sets the token of the organisation's newest connection. @returns its id */
async function giveToken({ organisationId }: Member, accessToken: string): Promise<string> {
  const row = await env.DB.prepare(
    `SELECT id, external_id AS externalId FROM connection
     WHERE organisation_id = ? AND id NOT IN (SELECT connection_id FROM credential)`,
  )
    .bind(organisationId)
    .first<{ id: string; externalId: string }>();
  const { id, externalId } = row!;
  const whose = { organisationId, platform: HARBOUR, externalId, authMethod: "default" };
  const sealed = await sealTokens(services, whose, { accessToken, refreshToken: null });
  // No two connections of a test have the same age.
  await env.DB.batch([
    env.DB.prepare(
      `UPDATE connection SET created_at = (SELECT count(*) FROM connection WHERE organisation_id = ?2)
       WHERE id = ?1`,
    ).bind(id, organisationId),
    env.DB.prepare(
      `INSERT INTO credential (connection_id, auth_method, organisation_id, sealed_access_token, token_version, status)
       VALUES (?1, 'default', ?2, ?3, 1, 'active')`,
    ).bind(id, organisationId, sealed.sealedAccessToken),
  ]);
  return id;
}

const trail = async ({ organisationId }: Member) =>
  (
    await env.DB.prepare(
      "SELECT action, platform, subject, user_id AS userId FROM audit_entry WHERE organisation_id = ?",
    )
      .bind(organisationId)
      .all()
  ).results;

test("a response is wrapped in the envelope, uses the connection's token and has only the schema's members", async () => {
  const { owner } = await house();
  const manager = await makeMember(s, owner, { [HARBOUR]: "admin" });
  answer = () =>
    Response.json([
      { id: "b1", name: "North", secret: "x" },
      { id: "b2", name: "South" },
    ]);
  for (const member of [owner, manager]) {
    const { status, json } = await (await asking(member))("GET", "get-berths?boardId=crane&most=1");
    expect([status, json]).toEqual([
      200,
      { status: "success", message: null, code: null, result: [{ id: "b1", name: "North" }] },
    ]);
    expect(asked).toEqual([
      { method: "GET", path: "/boards/crane/cards", token: `Bearer ${TOKEN}`, body: null },
    ]);
  }
  // No call changed state.
  expect(await trail(owner)).toEqual([]);
});

test("the named account is used, else the oldest, and never another organisation's", async () => {
  const { owner } = await house();
  await makePlatform(s, owner, { platform: HARBOUR, plan: null });
  const second = await giveToken(owner, "token-of-the-second");
  answer = () => Response.json([]);
  const ask = await asking(owner);
  const tokenFor = async (query: string) => {
    expect((await ask("GET", `get-berths?boardId=crane${query}`)).status).toBe(200);
    return asked[0]?.token;
  };
  expect(await tokenFor("")).toBe(`Bearer ${TOKEN}`);
  expect(await tokenFor(`&connection_id=${second}`)).toBe("Bearer token-of-the-second");
  const stranger = await asking((await house()).owner);
  const refused = await stranger("GET", `get-berths?boardId=crane&connection_id=${second}`);
  expect([refused.json.code, asked]).toEqual(["err.connection.missing", []]);
});

test("invalid input returns the field's name without calling the platform", async () => {
  const { owner } = await house();
  const ask = await asking(owner);
  const cases: [string, string, unknown, string | null][] = [
    ["GET", "get-berths", undefined, "boardId"],
    ["GET", "get-berths?boardId=crane&most=51", undefined, "most"],
    ["GET", "get-berths?boardId=crane&colour=red", undefined, null],
    ["POST", "rename-board", { boardId: "crane", name: "x".repeat(41) }, "name"],
    ["POST", "rename-board", { boardId: 7, name: "Winch" }, "boardId"],
    ["POST", "rename-board", { boardId: "crane", name: "Winch", isPublic: true }, null],
  ];
  for (const [method, path, body, field] of cases) {
    const { status, json } = await ask(method, path, body);
    expect([path, status, json]).toMatchObject([
      path,
      400,
      { code: "err.request.invalid", result: { field } },
    ]);
    expect(asked).toEqual([]);
  }
});

test("a viewer may not call an operation, even one that reads: the session reaches what nobody protected", async () => {
  const { viewer } = await house();
  const ask = await asking(viewer);
  answer = () => Response.json([{ id: "b1", name: "North" }]);
  for (const refused of [
    await ask("GET", "get-berths?boardId=a-private-board"),
    await ask("POST", "rename-board", { boardId: "crane", name: "Winch" }),
  ]) {
    expect([refused.status, refused.json.code]).toEqual([403, "err.role.forbidden"]);
    expect(asked).toEqual([]);
  }
});

test("a change by a manager is recorded in the audit trail", async () => {
  const { owner } = await house();
  const order = { boardId: "crane", name: "Winch" };
  answer = () => Response.json({ name: "Winch" });
  const manager = await makeMember(s, owner, { [HARBOUR]: "admin" });
  const done = await (await asking(manager))("POST", "rename-board", order);
  expect([done.status, done.json.result]).toEqual([200, { name: "Winch" }]);
  expect(asked).toMatchObject([{ method: "PUT", path: "/boards/crane", body: { name: "Winch" } }]);
  expect(await trail(owner)).toEqual([
    { action: "Rename a board", platform: HARBOUR, subject: "octo", userId: manager.userId },
  ]);
});

test("calls without a session, from another site or without a connection are refused like all others", async () => {
  const { owner } = await house();
  const order = { boardId: "crane", name: "Winch" };
  const anonymous = await (await asking(null))("POST", "rename-board", order);
  expect([anonymous.status, anonymous.json.code]).toEqual([423, "err.session.missing"]);
  const elsewhere = await (await asking(owner, { Origin: "https://evil.example" }))(
    "POST",
    "rename-board",
    order,
  );
  expect([elsewhere.status, elsewhere.json.code]).toEqual([403, "err.request.origin"]);
  const alone = await (await asking(await makeOwner(s)))("GET", "get-berths?boardId=crane");
  expect([alone.status, alone.json.code]).toEqual([409, "err.connection.missing"]);
  expect(asked).toEqual([]);
});

test("a platform failure returns its kind; the audit trail records it when the change may have been made", async () => {
  const { owner } = await house();
  const ask = await asking(owner);
  const [refused, open] = [0, 1];
  const cases: [Response, number, string, number][] = [
    [new Response("{}", { status: 404 }), 404, "err.not.found", refused],
    [new Response("{}", { status: 403 }), 404, "err.not.found", refused],
    [new Response("{}", { status: 503 }), 503, "err.platform.unavailable", open],
    [Response.json({ title: "no name" }), 503, "err.platform.unavailable", open],
    [new Response("{}", { status: 401 }), 409, "err.connection.unauthorized", refused],
  ];
  let recorded = 0;
  for (const [given, status, code, more] of cases) {
    answer = () => given.clone();
    const told = await ask("POST", "rename-board", { boardId: "crane", name: "Winch" });
    expect([given.status, told.status, told.json.code]).toEqual([given.status, status, code]);
    recorded += more;
    expect((await trail(owner)).map(({ action }) => action)).toEqual(
      Array(recorded).fill("Rename a board (outcome unknown)"),
    );
  }
});

test("the document describes the operations with input, result and every error", async () => {
  const document = (await openDocument()) as {
    paths: Record<string, Record<string, { summary: string; tags: string[]; [member: string]: unknown }>>;
  };
  expect(await documentFaults(document)).toEqual([]);
  const berths = document.paths[`/api/${HARBOUR}/get-berths`]?.get;
  expect(berths).toMatchObject({
    summary: "Berths of a board",
    tags: ["Harbour"],
    parameters: [
      { name: "boardId", in: "query", required: true, schema: { type: "string", maxLength: 40 } },
      { name: "most", in: "query", required: false },
      { name: "connection_id", in: "query", required: false },
    ],
  });
  const rename = document.paths[`/api/${HARBOUR}/rename-board`]?.post;
  expect(rename).toMatchObject({
    requestBody: {
      content: {
        "application/json": { schema: { required: ["boardId", "name"], additionalProperties: false } },
      },
    },
    responses: {
      200: {
        content: {
          "application/json": {
            schema: { properties: { result: { properties: { name: { type: "string" } } } } },
          },
        },
      },
    },
  });
  expect(JSON.stringify(rename?.responses)).toContain("err.connection.unconfirmed");
});

test("a path that is taken or not in kebab-case, or the name of the account, stops the Worker at start-up", () => {
  const mounting = (change: Partial<typeof listBerths>) => () =>
    createApi({
      core: operations,
      platforms: [
        apiPlatformOf({
          connector: { ...connector, operations: [listBerths, { ...listBerths, ...change }] },
          endpoints,
        }),
      ],
    });
  expect(mounting({})).toThrow(InvariantError);
  expect(mounting({ path: "get-example-users" })).toThrow(InvariantError);
  expect(mounting({ path: "backup-all-items-now" })).toThrow(InvariantError);
  expect(mounting({ path: ":board/rename" })).toThrow(InvariantError);
  expect(mounting({ method: "DELETE" })).not.toThrow();
  const taken = { path: "get-docks", input: z.strictObject({ connection_id: name }) };
  expect(mounting(taken as unknown as Partial<typeof listBerths>)).toThrow(InvariantError);
});

test("an operation receives its input unchanged, also members below that have the name of the account", async () => {
  const { owner } = await house();
  const target = z.strictObject({ connection_id: name, connectionId: name });
  const echo = defineOperation({
    ...renameBoard,
    path: "echo",
    input: z.strictObject({ connectionId: name, target }),
    result: z.looseObject({}),
    isStateChanging: false,
    handle: async (_, given) => given,
  });
  const own = createApi({
    core: { ...operations, runOperation: (_, member, order) => runOperation(services, member, order) },
    platforms: [apiPlatformOf({ connector: { ...connector, operations: [echo] }, endpoints })],
  });
  const given = { connectionId: "own", target: { connection_id: "below", connectionId: "too" } };
  const init = {
    method: "POST",
    headers: { Authorization: await makeSession(s, owner), "Content-Type": "application/json" },
    body: JSON.stringify(given),
  };
  const response = await heldLimits.invocation(async () =>
    own.fetch(new Request(`${ORIGIN}/api/${HARBOUR}/echo`, init), env),
  );
  expect(await response.json()).toMatchObject({ status: "success", result: given });
});

let world: FlowWorld | null = null;
afterAll(() => world?.close());

test("an operation reads versions only of its own platform and organisation, with the right to download", async () => {
  world = await openFlowWorld();
  const { member, services: around } = world;
  const item = await world.protect("crane", "tiny");
  await world.drain();
  const { id: snapshotId } = await newestSnapshot(world, item.id);
  const readKinds = defineOperation({
    ...listBerths,
    path: "get-kinds",
    input: z.strictObject({ itemId: name, snapshotId: name }),
    result: z.object({ name: z.string(), kinds: z.array(z.string()) }),
    async handle({ openVersion }, version) {
      const { item: of, snapshot } = await openVersion(version);
      return { name: of.name, kinds: Object.keys(snapshot.counts()) };
    },
  });
  const version = { itemId: item.id, snapshotId };
  const read = (by: Member, platform = PLATFORM, connectionId: string | null = null) =>
    runOperation(around, by, { platform, connectionId, operation: readKinds, input: version });
  expect(await read(member)).toEqual({ name: "crane", kinds: expect.arrayContaining(["repository"]) });
  await expect(read(await world.stranger())).rejects.toMatchObject({ code: "err.not.found" });
  const viewer = await makeMember(around, member, { [PLATFORM]: "user" });
  await expect(read(viewer)).rejects.toMatchObject({ code: "err.role.forbidden" });
  // Another account becomes the oldest, whose session a call without a name uses.
  await makePlatform(around, member, { platform: PLATFORM, plan: null });
  const older = await env.DB.prepare(
    "UPDATE connection SET created_at = 0 WHERE organisation_id = ? AND platform = ? AND id <> ? RETURNING id",
  )
    .bind(member.organisationId, PLATFORM, item.connectionId)
    .first<{ id: string }>();
  expect(await read(member)).toMatchObject({ name: "crane" });
  expect(await read(member, PLATFORM, item.connectionId)).toMatchObject({ name: "crane" });
  await expect(read(member, PLATFORM, older!.id)).rejects.toMatchObject({ code: "err.not.found" });
  await makePlatform(around, member, { platform: HARBOUR });
  const foreign = { ...around, connectors: new Map([...around.connectors, [HARBOUR, connector]]) };
  await expect(
    runOperation(foreign, member, { platform: HARBOUR, operation: readKinds, input: version }),
  ).rejects.toMatchObject({ code: "err.not.found" });
  const waits = defineOperation({
    ...readKinds,
    handle: async () => {
      throw new ConnectorError("rate-limited", "Wait.", { retryAt: 5 });
    },
  });
  await expect(
    runOperation(around, member, { platform: PLATFORM, operation: waits, input: version }),
  ).rejects.toMatchObject({ code: "err.platform.limited", details: { retryAt: 5 } });
});
