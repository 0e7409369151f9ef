import { env } from "cloudflare:workers";
import { resetSync } from "@logtape/logtape";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { DEMO_BUCKET } from "#connectors/storages/s3/simulator/demo-bucket.ts";
import { MINUTE_MS } from "#core/kernel/clock.ts";
import { type OutsideDrive, openDrive } from "#tests/harness/drives.ts";
import { backUpNow } from "#tests/harness/flow-steps.ts";
import { PLATFORM } from "#tests/harness/flow-world.ts";
import { type OutsideS3, openS3 } from "#tests/harness/outside.ts";
import { makePlatform } from "#tests/harness/people.ts";
import { letPass } from "#tests/harness/replica-steps.ts";
import { type Actor, openSecurityWorld, type SecurityWorld } from "#tests/security/security-world.ts";
import { configureLogging } from "#workers/logging.ts";

/** The customer's own storage through the API, from the form to the file in the bucket. */

let s3: OutsideS3;
let dropbox: OutsideDrive;
let world: SecurityWorld;
beforeAll(async () => {
  [s3, dropbox] = await Promise.all([openS3(), openDrive("dropbox")]);
  const registered = { GOOGLE_DRIVE_CLIENT_ID: "an-application" };
  world = await openSecurityWorld({ vars: { ...s3.vars, ...dropbox.vars, ...registered } });
});
afterAll(async () => {
  await Promise.all([s3.close(), dropbox.close(), world.close()]);
});

type Body = { code: string | null; message: string | null; result: Record<string, unknown> };

async function ask(actor: Actor, method: string, path: string, given: object = {}) {
  const isGet = method === "GET";
  const answer = await world.ask(actor, {
    method,
    path: `/api/${path}`,
    ...(isGet ? { query: given as Record<string, string> } : { body: given }),
  });
  return { status: answer.status, json: answer.json as unknown as Body };
}

const add = (given: object = DEMO_BUCKET, actor: Actor = "owner") =>
  ask(actor, "POST", "user/add-s3-cloud-storage", given);
const disconnect = (cloudStorageName = "s3", actor: Actor = "owner") =>
  ask(actor, "PUT", "user/remove-user-cloud-storage", { cloudStorageName });
const choose = (platformsWithCloudStorages: object, actor: Actor = "owner") =>
  ask(actor, "POST", "user/add-platforms-backup-cloud-storages", { platformsWithCloudStorages });
const overview = async (actor: Actor = "owner") =>
  (await ask(actor, "GET", "user/get-cloud-storages")).json.result;
const platformOf = async (actor: Actor = "owner") =>
  ((await overview(actor)).platforms as Record<string, Record<string, unknown>>)[PLATFORM]!;

test("a form with a missing, too short or too long value is refused by field", async () => {
  const long = "a".repeat(51);
  for (const [field, value, says] of [
    ["accessKeyID", "", /required/],
    ["accessKeyID", "A".repeat(15), /at least 16/],
    ["accessKeyID", long, /at most 50/],
    ["secretAccessKey", "", /required/],
    ["secretAccessKey", "a".repeat(15), /at least 16/],
    ["secretAccessKey", long, /at most 50/],
    ["bucketName", "", /required/],
    ["bucketName", "ab", /at least 3/],
    ["bucketName", long, /at most 50/],
    ["bucketName", "../other", /small letters/],
    ["region", "", /required/],
    ["region", "moon-east-1", /not one of the list/],
  ] as const) {
    const { status, json } = await add({ ...DEMO_BUCKET, [field]: value });
    expect([field, value, status, json.code]).toEqual([field, value, 400, "err.request.invalid"]);
    expect(json.message).toMatch(says);
    expect(json.message).toMatch(new RegExp(`^${field}`));
    const { [field]: _, ...without } = DEMO_BUCKET;
    expect((await add(without)).status).toBe(400);
  }
  expect((await overview()).storages).toEqual([]);
  // A key of minimal length is valid. S3 does not know it.
  const unknown = await add({ ...DEMO_BUCKET, accessKeyID: "A".repeat(16) });
  expect([unknown.status, unknown.json.code]).toEqual([409, "err.storage.refused"]);
});

