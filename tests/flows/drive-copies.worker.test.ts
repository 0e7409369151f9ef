import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSession } from "#core/accounts/index.ts";
import { listHistory } from "#core/backups/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { describeStorage } from "#core/replicas/index.ts";
import { type OutsideDrive, openDrive } from "#tests/harness/drives.ts";
import { backUpNow, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { judgeArchive } from "#tests/harness/outside.ts";
import { randomFiles } from "#tests/harness/random-files.ts";
import { letPass } from "#tests/harness/replica-steps.ts";
import { httpBindings, sendTo } from "#tests/security/security-world.ts";

const NORA = "nora-lindqvist";
const ROOM = { dropbox: "allocatedBytes", "google-drive": "limitBytes" } as const;

let drive: OutsideDrive;
let world: FlowWorld;
let item: ItemView;
let session: string;

/** Sends a request to the whole product over HTTP, as the owner. */
async function ask(
  method: string,
  path: string,
  given: { query?: Record<string, string>; body?: object } = {},
) {
  const bindings = { ...httpBindings(world), ...drive.vars } as unknown as Env;
  const answer = await sendTo(bindings, { method, path, headers: { Authorization: session }, ...given });
  return { ...answer, json: answer.json as Record<string, unknown> & { result: Record<string, unknown> } };
}

const authUrl = (kind: string) =>
  ask("GET", "/api/user/get-cloud-storage-auth-url", {
    query: { cloudStorageName: kind, platform: PLATFORM },
  });

/** Submits the person's decision on the consent page. Returns the redirect address. */
async function consent(url: string, decision: Record<string, string>): Promise<URL> {
  const page = new URL(url);
  const response = await fetch(`${page.origin}${page.pathname}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams([...page.searchParams, ...Object.entries(decision)]),
  });
  await response.body?.cancel();
  return new URL(response.headers.get("location") ?? "");
}

async function connect(kind: string, decision: Record<string, string> = {}): Promise<URL> {
  const { json } = await authUrl(kind);
  const url = String(json.result.url);
  const allowed = new URL(url).searchParams.get("scope") ?? "";
  const back = await consent(url, { login: NORA, decision: "authorize", allowed, ...decision });
  const answer = await ask("GET", `${back.pathname}${back.search}`);
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get("location") ?? "", "http://localhost");
}

/** Changes the repository and backs it up. */
async function newVersion(): Promise<string> {
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
  expect((await backUpNow(world, item.id)).status).toBe("succeeded");
  const [snapshot] = await listSnapshots(world, item.id);
  return snapshot!.id;
}

const copies = async () => (await drive.files(NORA)).filter(({ path }) => path.endsWith(".zip"));

async function copyOf(snapshotId: string) {
  const { rows } = await listHistory(world.services, world.member, { itemId: item.id, page: 0, perPage: 50 });
  const row = rows.find((each) => each.snapshotId === snapshotId && each.type === "backup");
  return { backup: row?.status, copy: row?.copy };
}

for (const { folder, kind, row, other } of [
  { folder: "dropbox", kind: "dropbox", row: "[P-167]", other: "google_drive" },
  { folder: "google-drive", kind: "google_drive", row: "[P-168]", other: "dropbox" },
] as const) {
  describe(kind, () => {
    beforeEach(async () => {
      drive = await openDrive(folder);
      world = await openFlowWorld({ vars: drive.vars });
      item = await world.protect("harbour", "tiny");
      await world.drain();
      const { userId } = world.member;
      session = (await createSession(world.services, { userId, isRemembered: false })).token;
    });
    afterEach(async () => {
      expect(await drive.refusals()).toEqual([]);
      await Promise.all([world.close(), drive.close()]);
    });

    test(`${row} [P-404] ${kind} is connected on its own page, whose URL is returned, and is shown`, async () => {
      const { status, json } = await authUrl(kind);
      expect(status).toBe(200);
      const page = new URL(String(json.result.url));
      expect(page.origin).toBe(drive.url);
      expect(page.searchParams.get("redirect_uri")).toMatch(new RegExp(`/storage/${kind}/callback$`));
      const landed = await connect(kind);
      expect(landed.searchParams.get("isCloudStorageConnected")).toBe("true");
      const { storage } = await describeStorage(world.services, world.member);
      expect(storage).toMatchObject({ kind, name: "nora@meridian.example", isActive: true, trouble: null });
      const second = await authUrl(other);
      expect([second.status, String(second.json.message)]).toEqual([
        409,
        expect.stringContaining("You can only connect to one drive"),
      ]);
    });

    test(`[P-410] a version is copied to ${kind} as an open ZIP, completely and once`, async () => {
      item = await world.protect("quay", "full");
      await world.drain();
      await connect(kind);
      const snapshotId = await newVersion();
      const [copy, ...others] = await copies();
      expect(others).toEqual([]);
      expect(copy!.path).toMatch(/^GitHub\/nora-lindqvist\/quay\/quay .+\.zip$/);
      const verdict = await judgeArchive(await drive.bytes(NORA, copy!.path));
      expect(verdict.repository).toEqual(await world.outside.fingerprint(item.externalId));
      expect(await copyOf(snapshotId)).toMatchObject({
        backup: "success",
        copy: { kind, status: "stored", sizeBytes: copy!.sizeBytes, path: copy!.path, text: null },
      });
    });

    test(`a full ${kind} fails no backup; the copy is made once there is space`, async () => {
      await connect(kind);
      await drive.control("space", { login: NORA, [ROOM[folder]]: 1 });
      const id = await newVersion();
      expect(await copyOf(id)).toMatchObject({ backup: "success", copy: { status: "failed" } });
      const { storage } = await describeStorage(world.services, world.member);
      expect(storage?.trouble?.kind).toBe("full");
      await drive.control("space", { login: NORA, [ROOM[folder]]: 1_000_000_000_000 });
      await letPass(world, 2 * HOUR_MS);
      expect((await copyOf(id)).copy?.status).toBe("stored");
      expect(await copies()).toHaveLength(1);
    });

    test(`a grant revoked at ${kind} fails no backup; missing copies are made after reconnecting`, async () => {
      await connect(kind);
      await drive.control("token/revoke", { login: NORA });
      const id = await newVersion();
      expect(await copyOf(id)).toMatchObject({ backup: "success", copy: { status: "failed" } });
      const { storage } = await describeStorage(world.services, world.member);
      expect(storage?.trouble?.kind).toBe("unauthorized");
      await connect(kind);
      await letPass(world, 2 * HOUR_MS);
      expect((await copyOf(id)).copy?.status).toBe("stored");
      expect((await describeStorage(world.services, world.member)).storage?.trouble).toBeNull();
    });

    test(`the next copy creates a Holdfast folder deleted at ${kind} again`, async () => {
      await connect(kind);
      await newVersion();
      const order = folder === "dropbox" ? { path: "/GitHub" } : { name: "Holdfast" };
      await drive.control("delete", { login: NORA, ...order });
      expect(await copies()).toEqual([]);
      const id = await newVersion();
      expect((await copyOf(id)).copy?.status).toBe("stored");
      expect(await copies()).toHaveLength(1);
    });

    test(`${kind} fails in the middle of a large version and ends with one complete copy`, async () => {
      await connect(kind);
      const files = randomFiles(2, 6 * 1024 * 1024);
      await world.outside.control(`repos/${item.fullName}/files`, { files });
      const path = folder === "dropbox" ? "append_v2" : "upload_id=";
      await drive.fault({ match: { path }, times: 5, action: { kind: "answer", status: 500 } });
      expect((await backUpNow(world, item.id)).status).toBe("succeeded");
      await letPass(world, HOUR_MS);
      const [copy, ...others] = await copies();
      expect(others).toEqual([]);
      const verdict = await judgeArchive(await drive.bytes(NORA, copy!.path));
      expect(verdict.repository).toEqual(await world.outside.fingerprint(item.externalId));
    });

    test(`disconnecting revokes the grant at ${kind} and keeps every file there`, async () => {
      await connect(kind);
      await newVersion();
      const before = await drive.files(NORA);
      const { status } = await ask("PUT", "/api/user/remove-user-cloud-storage", {
        body: { cloudStorageName: kind },
      });
      expect(status).toBe(200);
      expect((await describeStorage(world.services, world.member)).storage).toBeNull();
      expect(await drive.files(NORA)).toEqual(before);
      const ended = (await drive.requests()).filter(
        ({ path }) => path.includes("revoke") && !path.includes("__sim"),
      );
      expect(ended.map(({ status: answered }) => answered)).toEqual([200]);
    });

    test(`declining on the page of ${kind} shows a message, and nothing is connected`, async () => {
      const landed = await connect(kind, { decision: "cancel" });
      expect(landed.searchParams.get("error_message")).not.toBeNull();
      expect((await describeStorage(world.services, world.member)).storage).toBeNull();
    });
  });
}

test("a storage without a registered application reports that and redirects nowhere", async () => {
  drive = await openDrive("google-drive");
  world = await openFlowWorld({ vars: drive.vars });
  const { userId } = world.member;
  session = (await createSession(world.services, { userId, isRemembered: false })).token;
  const { status, json } = await authUrl("dropbox");
  expect([status, String(json.message)]).toEqual([409, expect.stringContaining("Dropbox is not set up")]);
  await Promise.all([world.close(), drive.close()]);
});

test("a person who unticks Google Drive on the consent page gets an explanation", async () => {
  drive = await openDrive("google-drive");
  world = await openFlowWorld({ vars: drive.vars });
  const { userId } = world.member;
  session = (await createSession(world.services, { userId, isRemembered: false })).token;
  const landed = await connect("google_drive", { allowed: "" });
  expect(landed.searchParams.get("error_message")).toContain("tick the box");
  await Promise.all([world.close(), drive.close()]);
});
