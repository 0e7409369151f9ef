import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether } from "#core/database/statements.ts";
import { finishExport } from "#core/exports/exports.store.ts";

import type { ItemView } from "#core/inventory/index.ts";
import { recordJournalEntry, succeedRun, unlockItem } from "#core/runs/index.ts";
import { failRun, lockItem, markRun, parkRun, saveCursor, saveExpectedEnd } from "#core/runs/runs.store.ts";
import type { ListedManifest } from "#core/vault/index.ts";
import {
  commitRepack,
  commitSnapshot,
  listManifests,
  recordVerdict,
  revokeLinks,
} from "#core/versions/index.ts";
import { newestSnapshot, type SnapshotFacts } from "#tests/harness/flow-steps.ts";
import { type FlowWorld, openFlowWorld } from "#tests/harness/flow-world.ts";
import { saveWorld } from "#tests/harness/saved-world.ts";

/** The run is held at epoch 2. A holder of epoch 1 is too late. */
const RUN = "run_held";
const NOW = 5_000;

let world: FlowWorld;
let item: ItemView;
let snapshot: SnapshotFacts;
let manifest: Awaited<ReturnType<typeof listManifests>>[number];
let restore: () => Promise<void>;
beforeAll(async () => {
  world = await openFlowWorld();
  item = await world.protect("fenced", "tiny");
  await world.drain();
  snapshot = await newestSnapshot(world, item.id);
  const { organisationId } = world.member;
  const manifests = await listManifests(world.services.ledger(world.region), {
    organisationId,
    itemId: item.id,
  });
  manifest = manifests[0]!;
  await world.rows(
    `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, status, epoch, lease_until, created_at)
     SELECT ?, organisation_id, connection_id, item_id, platform, 'backup', 'user', 'running', 2, ?, created_at
     FROM run WHERE kind = 'backup'`,
    RUN,
    world.clock.now() + 60_000,
  );
  await world.rows(
    "UPDATE item SET active_run_id = ?, active_run_kind = 'restore', last_error = 'Before', last_error_at = 1",
    RUN,
  );
  await world.rows(
    `INSERT INTO export (id, organisation_id, item_id, platform, snapshot_id, manifest_id, run_id, status, file_name,
       requested_by, created_at, expires_at) VALUES ('exp_held', ?, ?, 'github', ?, ?, ?, 'pending', 'a.zip', ?, 1, 2)`,
    organisationId,
    item.id,
    snapshot.id,
    snapshot.manifest_id,
    RUN,
    world.member.userId,
  );
  // A commit may also change these: a version whose check has failed, and objects that prune has marked.
  await world.rows("UPDATE snapshot SET verify_state = 'failed'");
  await world.rows("UPDATE object_row SET marked_at = 1");
  restore = await saveWorld(world);
});
beforeEach(() => restore());
afterAll(() => world.close());

/** All content of the ledger's tables. */
async function facts(): Promise<unknown> {
  const tables = [
    "run",
    "item",
    "snapshot",
    "manifest",
    "object_span",
    "object",
    "export",
    "restore_journal",
    "replica",
  ];
  return Promise.all(tables.map((table) => world.rows(`SELECT * FROM ${table} ORDER BY 1, 2`)));
}

type Hold = { runId: string; epoch: number; itemId: string };
const success = { now: NOW, snapshotId: null, bytesRead: 1, bytesStored: 1, report: null };
const failure = { code: "err.internal", text: "Late", now: NOW };

const commit = (ledger: LedgerDatabase, hold: Hold, ref: ListedManifest) =>
  commitSnapshot(ledger, {
    hold,
    organisationId: world.member.organisationId,
    snapshotId: "snp_late",
    takenAt: NOW,
    committedAt: NOW,
    expiresAt: NOW,
    draft: {
      manifest: ref,
      previous: manifest,
      unchanged: false,
      newBytes: 1,
      completeness: {
        counts: {},
        reported: {},
        skipped: [],
        skippedCount: 0,
        apiVersion: "1",
        account: "nora",
      },
    },
    item: {
      name: "late",
      fullName: "nora/late",
      description: null,
      details: null,
    },
    verifyRunId: "run_late",
    copyTo: { storageId: "stg_late", kind: "late", tryAt: NOW },
    bytesRead: 1,
  });

/** Every write that requires holding the run. */
const WRITES: Record<string, (ledger: LedgerDatabase, hold: Hold) => Promise<unknown>> = {
  commitSnapshot: (ledger, hold) => commit(ledger, hold, { ...manifest, id: "f".repeat(64) }),
  "commitSnapshot of a state that was found damaged": (ledger, hold) =>
    commit(ledger, hold, {
      ...manifest,
      root: { ...manifest.root, offset: manifest.root.offset + 1 },
      objects: manifest.objects.slice(0, 1),
    }),
  commitRepack: (ledger, hold) =>
    commitRepack(ledger, {
      hold,
      before: [manifest],
      after: [{ ...manifest, root: { ...manifest.root, offset: manifest.root.offset + 1 } }],
      now: NOW,
      bytesStored: 1,
      report: null,
    }),
  "failRun of a backup": (ledger, hold) =>
    commitTogether(ledger, failRun(ledger, { ...hold, kind: "backup" }, failure)),
  "failRun of an export": (ledger, hold) =>
    commitTogether(ledger, failRun(ledger, { ...hold, kind: "export" }, failure)),
  unlockItem: (ledger, hold) => commitTogether(ledger, [unlockItem(ledger, hold)]),
  lockItem: (ledger, hold) => lockItem(ledger, { ...hold, kind: "backup" }),
  succeedRun: (ledger, hold) => commitTogether(ledger, [succeedRun(ledger, hold, success)]),
  recordVerdict: (ledger, hold) =>
    commitTogether(ledger, [
      recordVerdict(
        ledger,
        { ...hold, manifestId: snapshot.manifest_id },
        { state: "failed", at: NOW, text: "Late", restoreObstacle: null, unreachable: null },
      ),
    ]),
  finishExport: (ledger, hold) =>
    finishExport(ledger, hold, { layoutObjectId: "obj_late", sizeBytes: 1, expiresAt: NOW }),
  revokeLinks: (ledger, hold) =>
    commitTogether(ledger, [
      revokeLinks(ledger, { itemId: item.id, manifestId: snapshot.manifest_id }, { hold, at: NOW }),
    ]),
  recordJournalEntry: (ledger, hold) =>
    recordJournalEntry(ledger, hold, { key: "repository", value: { id: 1 }, now: NOW }),
  markRun: (ledger, hold) =>
    markRun(ledger, hold, {
      phase: "Late",
      done: 1,
      total: 2,
      unit: "objects",
      bytesRead: 1,
      leaseUntil: NOW,
    }),
  parkRun: (ledger, hold) =>
    parkRun(ledger, hold, { at: NOW, waitingUntil: null, attempts: 1, errorText: null }),
  saveCursor: (ledger, hold) => saveCursor(ledger, hold, { cursor: { at: "late" }, advancedAt: NOW }),
  saveExpectedEnd: (ledger, hold) => saveExpectedEnd(ledger, hold, NOW),
};

test.each(Object.keys(WRITES))("%s by a former holder of the run changes nothing", async (name) => {
  const ledger = world.services.ledger(world.region);
  const before = await facts();
  await WRITES[name]!(ledger, { runId: RUN, epoch: 1, itemId: item.id });
  expect(await facts()).toEqual(before);
  // The holder's own write does change something, which proves that the comparison works.
  await WRITES[name]!(ledger, { runId: RUN, epoch: 2, itemId: item.id });
  expect(await facts()).not.toEqual(before);
});
