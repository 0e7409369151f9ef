import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { recordActions } from "#core/audit/index.ts";
import { startTrial } from "#core/billing/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import type { Member } from "#core/organisations/index.ts";
import { heldLimits } from "#tests/harness/held-limits.ts";
import { answerHolder } from "#tests/harness/hold-answers.ts";
import { freshEmail, makeMember, makeOwner, makePlatform, makeSession } from "#tests/harness/people.ts";
import { buildServices } from "#workers/services.ts";
import { createApi } from "../create-api.ts";
import { operations } from "../operations.ts";
import { apiPlatformOf } from "../platform-endpoints.ts";

const ORIGIN = "https://app.example.test";
const s = buildServices(env);
const api = createApi({
  core: operations,
  platforms: platforms.map(apiPlatformOf),
});
const hold = answerHolder(async () =>
  (await api.fetch(new Request("https://app.example.test/api/openapi.json"), env)).json(),
);
const PIXEL = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="),
  (char) => char.charCodeAt(0),
);
const AVATAR = `data:image/png;base64,${btoa(String.fromCharCode(...PIXEL))}`;
const USER = ["organization_github_user"];

/** An API client with this member's session. */
async function session(member: Member | null) {
  const headers: Record<string, string> = member ? { Authorization: await makeSession(s, member) } : {};
  const ask = async (method: string, path: string, body?: unknown) => {
    const init: RequestInit = { method, headers: { ...headers, "Content-Type": "application/json" } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await heldLimits.invocation(async () =>
      api.fetch(new Request(`${ORIGIN}${path}`, init), env),
    );
    const json = (await response.json()) as Wire;
    await hold({ method, path: path.split("?")[0] ?? "", status: response.status, body: json });
    return { status: response.status, headers: response.headers, json };
  };
  const raw = (path: string) => api.fetch(new Request(`${ORIGIN}${path}`, { headers }), env);
  return { ask, raw };
}
type Wire = {
  status: string;
  message: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: each call has its own result; the expectations say which
  result: any;
  code: string | null;
};

async function house(options: Parameters<typeof makePlatform>[2] = {}) {
  const owner = await makeOwner(s);
  await makePlatform(s, owner, options);
  return { owner, own: await session(owner) };
}

test("[A-199] [A-200] [A-204] [A-391] the start info of a new owner is exactly that of the wire contract", async () => {
  const owner = await makeOwner(s);
  await env.DB.prepare("UPDATE user SET stated_created_at = '2026-11-03T09:00:00Z' WHERE id = ?")
    .bind(owner.userId)
    .run();
  const { json } = await (await session(owner)).ask("GET", "/api/user/get-user-start-info");
  expect(json.result).toEqual({
    sub: owner.userId,
    email: owner.email,
    name: "Ann",
    family_name: "Example",
    picture: null,
    created_at: "2026-11-03T09:00:00Z",
    auto_confirm: false,
    is_test: false,
    isHasProPlan: false,
    hadEverAnySubscriptions: false,
    paymentHistory: [],
    company: null,
    connectedExtStorage: null,
    organization_name: null,
    account_type: "User",
    isSubUser: false,
    roles: [],
    roleByApp: {},
    isSubscribedToMail: true,
    two_factor_enabled: false,
  });
});

test("[A-207] [A-208] a member's start info has the organisation's name and their own rights", async () => {
  const { owner, own } = await house();
  await own.ask("POST", "/api/user/organization/name", { organization_name: "  Meridian " });
  const bo = await makeMember(s, owner, { github: "admin" });
  const { json } = await (await session(bo)).ask("GET", "/api/user/get-user-start-info");
  expect(json.result).toMatchObject({
    organization_name: "Meridian",
    isSubUser: true,
    roles: ["organization_github_admin"],
    roleByApp: { github: "admin" },
    isHasProPlan: true,
    hadEverAnySubscriptions: true,
  });
  const users = (await own.ask("GET", "/api/user/organization-users")).json.result.organization_users;
  expect(users).toMatchObject([{ sub: bo.userId, email: bo.email, roles: ["organization_github_admin"] }]);
});

test("[A-203] [A-204] [B-171] one platform on Pro or a running trial makes the account a Pro account", async () => {
  const now = s.clock.now();
  const cases: [Parameters<typeof makePlatform>[2], boolean][] = [
    [{ plan: "pro" }, true],
    [{ plan: "trial", endsAt: now + DAY_MS }, true],
    [{ plan: "trial", endsAt: now - 1 }, false],
    [{ plan: "essential" }, false],
  ];
  for (const [options, isHasProPlan] of cases) {
    const { own, owner } = await house(options);
    await makePlatform(s, owner, { platform: "elsewhere", plan: "essential" });
    const { json } = await own.ask("GET", "/api/user/get-user-start-info");
    expect(json.result).toMatchObject({ isHasProPlan, hadEverAnySubscriptions: true });
  }
});

test("[A-394] [A-202] names are changed by their rules, and the test-user flag stays", async () => {
  const { owner, own } = await house();
  await env.DB.prepare("UPDATE user SET is_test = 1 WHERE id = ?").bind(owner.userId).run();
  const update = (body: unknown) => own.ask("POST", "/api/user/update", body);
  expect((await update({ name: "Anna", family_name: "Lindqvist" })).status).toBe(200);
  for (const body of [
    { name: "A", family_name: "Lindqvist" },
    { name: "Anna", family_name: "x".repeat(51) },
    { name: "www.evil.example", family_name: "Lindqvist" },
    { name: "Anna" },
    { name: "Anna", family_name: "Lindqvist", is_test: false },
  ]) {
    expect((await update(body)).status).toBe(400);
  }
  const { json } = await own.ask("GET", "/api/user/get-user-start-info");
  expect(json.result).toMatchObject({ name: "Anna", family_name: "Lindqvist", is_test: true });
});

test("[A-392] [A-393] a photo is stored, shown only to colleagues and only as an image, and can be replaced", async () => {
  const { owner, own } = await house();
  const add = () => own.ask("POST", "/api/user/add-profile-image", { avatar: AVATAR });
  const { url } = (await add()).json.result;
  expect((await own.ask("GET", "/api/user/get-user-start-info")).json.result.picture).toBe(url);
  const path = new URL(url).pathname;
  const bo = await session(await makeMember(s, owner));
  const shown = await bo.raw(path);
  expect(new Uint8Array(await shown.arrayBuffer())).toEqual(PIXEL);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    "content-type": "image/png",
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
  });
  expect(shown.headers.get("cache-control")).toMatch(/^private/);

  const { own: foreign } = await house();
  const refused = await foreign.ask("GET", path);
  const missing = await foreign.ask("GET", "/avatars/ava_nothing");
  expect([refused.status, refused.json]).toEqual([missing.status, missing.json]);
  expect(missing.status).toBe(404);
  expect((await (await session(null)).ask("GET", path)).status).toBe(423);

  const { url: next } = (await add()).json.result;
  expect(next).not.toBe(url);
  expect((await own.raw(path)).status).toBe(404);
  expect((await own.raw(new URL(next).pathname)).status).toBe(200);
  expect((await env.AVATARS.list({ prefix: `${owner.userId}/` })).objects).toHaveLength(1);
});

