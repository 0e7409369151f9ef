import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { AuthorisationIo } from "#connectors/contract/platform-connector.ts";
import type { PutOrder, StorageSession, StoredFile } from "#connectors/contract/storage-connector.ts";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { describeStorageConnector } from "#tests/conformance/describe-storage-connector.ts";
import { googleDriveVars } from "#tests/simulators/storages.ts";
import { authoriser, configSchema } from "./authorize.ts";
import { connector } from "./connector.ts";
import { misfitsOf } from "./simulator/expect-fits.ts";
import { FILE_SCOPE } from "./simulator/state.ts";
import { openDriveWorld } from "./test-world.ts";

const LARGE = 16 * 1024 * 1024 + 17;

describeStorageConnector("google_drive", {
  connector,
  open: () => openDriveWorld(),
  largeBytes: LARGE,
  uploads: { method: "PUT" },
});

const address = { path: "GitHub/api/one.zip", key: "snp_1" };
const NORA = "nora-lindqvist";

async function open() {
  const exchanges: AnsweredExchange[] = [];
  const world = await openDriveWorld({ onAnswer: (exchange) => exchanges.push(exchange) });
  onTestFinished(async () => {
    await world.close();
    expect([...new Set(exchanges.flatMap(misfitsOf))]).toEqual([]);
    expect(world.drive.log.refusals()).toEqual([]);
  });
  return world;
}

function orderOf(sizeBytes = 64, more: Partial<PutOrder> = {}): PutOrder {
  const read = async function* ({ length }: { length: number }) {
    yield new Uint8Array(length).fill(7);
  };
  return { ...address, sizeBytes, mediaType: "application/zip", cursor: null, read, ...more };
}

