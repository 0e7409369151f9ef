import { expect, onTestFinished, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import type { StorageSession, StoredFile } from "#connectors/contract/storage-connector.ts";
import { describeStorageConnector } from "#tests/conformance/describe-storage-connector.ts";
import { dropboxVars } from "#tests/simulators/storages.ts";
import { authoriser, configSchema } from "./authorize.ts";
import { connector } from "./connector.ts";
import type { AnsweredCall } from "./simulator/dropbox-simulator.ts";
import { misfitsOf } from "./simulator/expect-fits.ts";
import { openDropboxWorld } from "./test-world.ts";

const LARGE = 16 * 1024 * 1024 + 17;

describeStorageConnector("dropbox", {
  connector,
  open: () => openDropboxWorld(),
  largeBytes: LARGE,
  uploads: { method: "POST", path: "/content/2/files/upload" },
});

const address = { path: "GitHub/api/one.zip", key: "snp_1" };

async function open() {
  const calls: AnsweredCall[] = [];
  const world = await openDropboxWorld({ onAnswer: (call) => calls.push(call) });
  onTestFinished(async () => {
    await world.close();
    expect([...new Set(calls.flatMap(misfitsOf))]).toEqual([]);
    expect(world.dropbox.log.refusals()).toEqual([]);
  });
  return world;
}

async function put(session: StorageSession, sizeBytes = 64, path = address.path): Promise<StoredFile> {
  const read = async function* ({ length }: { length: number }) {
    yield new Uint8Array(length).fill(7);
  };
  const order = { ...address, path, sizeBytes, mediaType: "application/zip", cursor: null, read };
  const events = connector.put(session, order);
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
  }
}

async function failureOf(promise: Promise<unknown>): Promise<ConnectorError> {
  const error = await promise.catch((cause: unknown) => cause);
  if (!(error instanceof ConnectorError)) throw error;
  return error;
}

test("connecting requests offline access with PKCE and reads the account", async () => {
  const { dropbox } = await open();
  const io: AuthorisationIo = { config: dropboxVars(dropbox), fetch, clock: { now: () => Date.now() } };
  const redirectUri = "http://localhost:5173/connect/storage/callback";
  const codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  const codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  const consent = authoriser.consentUrl(io.config, { state: "opaque", codeChallenge, redirectUri });
  const query = new URL(consent).searchParams;
  expect(query.get("token_access_type")).toBe("offline");
  const decision = new URLSearchParams([...query, ["login", "nora-lindqvist"], ["decision", "authorize"]]);
  const back = await fetch(consent.split("?")[0] ?? "", {
    method: "POST",
    body: decision,
    redirect: "manual",
  });
  const code = new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? "";
  const grant = await authoriser.exchange(io, { code, codeVerifier, redirectUri });
  expect(grant.account).toEqual({
    externalId: dropbox.world.state.people[0]?.id,
    name: "nora@meridian.example",
  });
  expect(grant.refreshToken).not.toBeNull();
  const spent = await failureOf(authoriser.exchange(io, { code, codeVerifier, redirectUri }));
  expect(spent.kind).toBe("unauthorized");
  const renewed = await authoriser.refresh(io, grant.refreshToken ?? "");
  expect([renewed.refreshToken, renewed.accessToken === grant.accessToken]).toEqual([null, false]);
});

test("disconnecting revokes the grant, even with an expired access token, and can be repeated", async () => {
  const world = await open();
  const io: AuthorisationIo = {
    config: dropboxVars(world.dropbox),
    fetch,
    clock: { now: () => Date.now() },
  };
  const accessToken = await world.session().accessToken();
  const refreshToken = world.dropbox.world.state.oauth.grants[0]?.refreshToken ?? null;
  await world.control("expire-tokens");
  await authoriser.revoke(io, { accessToken, refreshToken });
  expect((await failureOf(authoriser.refresh(io, refreshToken ?? ""))).kind).toBe("unauthorized");
  await authoriser.revoke(io, { accessToken, refreshToken });
});

test("an error of our own application is not reported as the customer's", async () => {
  const { dropbox } = await openDropboxWorld();
  onTestFinished(() => dropbox.stop());
  const config = { ...dropboxVars(dropbox), DROPBOX_CLIENT_SECRET: "wrong" };
  const io: AuthorisationIo = { config, fetch, clock: { now: () => Date.now() } };
  expect((await failureOf(authoriser.refresh(io, "any"))).kind).toBe("unavailable");
});

test("an access token that expires during an upload is refreshed", async () => {
  const world = await open();
  const session = world.session();
  const events = connector.put(session, {
    ...address,
    sizeBytes: LARGE,
    mediaType: "application/zip",
    cursor: null,
    read: async function* ({ length }) {
      yield new Uint8Array(length);
    },
  });
  let step = await events.next();
  while (!step.done && step.value.type !== "checkpoint") step = await events.next();
  await world.control("expire-tokens");
  while (!step.done) step = await events.next();
  expect(step.value.sizeBytes).toBe(LARGE);
});

