import { env } from "cloudflare:workers";
import { AsyncLocalStorage } from "node:async_hooks";
import fc from "fast-check";
import { expect, test } from "vitest";
import { defineEndpoints } from "#connectors/contract/endpoints.ts";
import type { WithFacts } from "#connectors/contract/row-facts.ts";
import { endpoints } from "#connectors/platforms/github/endpoints.ts";
import { rowFacts } from "#connectors/platforms/github/row-facts.ts";
import type { HistoryRow } from "#core/backups/views.ts";
import type { ConnectionView } from "#core/connections/views.ts";
import type { ItemListView, ItemView } from "#core/inventory/views.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { ERROR_CODES, type ErrorCode } from "#core/kernel/error-codes.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { answerHolder, documentFaults } from "#tests/harness/hold-answers.ts";
import { freshEmail, makeOwner, makeSession } from "#tests/harness/people.ts";
import { isSampled } from "#tests/harness/sample.ts";
import { readVerificationLink } from "#tests/harness/verification-link.ts";
import { buildServices } from "#workers/services.ts";
import { createApi } from "./create-api.ts";
import { DOORS_TAG } from "./describe-doors.ts";
import type { CoreOperations } from "./operations.ts";

const ORIGIN = "https://app.example.test";
const DOCUMENT = "/api/openapi.json";

const item: WithFacts<ItemView> = {
  id: "itm_1",
  platform: "github",
  kind: "repository",
  connectionId: "con_1",
  placeId: "plc_1",
  externalId: "77",
  name: "api-gateway",
  fullName: "octo-org/api-gateway",
  description: null,
  tags: [{ label: "PVT", meaning: "Private" }],
  isOpen: false,
  status: "backuped",
  isDaily: true,
  lastBackupAt: 1_793_700_000_000,
  sizeBytes: 4096,
  activeRun: null,
  nextDueAt: null,
  lastError: null,
  alarm: null,
  backupNowOpensAt: null,
  versionCount: 1,
  ribbon: [],
  webUrl: "https://github.com/octo-org/api-gateway",
  createdAt: 1,
  facts: { node_id: "R_77", is_private: true, visibility: "private" },
};

/** A second dialect, with its own names for lists in requests and answers. */
const forge = defineEndpoints({
  "GET get-user-forge-snippets": { does: "list-items", kind: "snippet" },
  "GET get-available-snippets-for-forge-user": {
    does: "list-available-items",
    kind: "snippet",
    answers: { not_added: "not_added_snippets" },
  },
  "POST add-forge-snippets": {
    does: "add-items",
    kind: "snippet",
    fields: { externals: "snippetsIds", externalId: "id" },
    answers: { added: "snippets_list" },
  },
  "PUT update-daily-backup-items-statuses": {
    does: "set-daily-backup",
    fields: { isDaily: "is_daily_backed_up" },
    lists: { project: "projectsIds", snippet: "snippetsIds" },
  },
});

const version: HistoryRow = {
  key: "run_1",
  type: "backup",
  status: "running",
  date: 1,
  sizeBytes: 10,
  newBytes: 3,
  snapshotId: "snp_1",
  outcome: null,
  errorText: null,
  trigger: "user",
  skipped: [],
  skippedCount: 0,
  canRestore: true,
  restoreObstacle: null,
  unreachable: null,
  verify: null,
  erasedAt: null,
  keptUntil: null,
  copy: null,
  zip: { status: "none", url: null, expiresAt: null },
  restoredTo: null,
  report: null,
  progress: null,
};

const listOf = (shown: WithFacts<ItemView>): ItemListView<WithFacts<ItemView>> => ({
  items: [shown],
  total: 1,
  counts: { all: 1, failed: 0, alarm: 0, stale: 0, never: 0, paused: 0, deleted: 0 },
  holdings: [],
  canUserBackup: true,
  isTokenValid: true,
  hasUserAnyActiveApp: true,
  quota: { used: 1, limit: 10 },
  backupNowOpensAt: null,
  keys: null,
});

const place = {
  id: "plc_1",
  connectionId: "con_1",
  externalId: "9",
  name: "octo-org",
  type: "Organization",
  isOwn: false,
  facts: { node_id: "O_9" },
};
const connection = {
  id: "con_1",
  platform: "github",
  externalId: "9",
  name: "octo",
  fullName: null,
  accountType: "User",
  region: "DE" as const,
  status: "active" as const,
  lostReason: null,
  isAutoAdd: false,
  isConfirmed: true,
  grantName: "octo",
  createdAt: 1,
  credentials: [],
  facts: { userType: "User", githubapp: true, githubAppOwner: "octo" },
};
const account: ConnectionView = {
  id: "con_1",
  platform: "github",
  externalId: "9",
  name: "octo-org",
  fullName: null,
  accountType: "Organization",
  region: "DE",
  status: "active",
  lostReason: null,
  isAutoAdd: true,
  isConfirmed: true,
  grantName: "octo",
  createdAt: 1,
  credentials: [],
  facts: { userType: "Organization", githubapp: true, githubAppOwner: "octo" },
};

