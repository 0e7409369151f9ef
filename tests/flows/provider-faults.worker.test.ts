import { env } from "cloudflare:workers";
import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FaultOrder } from "#connectors/toolkit/simulator/faults.ts";
import { dispatchDue } from "#core/backups/index.ts";
import { listConnections } from "#core/connections/index.ts";
import { type OpenedZip, openZipDownload, requestZip } from "#core/exports/index.ts";
import { getItem, type ItemView } from "#core/inventory/index.ts";
import { HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { fromUtf8 } from "#core/kernel/crypto.ts";
import { requestRestores } from "#core/restores/index.ts";
import { MAX_ATTEMPTS, RETRY_DELAYS_MS } from "#core/runs/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import {
  askForBackup,
  backUpNow,
  findRun,
  listSnapshots,
  newestSnapshot,
  type RunFacts,
} from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { sampleOf, sweep } from "#tests/harness/sample.ts";

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld({ tokenLifetimeMs: 8 * HOUR_MS });
  item = await world.protect("tariffs", "tiny");
  await world.drain();
});
beforeEach(() => world.outside.clearFaults());
afterAll(() => world.close());

const PACK = { method: "POST", path: "git-upload-pack" };
const change = () => world.outside.control(`repos/${item.fullName}/commits`, { count: 1 });

async function expectSound(): Promise<void> {
  expect(await findFaults(world)).toEqual([]);
  expect(await findUnfinished(world)).toEqual([]);
  await world.outside.clearFaults();
}

/** Backs up a repository, lets GitHub delete it, and asks for a backup once more. */
async function protectDoomed(name: string): Promise<{ doomed: ItemView; run: RunFacts }> {
  const doomed = await world.protect(name, "full");
  await world.drain();
  await world.outside.control(`repos/${doomed.fullName}/delete`);
  return { doomed, run: await backUpNow(world, doomed.id) };
}

/** Delivers the only waiting message. */
const deliverOne = () => world.deliver(world.queue.letters.shift()!);

test("a rate limit parks a run until GitHub's reset time, and then it finishes", async () => {
  await sweep(async () => {
    for (const shape of sampleOf(["primary-403", "secondary-429", "secondary-403", "primary-429"], 2)) {
      await change();
      const runId = await askForBackup(world, item.id);
      const resetAt = Math.ceil((world.clock.now() + 20 * MINUTE_MS) / 1_000);
      const isPrimary = shape.startsWith("primary");
      await world.outside.fault({
        match: { path: "^/api/" },
        action: { kind: "rate-limit", shape, ...(isPrimary ? { resetAt } : { retryAfter: "1200" }) },
      });
      await deliverOne();
      const parked = await findRun(world, runId);
      expect([shape, parked.status]).toEqual([shape, "queued"]);
      expect(parked.waiting_until).toBeGreaterThan(world.clock.now() + 15 * MINUTE_MS);
      const view = await getItem(world.services, world.member, { itemId: item.id });
      expect(view.activeRun).toMatchObject({
        status: "queued",
        waitingUntil: parked.waiting_until,
        fault: null,
      });
      await world.outside.forgetRequests();
      await world.drain();
      expect([shape, (await findRun(world, runId)).status]).toEqual([shape, "succeeded"]);
      expect(world.clock.now()).toBeGreaterThanOrEqual(parked.waiting_until!);
      await expectSound();
    }
  });
});

test("a run of a few requests that meets a rate limit resumes where it stopped", async () => {
  const few = await world.protect("few", "full");
  await world.drain();
  /** Backs the item up on the same weekday of the next week, so that every backup reads as much. */
  const costOfBackup = async (limitAt: number | null) => {
    await world.outside.control(`repos/${few.fullName}/commits`, { count: 1 });
    world.clock.advance(7 * 24 * HOUR_MS);
    await world.outside.forgetRequests();
    const resetAt = Math.ceil((world.clock.now() + 20 * MINUTE_MS) / 1_000);
    const limit = { kind: "rate-limit" as const, shape: "primary-403", resetAt };
    if (limitAt !== null)
      await world.outside.fault({ match: { path: "^/api/" }, skip: limitAt, action: limit });
    expect((await backUpNow(world, few.id)).status).toBe("succeeded");
    const answers = (await world.outside.requests()).filter(({ path }) => /^\/api\/|-upload-pack/.test(path));
    const served = answers.filter(({ status }) => status < 400).length;
    return { served, limits: answers.filter(({ status }) => status === 403).length };
  };
  const { served: whole } = await costOfBackup(null);
  const positions = Array.from({ length: 14 }, (_, at) => at);
  await sweep(async () => {
    for (const at of sampleOf(positions, 3)) {
      const { served, limits } = await costOfBackup(at);
      // Only the item itself is requested again, and at most one resource that was being read, in up to three requests.
      expect([at, limits, served <= whole + 4]).toEqual([at, 1, true]);
    }
  });
  await expectSound();
});

