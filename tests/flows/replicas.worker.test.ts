import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DEMO_BUCKET } from "#connectors/storages/s3/simulator/demo-bucket.ts";
import { listHistory } from "#core/backups/index.ts";
import { type ItemView, removeItems } from "#core/inventory/index.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import {
  addKeyStorage,
  beginStorageConsent,
  completeStorageConsent,
  describeStorage,
  disconnectStorage,
  setCopiedPlatforms,
} from "#core/replicas/index.ts";
import { expire } from "#core/upkeep/index.ts";
import { openDrive } from "#tests/harness/drives.ts";
import { backUpNow, listSnapshots } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { plansOfNobody } from "#tests/harness/night-watch.ts";
import { judgeArchive, type OutsideS3, openS3 } from "#tests/harness/outside.ts";
import { randomFiles } from "#tests/harness/random-files.ts";
import { letPass } from "#tests/harness/replica-steps.ts";
import { sampleOf, sweep } from "#tests/harness/sample.ts";

const BUCKET = DEMO_BUCKET.bucketName;
let s3: OutsideS3;
let world: FlowWorld;
let item: ItemView;

beforeEach(async () => {
  s3 = await openS3();
  world = await openFlowWorld({ vars: s3.vars });
  item = await world.protect("harbour", "tiny");
  await world.drain();
});

afterEach(async () => {
  await Promise.all([world.close(), s3.close()]);
});

const connect = (platform: string | null = PLATFORM) =>
  addKeyStorage(world.services, world.member, { kind: "s3", platform, keys: { ...DEMO_BUCKET } });

/** Copies in the bucket, without the folder's readme file. */
const copies = async () => (await s3.bucket(BUCKET)).objects.filter(({ key }) => key.endsWith(".zip"));

/** Changes the repository and backs it up. */
async function newVersion(): Promise<string> {
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });
  const run = await backUpNow(world, item.id);
  expect(run.status).toBe("succeeded");
  const [snapshot] = await listSnapshots(world, item.id);
  return snapshot!.id;
}

async function historyOf(snapshotId: string) {
  const { rows } = await listHistory(world.services, world.member, { itemId: item.id, page: 0, perPage: 50 });
  return rows.find((row) => row.snapshotId === snapshotId && row.type === "backup")!;
}

test("[P-410] a version is copied as an open ZIP, complete and with a descriptive name", async () => {
  item = await world.protect("quay", "full");
  await world.drain();
  await connect();
  const snapshotId = await newVersion();
  const [copy, ...others] = await copies();
  expect(others).toEqual([]);
  expect(copy!.key).toMatch(
    /^Holdfast\/GitHub\/nora-lindqvist\/quay\/quay \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d [0-9a-z]{6}\.zip$/,
  );
  expect(copy!.meta["holdfast-key"]).toBe(snapshotId);
  const verdict = await judgeArchive(await s3.bytes(BUCKET, copy!.key));
  expect(verdict.names.unzip).toEqual(verdict.names.python);
  expect(verdict.repository).toEqual(await world.outside.fingerprint(item.externalId));
  const row = await historyOf(snapshotId);
  expect(row.status).toBe("success");
  expect(row.copy).toMatchObject({ kind: "s3", status: "stored", sizeBytes: copy!.size, text: null });
  expect(copy!.key).toBe(`Holdfast/${row.copy!.path}`);
  expect(await s3.refusals()).toEqual([]);
});

/**
 * Storage failures, their repairs, and their error messages. Covers the five of fault F17, and keys without write
 * access.
 */
const TROUBLES: Record<
  string,
  { kind: string; says: RegExp; strike: () => Promise<unknown>; mend: () => Promise<unknown> }
> = {
  "a bucket without room": {
    kind: "full",
    says: /no room/,
    strike: () => s3.control("settings", { capacityBytes: 1 }),
    mend: () => s3.control("settings", { capacityBytes: null }),
  },
  "keys that were taken back": {
    kind: "unauthorized",
    says: /does not accept the access key/,
    strike: () => s3.control("keys", { accessKeyId: DEMO_BUCKET.accessKeyID, isActive: false }),
    mend: async () => {
      await s3.control("keys", { accessKeyId: DEMO_BUCKET.accessKeyID, isActive: true });
      await connect();
    },
  },
  "keys that may not write any more": {
    kind: "forbidden",
    says: /may not do this/,
    strike: () => s3.control("keys", { accessKeyId: DEMO_BUCKET.accessKeyID, may: ["read", "list"] }),
    mend: () =>
      s3.control("keys", { accessKeyId: DEMO_BUCKET.accessKeyID, may: ["read", "write", "delete", "list"] }),
  },
  "a bucket that was deleted": {
    kind: "gone",
    says: /not there any more/,
    strike: () => s3.control(`buckets/${BUCKET}/delete`),
    mend: () => s3.control("buckets", { name: BUCKET }),
  },
  "a bucket that was made anew in another region": {
    kind: "unsupported",
    says: /lies in eu-central-1, not in us-west-2/,
    strike: async () => {
      await s3.control(`buckets/${BUCKET}/delete`);
      await s3.control("buckets", { name: BUCKET, region: "eu-central-1" });
    },
    mend: async () => {
      await s3.control(`buckets/${BUCKET}/delete`);
      await s3.control("buckets", { name: BUCKET });
    },
  },
};