const defaults: CoreOperations = {
  listConnections: async () => [],
  listAllConnections: async () => [connection],
  listPlaces: async () => [place],
  listAvailablePlaces: async () => [
    { externalId: "10", name: "other", type: "Organization", facts: { node_id: "O_10" } },
  ],
  addPlaces: async () => [place],
  listAvailableItems: async () => ({ items: [], hasMore: false, total: 0, remainingQuota: 7 }),
  listItems: async () => listOf(item),
  addItems: async () => ({ added: [item] }),
  removeItems: async () => ({ removed: ["itm_1"] }),
  setDailyBackup: async () => ({ changed: ["itm_1"] }),
  findItemByReference: async () => item,
  requestBackup: async () => ({ runId: "run_1", opensAt: 5 }),
  requestAllBackups: async () => ({ queued: 1, refused: 0, opensAt: 5 }),
  requestRestores: async () => ({ runIds: ["run_2"] }),
  requestZip: async () => ({ kind: "preparing" }),
  listHistory: async () => ({ rows: [version], total: 1, platform: "github" }),
  listActions: async () => ({ rows: [{ ...version, itemId: "itm_1", itemName: "api" }], total: 1 }),
  listRestorePoints: async () => ({
    itm_1: [{ snapshotId: "snp_1", takenAt: 5, sizeBytes: 7, verifyState: "verified" }],
    itm_2: [],
  }),
  chooseRegion: async () => ({ platform: "github", region: "UK", connectionId: null }),
  beginAuthorisation: async () => ({ url: "https://github.test/consent" }),
  connectByName: async () => ({ account: null, url: "https://github.test/consent" }),
  changeAccountByName: async () => account,
  listCandidates: async () => ({ candidates: [], isOne: false }),
  chooseAccounts: async () => [account],
  chooseAccountByName: async () => account,
  removeAccount: async () => ({ removed: "con_1" }),
  replaceToken: async () => account,
  setAutoAdd: async () => account,
  sendAccountCode: async () => ({ sentTo: "a•••@example.com" }),
  confirmAccount: async () => account,
  listRestorePlaces: async () => [place],
  addKeyStorage: async () => ({ name: "backups" }),
  beginStorageConsent: async () => ({ url: "https://storage.test/consent" }),
  completeStorageConsent: async () => Promise.reject(new AppError("err.connection.state")),
  describeStorage: async () => ({ storage: null, platforms: [], failed: [] }),
  disconnectStorage: async () => {},
  setCopiedPlatforms: async () => ({ platforms: ["github"] }),
  declineAuthorisation: async () => {},
  completeAuthorisation: async () => Promise.reject(new AppError("err.connection.state")),
  runOperation: async () => null,
};

const platforms = [
  {
    id: "github",
    label: "GitHub",
    kinds: [
      { id: "repository", isSub: false },
      { id: "gist", isSub: true },
    ],
    endpoints,
    rowFacts,
  },
  {
    id: "forge",
    label: "Forge",
    kinds: [
      { id: "project", isSub: false },
      { id: "snippet", isSub: true },
    ],
    endpoints: forge,
    rowFacts,
  },
];

/** The operations of the request under way. They differ between tests; routes and document do not. */
const operationsInUse = new AsyncLocalStorage<CoreOperations>();

/** One API for the whole file, because mounting its routes and compiling its document take longer than most tests. */
const api = createApi({
  core: Object.fromEntries(
    Object.keys(defaults).map((name) => [
      name,
      (...given: unknown[]) => {
        const operation = operationsInUse.getStore()?.[name as keyof CoreOperations];
        return (operation as unknown as (...given: unknown[]) => unknown)(...given);
      },
    ]),
  ) as unknown as CoreOperations,
  platforms,
});

const hold = answerHolder(async () => (await api.fetch(new Request(`${ORIGIN}${DOCUMENT}`), env)).json());

/**
 * Asks the API on top of fake operations that record their calls. Validates answers against the OpenAPI document unless
 * `isHeld` is false.
 */
function doors(answers: Partial<CoreOperations> = {}, { isHeld = true } = {}) {
  const calls: { name: string; member: string; input: unknown }[] = [];
  const core = Object.fromEntries(
    Object.entries({ ...defaults, ...answers }).map(([name, answer]) => [
      name,
      async (s: never, m: { organisationId: string }, input: never) => {
        calls.push({ name, member: m.organisationId, input });
        return (answer as (s: never, m: never, input: never) => unknown)(s, m as never, input);
      },
    ]),
  ) as unknown as CoreOperations;
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init: RequestInit = { method, headers: { ...headers }, redirect: "manual" };
    if (body !== undefined) {
      init.body = typeof body === "string" ? body : JSON.stringify(body);
      (init.headers as Record<string, string>)["Content-Type"] ??= "application/json";
    }
    const request = new Request(`${ORIGIN}${path}`, init);
    const response = await heldLimits.invocation(async () =>
      operationsInUse.run(core, () => api.fetch(request, env)),
    );
    const text = await response.text();
    const json = response.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : null;
    if (isHeld && path !== DOCUMENT) {
      await hold({ method, path: new URL(path, ORIGIN).pathname, status: response.status, body: json });
    }
    return { status: response.status, headers: response.headers, json, text };
  };
  return { ask, calls };
}

