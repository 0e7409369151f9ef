import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseVersion, listHistory } from "#core/backups/index.ts";
import { insertExport } from "#core/exports/exports.store.ts";
import { openZipDownload, requestCloneUrl, requestZip, zipRange } from "#core/exports/index.ts";
import type { ItemView } from "#core/inventory/index.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { concatBytes } from "#core/kernel/crypto.ts";
import { planRestore, requestRestores } from "#core/restores/index.ts";
import { duringCalls } from "#tests/harness/during-calls.ts";
import { askForBackup, backUpNow, newestSnapshot } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld, PLATFORM } from "#tests/harness/flow-world.ts";
import { nightWatch } from "#tests/harness/night-watch.ts";
import { judgeArchive } from "#tests/harness/outside.ts";
import { deliverWaiting, expectSound } from "#tests/harness/strike.ts";

let world: FlowWorld;
beforeAll(async () => {
  world = await openFlowWorld();
});
afterAll(() => world.close());

const rowsOf = async ({ id }: ItemView) =>
  (await listHistory(world.services, world.member, { itemId: id, page: 0, perPage: 10 })).rows;

const restoreOf = ({ id, kind }: ItemView, snapshotId: string) => ({
  platform: PLATFORM,
  kind,
  items: [{ itemId: id, snapshotId, name: "again", place: null }],
  placeId: null,
  emails: [],
});

test("a version of the SHA-256 format says that it is for ZIP and clone only, and a restore is refused in those words", async () => {
  const item = await world.protect("modern", "sha256");
  const plan = (snapshotId: string) =>
    planRestore(world.services, world.member, {
      itemId: item.id,
      snapshotId,
      part: null,
      into: null,
      placeId: null,
      answers: {},
    });
  const refusal = {
    code: "err.snapshot.not.restorable",
    message: "ZIP and clone only: GitHub takes no repositories of the SHA-256 format.",
  };
  await deliverWaiting(world)(world.services);
  const { id: snapshotId } = await newestSnapshot(world, item.id);
  await expect(plan(snapshotId)).rejects.toMatchObject(refusal);
  await world.drain();
  expect((await rowsOf(item))[0]).toMatchObject({
    verify: { state: "verified" },
    canRestore: false,
    restoreObstacle: "GitHub takes no repositories of the SHA-256 format.",
  });
  await expect(plan(snapshotId)).rejects.toMatchObject(refusal);
  await expect(
    requestRestores(world.services, world.member, restoreOf(item, snapshotId)),
  ).rejects.toMatchObject(refusal);
  const order = { platform: PLATFORM, itemId: item.id, snapshotId };
  expect((await requestZip(world.services, world.member, order)).kind).toBe("ready");
  expect((await requestCloneUrl(world.services, world.member, order)).url).toContain("modern.git");
});

test("a version reports what it holds of a file that was purged at the source", async () => {
  const item = await world.protect("purged", "tiny");
  const secret = { path: "secret.bin", randomBytes: 300_000 };
  await world.outside.control(`repos/${item.fullName}/files`, { files: [secret] });
  await world.drain();
  expect((await rowsOf(item))[0]).toMatchObject({ restoreObstacle: null, unreachable: null });
  await world.outside.control(`repos/${item.fullName}/force-push`, { back: 1 });
  await backUpNow(world, item.id);
  const [newest] = await rowsOf(item);
  expect(newest!.verify!.state).toBe("verified");
  expect(newest!.unreachable!.bytes).toBeGreaterThan(300_000);
  expect(newest!.unreachable!.bytes).toBeLessThan(310_000);
  expect(newest!.canRestore).toBe(true);
});

test("a ZIP can leave out what no ref reaches, and its repository is whole", async () => {
  const item = await world.protect("lean", "tiny");
  const secret = { path: "secret.bin", randomBytes: 300_000 };
  await world.outside.control(`repos/${item.fullName}/files`, { files: [secret] });
  await world.drain();
  await world.outside.control(`repos/${item.fullName}/commits`, { count: 2, branch: "main" });
  await world.outside.control(`repos/${item.fullName}/force-push`, { back: 3 });
  await backUpNow(world, item.id);
  const snapshot = await newestSnapshot(world, item.id);
  const order = { platform: PLATFORM, itemId: item.id, snapshotId: snapshot.id };
  const sizeOf = async () => {
    const { zip } = (await rowsOf(item)).find(({ snapshotId }) => snapshotId === snapshot.id)!;
    const file = await openZipDownload(world.services, zip.url!.split("/").at(-1)!);
    const { totalBytes } = file.layout;
    const pieces: Uint8Array[] = [];
    for await (const piece of zipRange(file.layout, { from: 0, to: totalBytes }, file.read))
      pieces.push(piece.slice());
    const bytes = concatBytes(...pieces);
    return { bytes, verdict: await judgeArchive(bytes) };
  };
  expect((await requestZip(world.services, world.member, order)).kind).toBe("ready");
  const whole = await sizeOf();
  world.clock.advance(1_000);
  expect((await requestZip(world.services, world.member, { ...order, reachedOnly: true })).kind).toBe(
    "preparing",
  );
  await world.drain();
  const lean = await sizeOf();
  expect(whole.bytes.length - lean.bytes.length).toBeGreaterThan(299_000);
  expect(lean.verdict.repository).toEqual(whole.verdict.repository);
  expect(lean.verdict.clonedHead).toBe(whole.verdict.clonedHead);
});