for (const [name, trouble] of sampleOf(Object.entries(TROUBLES), 2)) {
  test(`${name} fails no backup; it is reported, and missing copies are made once it is fixed`, () =>
    sweep(async () => {
      await connect();
      await trouble.strike();
      const versions = [await newVersion(), await newVersion()];
      for (const id of versions) {
        const row = await historyOf(id);
        expect(row).toMatchObject({ status: "success", errorText: null, verify: { state: "verified" } });
        expect(row.copy?.status).toBe("failed");
        expect(row.copy?.text).toMatch(trouble.says);
      }
      const { storage, platforms, failed } = await describeStorage(world.services, world.member);
      expect(storage?.trouble).toMatchObject({
        kind: trouble.kind,
        text: expect.stringMatching(trouble.says),
      });
      expect(platforms.find(({ platform }) => platform === PLATFORM)).toMatchObject({ failed: 2, stored: 0 });
      expect(failed.map(({ snapshotId }) => snapshotId).sort()).toEqual([...versions].sort());
      for (const secret of [DEMO_BUCKET.secretAccessKey, DEMO_BUCKET.accessKeyID]) {
        expect(JSON.stringify([storage, failed, await world.rows("SELECT * FROM run")])).not.toContain(
          secret,
        );
      }

      // The owner gets one e-mail, not one per copy.
      const letters = world.mails.filter(({ subject }) => /not being copied/.test(subject));
      expect(letters).toHaveLength(1);
      expect(letters[0]!.text).toMatch(trouble.says);

      await trouble.mend();
      await letPass(world, 2 * HOUR_MS);
      expect((await copies()).map(({ meta }) => meta["holdfast-key"]).sort()).toEqual([...versions].sort());
      for (const id of versions) expect((await historyOf(id)).copy?.status).toBe("stored");
      const after = await describeStorage(world.services, world.member);
      expect(after.storage).toMatchObject({ isActive: true, trouble: null });
      expect(after.failed).toEqual([]);
      expect((await s3.bucket(BUCKET)).uploads).toEqual([]);
    }));
}