const gist: WithFacts<ItemView> = { ...item, id: "itm_7", kind: "gist", placeId: null, externalId: "aa" };

/** A client with a person's session. */
async function signedIn(options: Partial<CoreOperations> = {}, held = { isHeld: true }) {
  const { ask, calls } = doors(options, held);
  const s = buildServices(env);
  const owner = await makeOwner(s);
  const auth = { Authorization: await makeSession(s, owner) };
  return {
    calls,
    auth,
    user: { organisationId: owner.organisationId },
    ask: (method: string, path: string, given?: unknown, headers: Record<string, string> = auth) =>
      ask(method, path, given, headers),
  };
}

/** The same for a person who signed up and in, with a password and a browser's cookie. */
async function signedUp() {
  const { ask, calls } = doors();
  const email = freshEmail();
  const body = { name: "Ann", family_name: "Example", email, password: "Vq7$mRkT2zLw" };
  const credentials = { email, password: body.password };
  const signedUp = await ask("POST", "/identity/sign-up", body);
  expect(signedUp.status).toBe(200);
  const link = await readVerificationLink(email);
  expect((await ask("POST", "/api/email-verification", link, cookieOf(signedUp))).status).toBe(200);
  const answer = await ask("POST", "/identity/sign-in", credentials);
  expect(answer.status).toBe(200);
  const token = (await ask("POST", "/identity/sign-in", { ...credentials, session_as: "token" })).json.result
    .token;
  const auth = { Authorization: `Bearer ${token}` };
  const cookie = cookieOf(answer);
  return {
    calls,
    body,
    auth,
    cookie,
    ask: (method: string, path: string, given?: unknown, headers: Record<string, string> = auth) =>
      ask(method, path, given, headers),
  };
}

/** The first cookie of an answer, as a request header. */
const cookieOf = ({ headers }: { headers: Headers }) => ({
  Cookie: headers.getSetCookie()[0]!.split(";")[0]!,
});

/** Paths that need no session: the pages before sign-in use them, and links in e-mails. */
const PUBLIC = [
  "/api/contactus",
  "/api/email-verification",
  "/api/resend-email-verification",
  "/api/send-active-campaign-tags",
  "/api/subscribe-mail-sending",
  "/identity/complete-invitation",
  "/identity/complete-sign-up",
  "/identity/confirm-password",
  "/identity/forgot-password",
  // The secret of a frame inside a platform stands in for a session.
  "/identity/host/exchange",
  "/identity/host/frame",
  "/identity/sign-in",
  "/identity/sign-out",
  "/identity/sign-up",
  "/identity/two-factor/answer",
  "/identity/two-factor/challenge",
];

type Operations = Record<string, { security?: unknown[]; parameters?: unknown; tags: string[] }>;
async function documentedRoutes() {
  const { ask } = doors();
  const { json } = await ask("GET", "/api/openapi.json");
  expect(json.openapi).toBe("3.1.0");
  return Object.entries(json.paths as Record<string, Operations>).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => !tags.includes(DOORS_TAG))
      .map(([method, { security }]) => ({
        method: method.toUpperCase(),
        path,
        isPublic: security?.length === 0,
      })),
  );
}

const isEnvelope = (json: unknown) =>
  expect(Object.keys(json as object)).toEqual(
    expect.arrayContaining(["status", "message", "result", "code"]),
  );

test("[A-047] [A-364] [A-365] every documented call without a session returns 423, except those that need none", async () => {
  const { ask, calls } = doors();
  const routes = await documentedRoutes();
  expect(
    routes
      .filter(({ isPublic }) => isPublic)
      .map(({ path }) => path)
      .sort(),
  ).toEqual([...PUBLIC].sort());
  expect(routes.length).toBeGreaterThanOrEqual(20);
  for (const { method, path, isPublic } of routes) {
    if (isPublic) continue;
    for (const headers of [
      {},
      { Authorization: "Bearer nobody" },
      { Cookie: "__Host-holdfast.session_token=x.y" },
    ]) {
      const answer = await ask(
        method,
        path,
        method === "GET" ? undefined : {},
        headers as Record<string, string>,
      );
      expect([method, path, answer.status, answer.json.code]).toEqual([
        method,
        path,
        423,
        "err.session.missing",
      ]);
      isEnvelope(answer.json);
    }
  }
  expect((await ask("GET", "/api/nowhere")).status).toBe(423);
  expect(calls).toEqual([]);
});

test("the document is OpenAPI 3.1, its references resolve, and its examples match their schemas", async () => {
  const { json } = await doors().ask("GET", DOCUMENT);
  expect(await documentFaults(json)).toEqual([]);
  const call = json.paths["/api/github/restore-repos"].post;
  expect(Object.keys(call.responses)).toEqual(
    expect.arrayContaining(["200", "400", "403", "404", "409", "413", "415", "423", "500", "503"]),
  );
  call.responses["200"].content["application/json"].schema.properties.result = { type: "text" };
  call.responses["404"].content["application/json"].examples["err.not.found"].$ref =
    "#/components/examples/x";
  call.surprise = true;
  const places = (await documentFaults(json)).join("\n");
  for (const word of ["surprise", "no JSON Schema", "leads nowhere"]) expect(places).toContain(word);
});