test("a change of names or photo is audited, one without effect is not", async () => {
  const { owner, own } = await house();
  const update = (name: string) => own.ask("POST", "/api/user/update", { name, family_name: "Lindqvist" });
  for (const name of ["Anna", "Anna", "A", "Beate"]) await update(name);
  await own.ask("POST", "/identity/update-profile", { name: "Beate", family_name: "Lindqvist" });
  await own.ask("POST", "/api/user/add-profile-image", { avatar: AVATAR });
  await own.ask("POST", "/api/user/add-profile-image", { avatar: "data:image/gif;base64,R0lGODdh" });
  const { results } = await env.DB.prepare(
    "SELECT action, subject, user_name FROM audit_entry WHERE user_id = ? AND action LIKE 'change-%' ORDER BY created_at, id",
  )
    .bind(owner.userId)
    .all();
  expect(results.map(({ action, subject }) => `${action} ${subject}`)).toEqual([
    "change-profile Anna Lindqvist",
    "change-profile Beate Lindqvist",
    "change-photo null",
  ]);
  // Each entry keeps the name that the user had at the time.
  expect(results[1]!.user_name).not.toBe("Beate Lindqvist");
});

test("[A-445] [A-446] a photo that is too large or not an image is refused with its sentence and changes nothing", async () => {
  const { owner, own } = await house();
  const add = (avatar: string) => own.ask("POST", "/api/user/add-profile-image", { avatar });
  const large = await add(`data:image/png;base64,${"AAAA".repeat(600_000)}`);
  expect([large.json.code, large.json.message]).toEqual([
    "err.photo.size",
    "Please upload a photo smaller than 1 Mb",
  ]);
  expect((await add("data:image/gif;base64,R0lGODdh")).json).toMatchObject({
    code: "err.photo.format",
    message: "Uploaded image must be one of the following formats: PNG, JPG, JPEG and BMP",
  });
  expect((await add(`data:image/png;base64,${"A".repeat(3_000_000)}`)).status).toBe(413);
  expect((await env.AVATARS.list({ prefix: `${owner.userId}/` })).objects).toEqual([]);
});