test("a storage that fails in the middle of a large version ends with one complete copy", async () => {
  await connect();
  await world.outside.control(`repos/${item.fullName}/files`, { files: randomFiles(3, 6 * 1024 * 1024) });
  await s3.fault({
    match: { method: "PUT", path: "partNumber=2" },
    times: 6,
    action: { kind: "answer", status: 500 },
  });
  const run = await backUpNow(world, item.id);
  expect(run.status).toBe("succeeded");
  const { objects, uploads } = await s3.bucket(BUCKET);
  const [copy, ...others] = objects.filter(({ key }) => key.endsWith(".zip"));
  expect([others, uploads]).toEqual([[], []]);
  expect(copy!.etag).toMatch(/-3"$/);
  const verdict = await judgeArchive(await s3.bytes(BUCKET, copy!.key));
  expect(verdict.repository).toEqual(await world.outside.fingerprint(item.externalId));
  const parts = (await s3.requests()).filter(({ path }) => path.includes("partNumber=1&"));
  expect(parts.map(({ status }) => status)).toEqual([200]);
});

test("a storage that asks us to slow down is left alone for as long as it asks", async () => {
  await connect();
  await s3.fault({
    match: { method: "PUT" },
    times: 1,
    action: { kind: "rate-limit", shape: "slow-down", retryAfter: "600" },
  });
  const before = world.clock.now();
  const id = await newVersion();
  expect((await historyOf(id)).copy?.status).toBe("stored");
  expect(world.clock.now() - before).toBeGreaterThan(DAY_MS + 590_000);
});

test("a file whose response was lost is found, not written twice", async () => {
  await connect();
  await s3.fault({
    match: { method: "PUT", path: "\\.zip" },
    times: 1,
    action: { kind: "drop", handled: true },
  });
  const id = await newVersion();
  expect((await copies()).map(({ meta }) => meta["holdfast-key"])).toEqual([id]);
  expect((await historyOf(id)).copy?.status).toBe("stored");
});

test("a copy is deleted when its version has expired, unless somebody changed the file", async () => {
  await connect();
  const [first, second] = [await newVersion(), await newVersion()];
  await newVersion();
  const keyOf = async (id: string) => (await copies()).find(({ meta }) => meta["holdfast-key"] === id)!.key;
  const changed = await keyOf(second);
  await s3.control("object/replace", { bucket: BUCKET, key: changed, text: "mine" });
  for (const id of [first, second]) {
    await world.rows("UPDATE snapshot SET expires_at = 1 WHERE id = ? RETURNING id", id);
  }
  const gone = await keyOf(first);
  await expire(world.services, world.region, plansOfNobody);
  await letPass(world, 10 * MINUTE_MS);
  const keys = (await s3.bucket(BUCKET)).objects.map(({ key }) => key);
  expect(keys).not.toContain(gone);
  expect(keys).toContain(changed);
  expect(await world.rows("SELECT status FROM replica")).toEqual([{ status: "stored" }]);
});

test("[P-292] only one storage at a time: another bucket is refused, the same one again replaces its keys", async () => {
  await connect();
  await s3.control("buckets", { name: "another-bucket" });
  const other = { kind: "s3", platform: null, keys: { ...DEMO_BUCKET, bucketName: "another-bucket" } };
  await expect(addKeyStorage(world.services, world.member, other)).rejects.toMatchObject({
    code: "err.storage.connected",
    message: "You can only connect to one drive. Disconnect to sync to another.",
  });
  await s3.control("keys", {
    accessKeyId: "AKIANEWKEY0000000002",
    secretAccessKey: "another/secret+of/length",
  });
  const keys = {
    ...DEMO_BUCKET,
    accessKeyID: "AKIANEWKEY0000000002",
    secretAccessKey: "another/secret+of/length",
  };
  await addKeyStorage(world.services, world.member, { kind: "s3", platform: null, keys });
  await s3.control("keys", { accessKeyId: DEMO_BUCKET.accessKeyID, isActive: false });
  await newVersion();
  expect(await copies()).toHaveLength(1);
});

test("invalid settings are refused with the storage's own reason, and nothing is connected", async () => {
  for (const [keys, says] of [
    [{ ...DEMO_BUCKET, region: "eu-west-1" }, /lies in us-west-2, not in eu-west-1/],
    [{ ...DEMO_BUCKET, bucketName: "no-such-bucket" }, /“no-such-bucket” is not there/],
    [{ ...DEMO_BUCKET, secretAccessKey: "not/the/secret/of/this/key" }, /does not accept the access key/],
  ] as const) {
    const wrong = addKeyStorage(world.services, world.member, { kind: "s3", platform: null, keys });
    await expect(wrong).rejects.toMatchObject({
      code: "err.storage.refused",
      message: expect.stringMatching(says),
    });
  }
  expect((await describeStorage(world.services, world.member)).storage).toBeNull();
});

test("[P-407] later versions of the chosen platforms are copied, earlier ones and those of others are not", async () => {
  await connect(null);
  await newVersion();
  expect(await copies()).toEqual([]);
  await setCopiedPlatforms(world.services, world.member, { [PLATFORM]: ["s3"] });
  const id = await newVersion();
  expect((await copies()).map(({ meta }) => meta["holdfast-key"])).toEqual([id]);
  await setCopiedPlatforms(world.services, world.member, { [PLATFORM]: [] });
  const last = await newVersion();
  expect(await copies()).toHaveLength(1);
  expect((await historyOf(last)).copy).toBeNull();
  // After the storage is connected again for a platform, its versions are copied again.
  await connect();
  await newVersion();
  expect(await copies()).toHaveLength(2);
});

test("[B-020] [P-304] a plan without external storage neither connects one nor copies to it, until it is upgraded", async () => {
  const plan = (name: string) =>
    env.DB.prepare("UPDATE subscription SET plan = ? WHERE organisation_id = ?")
      .bind(name, world.member.organisationId)
      .run();
  const refusal = {
    code: "err.plan.required",
    message: "This feature is only available with a Pro Plan subscription",
  };
  await plan("essential");
  await expect(connect()).rejects.toMatchObject(refusal);
  await plan("pro");
  await connect(null);
  await plan("essential");
  const choose = () => setCopiedPlatforms(world.services, world.member, { [PLATFORM]: ["s3"] });
  await expect(choose()).rejects.toMatchObject(refusal);
  await plan("pro");
  await choose();
  // The plan ends while a copy waits. The version exists, and the copy is made once there is a plan again.
  await s3.control("settings", { capacityBytes: 1 });
  const id = await newVersion();
  await s3.control("settings", { capacityBytes: null });
  await plan("essential");
  await letPass(world, HOUR_MS);
  expect((await historyOf(id)).copy).toMatchObject({
    status: "failed",
    text: expect.stringMatching(/paused/),
  });
  expect(await copies()).toEqual([]);
  await plan("pro");
  await letPass(world, 6 * HOUR_MS);
  expect((await historyOf(id)).copy?.status).toBe("stored");
});

test("[P-406] disconnecting deletes keys and records of copies and keeps every file; so does deleting an item", async () => {
  await connect();
  await newVersion();
  const spare = await world.protect("lighthouse", "tiny");
  await world.drain();
  expect(await copies()).toHaveLength(2);
  await removeItems(world.services, world.member, { platform: PLATFORM, kind: KIND, itemIds: [spare.id] });
  await world.drain();
  await letPass(world, 2 * HOUR_MS);
  expect(await copies()).toHaveLength(2);
  await disconnectStorage(world.services, world.member, { kind: "s3" });
  expect((await describeStorage(world.services, world.member)).storage).toBeNull();
  expect((await env.DB.prepare("SELECT * FROM storage").all()).results).toEqual([]);
  expect(await world.rows("SELECT * FROM replica")).toEqual([]);
  await newVersion();
  await letPass(world, 2 * HOUR_MS);
  expect(await copies()).toHaveLength(2);
  expect(
    await world.rows("SELECT id FROM run WHERE kind = 'replicate' AND status IN ('queued', 'running')"),
  ).toEqual([]);
});

test("stored keys are sealed", async () => {
  await connect();
  await newVersion();
  const tables = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{
    name: string;
  }>();
  for (const { name } of tables.results.filter((table) => !/^_|^sqlite_|migrations/.test(table.name))) {
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}"`).all();
    expect(JSON.stringify(results), name).not.toContain(DEMO_BUCKET.secretAccessKey);
  }
});