test("a response that its document does not describe is detected", async () => {
  const wrong = await signedIn({ requestBackup: async () => ({ runId: 5, opensAt: 5 }) as never });
  const body = { repoName: "itm_1" };
  // A response that was refused once is refused again.
  for (let turn = 0; turn < 2; turn++)
    await expect(wrong.ask("POST", "/api/github/backup-now", body)).rejects.toThrow(/runId/);
  const more = await signedIn({ requestBackup: async () => ({ runId: "r", opensAt: 5, extra: 1 }) as never });
  await expect(more.ask("POST", "/api/github/backup-now", body)).rejects.toThrow(/additional properties/);
  const refused = () => Promise.reject(new AppError("err.restore.name"));
  const unsaid = await signedIn({ requestBackup: refused });
  await expect(unsaid.ask("POST", "/api/github/backup-now", body)).rejects.toThrow(/allowed values/);
});

test("every call of the GitHub table is documented under the platform's names", async () => {
  const { ask } = doors();
  const { json } = await ask("GET", "/api/openapi.json");
  for (const line of Object.keys(endpoints)) {
    const [method, path] = line.split(" ");
    expect(json.paths[`/api/github/${path}`]?.[method!.toLowerCase()]).toBeDefined();
  }
  const zip = json.paths["/api/github/github-get-zip"].post.requestBody.content["application/json"].schema;
  expect(Object.keys(zip.properties)).toEqual(["connection_id", "repoId", "versionId", "reachedOnly"]);
  expect(zip.required).toEqual(["repoId", "versionId"]);
});

/** Calls without input. They accept an absent body. */
const TAKES_NOTHING = new Set([
  "/api/github/send-confirm-github-user",
  "/api/payments/stripe-create-portal-session",
  "/api/payments/stripe-create-setup-intent",
  "/identity/sign-out",
  "/identity/two-factor/disable",
  "/identity/two-factor/enable",
  "/identity/two-factor/recovery-codes",
  "/identity/two-factor/secret",
]);

const takesNothing = (path: string) =>
  TAKES_NOTHING.has(path) || /^\/api\/payments\/get-[a-z-]+-trial-status(es)?$/.test(path);

const wrongBodies = [
  "",
  "{",
  "null",
  "[]",
  '"text"',
  "1e400",
  '{"a":1,"a":2}',
  '{"__proto__":{"role":"owner"}}',
  '{"constructor":{"prototype":{}}}',
  `${"[".repeat(100_000)}`,
  `{"x":${'{"x":'.repeat(50)}1${"}".repeat(50)}}`,
  '{"page":-1}',
  '{"page":1e18,"itemId":"x"}',
  '{"itemId":"\\u0000"}',
  '{"itemId":"\\ud800"}',
  '{"itemId":{"$gt":""}}',
  '{"reposIds":"all"}',
  '{"items":[{}]}',
  '{"emails":["not an address"],"items":[]}',
];

/** A normal run sends each call one in this many of the malformed bodies, and neighbours different ones. */
const BODY_PARTS = 4;

test("a malformed body is refused and never reaches the rules", async () => {
  const { ask, calls, cookie } = await signedUp();
  const routes = (await documentedRoutes()).filter(({ method }) => method !== "GET");
  for (const [turn, { method, path }] of routes.entries()) {
    const bodies = wrongBodies.filter((_, i) => isSampled(turn + i, BODY_PARTS));
    for (const body of bodies.filter((each) => each !== "" || !takesNothing(path))) {
      const answer = await ask(method, path, body);
      expect([path, body.slice(0, 60), answer.status]).toEqual([path, body.slice(0, 60), 400]);
      isEnvelope(answer.json);
    }
    const asForm = { ...cookie, Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded" };
    expect((await ask(method, path, "a=1", asForm)).status).toBe(415);
  }
  expect(calls).toEqual([]);
  expect(({} as { role?: string }).role).toBeUndefined();
});

test("a body above one MiB is refused, with or without Content-Length", async () => {
  const { ask } = await signedIn();
  const answer = await ask("POST", "/api/github/backup-now", `{"repoName":"${"x".repeat(1_100_000)}"}`);
  expect([answer.status, answer.json.code]).toEqual([413, "err.request.too.large"]);
});

test("[A-366] any JSON sent to any call gets an envelope and never a 5xx", async () => {
  const { ask } = await signedIn();
  const routes = (await documentedRoutes()).filter(({ path }) => path !== "/identity/sign-out");
  const names = fc.constantFrom(
    "repoName",
    "repoId",
    "versionId",
    "reposIds",
    "placeId",
    "items",
    "emails",
    "page",
    "perPage",
    "name",
    "id",
    "itemId",
    "platform",
    "filter",
    "is_daily_backed_up",
  );
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.bigInt().map(Number),
  );
  const body = fc.dictionary(names, value, { maxKeys: 5 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...routes), body, async ({ method, path }, given) => {
      // An object with a member `toString` has no text of its own.
      const text = (each: unknown) => (typeof each === "object" ? JSON.stringify(each) : String(each));
      const query = new URLSearchParams(Object.entries(given).map(([name, each]) => [name, text(each)]));
      const isGet = method === "GET";
      const answer = await ask(method, isGet ? `${path}?${query}` : path, isGet ? undefined : given);
      // No payment provider is configured here, and the calls that ask one say so.
      if (answer.json.code !== "err.payment.unavailable") expect(answer.status).toBeLessThan(500);
      isEnvelope(answer.json);
      expect(answer.json.status).toBe(answer.status < 400 ? "success" : "failure");
    }),
    { numRuns: 150 },
  );
});

