import { afterAll, beforeAll, expect, test } from "vitest";
import { listHistory } from "#core/backups/index.ts";
import {
  openCloneFile,
  openZipDownload,
  requestCloneUrl,
  requestZip,
  type ZipAnswer,
  zipRange,
} from "#core/exports/index.ts";
import { getItem, type ItemView } from "#core/inventory/index.ts";
import { requestRestores } from "#core/restores/index.ts";
import { findFaults, findUnfinished } from "#tests/harness/check-vault.ts";
import { backUpNow, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, KIND, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { judgeArchive } from "#tests/harness/outside.ts";

// Each test continues where the one before it ended.

let world: FlowWorld;
let item: ItemView;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("billing-service", "full");
  await world.drain();
});
afterAll(() => world.close());

test("an added repository is backed up and checked at once, and shown so", async () => {
  const view = await getItem(world.services, world.member, { itemId: item.id });
  expect(view).toMatchObject({ status: "backuped", lastError: null, activeRun: null, versionCount: 1 });
  const history = await listHistory(world.services, world.member, { itemId: item.id, page: 0, perPage: 20 });
  expect(history.total).toBe(1);
  expect(history.rows[0]).toMatchObject({
    type: "backup",
    status: "success",
    canRestore: true,
    skippedCount: 0,
    verify: { state: "verified", text: null },
  });
  expect(history.rows[0]!.newBytes).toBeGreaterThan(0);
  expect(await findFaults(world)).toEqual([]);
  expect(await findUnfinished(world)).toEqual([]);
});

test("a second version stores only what is new, and the first is unchanged", async () => {
  const before = await newestSnapshot(world, item.id);
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 3 });
  await backUpNow(world, item.id);
  const after = await newestSnapshot(world, item.id);
  expect(after.id).not.toBe(before.id);
  expect(after.new_bytes).toBeLessThan(before.new_bytes);
  expect(after.verify_state).toBe("verified");
  const packs = await world.rows(
    "SELECT object.id FROM manifest_object JOIN object ON object.id = object_id WHERE manifest_object.manifest_id = ? AND kind = 'stream'",
    after.manifest_id,
  );
  expect(packs).toHaveLength(2);
  expect(await findFaults(world)).toEqual([]);
});

test("an unchanged repository costs at most two git requests and no object in the vault", async () => {
  const objects = await world.rows("SELECT id FROM object ORDER BY id");
  const before = await newestSnapshot(world, item.id);
  await world.outside.forgetRequests();
  await backUpNow(world, item.id);
  const after = await newestSnapshot(world, item.id);
  const git = (await world.outside.requests()).filter(({ path }) => path.includes(".git/"));
  expect(git.length).toBeLessThanOrEqual(2);
  expect(after).toMatchObject({ manifest_id: before.manifest_id, new_bytes: 0, verify_state: "verified" });
  expect(after.id).not.toBe(before.id);
  expect(await world.rows("SELECT id FROM object ORDER BY id")).toEqual(objects);
});

const tokenOf = (answer: ZipAnswer) => {
  if (answer.kind !== "ready") throw new Error("The ZIP is not ready.");
  return answer.url.split("/").at(-1)!;
};

test("the ZIP opens in unzip, Python and bsdtar, and git clones its repository", async () => {
  const snapshot = await newestSnapshot(world, item.id);
  const order = { platform: PLATFORM, itemId: item.id, snapshotId: snapshot.id };
  const answer = await requestZip(world.services, world.member, order);
  const download = await openZipDownload(world.services, tokenOf(answer));
  const whole = await bytesOf(
    zipRange(download.layout, { from: 0, to: download.layout.totalBytes }, download.read),
  );
  expect(whole.length).toBe(download.layout.totalBytes);

  for (let size = 1; size < whole.length; size = size * 3 + 1) {
    for (const from of [0, Math.floor(whole.length / 2), whole.length - size]) {
      const to = Math.min(whole.length, from + size);
      const part = await bytesOf(zipRange(download.layout, { from, to }, download.read));
      expect(equal(part, whole.subarray(from, to)), `bytes ${from} to ${to}`).toBe(true);
    }
  }
  const verdict = await judgeArchive(whole);
  expect(verdict.names.python).toEqual(verdict.names.unzip);
  expect(verdict.names.bsdtar).toEqual(verdict.names.unzip);
  const original = await world.outside.fingerprint(item.externalId);
  expect(verdict.repository).toEqual(original);
  expect(verdict.clonedHead).toBe(original.refs["refs/heads/main"]);
});