async function put(session: StorageSession, order = orderOf()): Promise<StoredFile> {
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

const redirectUri = "http://localhost:5173/connect/storage/callback";
const codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

async function consent(io: AuthorisationIo, allowed: string): Promise<string> {
  const url = new URL(authoriser.consentUrl(io.config, { state: "opaque", codeChallenge, redirectUri }));
  const decision = { login: NORA, decision: "authorize", allowed };
  const body = new URLSearchParams([...url.searchParams, ...Object.entries(decision)]);
  const back = await fetch(`${url.origin}${url.pathname}`, { method: "POST", body, redirect: "manual" });
  return new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? "";
}

test("connecting requests offline access with PKCE and reads the account", async () => {
  const { drive, person } = await open();
  const io: AuthorisationIo = { config: googleDriveVars(drive), fetch, clock: { now: () => Date.now() } };
  const code = await consent(io, FILE_SCOPE);
  const grant = await authoriser.exchange(io, { code, codeVerifier, redirectUri });
  expect(grant.account).toEqual({ externalId: person.id, name: "nora@meridian.example" });
  expect(grant.refreshToken).not.toBeNull();
  const spent = await failureOf(authoriser.exchange(io, { code, codeVerifier, redirectUri }));
  expect(spent.kind).toBe("unauthorized");
  const renewed = await authoriser.refresh(io, grant.refreshToken ?? "");
  expect([renewed.refreshToken, renewed.accessToken === grant.accessToken]).toEqual([null, false]);
  // A second connection by the same person gets a refresh token too.
  const again = await authoriser.exchange(io, {
    code: await consent(io, FILE_SCOPE),
    codeVerifier,
    redirectUri,
  });
  expect(again.refreshToken).not.toBeNull();
});

test("a person who unticks Drive on the consent page gets an explanation", async () => {
  const { drive } = await open();
  const io: AuthorisationIo = { config: googleDriveVars(drive), fetch, clock: { now: () => Date.now() } };
  const error = await failureOf(
    authoriser.exchange(io, { code: await consent(io, ""), codeVerifier, redirectUri }),
  );
  expect([error.kind, error.message.includes("tick the box")]).toEqual(["forbidden", true]);
});

test("disconnecting revokes the grant and can be repeated", async () => {
  const world = await open();
  const io: AuthorisationIo = {
    config: googleDriveVars(world.drive),
    fetch,
    clock: { now: () => Date.now() },
  };
  const accessToken = await world.session().accessToken();
  const refreshToken = world.drive.world.state.oauth.grants[0]?.refreshToken ?? null;
  await world.control("expire-tokens");
  await authoriser.revoke(io, { accessToken, refreshToken });
  expect((await failureOf(authoriser.refresh(io, refreshToken ?? ""))).kind).toBe("unauthorized");
  await authoriser.revoke(io, { accessToken, refreshToken });
});

test("an error of our own application is not reported as the customer's", async () => {
  const { drive } = await openDriveWorld();
  onTestFinished(() => drive.stop());
  const config = { ...googleDriveVars(drive), GOOGLE_DRIVE_CLIENT_SECRET: "wrong" };
  const io: AuthorisationIo = { config, fetch, clock: { now: () => Date.now() } };
  expect((await failureOf(authoriser.refresh(io, "any"))).kind).toBe("unavailable");
});

test("an upload interrupted after any number of bytes resumes where Drive says", async () => {
  const world = await open();
  const bytes = createHash("shake256", { outputLength: 10 * 1024 * 1024 + 5 })
    .update("any bytes")
    .digest();
  const read = async function* ({ offset, length }: { offset: number; length: number }) {
    yield bytes.subarray(offset, offset + length);
  };
  const breaks = fc.record({
    afterBytes: fc.integer({ min: 0, max: bytes.length }),
    status: fc.constantFrom(500, 502, 503, 504),
  });
  const property = fc.asyncProperty(breaks, async (broken) => {
    await world.control("break-upload", broken);
    await put(world.session(), orderOf(bytes.length, { read }));
    const files = await world.files();
    expect(files).toHaveLength(1);
    expect(Buffer.from(files[0]?.bytes ?? []).equals(bytes)).toBe(true);
  });
  // Always test before the first byte and after the last one; other offsets are random.
  const ends = [0, bytes.length].map((afterBytes): [{ afterBytes: number; status: number }] => [
    { afterBytes, status: 503 },
  ]);
  await fc.assert(property, { numRuns: 7, examples: ends });
}, 60_000);

test("an upload that Drive has forgotten is restarted, and the file exists once", async () => {
  const world = await open();
  const first = connector.put(world.session(), orderOf(LARGE));
  let step = await first.next();
  while (!step.done && step.value.type !== "checkpoint") step = await first.next();
  if (step.done || step.value.type !== "checkpoint") throw new Error("there is no checkpoint");
  await world.control("expire-sessions");
  await put(world.session(), orderOf(LARGE, { cursor: step.value.cursor }));
  expect((await world.files()).map(({ bytes }) => bytes.length)).toEqual([LARGE]);
});

test("a completed upload is not sent again", async () => {
  const world = await open();
  let cursor: PutOrder["cursor"] = null;
  const events = connector.put(world.session(), orderOf(LARGE));
  let step = await events.next();
  for (; !step.done; step = await events.next()) {
    if (step.value.type === "checkpoint") cursor = step.value.cursor;
  }
  world.simulator.log.reset();
  expect(await put(world.session(), orderOf(LARGE, { cursor }))).toEqual(step.value);
  expect(world.simulator.log.requests().filter(({ bytesIn }) => bytesIn > 0)).toEqual([]);
});

test("an upload with an unknown outcome is looked up", async () => {
  const world = await open();
  const first = connector.put(world.session(), orderOf(LARGE));
  let step = await first.next();
  while (!step.done && step.value.type !== "checkpoint") step = await first.next();
  if (step.done || step.value.type !== "checkpoint") throw new Error("there is no checkpoint");
  const { cursor } = step.value;
  const stored = await put(world.session(), orderOf(LARGE, { cursor }));
  world.simulator.faults.add({ match: { method: "PUT" }, action: { kind: "answer", status: 200 } });
  expect(await put(world.session(), orderOf(LARGE, { cursor }))).toEqual(stored);
});

test("an upload URL on another host is not followed", async () => {
  const world = await open();
  world.simulator.faults.add({
    match: { path: "uploadType=resumable" },
    action: {
      kind: "answer",
      status: 200,
      headers: { Location: "https://evil.example/upload/drive/v3/files" },
    },
  });
  expect((await failureOf(put(world.session()))).kind).toBe("malformed");
  const foreign = { address: "https://evil.example/upload/drive/v3/files" };
  await expect(put(world.session(), orderOf(64, { cursor: foreign }))).rejects.toThrow();
});

test("names are not unique at Drive: copies of one name stay separate, and folders are created once", async () => {
  const world = await open();
  const one = await put(world.session(), orderOf(10, { key: "snp_1" }));
  const other = await put(world.session(), orderOf(20, { key: "snp_2" }));
  expect(await world.files()).toHaveLength(2);
  expect(await connector.find(world.session(), one)).toEqual(one);
  expect(await connector.remove(world.session(), one)).toBe("removed");
  expect(await connector.find(world.session(), other)).toEqual(other);
  const folders = world.drive.world.state.files.filter(({ content }) => content === null);
  expect(folders.map(({ name }) => name)).toEqual(["Holdfast", "GitHub", "api"]);
});

test("folder names that differ only in case or contain quotes are distinguished", async () => {
  const world = await open();
  for (const [key, path] of [
    ["a", "GitHub/api/x.zip"],
    ["b", "GitHub/API/x.zip"],
    ["c", "GitHub/it's \\ here/x.zip"],
    ["d", "GitHub/it's \\ here/x.zip"],
  ] as const) {
    await put(world.session(), orderOf(5, { key, path }));
  }
  const names = world.drive.world.state.files
    .filter(({ content }) => content === null)
    .map(({ name }) => name);
  expect(names).toEqual(["Holdfast", "GitHub", "api", "API", "it's \\ here"]);
});

test("our files are found after their owner renames our folder or moves a copy", async () => {
  const world = await open();
  const stored = await put(world.session());
  const home = world.drive.world.state.files.find(({ name }) => name === "Holdfast");
  const copy = world.drive.world.state.files.find(({ content }) => content !== null);
  if (!home || !copy) throw new Error("nothing was written");
  home.name = "Backups of ours";
  copy.parentId = world.person.rootId;
  expect(await connector.find(world.session(), stored)).toEqual(stored);
  await put(world.session(), orderOf(70, { key: "snp_2" }));
  expect(world.drive.world.state.files.filter(({ name }) => name === "Holdfast")).toEqual([]);
});

for (const order of ["trash", "delete"]) {
  test(`a removed folder (${order}) is created again, and a copy in it counts as missing`, async () => {
    const world = await open();
    const stored = await put(world.session());
    await world.control(order, { login: NORA, name: "Holdfast" });
    expect(await connector.find(world.session(), stored)).toBeNull();
    expect(await connector.remove(world.session(), stored)).toBe("absent");
    await put(world.session());
    expect(await world.files()).toHaveLength(1);
  });
}

test("a copy whose folder is deleted during the upload does not end in the trash", async () => {
  const world = await open();
  const events = connector.put(world.session(), orderOf(LARGE));
  let cursor: PutOrder["cursor"] = null;
  for (let step = await events.next(); !step.done; step = await events.next()) {
    if (step.value.type !== "checkpoint") continue;
    cursor = step.value.cursor;
    break;
  }
  await world.control("trash", { login: NORA, name: "Holdfast" });
  const error = await failureOf(put(world.session(), orderOf(LARGE, { cursor })));
  expect(error.kind).toBe("unavailable");
  await put(world.session(), orderOf(LARGE, { cursor }));
  expect(await world.files()).toHaveLength(1);
  expect(world.drive.world.state.files.filter(({ content }) => content !== null)).toHaveLength(1);
});

test("a customer's own folder of the same name is not used", async () => {
  const world = await open();
  const type = "application/vnd.google-apps.folder";
  await world.control("stranger", { login: NORA, name: "Holdfast", mimeType: type });
  await put(world.session());
  const [theirs, ours] = world.drive.world.state.files.filter(({ name }) => name === "Holdfast");
  expect([theirs?.isOurs, ours?.isOurs]).toEqual([false, true]);
  expect(world.drive.world.state.files.some(({ parentId }) => parentId === theirs?.id)).toBe(false);
});

test("every form of rate limit is rate-limited; without a time we wait a minute", async () => {
  const world = await open();
  for (const shape of ["user", "project", "backend"]) {
    world.simulator.faults.add({ match: { method: "PUT" }, action: { kind: "rate-limit", shape } });
    const session = world.session();
    const error = await failureOf(put(session));
    expect(error.kind).toBe("rate-limited");
    const waitMs = (error.retryAt ?? 0) - session.clock.now();
    expect(waitMs).toBeGreaterThan(50_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
  }
});

test("an access token that expires during an upload is refreshed", async () => {
  const world = await open();
  const events = connector.put(world.session(), orderOf(LARGE));
  let step = await events.next();
  while (!step.done && step.value.type !== "checkpoint") step = await events.next();
  await world.control("expire-tokens");
  while (!step.done) step = await events.next();
  expect(step.value.sizeBytes).toBe(LARGE);
});

test("URLs come from the settings, without trailing slashes, and default to Google's", () => {
  expect(configSchema.parse({ GOOGLE_DRIVE_API_URL: "http://localhost:1/api/" })).toMatchObject({
    GOOGLE_DRIVE_WEB_URL: "https://accounts.google.com",
    GOOGLE_DRIVE_TOKEN_URL: "https://oauth2.googleapis.com",
    GOOGLE_DRIVE_API_URL: "http://localhost:1/api",
  });
});