test("[A-399] [A-400] [A-401] [A-402] [A-403] an owner names the organisation, invites, changes and removes members through the API", async () => {
  const { own } = await house();
  const email = freshEmail("bo");
  const people = async () => (await own.ask("GET", "/api/user/organization-users")).json.result;
  expect(
    (await own.ask("POST", "/api/user/organization/name", { organization_name: " " })).json.message,
  ).toContain("This field is required");
  const long = { organization_name: "x".repeat(101) };
  expect((await own.ask("POST", "/api/user/organization/name", long)).json.message).toContain(
    "Max length is 100",
  );
  const bell = { organization_name: "Meri\u0007dian" };
  expect((await own.ask("POST", "/api/user/organization/name", bell)).status).toBe(400);
  await own.ask("POST", "/api/user/organization/name", { organization_name: "Meridian" });
  expect((await own.ask("GET", "/api/user/get-user-start-info")).json.result.organization_name).toBe(
    "Meridian",
  );

  const invite = await own.ask("POST", "/api/user/organization-user", {
    email: email.toUpperCase(),
    roles: USER,
  });
  expect(invite.json.status).toBe("success");
  const { sub } = invite.json.result;
  expect(await people()).toEqual({ organization_users: [{ sub, email, roles: USER }], invitations_left: 9 });
  const mails = env.DB.prepare("SELECT message FROM mail_outbox WHERE recipient = ?").bind(email);
  expect((await mails.all()).results).toEqual([{ message: "invitation" }]);
  const roles = ["organization_github_admin"];
  await own.ask("PUT", "/api/user/organization-user", { targetUserSub: sub, roles });
  expect((await people()).organization_users[0].roles).toEqual(roles);
  expect((await own.ask("DELETE", "/api/user/organization-user", { targetUserSub: sub })).status).toBe(200);
  expect(await people()).toEqual({ organization_users: [], invitations_left: 10 });
  const again = await own.ask("DELETE", "/api/user/organization-user", { targetUserSub: sub });
  expect([again.status, again.json.code]).toEqual([404, "err.not.found"]);
});

test("[A-027] the account type has two values, and no other is accepted", async () => {
  const { own } = await house();
  const set = async (account_type: unknown) =>
    (await own.ask("PUT", "/api/user/account-type", { account_type })).status;
  const read = async () => (await own.ask("GET", "/api/user/get-user-start-info")).json.result.account_type;
  expect(await read()).toBe("User");
  for (const kind of ["Organization", "User"]) {
    expect([kind, await set(kind), await read()]).toEqual([kind, 200, kind]);
  }
  for (const other of ["Company", "organization", "", null]) {
    expect([other, await set(other), await read()]).toEqual([other, 400, "User"]);
  }
});

test("[A-175] every call about people, name and billing is refused for a member, whatever their rights", async () => {
  const { owner } = await house();
  const admin = await session(await makeMember(s, owner, { github: "admin" }));
  const company = {
    name: "A",
    country: "DE",
    state: "BE",
    city: "Berlin",
    line1: "Weg 1",
    postal_code: "10115",
  };
  for (const [method, path, body] of [
    ["GET", "/api/user/organization-users"],
    ["POST", "/api/user/organization-user", { email: freshEmail(), roles: USER }],
    ["PUT", "/api/user/organization-user", { targetUserSub: owner.userId, roles: USER }],
    ["DELETE", "/api/user/organization-user", { targetUserSub: owner.userId }],
    ["POST", "/api/user/organization/name", { organization_name: "Mine" }],
    ["PUT", "/api/user/account-type", { account_type: "User" }],
    ["PUT", "/api/payments/stripe-update-company", company],
  ] as const) {
    const { status, json } = await admin.ask(method, path, body);
    expect([method, path, status, json.code]).toEqual([method, path, 403, "err.role.forbidden"]);
  }
});