test("[P-408] [A-206] a bucket is connected by its keys and shown by name, and its secret is never returned", async () => {
  const startInfo = async () => (await ask("owner", "GET", "user/get-user-start-info")).json.result;
  expect((await startInfo()).connectedExtStorage).toBeNull();
  configureLogging();
  const lines: string[] = [];
  for (const method of ["debug", "log", "info", "warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((...parts) => void lines.push(parts.map(String).join(" ")));
  const { status, json } = await add();
  vi.restoreAllMocks();
  resetSync();
  expect([status, json.result]).toEqual([200, { name: DEMO_BUCKET.bucketName }]);
  const shown = await overview();
  expect(shown.storages).toEqual([
    expect.objectContaining({
      cloudStorageName: "s3",
      name: DEMO_BUCKET.bucketName,
      details: { region: "us-west-2", bucketName: DEMO_BUCKET.bucketName },
      isActive: true,
      trouble: null,
      canDisconnect: true,
    }),
  ]);
  expect((await startInfo()).connectedExtStorage).toBe("s3");
  for (const secret of [DEMO_BUCKET.secretAccessKey, DEMO_BUCKET.accessKeyID]) {
    expect(JSON.stringify([json, shown, await startInfo(), lines])).not.toContain(secret);
  }
  expect((await s3.bucket(DEMO_BUCKET.bucketName)).objects.map(({ key }) => key)).toEqual([
    "Holdfast/README.txt",
  ]);
});

test("[P-292] a second storage is refused with the spec's sentence before any redirect", async () => {
  for (const cloudStorageName of ["dropbox", "google_drive"]) {
    const { status, json } = await ask("owner", "GET", "user/get-cloud-storage-auth-url", {
      cloudStorageName,
      platform: PLATFORM,
    });
    expect([status, json.code]).toEqual([409, "err.storage.connected"]);
    expect(json.message).toBe("You can only connect to one drive. Disconnect to sync to another.");
  }
});

test("[P-407] [P-410] [P-170] chosen platforms are returned as connected, and a later backup is in the bucket", async () => {
  expect(await platformOf()).toMatchObject({
    isConnectionActive: false,
    storage: [],
    regionS3: "eu-central-1",
  });
  const chosen = await choose({ [PLATFORM]: ["s3"] });
  expect([chosen.status, chosen.json.result]).toEqual([200, { platforms: [PLATFORM] }]);
  await backUpNow(world.flow, world.item.id);
  // A version without changes needs no check that would start its copy: the clock does.
  await letPass(world.flow, MINUTE_MS);
  const { objects } = await s3.bucket(DEMO_BUCKET.bucketName);
  expect(objects.filter(({ key }) => key.endsWith(".zip"))).toHaveLength(1);
  expect(await platformOf()).toMatchObject({
    isConnectionActive: true,
    storage: ["s3"],
    stored: 1,
    waiting: 0,
    failed: 0,
  });
  const statuses = (await ask("owner", "GET", "payments/get-platforms-trial-statuses")).json.result;
  expect(statuses[PLATFORM]).toMatchObject({
    s3_region: "eu-central-1",
    cloud_storages: ["s3"],
    isConnectionActive: true,
  });
  const history = await ask("owner", "POST", "user/get-items-backups", { itemId: world.item.id });
  const [row] = history.json.result as unknown as { view: { copy: Record<string, unknown> } }[];
  expect(row!.view.copy).toMatchObject({ kind: "s3", status: "stored" });
  expect((await choose({ [PLATFORM]: ["dropbox"] })).json.code).toBe("err.storage.connected");
  expect((await choose({ "no-such-platform": ["s3"] })).json.code).toBe("err.platform.unknown");
});

test("[P-174] items, accounts, counts, flags and storage of a platform are returned by its calls", async () => {
  const listed = async () => (await ask("owner", "GET", `${PLATFORM}/get-user-github-items`)).json;
  expect(await listed()).toMatchObject({
    result: [{ id: world.item.id }],
    totalItemsNumber: 1,
    canUserBackup: true,
    isTokenValid: true,
    hasUserAnyActiveApp: true,
  });
  const accounts = (await ask("owner", "GET", `${PLATFORM}/get-github-users`)).json;
  expect(accounts.result).toMatchObject([{ username: expect.any(String), githubapp: true, auto_add: false }]);
  const statuses = (await ask("owner", "GET", "payments/get-platforms-trial-statuses")).json.result;
  expect(statuses[PLATFORM]).toMatchObject({
    trialStatus: expect.any(String),
    addedItemsQuantity: 1,
    cloud_storages: ["s3"],
    isConnectionActive: true,
  });
  // Of two accounts one is lost, then both.
  const { owner } = world.members;
  await makePlatform(world.flow.services, owner, { platform: PLATFORM, plan: null });
  const lose = (of: string) =>
    env.DB.prepare(`UPDATE connection SET status = 'revoked' WHERE organisation_id = ? AND name ${of} 'octo'`)
      .bind(owner.organisationId)
      .run();
  await lose("<>");
  expect(await listed()).toMatchObject({ isTokenValid: false, hasUserAnyActiveApp: true });
  await lose("=");
  expect(await listed()).toMatchObject({ isTokenValid: false, hasUserAnyActiveApp: false });
  await env.DB.batch([
    env.DB.prepare("DELETE FROM connection WHERE organisation_id = ? AND name = 'octo'").bind(
      owner.organisationId,
    ),
    env.DB.prepare("UPDATE connection SET status = 'active' WHERE organisation_id = ?").bind(
      owner.organisationId,
    ),
  ]);
});

test("an admin of the platform sees and changes the storage; a reader and a member without role do not", async () => {
  expect(await platformOf("admin")).toMatchObject({ canChange: true, stored: 1 });
  expect((await choose({ [PLATFORM]: [] }, "admin")).status).toBe(200);
  expect((await choose({ [PLATFORM]: ["s3"] }, "admin")).status).toBe(200);
  for (const actor of ["reader", "without role"] as const) {
    expect((await ask(actor, "GET", "user/get-cloud-storages")).status).toBe(403);
    expect((await choose({ [PLATFORM]: [] }, actor)).status).toBe(403);
    expect((await disconnect("s3", actor)).status).toBe(403);
    expect((await add(DEMO_BUCKET, actor)).status).toBe(403);
  }
  // An admin of one platform sees another platform's setting, but cannot change it or end anyone's copies.
  const { organisationId } = world.members.owner;
  const { token } = await world.join(organisationId, { [PLATFORM]: "user", gitlab: "admin" });
  const as = async (method: string, path: string, body?: object) =>
    await world.send({
      method,
      path: `/api/user/${path}`,
      headers: { Authorization: token },
      ...(body && { body }),
    });
  const seen = (await as("GET", "get-cloud-storages")).json?.result as { platforms: Record<string, unknown> };
  expect(seen.platforms[PLATFORM]).toMatchObject({ canChange: false, stored: 0 });
  expect(seen.platforms.gitlab).toMatchObject({ canChange: true });
  const off = { platformsWithCloudStorages: { [PLATFORM]: [] } };
  expect((await as("POST", "add-platforms-backup-cloud-storages", off)).status).toBe(403);
  expect((await as("PUT", "remove-user-cloud-storage", { cloudStorageName: "s3" })).status).toBe(403);
});

test("another organisation sees nothing of the storage", async () => {
  expect((await overview("other owner")).storages).toEqual([]);
  expect((await disconnect("s3", "other owner")).json.code).toBe("err.storage.missing");
});

test("[P-406] the storage is disconnected by name, and the list is empty", async () => {
  expect((await disconnect("dropbox")).json.code).toBe("err.storage.missing");
  expect((await disconnect()).status).toBe(200);
  expect((await overview()).storages).toEqual([]);
  expect(await platformOf()).toMatchObject({ isConnectionActive: false, storage: [], stored: 0 });
  expect((await disconnect()).json.code).toBe("err.storage.missing");
});

test("[P-404] the URL of a storage's own page is returned, with state and challenge and without a secret", async () => {
  for (const cloudStorageName of ["dropbox", "google_drive"]) {
    const given = { cloudStorageName, platform: PLATFORM };
    const { status, json } = await ask("owner", "GET", "user/get-cloud-storage-auth-url", given);
    expect(status).toBe(200);
    const url = new URL(String(json.result.url));
    expect(url.searchParams.get("state")).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
    expect(url.searchParams.get("redirect_uri")).toBe(
      `https://app.example.test/storage/${cloudStorageName}/callback`,
    );
    for (const [name, secret] of Object.entries(dropbox.vars))
      if (/SECRET/.test(name)) expect(url.href).not.toContain(secret);
  }
  const byKeys = { cloudStorageName: "s3", platform: PLATFORM };
  expect((await ask("owner", "GET", "user/get-cloud-storage-auth-url", byKeys)).status).toBe(404);
});

test("returning with a foreign or missing state, or after declining, shows a message on the settings page", async () => {
  const headers = { Authorization: await world.tokenOf("owner") };
  for (const [query, says] of [
    [{}, /expired or was already used/],
    [{ state: "x", code: "y" }, /expired or was already used/],
    [{ error: "access_denied" }, /declined/],
  ] as const) {
    const answer = await world.send({ method: "GET", path: "/storage/dropbox/callback", query, headers });
    const target = new URL(answer.headers.get("Location")!, "https://app.example.test");
    expect([answer.status, target.pathname]).toEqual([302, "/settings/storage"]);
    expect(target.searchParams.get("error_message")).toMatch(says);
  }
});

test("[A-464] [P-170] [P-409] a platform without a chosen region reports us-west-2, and a chosen one under either name", async () => {
  const regionOf = async (platform: string) =>
    ((await overview("other owner")).platforms as Record<string, { regionS3: string }>)[platform]!.regionS3;
  expect(await regionOf("gitlab")).toBe("us-west-2");
  for (const [region, name] of [
    ["UK", "eu-west-2"],
    ["ap-southeast-2", "ap-southeast-2"],
    ["us-west-2", "us-west-2"],
  ] as const) {
    const changed = await ask("other owner", "PATCH", "user/change-user-platform-s3-region", {
      platform: "gitlab",
      region,
    });
    expect(changed.json.result).toMatchObject({ platform: "gitlab", regionS3: name });
    expect(await regionOf("gitlab")).toBe(name);
  }
  const moon = { platform: "gitlab", region: "moon-east-1" };
  expect((await ask("other owner", "PATCH", "user/change-user-platform-s3-region", moon)).status).toBe(400);
});