test.each([
  "page=-1",
  "page=1&page=2",
  "page=1e18",
  "page=1.5",
  "page=NaN",
  "perPage=0",
  "perPage=101",
  "filter=everything",
  "unknown=1",
  "__proto__=1",
  "name=%00",
  `name=${"x".repeat(101)}`,
])("a list asked with ?%s is refused", async (query) => {
  const { ask, calls } = await signedIn();
  const answer = await ask("GET", `/api/github/get-user-github-items?${query}`);
  expect([answer.status, answer.json.code]).toEqual([400, "err.request.invalid"]);
  expect(calls).toEqual([]);
});

test("unknown paths return 404 and known ones 405 for another method, in the envelope", async () => {
  const { ask } = await signedIn();
  const unknown = await ask("GET", "/api/github/no-such-call");
  expect([unknown.status, unknown.json.code]).toEqual([404, "err.not.found"]);
  const method = await ask("GET", "/api/github/backup-now");
  expect([method.status, method.json.code]).toEqual([405, "err.request.method"]);
});

test("an internal error returns 500 with a request id and no internal details", async () => {
  const { ask } = await signedIn({
    listItems: async () => Promise.reject(new Error("D1_ERROR: secret table layout")),
  });
  const answer = await ask("GET", "/api/github/get-user-github-items");
  expect([answer.status, answer.json.code]).toEqual([500, "err.internal"]);
  expect(answer.text).not.toContain("secret");
  expect(answer.json.result.requestId).toBe(answer.headers.get("X-Request-Id"));
});

test("[A-450] every error code is documented with the status and sentence of its responses", async () => {
  const { json } = await doors().ask("GET", "/api/openapi.json");
  const { Envelope, ErrorCode: documented } = json.components.schemas;
  expect(Envelope.properties.code.anyOf).toContainEqual({ $ref: "#/components/schemas/ErrorCode" });
  expect(documented.enum).toEqual(Object.keys(ERROR_CODES));
  let code: ErrorCode = "err.internal";
  // Operations that throw codes which their routes do not declare.
  const breaking = { requestBackup: () => Promise.reject(new AppError(code)) };
  const { ask } = await signedIn(breaking, { isHeld: false });
  for (code of documented.enum) {
    const answer = await ask("POST", "/api/github/backup-now", { repoName: "itm_1" });
    expect(answer.json.code).toBe(code);
    expect(documented.description).toContain(`| ${code} | ${answer.status} | ${answer.json.message} |`);
  }
});

test("an error for the user keeps its status, code and details", async () => {
  const { ask } = await signedIn({
    requestBackup: async () =>
      Promise.reject(new AppError("err.user.backup.limit", { details: { opensAt: 42 } })),
  });
  const answer = await ask("POST", "/api/github/backup-now", { repoName: "itm_1" });
  expect(answer.status).toBe(429);
  expect(answer.json).toMatchObject({
    status: "failure",
    code: "err.user.backup.limit",
    result: { opensAt: 42 },
  });
});