test("an exhausted quota in responses delays the next request until its reset", async () => {
  await change();
  const runId = await askForBackup(world, item.id);
  const resetAt = Math.ceil((world.clock.now() + 20 * MINUTE_MS) / 1_000);
  const headers = { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": String(resetAt) };
  await world.outside.fault({
    match: { path: "^/api/" },
    times: 1,
    action: { kind: "answer", status: 502, headers },
  });
  await world.outside.forgetRequests();
  await deliverOne();
  // The response is a temporary fault, but its quota headers delay the retry.
  const asked = (await world.outside.requests()).filter(({ path }) => path.startsWith("/api/"));
  expect(asked.map(({ status }) => status)).toEqual([502]);
  const parked = await findRun(world, runId);
  expect(parked).toMatchObject({ status: "queued", waiting_until: resetAt * 1_000 });
  await world.drain();
  expect((await findRun(world, runId)).status).toBe("succeeded");
  await expectSound();
});

test("temporary faults are retried, and a permanent one ends after the last attempt with a sentence", async () => {
  await change();
  await world.outside.fault({ match: PACK, times: 2, action: { kind: "answer", status: 502 } });
  expect((await backUpNow(world, item.id)).status).toBe("succeeded");
  await change();
  const before = await listSnapshots(world, item.id);
  await world.outside.fault({ match: PACK, times: 500, action: { kind: "answer", status: 503 } });
  const failed = await backUpNow(world, item.id);
  expect(failed).toMatchObject({
    status: "failed",
    attempts: MAX_ATTEMPTS,
    error_code: "err.platform.unavailable",
  });
  expect(failed.error_text).toMatch(/^The git server is not available \(503\)/);
  const view = await getItem(world.services, world.member, { itemId: item.id });
  expect(view.lastError?.text).toBe(failed.error_text);
  expect(await listSnapshots(world, item.id)).toEqual(before);
  await expectSound();
  expect((await backUpNow(world, item.id)).status).toBe("succeeded");
  expect((await getItem(world.services, world.member, { itemId: item.id })).lastError).toBeNull();
});

test("between a fault and its retry a run shows what failed and when it continues", async () => {
  await change();
  const runId = await askForBackup(world, item.id);
  await world.outside.fault({ match: PACK, times: 500, action: { kind: "answer", status: 503 } });
  await deliverOne();
  await world.outside.clearFaults();
  const { waiting_until: again } = await findRun(world, runId);
  expect(Math.abs((again ?? 0) - world.clock.now() - RETRY_DELAYS_MS[0])).toBeLessThan(1_000);
  const { activeRun } = await getItem(world.services, world.member, { itemId: item.id });
  expect(activeRun).toMatchObject({ runId, status: "queued", waitingUntil: again });
  expect(activeRun?.fault).toMatch(/^The git server is not available \(503\)/);
  const told = world.events.findLast((event) => event.method === "item-progress" && event.id === item.id);
  const { startedAt, expectedEndAt, waitingUntil, fault } = activeRun!;
  expect(expectedEndAt).not.toBeNull();
  expect(told).toMatchObject({
    progress: { runId, status: "queued", startedAt, expectedEndAt, waitingUntil, fault },
  });
  await world.drain();
  expect((await findRun(world, runId)).status).toBe("succeeded");
});

test("a damaged pack fails only its attempt: the next one is complete", async () => {
  const actions: FaultOrder["action"][] = [
    { kind: "cut", afterBytes: 300 },
    { kind: "wrong-trailer" },
    { kind: "object-count" },
    { kind: "band3", afterBytes: 200 },
    { kind: "err-line", message: "upload-pack: not our ref" },
    { kind: "html" },
    { kind: "drop" },
  ];
  await sweep(async () => {
    for (const action of sampleOf(actions, 3)) {
      await change();
      const before = (await listSnapshots(world, item.id)).length;
      await world.outside.fault({ match: PACK, skip: 1, action });
      const run = await backUpNow(world, item.id);
      expect([action.kind, run.status, run.error_text]).toEqual([action.kind, "succeeded", null]);
      expect([action.kind, (await listSnapshots(world, item.id)).length]).toEqual([action.kind, before + 1]);
      await expectSound();
    }
  });
});

test("a damaged source fails its first backup at once, with git's own fatal line on the row and in one e-mail", async () => {
  const told = "error: inflate: data stream error\nfatal: loose object 27304b44 is corrupt\n";
  const damage = { match: PACK, skip: 1, action: { kind: "band3" as const, afterBytes: 0, told } };
  const sentence =
    "The git server reports: fatal: loose object 27304b44 is corrupt. Its copy of the repository is damaged.";
  await world.outside.fault(damage);
  const ruin = await world.protect("ruin", "tiny");
  await world.drain();
  const runs = () =>
    world.rows<{ status: string; attempts: number; error_text: string }>(
      "SELECT status, attempts, error_text FROM run WHERE item_id = ? AND kind = 'backup' ORDER BY created_at",
      ruin.id,
    );
  expect(await runs()).toEqual([{ status: "failed", attempts: 1, error_text: sentence }]);
  const shown = await getItem(world.services, world.member, { itemId: ruin.id });
  expect(shown.lastError?.text).toBe(sentence);
  const mails = () => world.mails.filter(({ subject }) => subject === "The first backup of ruin failed");
  expect(mails().map(({ text }) => text.includes("fatal: loose object 27304b44 is corrupt"))).toEqual([true]);
  await world.outside.fault(damage);
  expect((await backUpNow(world, ruin.id)).status).toBe("failed");
  expect(mails()).toHaveLength(1);
  await world.outside.clearFaults();
  expect((await backUpNow(world, ruin.id)).status).toBe("succeeded");
  await expectSound();
});

test("an expired token is refreshed once, however many concurrent runs need it", async () => {
  const items = [item];
  for (const name of ["one", "two", "three", "four"]) items.push(await world.protect(name, "tiny"));
  await world.drain();
  for (const each of items) await askForBackup(world, each.id);
  await world.outside.control("expire-tokens");
  await world.outside.forgetRequests();
  const letters = world.queue.letters.splice(0);
  await Promise.all(letters.map((letter) => world.deliver(letter)));
  await world.drain();
  const renewals = (await world.outside.requests()).filter(
    ({ path }) => path === "/login/oauth/access_token",
  );
  expect(renewals).toHaveLength(1);
  for (const each of items) {
    const [run] = await world.rows(
      "SELECT status FROM run WHERE item_id = ? AND kind = 'backup' ORDER BY created_at DESC",
      each.id,
    );
    expect(run).toEqual({ status: "succeeded" });
  }
  await expectSound();
});

test("a token that expires during a run is refreshed, and the run continues", async () => {
  await change();
  const runId = await askForBackup(world, item.id);
  await world.outside.fault({ match: PACK, action: { kind: "answer", status: 401 } });
  await world.drain();
  expect((await findRun(world, runId)).status).toBe("succeeded");
  await expectSound();
});

test("rewritten history starts a new chain without losing the previous one", async () => {
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 3 });
  expect((await backUpNow(world, item.id)).status).toBe("succeeded");
  const old = await newestSnapshot(world, item.id);
  await world.outside.control(`repos/${item.fullName}/force-push`, { back: 2 });
  expect((await backUpNow(world, item.id)).status).toBe("succeeded");
  const { refs } = await world.outside.fingerprint(item.externalId);
  expect(await refsOf(await newestSnapshot(world, item.id))).toEqual(refs);
  expect((await refsOf(old))["refs/heads/main"]).not.toBe(refs["refs/heads/main"]);
  await expectSound();
});