test("[P-219] a download link works until it expires and always returns the same bytes", async () => {
  const snapshot = await newestSnapshot(world, item.id);
  const order = { platform: PLATFORM, itemId: item.id, snapshotId: snapshot.id };
  const answer = await requestZip(world.services, world.member, order);
  if (answer.kind !== "ready") throw new Error("The ZIP is not ready.");
  const again = await requestZip(world.services, world.member, order);
  expect(again).toEqual(answer);
  const token = tokenOf(answer);
  world.clock.advance(answer.expiresAt - world.clock.now() - 1_000);
  await openZipDownload(world.services, token);
  world.clock.advance(1_001);
  await expect(openZipDownload(world.services, token)).rejects.toMatchObject({ code: "err.link.expired" });
  await expect(openZipDownload(world.services, `${token}x`)).rejects.toMatchObject({
    code: "err.link.invalid",
  });
});

test("a version serves git's dumb protocol file by file", async () => {
  const snapshot = await newestSnapshot(world, item.id);
  const { url } = await requestCloneUrl(world.services, world.member, {
    itemId: item.id,
    snapshotId: snapshot.id,
  });
  const [token, name] = url.split("/").slice(-2) as [string, string];
  const read = async (path: string) => {
    const file = await openCloneFile(world.services, { token, name: decodeURIComponent(name), path });
    return file && new TextDecoder().decode(await bytesOf(file.read({ offset: 0, length: file.size })));
  };
  const { refs } = await world.outside.fingerprint(item.externalId);
  const info = await read("info/refs");
  expect(info).toContain(`${refs["refs/heads/main"]}\trefs/heads/main\n`);
  expect(await read("HEAD")).toBe("ref: refs/heads/main\n");
  const packs = [...(await read("objects/info/packs"))!.matchAll(/P (pack-\w+)\.pack/g)].map(
    ([, pack]) => pack!,
  );
  expect(packs).toHaveLength(2);
  for (const pack of packs) {
    expect((await read(`objects/pack/${pack}.pack`))!.slice(0, 4)).toBe("PACK");
    expect((await read(`objects/pack/${pack}.idx`))!.slice(1, 4)).toBe("tOc");
  }
  expect(await read("objects/info/../../secret")).toBeNull();
});

test("the thousands of loose objects for which git asks during a clone are answered without reading anything", async () => {
  const snapshot = await newestSnapshot(world, item.id);
  const order = { itemId: item.id, snapshotId: snapshot.id };
  const { url } = await requestCloneUrl(world.services, world.member, order);
  const [token, name] = url.split("/").slice(-2) as [string, string];
  const never = () => {
    throw new Error("This reads a ledger or a bucket.");
  };
  const idle = { ...world.services, ledger: never, bucket: never };
  const ask = (path: string, by = token) => openCloneFile(idle, { token: by, name, path });
  for (const rest of ["a".repeat(38), "a".repeat(62)]) expect(await ask(`objects/0f/${rest}`)).toBeNull();
  await expect(ask(`objects/0f/${"a".repeat(38)}`, `${token}x`)).rejects.toMatchObject({
    code: "err.link.invalid",
  });
  await expect(ask("info/refs")).rejects.toThrow("reads a ledger");
});

test("[A-019] a restore creates a repository with every ref and object of the version and leaves the source unchanged", async () => {
  const snapshot = await newestSnapshot(world, item.id);
  const source = await world.outside.fingerprint(item.externalId);
  const others = await world.outside.listRepositories();
  const { runIds } = await requestRestores(world.services, world.member, {
    platform: PLATFORM,
    kind: KIND,
    items: [{ itemId: item.id, snapshotId: snapshot.id, name: null, place: null }],
    placeId: null,
    emails: ["ops@meridian.example"],
  });
  await world.drain();
  const [restored, ...more] = (await world.outside.listRepositories()).filter(
    ({ externalId }) => !others.some((other) => other.externalId === externalId),
  );
  expect(more).toEqual([]);
  expect(restored?.fullName).toBe("nora-lindqvist/billing-service_restored");
  const copy = await world.outside.fingerprint(restored!.externalId);
  const { "refs/pull/7/head": _pull, ...branches } = source.refs;
  expect(copy).toEqual({ ...source, refs: branches });
  expect(await world.outside.fingerprint(item.externalId)).toEqual(source);
  const history = await listHistory(world.services, world.member, { itemId: item.id, page: 0, perPage: 20 });
  expect(history.rows[0]).toMatchObject({
    key: runIds[0],
    type: "restore",
    status: "success",
    restoredTo: { name: "billing-service_restored" },
    report: { restored: { repository: 1, branch: 2, tag: 3, note: 1 } },
  });
  expect(world.mails.filter(({ to }) => to === "ops@meridian.example")).toHaveLength(1);
});

test("no request to GitHub was refused as malformed", async () => {
  expect(await world.outside.refusals()).toEqual([]);
});

async function bytesOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  return new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