test("an upload session that Dropbox has forgotten is restarted, and the file exists once", async () => {
  const world = await open();
  const order = {
    ...address,
    sizeBytes: LARGE,
    mediaType: "application/zip",
    read: async function* ({ length }: { length: number }) {
      yield new Uint8Array(length).fill(3);
    },
  };
  const first = connector.put(world.session(), { ...order, cursor: null });
  let step = await first.next();
  while (!step.done && step.value.type !== "checkpoint") step = await first.next();
  if (step.done || step.value.type !== "checkpoint") throw new Error("there is no checkpoint");
  await world.control("expire-sessions");
  const second = connector.put(world.session(), { ...order, cursor: step.value.cursor });
  let last = await second.next();
  while (!last.done) last = await second.next();
  expect((await world.files()).map(({ bytes }) => bytes.length)).toEqual([LARGE]);
});

test("a full Dropbox is reported before a large copy is sent", async () => {
  const world = await open();
  await world.leaveRoom(LARGE - 1);
  expect((await failureOf(put(world.session(), LARGE))).kind).toBe("full");
  expect(world.simulator.log.requests().filter(({ path }) => path.includes("/content/"))).toEqual([]);
});

test("bytes damaged in transit are refused and sent again", async () => {
  const world = await open();
  const session = world.session();
  let isDamaged = false;
  const damaging: StorageSession = {
    ...session,
    fetch: (url, init) => {
      if (isDamaged || !(init?.body instanceof Uint8Array)) return session.fetch(url, init);
      isDamaged = true;
      const body = new Uint8Array(init.body).fill(9, 0, 1);
      return session.fetch(url, { ...init, body });
    },
  };
  expect((await failureOf(put(damaging))).kind).toBe("unavailable");
  expect(await world.files()).toEqual([]);
  await put(damaging);
  expect((await world.files())[0]?.bytes[0]).toBe(7);
});

test("a deleted folder is created again, and a copy in it counts as missing", async () => {
  const world = await open();
  const stored = await put(world.session());
  await world.control("delete", { login: "nora-lindqvist", path: "/GitHub" });
  expect(await connector.find(world.session(), stored)).toBeNull();
  expect(await connector.remove(world.session(), stored)).toBe("absent");
  await put(world.session());
  expect(await world.files()).toHaveLength(1);
});

test("existing folders or files in the way are reported, not overwritten", async () => {
  const world = await open();
  await put(world.session(), 5, "GitHub/api/one.zip/inner.zip");
  expect(await connector.find(world.session(), address)).toBeNull();
  const folder = await failureOf(put(world.session()));
  expect([folder.kind, folder.message.includes("conflict")]).toEqual(["forbidden", true]);
  const above = await failureOf(put(world.session(), 5, "GitHub/api/one.zip/inner.zip/deep.zip"));
  expect(above.kind).toBe("forbidden");
});

test("a grant without write access is forbidden, with the missing scope", async () => {
  const world = await open();
  const { desk, state } = world.dropbox.world;
  const grant = desk.allow({
    personId: state.people[0]?.id ?? "",
    scopes: ["files.metadata.read"],
    isOffline: true,
  });
  const { value } = desk.issueAccess(grant);
  const error = await failureOf(put({ ...world.session(), accessToken: async () => value }));
  expect([error.kind, error.message.includes("missing_scope")]).toEqual(["forbidden", true]);
});

test("write conflicts in an account are retried; a rate limit names its time and is passed to the budget", async () => {
  const world = await open();
  const writes = {
    kind: "answer",
    status: 409,
    headers: { "Content-Type": "application/json" },
    body: {
      error_summary: "path/too_many_write_operations/..",
      error: { ".tag": "path", reason: { ".tag": "too_many_write_operations" }, upload_session_id: "x" },
    },
  } as const;
  world.simulator.faults.add({ match: { path: "files/upload" }, action: writes });
  expect((await failureOf(put(world.session()))).kind).toBe("unavailable");
  const reports: (number | null)[] = [];
  world.simulator.faults.add({ match: { path: "files/upload" }, action: world.tooMany(30) });
  const session = {
    ...world.session(),
    report: async ({ retryAt }: { retryAt: number | null }) => void reports.push(retryAt),
  };
  const error = await failureOf(put(session));
  expect([error.kind, reports]).toEqual(["rate-limited", [error.retryAt]]);
});

test("URLs come from the settings, without trailing slashes, and default to Dropbox's", () => {
  expect(configSchema.parse({ DROPBOX_API_URL: "http://localhost:1/api/" })).toMatchObject({
    DROPBOX_URL: "https://www.dropbox.com",
    DROPBOX_API_URL: "http://localhost:1/api",
    DROPBOX_CONTENT_URL: "https://content.dropboxapi.com",
  });
});