test("empty repositories, five thousand refs and SHA-256 are backed up completely", async () => {
  for (const [name, content] of [
    ["void", "empty"],
    ["builds", "many-refs"],
    ["modern", "sha256"],
  ] as const) {
    const other = await world.protect(name, content);
    await world.drain();
    const snapshot = await newestSnapshot(world, other.id);
    expect([name, snapshot.verify_state, snapshot.verify_text]).toEqual([name, "verified", null]);
    const { refs } = await world.outside.fingerprint(other.externalId);
    expect(await refsOf(snapshot)).toEqual(refs);
  }
  await expectSound();
});

test("a version with damaged bytes is detected and not built on, and the next backup is complete", async () => {
  const other = await world.protect("ledgers", "tiny");
  await world.drain();
  const bad = await newestSnapshot(world, other.id);
  const [pack] = await world.rows<{ key: string }>(
    "SELECT object.key FROM manifest_object JOIN object ON object.id = object_id WHERE manifest_object.manifest_id = ? AND kind = 'stream'",
    bad.manifest_id,
  );
  const bucket = env[`VAULT_${world.region}`];
  const bytes = await (await bucket.get(pack!.key))!.bytes();
  bytes[bytes.length - 40]! ^= 1;
  await bucket.put(pack!.key, bytes);
  await backUpNow(world, other.id);
  const [, , ...none] = await listSnapshots(world, other.id);
  expect(none).toEqual([]);
  expect(await newestSnapshot(world, other.id)).toMatchObject({
    verify_state: "failed",
    manifest_id: bad.manifest_id,
  });
  const wish = { itemId: other.id, snapshotId: bad.id, name: null, place: null };
  const order = { platform: PLATFORM, kind: KIND, placeId: null, emails: [], items: [wish] };
  await expect(requestRestores(world.services, world.member, order)).rejects.toMatchObject({
    code: "err.snapshot.not.restorable",
  });
  await backUpNow(world, other.id);
  // Equal content shares one manifest, so its new bytes repair the older versions as well.
  const versions = await listSnapshots(world, other.id);
  expect(versions.map(({ verify_state: state }) => state)).toEqual(["verified", "verified", "verified"]);
  await expectSound();
});