test("an owner erases a version: a tombstone and an audit entry stay, its bytes go, and the next backup starts anew", async () => {
  const item = await world.protect("erased", "tiny");
  const secret = { path: "secret.bin", randomBytes: 300_000 };
  await world.outside.control(`repos/${item.fullName}/files`, { files: [secret] });
  await world.drain();
  const bad = await newestSnapshot(world, item.id);
  const order = { platform: PLATFORM, itemId: item.id, snapshotId: bad.id };
  await requestZip(world.services, world.member, order);
  const reader = { ...world.member, role: "member" as const };
  await expect(eraseVersion(world.services, reader, order)).rejects.toMatchObject({
    code: "err.role.forbidden",
  });
  await expect(eraseVersion(world.services, await world.stranger(), order)).rejects.toMatchObject({
    code: "err.not.found",
  });
  await world.outside.control(`repos/${item.fullName}/force-push`, { back: 1 });
  const runId = await askForBackup(world, item.id);
  await expect(eraseVersion(world.services, world.member, order)).rejects.toMatchObject({
    code: "err.item.busy",
  });
  await world.drain();
  const shared = await newestSnapshot(world, item.id);

  const largest = async () => {
    const [row] = await world.rows<{ size: number | null }>(
      "SELECT max(size_bytes) AS size FROM object WHERE item_id = ? AND kind = 'stream'",
      item.id,
    );
    return row!.size ?? 0;
  };
  for (const snapshotId of [bad.id, shared.id]) {
    await eraseVersion(world.services, world.member, { itemId: item.id, snapshotId });
    await expect(requestZip(world.services, world.member, { ...order, snapshotId })).rejects.toMatchObject({
      code: "err.not.found",
    });
  }
  const rows = await rowsOf(item);
  expect(
    rows.map(({ erasedAt, snapshotId, canRestore }) => [erasedAt !== null, snapshotId, canRestore]),
  ).toEqual([
    [true, null, false],
    [true, null, false],
  ]);
  expect(rows[0]!.key).toBe(runId);
  const [trail] = await world.services.control.$client
    .prepare(
      "SELECT count(*) AS count FROM audit_entry WHERE action = 'erase-version' AND version_id IN (?, ?)",
    )
    .bind(bad.id, shared.id)
    .all<{ count: number }>()
    .then(({ results }) => results);
  expect(trail!.count).toBe(2);

  expect(await largest()).toBeGreaterThan(300_000);
  await backUpNow(world, item.id);
  const [anew] = await rowsOf(item);
  expect([anew!.verify!.state, anew!.unreachable]).toEqual(["verified", null]);
  for (let day = 0; day < 4; day++) {
    world.clock.advance(DAY_MS + 1);
    await world.tick(nightWatch);
  }
  expect(await largest()).toBeLessThan(100_000);
  await expectSound(world, "erased");
});

test("a ZIP that is being laid out while its version is erased gets no link", async () => {
  const item = await world.protect("erased-meanwhile", "tiny");
  await world.drain();
  const { id: snapshotId } = await newestSnapshot(world, item.id);
  const order = { platform: PLATFORM, itemId: item.id, snapshotId };
  let isErased = false;
  const after = async () => {
    if (!isErased) await eraseVersion(world.services, world.member, order);
    isErased = true;
  };
  await expect(
    requestZip(duringCalls(world.services, "put", { after }), world.member, order),
  ).rejects.toMatchObject({ code: "err.not.found" });
  expect(isErased).toBe(true);
  const links = "SELECT id FROM export WHERE snapshot_id = ?";
  expect(await world.rows(links, snapshotId)).toEqual([]);
});

test("a ZIP that would be queued when its version has gone gets neither a row nor a run", async () => {
  const item = await world.protect("gone-before-queued", "tiny");
  await world.drain();
  const { id: snapshotId, manifest_id: manifestId } = await newestSnapshot(world, item.id);
  const { organisationId, userId } = world.member;
  const ledger = await world.services.ledger(world.region, organisationId);
  const insert = (of: string, runId: string) => {
    const ours = { organisationId, itemId: item.id, platform: PLATFORM, snapshotId: of };
    const times = { createdAt: world.clock.now(), expiresAt: world.clock.now() + DAY_MS };
    const row = { ...ours, ...times, id: `exp_${runId}`, manifestId, runId, status: "pending" as const };
    const order = { kind: "export", trigger: "user", order: null, connectionId: item.connectionId } as const;
    return insertExport(
      ledger,
      {
        ...row,
        layoutObjectId: null,
        sizeBytes: 0,
        fileName: "a.zip",
        reachedOnly: false,
        requestedBy: userId,
      },
      { ...ours, ...order, id: runId, createdBy: userId },
    );
  };
  const runs = () => world.rows("SELECT id FROM run WHERE kind = 'export' AND item_id = ?", item.id);
  expect([await insert("snp_gone", "run_never"), await runs()]).toEqual([false, []]);
  expect([await insert(snapshotId, "run_queued"), await runs()]).toEqual([true, [{ id: "run_queued" }]]);
});