test("a state-changing call that another site may have caused is refused, GET or not", async () => {
  const { ask, calls, cookie, auth } = await signedUp();
  const all = "/api/github/backup-all-repos-now";
  const refused: Record<string, string>[] = [
    cookie,
    { ...cookie, Origin: "https://evil.example" },
    { ...cookie, Origin: "null" },
    { ...cookie, "Sec-Fetch-Site": "cross-site" },
    { ...cookie, "Sec-Fetch-Site": "same-site" },
    { ...cookie, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate" },
    { ...auth, Origin: "https://evil.example" },
  ];
  for (const headers of refused) {
    for (const [method, path, body] of [
      ["GET", all, undefined],
      ["POST", "/api/github/backup-now", { repoName: "itm_1" }],
    ] as const) {
      const answer = await ask(method, path, body, headers);
      expect([headers, answer.status, answer.json.code]).toEqual([headers, 403, "err.request.origin"]);
    }
  }
  expect(calls).toEqual([]);
  const accepted = [
    auth,
    { ...cookie, Origin: ORIGIN },
    { ...cookie, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors" },
  ];
  for (const headers of accepted) expect((await ask("GET", all, undefined, headers)).status).toBe(200);
});

test("a sign-in from another site's page is refused", async () => {
  const { ask, body } = await signedUp();
  const given = { email: body.email, password: body.password };
  expect((await ask("POST", "/identity/sign-in", given, { Origin: "https://evil.example" })).status).toBe(
    403,
  );
  const answer = await ask("POST", "/identity/sign-in", given, { Origin: ORIGIN });
  expect(answer.status).toBe(200);
  expect(answer.headers.getSetCookie().join()).toMatch(/HttpOnly/i);
});

test("signing out revokes the token; a wrong password returns 401 in the envelope", async () => {
  const { ask, body, auth } = await signedUp();
  expect((await ask("POST", "/identity/sign-out", {})).status).toBe(200);
  expect((await ask("GET", "/api/github/get-github-users", undefined, auth)).status).toBe(423);
  const wrong = await ask("POST", "/identity/sign-in", { email: body.email, password: "nope" }, {});
  expect([wrong.status, wrong.json.code]).toEqual([401, "err.credentials.wrong"]);
});

test("core receives our names, and the caller the spec's names", async () => {
  const { ask, calls, user } = await signedIn();
  const items = await ask(
    "GET",
    "/api/github/get-user-github-items?placeId=plc_1&page=2&perPage=20&name=%20api%20",
  );
  expect(calls.at(-1)).toEqual({
    name: "listItems",
    member: user.organisationId,
    input: {
      platform: "github",
      kind: "repository",
      placeId: "plc_1",
      page: 2,
      perPage: 20,
      name: "api",
      filter: "all",
      sort: "name",
      after: null,
      before: null,
    },
  });
  expect(items.json).toMatchObject({ status: "success", canUserBackup: true, totalItemsNumber: 1 });
  expect(items.json.result[0]).toMatchObject({
    id: "itm_1",
    name: "api-gateway",
    size: 4096,
    lastBackup: 1_793_700_000_000,
    is_daily_backed_up: true,
    actionProcess: null,
    isRepo: true,
    is_private: true,
    node_id: "R_77",
    organizationName: "octo-org",
  });
  await ask("POST", "/api/github/add-github-repos", {
    placeId: "plc_1",
    reposIds: [{ id: 77, node_id: "R_77" }],
  });
  expect(calls.at(-1)?.input).toMatchObject({
    placeId: "plc_1",
    externals: [{ externalId: "77" }],
  });
  await ask("DELETE", "/api/github/delete-repos", { placeId: "plc_1", reposIds: [{ id: "itm_1" }, "itm_2"] });
  expect(calls.at(-1)?.input).toMatchObject({ itemIds: ["itm_1", "itm_2"] });
  await ask("PUT", "/api/github/update-daily-backup-items-statuses", {
    is_daily_backed_up: false,
    reposIds: ["itm_1"],
  });
  expect(calls.at(-1)?.input).toEqual({
    platform: "github",
    isDaily: false,
    items: [{ kind: "repository", itemIds: ["itm_1"] }],
  });
  await ask("POST", "/api/github/add-places-for-user", { placesIds: ["10"] });
  expect(calls.at(-1)?.input).toEqual({ platform: "github", externalIds: ["10"] });
  const available = await ask("GET", "/api/github/get-available-repos-for-github-user?placeId=plc_1");
  expect(available.json.result).toMatchObject({ not_added: [], remaining: 7, hasMore: false });
});

test("gists have the same calls under their own names", async () => {
  const { ask, calls } = await signedIn({ listItems: async () => listOf(gist) });
  const at = { platform: "github", kind: "gist" };
  const last = () => ({ name: calls.at(-1)!.name, input: calls.at(-1)!.input });
  await ask("GET", "/api/github/get-available-gists-for-github-user?page=1&perPage=20");
  expect(last()).toEqual({
    name: "listAvailableItems",
    input: { ...at, placeId: null, page: 1, perPage: 20, name: null },
  });
  const listed = await ask("GET", "/api/github/get-user-github-gists?page=0&perPage=10&name=notes");
  expect(last()).toMatchObject({ name: "listItems", input: { ...at, page: 0, perPage: 10, name: "notes" } });
  expect(listed.json.result).toMatchObject([{ id: "itm_7", isRepo: false, type: "gist" }]);
  await ask("POST", "/api/github/add-github-gists", {
    gists: [{ id: "aa", name: "n", description: "d" }, "bb"],
  });
  expect(last()).toEqual({
    name: "addItems",
    input: {
      ...at,
      placeId: null,
      externals: [{ externalId: "aa" }, { externalId: "bb" }],
    },
  });
  await ask("DELETE", "/api/github/delete-gists", { gistsIds: ["itm_7"] });
  expect(last()).toEqual({ name: "removeItems", input: { ...at, placeId: null, itemIds: ["itm_7"] } });
  await ask("POST", "/api/github/backup-now-gist", { id: "itm_7" });
  expect(last()).toEqual({ name: "requestBackup", input: { ...at, itemId: "itm_7" } });
  await ask("GET", "/api/github/backup-all-gists-now");
  expect(last()).toEqual({ name: "requestAllBackups", input: { ...at, placeId: null } });
  const emails = "ann@example.com";
  await ask("POST", "/api/github/restore-gists", { items: [{ id: "itm_7", versionid: "snp_1" }], emails });
  expect(last()).toMatchObject({
    name: "requestRestores",
    input: { ...at, emails: [emails], items: [{ itemId: "itm_7", snapshotId: "snp_1", name: null }] },
  });
  const zip = await ask("POST", "/api/github/github-gist-get-zip", { id: "itm_7", versionId: "snp_1" });
  expect(last().input).toEqual({
    ...at,
    itemId: "itm_7",
    snapshotId: "snp_1",
    reachedOnly: false,
  });
  expect(zip.json.message).toContain("We will send you an email");
});

test("[P-395] [P-396] [P-398] one path switches the lists of several kinds, each under its own name", async () => {
  const { ask, calls } = await signedIn();
  const put = (platform: string, body: object) =>
    ask("PUT", `/api/${platform}/update-daily-backup-items-statuses`, { is_daily_backed_up: true, ...body });
  const items = () => (calls.at(-1)!.input as { items: unknown }).items;
  for (const isDaily of [false, true])
    for (const list of ["reposIds", "gistsIds"]) {
      await put("github", { is_daily_backed_up: isDaily, [list]: ["itm_1"] });
      expect([list, calls.at(-1)?.input]).toEqual([list, expect.objectContaining({ isDaily })]);
    }
  await put("github", { reposIds: ["itm_1"] });
  expect(items()).toEqual([{ kind: "repository", itemIds: ["itm_1"] }]);
  await put("github", { gistsIds: ["itm_7"] });
  expect(items()).toEqual([{ kind: "gist", itemIds: ["itm_7"] }]);
  await put("forge", { projectsIds: ["itm_2"], snippetsIds: [{ id: "itm_3" }] });
  expect(items()).toEqual([
    { kind: "project", itemIds: ["itm_2"] },
    { kind: "snippet", itemIds: ["itm_3"] },
  ]);
  const before = calls.length;
  for (const body of [{}, { snippetsIds: ["itm_1"] }, { reposIds: [] }]) {
    expect((await put("github", body)).status).toBe(400);
  }
  expect(calls).toHaveLength(before);
});

test("responses use the names of their platform's dialect", async () => {
  const { ask } = await signedIn();
  const available = await ask("GET", "/api/forge/get-available-snippets-for-forge-user");
  expect(available.json.result).toMatchObject({ not_added_snippets: [], remaining: 7 });
  expect(available.json.result).not.toHaveProperty("not_added");
  const added = await ask("POST", "/api/forge/add-forge-snippets", { snippetsIds: ["5"] });
  expect(added.json.result.snippets_list).toHaveLength(1);
  const listed = await ask("GET", "/api/forge/get-user-forge-snippets");
  expect(listed.json).toMatchObject({ canUserBackup: true, totalItemsNumber: 1, isTokenValid: true });
});

test("[P-402] every platform has one call that backs up all its items, with status, message and error code", async () => {
  const { ask, calls } = await signedIn();
  for (const platform of ["github", "forge"]) {
    const answer = await ask("GET", `/api/${platform}/backup-all-items-now`);
    expect(answer.json).toMatchObject({ status: "success", result: { queued: 1 } });
    expect(calls.at(-1)).toMatchObject({
      name: "requestAllBackups",
      input: { platform, kind: null, placeId: null },
    });
  }
  await ask("GET", "/api/forge/backup-all-items-now?kind=snippet");
  expect(calls.at(-1)?.input).toEqual({ platform: "forge", kind: "snippet", placeId: null });
  expect((await ask("GET", "/api/forge/backup-all-items-now?kind=wiki")).status).toBe(400);
  const refusing = await signedIn({
    requestAllBackups: async () =>
      Promise.reject(new AppError("err.user.backup.limit", { details: { opensAt: 42 } })),
  });
  const refused = await refusing.ask("GET", "/api/forge/backup-all-items-now");
  expect(refused.json).toMatchObject({ status: "failure", code: "err.user.backup.limit" });
  expect(refused.json.message).toMatch(/\w+/);
});

test("account names are returned for every platform that the member may use", async () => {
  const { ask } = await signedIn();
  const names = await ask("GET", "/api/user/get-user-platform-names");
  expect(names.json.result).toEqual({ platformNames: { github: "octo" } });
});

test("a repository is accepted by id, full name or name where the spec names it", async () => {
  const { ask, calls } = await signedIn();
  await ask("POST", "/api/github/backup-now", { repoName: "octo-org/api-gateway" });
  expect(calls.map(({ name, input }) => [name, input])).toEqual([
    ["findItemByReference", { platform: "github", kind: "repository", reference: "octo-org/api-gateway" }],
    ["requestBackup", { platform: "github", kind: "repository", itemId: "itm_1" }],
  ]);
  const direct = await ask("POST", "/api/github/backup-now", { repoName: "itm_9" });
  expect(calls.slice(2).map(({ name }) => name)).toEqual(["requestBackup"]);
  expect(direct.json.result).toEqual({ runId: "run_1", opensAt: 5 });
});

test("a restore takes versions, new names, places by our id or the platform's, and e-mail addresses", async () => {
  const { ask, calls } = await signedIn();
  const fresh = (id: number) => ({
    ...{ itemId: `itm_${id}`, snapshotId: `snp_${id}`, into: null, name: null, place: null },
  });
  const answer = await ask("POST", "/api/github/restore-repos", {
    items: [
      {
        id: "itm_1",
        versionid: "snp_1",
        name: " copy ",
        place: { id: "plc_1", name: "octo-org", node_id: "O_9", type: "Organization" },
      },
      { id: "itm_2", versionid: "snp_2", place: { id: "10" } },
      { id: "itm_3", versionid: "snp_3", place: { externalId: "11" } },
      { id: "itm_4", versionid: "snp_4" },
      { id: "itm_5", versionid: "snp_5", place: "12" },
      { id: "itm_6", versionid: "snp_6", into: 77, options: { heads: true, columns: { 1: "a", 2: null } } },
    ],
    placeId: "plc_1",
    emails: "ann@example.com, bob@example.com",
  });
  expect(answer.json).toMatchObject({ status: "success", message: "Your restore is now in process" });
  expect(calls.at(-1)?.input).toEqual({
    platform: "github",
    kind: "repository",
    placeId: "plc_1",
    emails: ["ann@example.com", "bob@example.com"],
    items: [
      { ...fresh(1), name: "copy", place: { externalId: "plc_1" } },
      { ...fresh(2), place: { externalId: "10" } },
      { ...fresh(3), place: { externalId: "11" } },
      fresh(4),
      { ...fresh(5), place: { externalId: "12" } },
      {
        ...fresh(6),
        into: { externalId: "77" },
        answers: { heads: true, columns: { 1: "a", 2: null } },
      },
    ],
  });
  const fiftyOne = Array.from({ length: 51 }, () => ({ id: "itm_1", versionid: "snp_1" }));
  expect((await ask("POST", "/api/github/restore-repos", { items: fiftyOne })).status).toBe(400);
});

test("a ready ZIP returns its URL, a pending one the spec's sentence", async () => {
  const preparing = await signedIn();
  const later = await preparing.ask("POST", "/api/github/github-get-zip", {
    repoId: "itm_1",
    versionId: "snp_1",
  });
  expect(later.json).toMatchObject({ status: "success", result: null });
  expect(later.json.message).toContain("We will send you an email once it is ready");
  const ready = await signedIn({
    requestZip: async () => ({ kind: "ready", url: "https://x.test/1", expiresAt: 9 }),
  });
  const now = await ready.ask("POST", "/api/github/github-get-zip", { repoId: "itm_1", versionId: "snp_1" });
  expect(now.json.result).toEqual({ url: "https://x.test/1", expiresAt: 9 });
});

test("[P-391] [P-393] histories take their page from body or query and use the spec's names", async () => {
  const { ask, calls } = await signedIn();
  const history = await ask("POST", "/api/user/get-items-backups", { itemId: "itm_1", perPage: 10, page: 1 });
  expect(calls.at(-1)?.input).toEqual({ itemId: "itm_1", perPage: 10, page: 1 });
  expect(history.json.result[0]).toMatchObject({
    key: "run_1",
    type: "backup",
    size: 10,
    sizeSub: 3,
    versionid: "snp_1",
    action_process: "backing_up_process",
    zip_status: "none",
    extra_fields: { fullBackupSize: 10, get_zip: null, scopeVersionId: null },
  });
  await ask("POST", "/api/user/get-actions?page=3&perPage=5", { platform: "github", id: "itm_1" });
  expect(calls.at(-1)?.input).toEqual({ platform: "github", itemId: "itm_1", page: 3, perPage: 5 });
  expect((await ask("POST", "/api/user/get-actions?page=3", { platform: "github", page: 4 })).status).toBe(
    400,
  );
});

test("every response, including errors, has the security headers and its own nonce", async () => {
  const { ask, auth } = await signedIn();
  const answers = [
    await ask("GET", "/api/openapi.json"),
    await ask("GET", "/api/nowhere", undefined, {}),
    await ask("POST", "/api/github/backup-now", "{"),
    await ask("GET", "/connect/github/callback?code=1&state=2", undefined, auth),
  ];
  const policies = answers.map(({ headers }) => headers.get("Content-Security-Policy")!);
  for (const { headers } of answers) {
    expect(headers.get("Strict-Transport-Security")).toContain("max-age=");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("strict-origin");
    expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
    expect(headers.get("Cache-Control")).toBe("no-store");
  }
  for (const policy of policies) {
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("connect-src 'self' wss://app.example.test");
    expect(policy).toMatch(
      /form-action 'self' https:\/\/app\.example\.test https?:\/\/\S+( https?:\/\/\S+)*$/,
    );
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  }
  expect(new Set(policies).size).toBe(policies.length);
});

test("a consent that opens several accounts redirects to the choice, which is made by its id", async () => {
  const completeAuthorisation = async () => ({ kind: "choice" as const, choiceId: "abc" });
  const { ask, calls } = await signedIn({ completeAuthorisation });
  const back = await ask("GET", "/connect/github/callback?code=a&state=b");
  expect(back.headers.get("Location")).toBe("/app-connector?platform=github&choice=abc");
  expect((await ask("GET", "/api/github/get-account-candidates?choice=abc")).status).toBe(200);
  expect(
    (await ask("POST", "/api/github/choose-accounts", { choice: "abc", ids: ["site-a", 7] })).status,
  ).toBe(200);
  const order = { platform: "github", choiceId: "abc" };
  expect(calls.filter(({ name }) => /Candidates|chooseAccounts/.test(name))).toMatchObject([
    { name: "listCandidates", input: order },
    { name: "chooseAccounts", input: { ...order, externalIds: ["site-a", "7"] } },
  ]);
  expect((await ask("POST", "/api/github/choose-accounts", { choice: "abc", ids: [] })).status).toBe(400);
});