test("[P-183] a repository deleted at GitHub marks its item as deleted and ends its schedule", async () => {
  const { doomed, run } = await protectDoomed("old-reports");
  expect(run).toMatchObject({ status: "failed", error_code: "err.not.found" });
  const view = await getItem(world.services, world.member, { itemId: doomed.id });
  expect(view).toMatchObject({ status: "deleted", nextDueAt: null, versionCount: 1 });
  world.clock.advance(48 * HOUR_MS);
  await world.tick(dispatchDue);
  const later = await world.rows("SELECT 1 FROM run WHERE item_id = ? AND trigger = 'schedule'", doomed.id);
  expect(later).toEqual([]);
  await world.drain();
});

test("[P-184] a deleted repository is restored completely from its version", async () => {
  const { doomed } = await protectDoomed("old-plans");
  const snapshot = await newestSnapshot(world, doomed.id);
  await requestRestores(world.services, world.member, {
    platform: PLATFORM,
    kind: KIND,
    items: [{ itemId: doomed.id, snapshotId: snapshot.id, name: "old-plans-again", place: null }],
    placeId: null,
    emails: [],
  });
  await world.drain();
  const restored = (await world.outside.listRepositories()).find(({ fullName }) =>
    fullName.endsWith("/old-plans-again"),
  );
  const { "refs/pull/7/head": _pull, ...refs } = await refsOf(snapshot);
  expect((await world.outside.fingerprint(restored!.externalId)).refs).toEqual(refs);
});

test("[P-185] a version of a deleted repository can still be downloaded", async () => {
  const { doomed } = await protectDoomed("old-notes");
  const snapshot = await newestSnapshot(world, doomed.id);
  const order = { platform: PLATFORM, itemId: doomed.id, snapshotId: snapshot.id };
  const answer = await requestZip(world.services, world.member, order);
  if (answer.kind !== "ready") throw new Error("The ZIP is not ready.");
  const download = await openZipDownload(world.services, answer.url.split("/").at(-1)!);
  expect((await entriesOf(download)).some(({ path }) => path.endsWith(".pack"))).toBe(true);
});

test("revoked access stops the run, marks the connection, and is reported once", async () => {
  await world.outside.control("token/revoke");
  world.mails.length = 0;
  const run = await backUpNow(world, item.id);
  expect(run).toMatchObject({ status: "failed", error_code: "err.connection.unauthorized" });
  const [connection] = await listConnections(world.services, world.member, { platform: PLATFORM });
  expect(connection?.status).toBe("revoked");
  await backUpNow(world, item.id);
  expect(world.mails.map(({ to }) => to)).toEqual([world.member.email]);
  expect((await getItem(world.services, world.member, { itemId: item.id })).status).toBe("backuped");
  await expectSound();
});

/** All files of a ZIP. */
async function entriesOf({ layout }: OpenedZip) {
  return (await Promise.all(layout.parts.map((_, part) => layout.entriesOf(part)))).flat();
}

/** The refs of a version, read from its ZIP. */
async function refsOf(snapshot: { id: string; item_id: string }): Promise<Record<string, string>> {
  const answer = await requestZip(world.services, world.member, {
    platform: PLATFORM,
    itemId: snapshot.item_id,
    snapshotId: snapshot.id,
  });
  if (answer.kind !== "ready") throw new Error("The ZIP is not ready.");
  const download = await openZipDownload(world.services, answer.url.split("/").at(-1)!);
  const entries = await entriesOf(download);
  const index = entries.findIndex(({ path }) => path.endsWith("info/refs"));
  const parts: Uint8Array[] = [];
  for await (const part of download.read(index, {
    offset: 0,
    length: entries[index]!.compressedSize,
  }))
    parts.push(part.slice());
  const stored = new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
  const text = fromUtf8(entries[index]!.method === 8 ? inflateRawSync(stored) : stored);
  const lines = text.split("\n").filter((line) => line !== "" && !line.endsWith("^{}"));
  return Object.fromEntries(lines.map((line) => line.split("\t").reverse() as [string, string]));
}