for (const [folder, kind] of [
  ["dropbox", "dropbox"],
  ["google-drive", "google_drive"],
] as const) {
  test(`a ${kind} is connected on its own page, its grant refreshed when it expires and revoked at the end`, async () => {
    const drive = await openDrive(folder);
    const flow = await openFlowWorld({ vars: drive.vars });
    try {
      const { services, member } = flow;
      const repository = await flow.protect("beacon", "tiny");
      await flow.drain();
      const redirectUri = `http://localhost:8787/storage/${kind}/callback`;
      const order = { kind, platform: PLATFORM, redirectUri };
      const { url } = await beginStorageConsent(services, member, order);
      const back = await agree(url);
      const answer = { kind, redirectUri, state: back.get("state")!, code: back.get("code")! };
      const stranger = await flow.stranger();
      await expect(completeStorageConsent(services, stranger, answer)).rejects.toMatchObject({
        code: "err.connection.state",
      });
      expect(await completeStorageConsent(services, member, answer)).toEqual({ platform: PLATFORM });
      await expect(completeStorageConsent(services, member, answer)).rejects.toMatchObject({
        code: "err.connection.state",
      });
      const { storage } = await describeStorage(services, member);
      expect(storage).toMatchObject({ kind, isActive: true, trouble: null });

      // A day later, every access token of the first hour has expired.
      await flow.outside.control(`repos/${repository.fullName}/commits`, { count: 1 });
      await backUpNow(flow, repository.id);
      const [row] = await env.DB.prepare("SELECT * FROM storage")
        .all()
        .then(({ results }) => results);
      expect(Number(row!.token_version)).toBeGreaterThan(1);
      expect(await flow.rows("SELECT status FROM replica")).toEqual([{ status: "stored" }]);
      const files = await drive.files("nora-lindqvist");
      expect(files.filter(({ path }) => path.endsWith(".zip"))).toHaveLength(1);

      await disconnectStorage(services, member, { kind });
      const asked = (await drive.requests()).map(({ path }) => path);
      expect(asked.some((path) => /revoke/.test(path))).toBe(true);
      expect(await drive.files("nora-lindqvist")).toHaveLength(files.length);
      expect(await drive.refusals()).toEqual([]);
    } finally {
      await Promise.all([drive.close(), flow.close()]);
    }
  });
}

/** Allows access on the storage's consent page, as its owner. Returns the query of the redirect. */
async function agree(url: string): Promise<URLSearchParams> {
  const page = new URL(url);
  const form = new URLSearchParams([
    ...page.searchParams,
    ["login", "nora-lindqvist"],
    ["decision", "authorize"],
    // Google lets people deselect scopes.
    ...(page.searchParams.get("scope") ?? "").split(" ").map((scope) => ["allowed", scope]),
  ]);
  const answer = await fetch(`${page.origin}${page.pathname}`, {
    method: "POST",
    body: form,
    redirect: "manual",
  });
  await answer.body?.cancel();
  return new URL(answer.headers.get("location")!).searchParams;
}