test("[A-230] [A-390] [B-258] a login reported twice is audited once, and the audit trail is paged with its total", async () => {
  const { owner, own } = await house();
  for (const action of ["login", "login", "logout"])
    await own.ask("POST", "/api/user/user-action", { action });
  const other = await session(owner);
  await other.ask("POST", "/api/user/user-action", { action: "login" });
  const { json } = await own.ask("GET", "/api/user/actions-history?page=0&perPage=2");
  expect(json.result.totalItemsNumber).toBe(3);
  expect(json.result.actions).toHaveLength(2);
  type Action = { id: string; type: string };
  const all = (await own.ask("GET", "/api/user/actions-history")).json.result.actions as Action[];
  const rest = (await own.ask("GET", "/api/user/actions-history?page=1&perPage=2")).json.result;
  expect(rest.totalItemsNumber).toBe(3);
  const paged = [...(json.result.actions as Action[]), ...(rest.actions as Action[])];
  expect(paged.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect(all.map(({ type }) => type).toSorted()).toEqual(["login", "login", "logout"]);
  expect((await own.ask("POST", "/api/user/user-action", { action: "root" })).status).toBe(400);
});

test("[B-156] [B-157] an action has every field of the trail, and its status is success or failed", async () => {
  const { owner, own } = await house({ plan: "pro" });
  const { organisationId, userId } = owner;
  const by = { organisationId, userId, userName: "Runa Holm" };
  const version = { id: "snp_1", takenAt: 5 };
  await recordActions({ ...s, callerIp: "192.0.2.7" }, [
    { ...by, action: "restore-item", platform: "github", subject: "octo/api", version },
    { ...by, action: "login", outcome: "failed" },
  ]);
  const { json } = await own.ask("GET", "/api/user/actions-history");
  const actions = json.result.actions as { type: string; status: string }[];
  const action = (type: string) => actions.find((each) => each.type === type);
  const shared = { id: expect.any(String), date: expect.any(Number), ip: "192.0.2.7", name: "Runa Holm" };
  expect(action("restore-item")).toMatchObject({
    ...shared,
    ...{ platform: "github", version: "snp_1", status: "success", isProPlanAction: true },
  });
  expect(action("login")).toMatchObject({ ...shared, platform: null, version: null, status: "failed" });
});

test("[A-015] a started trial has 336 hours; other platforms are not started, and members see only their own", async () => {
  const { owner, own } = await house({ plan: null });
  await startTrial(s, owner.organisationId, "github");
  const read = async (who: typeof own) =>
    (await who.ask("GET", "/api/payments/get-platforms-trial-statuses")).json.result;
  const { github, ...others } = await read(own);
  expect(github).toMatchObject({
    trialStatus: "active",
    trialHoursLeft: 336,
    planQuantity: 10,
    addedItemsQuantity: 0,
    availableItemsQuantity: 10,
    subscription_type: null,
    subscription_status: null,
    s3_region: expect.stringMatching(/^[a-z]+-[a-z]+-[0-9]$/),
    cloud_storages: [],
    isConnectionActive: false,
  });
  const statuses = Object.values(others as Record<string, { trialStatus: string }>);
  expect(statuses.length).toBeGreaterThan(0);
  for (const { trialStatus } of statuses) expect(trialStatus).toBe("not started");
  expect(await read(await session(await makeMember(s, owner)))).toEqual({});
  const fresh = await session(await makeOwner(s));
  expect((await read(fresh)).github).toMatchObject({ trialStatus: "not started", trialHoursLeft: 0 });
  const { own: paying } = await house({ plan: "pro" });
  expect((await read(paying)).github).toMatchObject({
    trialStatus: "expired",
    subscription_type: "pro_plan",
    subscription_status: "active",
  });
});

test("the billing address requires a payment method, and its form is validated first", async () => {
  const { own } = await house();
  const company = {
    name: "A",
    country: "DE",
    state: "BE",
    city: "Berlin",
    line1: "Weg 1",
    postal_code: "10115",
  };
  const path = "/api/payments/stripe-update-company";
  const good = await own.ask("PUT", path, company);
  expect([good.status, good.json.code, good.json.message]).toEqual([
    409,
    "err.payment.method.missing",
    "First you need to add a payment method.",
  ]);
  for (const body of [
    { ...company, name: " " },
    { ...company, country: "Germany" },
    { ...company, extra: 1 },
    { ...company, tax_details: { type: "eu_vat" } },
  ]) {
    expect((await own.ask("PUT", path, body)).json.code).toBe("err.request.invalid");
  }
});

test("[A-356] [P-297] [P-298] [P-299] [P-300] [P-301] a read-only member can only read, one with write access can change, and without a right neither works", async () => {
  const { owner } = await house();
  const reader = await session(await makeMember(s, owner, { github: "user" }));
  const writer = await session(await makeMember(s, owner, { github: "admin" }));
  const stranger = await session(await makeMember(s, owner, { trello: "admin" }));
  const item = await makeItem(owner);
  for (const who of [reader, writer]) {
    expect((await who.ask("GET", "/api/github/get-github-users")).status).toBe(200);
    const { json } = await who.ask("GET", "/api/github/get-user-github-items");
    expect(json.result).toHaveLength(1);
  }
  expect((await stranger.ask("GET", "/api/github/get-user-github-items")).status).toBe(403);
  for (const [method, path, body] of changes(item)) {
    for (const who of [reader, stranger]) {
      const { json } = await who.ask(method, path, body);
      expect([method, path, json.code]).toEqual([method, path, "err.role.forbidden"]);
    }
  }
  const own = changes(item).filter(([method]) => method === "PUT" || method === "DELETE");
  for (const [method, path, body] of own.toReversed()) {
    expect([path, (await writer.ask(method, path, body)).json.status]).toEqual([path, "success"]);
  }
});

test("[P-294] an admin may make changes only while the platform's plan runs, whichever it is", async () => {
  const { owner } = await house({ plan: "essential" });
  const admin = await session(await makeMember(s, owner, { github: "admin" }));
  const item = await makeItem(owner);
  const setPlan = (plan: string, endsAt: number | null) =>
    env.DB.prepare("UPDATE subscription SET plan = ?, ends_at = ? WHERE organisation_id = ?")
      .bind(plan, endsAt, owner.organisationId)
      .run();
  for (const [plan, runsUntil] of [
    ["trial", s.clock.now() + DAY_MS],
    ["essential", null],
    ["pro", null],
  ] as const) {
    await setPlan(plan, 1);
    for (const [method, path, body] of changes(item)) {
      const { code } = (await admin.ask(method, path, body)).json;
      expect([plan, path, code]).toEqual([plan, path, "err.plan.required"]);
    }
    await setPlan(plan, runsUntil);
    // The version is unknown, which is only said to those who may ask.
    const zip = await admin.ask("POST", "/api/github/github-get-zip", { repoId: item, versionId: "snp_1" });
    expect([plan, zip.json.code]).toEqual([plan, "err.not.found"]);
  }
  const [remove] = changes(item).filter(([method]) => method === "DELETE");
  expect((await admin.ask(...remove!)).json.status).toBe("success");
});

/** Inserts a protected repository of the owner into the ledger. */
async function makeItem(owner: Member): Promise<string> {
  const id = s.ids.next("item");
  const connection = await env.DB.prepare("SELECT id FROM connection WHERE organisation_id = ?")
    .bind(owner.organisationId)
    .first<string>("id");
  await env.LEDGER_US.prepare(
    `INSERT INTO item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name, name_folded,
       visibility, details, status, is_daily, created_at)
     VALUES (?, ?, ?, 'github', 'repository', ?, 'api', 'octo/api', 'api', 'private', '{}', 'backuped', 1, 1)`,
  )
    .bind(id, owner.organisationId, connection, id)
    .run();
  return id;
}

/** Every call that changes something on the platform. */
function changes(item: string): [method: string, path: string, body?: unknown][] {
  return [
    ["POST", "/api/github/add-places-for-user", { placesIds: ["1"] }],
    ["POST", "/api/github/add-github-repos", { reposIds: [{ id: "1" }] }],
    ["DELETE", "/api/github/delete-repos", { reposIds: [item] }],
    [
      "PUT",
      "/api/github/update-daily-backup-items-statuses",
      { is_daily_backed_up: false, reposIds: [item] },
    ],
    ["POST", "/api/github/backup-now", { repoName: item }],
    ["GET", "/api/github/backup-all-repos-now"],
    ["POST", "/api/github/restore-repos", { items: [{ id: item, versionid: "snp_1" }] }],
    ["POST", "/api/github/github-get-zip", { repoId: item, versionId: "snp_1" }],
  ];
}
