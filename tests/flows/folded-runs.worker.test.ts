import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { listHistoryRows, readHistoryFacts } from "#core/backups/history.store.ts";
import { dutyStart, run, snapshot } from "#core/database/ledger/index.ts";
import { ledgerOn } from "#core/database/ledgers.ts";
import { readItemFacts, theseItems } from "#core/inventory/item-runs.store.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { readOverview } from "#core/overview/overview.store.ts";
import { readResults } from "#core/reports/results.store.ts";
import { readRuns } from "#core/rounds/rounds.store.ts";
import { foldRuns } from "#core/runs/fold-runs.store.ts";
import { FOLD_AFTER_MS, recentDurations } from "#core/runs/index.ts";
import { END_OF_ITEMS } from "#core/versions/prune.store.ts";
import { eraseSnapshot, expireSnapshots } from "#core/versions/snapshots.store.ts";
import { ledgerBefore } from "#tests/harness/databases/ledger-before.ts";
import { emptyEverything } from "#tests/harness/empty-bindings.ts";
import {
  addItem,
  addManifest,
  addRun,
  addSnapshot,
  columnsOf,
  ITEM,
  ledger,
  ORGANISATION,
} from "#tests/harness/ledger-rows.ts";
import { assertNoScans } from "#tests/harness/query-plans.ts";

const NOW = Date.UTC(2026, 10, 28);
const QUERY = { organisationId: ORGANISATION, page: 0, perPage: 100 };
const ACCOUNT = { platform: "github", connectionId: "con_a" };
const KEY = { organisationId: ORGANISATION, itemId: ITEM };

beforeEach(emptyEverything);

/** A backup that made a version, so many days ago. Each takes another time. */
async function backUp(day: number, itemId = ITEM): Promise<{ id: string; runId: string }> {
  const [id, runId, createdAt] = [
    `snp_${itemId}_${day}`,
    `run_${itemId}_${day}`,
    NOW - day * DAY_MS + (itemId === ITEM ? 0 : 1),
  ];
  const [startedAt, finishedAt] = [createdAt + 1_000, createdAt + (day + 1) * MINUTE_MS];
  const trigger = day % 3 === 0 ? "user" : "schedule";
  const times = { createdAt, startedAt, beganAt: startedAt, finishedAt, leaseUntil: null };
  await addRun({
    id: runId,
    itemId,
    status: "succeeded",
    trigger,
    attempts: 1 + (day % 2),
    snapshotId: id,
    createdBy: trigger === "user" ? "usr_a" : null,
    bytesRead: 100 + day,
    bytesStored: day,
    ...times,
  });
  await addSnapshot({ id, itemId, runId, takenAt: startedAt, manifestId: "man_a", newBytes: day });
  return { id, runId };
}

/** Two items with forty days of backups, a failure, a restore and a tombstone in between. */
async function fill(newest = 0): Promise<void> {
  for (const itemId of [ITEM, "itm_b"]) {
    await addItem({
      id: itemId,
      lastBackupAt: NOW - newest * DAY_MS,
      lastSnapshotId: "any",
      status: "backuped",
    });
    await addManifest({ id: "man_a", itemId });
    for (let day = newest; day < 40; day++) await backUp(day, itemId);
  }
  const past = (day: number) => ({
    createdAt: NOW - day * DAY_MS + HOUR_MS,
    finishedAt: NOW - day * DAY_MS + 2 * HOUR_MS,
  });
  await addRun({ id: "run_failed", status: "failed", errorText: "No.", ...past(20) });
  await addRun({ id: "run_restore", kind: "restore", status: "succeeded", snapshotId: "any", ...past(15) });
  await addRun({ id: "run_erased", status: "succeeded", erasedAt: 5, startedAt: 1, ...past(10) });
}

/** Folds what may be folded of all items. @returns How many runs went. */
async function fold({ before = NOW - FOLD_AFTER_MS, now = NOW, of = ledger } = {}): Promise<number> {
  const count = () => of.$count(run);
  const had = await count();
  await foldRuns(of, { from: "", to: END_OF_ITEMS }, { before, now });
  return had - (await count());
}

/** All that lists read of successful backups. */
async function readAll() {
  const history = async (itemId: string | null, account: typeof ACCOUNT | null) => {
    const query = { ...QUERY, itemId, account };
    const rows = await listHistoryRows(ledger, query);
    return {
      total: (await readHistoryFacts(ledger, query)).total,
      rows: rows.map(({ run, snapshot, itemName }) => [
        [run.id, run.itemId, run.kind, run.status, run.trigger, run.report, run.errorText, run.snapshotId],
        [run.createdAt, run.startedAt, run.beganAt, run.finishedAt, run.erasedAt],
        [run.createdBy, run.attempts, run.bytesRead, run.bytesStored],
        [snapshot?.id, snapshot?.newBytes, itemName],
      ]),
    };
  };
  const { runs, versions } = await readItemFacts(ledger, {
    organisationId: ORGANISATION,
    items: theseItems([ITEM, "itm_b"]),
    since: NOW - 31 * DAY_MS,
  });
  const lists = [{ connectionId: "con_a", kind: "repository", platform: "github" }];
  const asked = {
    organisationId: ORGANISATION,
    platforms: ["github"],
    lists,
    days: [],
    now: NOW,
    attention: 5,
  };
  const { activity } = await readOverview(ledger, asked);
  const day = { now: NOW, start: NOW - DAY_MS, end: NOW, done: { limit: 50, offset: 0 } };
  const reported = { period: { from: NOW - 8 * DAY_MS, to: NOW }, platforms: ["github"], listed: 20 };
  return {
    history: [await history(ITEM, null), await history(null, ACCOUNT)],
    facts: { runs: [...runs].sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)), versions },
    durations: [
      await recentDurations(ledger, ITEM, "backup"),
      await recentDurations(ledger, ITEM, "restore"),
    ],
    activity,
    round: await readRuns(ledger, {
      organisationId: ORGANISATION,
      connectionIds: ["con_a"],
      platforms: ["github"],
      scheduledIds: [],
      ...day,
    }),
    results: await readResults(ledger, { organisationId: ORGANISATION, ...reported }),
  };
}

test.each([0, 12])("lists show folded backups as before, the newest %i days old", async (newest) => {
  await fill(newest);
  await addRun({ id: "run_open", status: "running", createdAt: NOW + 2, startedAt: NOW + 2 });
  const before = await readAll();
  expect(before.history[0]!.total).toBe(40 - newest + 4);
  expect(before.activity).toHaveLength(5);
  expect(before.round.open[0]!.meanMs).toBeGreaterThan(0);

  expect(await fold()).toBe(2 * (40 - Math.max(newest, 3)));

  const left = (await columnsOf(run, "id")).map(([id]) => id);
  expect(left).toHaveLength(4 + 2 * Math.max(0, 3 - newest));
  expect(left).toEqual(expect.arrayContaining(["run_failed", "run_restore", "run_erased", "run_open"]));
  expect(await readAll()).toEqual(before);

  // As the commits of unchanged versions do at once.
  await fold({ before: NOW + DAY_MS });
  expect(await columnsOf(run, "id")).toHaveLength(4);
  expect(await readAll()).toEqual(before);
});

test("the runs of one stretch of items are folded at once, and no other run than a backup", async () => {
  for (const itemId of ["itm_1", "itm_2", "itm_3", "itm_4"]) await backUp(20, itemId);
  await backUp(1, "itm_2");
  const check = { kind: "verify", itemId: "itm_2", snapshotId: "snp_odd" } as const;
  await addRun({ id: "run_check", status: "succeeded", ...check });
  await addSnapshot({ id: "snp_odd", itemId: "itm_2", runId: "run_check", takenAt: 1 });
  await foldRuns(ledger, { from: "itm_1", to: "itm_3" }, { before: NOW - FOLD_AFTER_MS, now: NOW });
  expect((await columnsOf(run, "id")).map(([id]) => id)).toEqual([
    "run_check",
    "run_itm_1_20",
    "run_itm_2_1",
    "run_itm_4_20",
  ]);
});

test("nothing is folded while a release before may serve", async () => {
  await backUp(20);
  await ledger.insert(dutyStart).values({ duty: "fold-runs", notBefore: NOW + 1 });
  expect(await fold()).toBe(0);
  await ledger.update(dutyStart).set({ notBefore: NOW });
  expect(await fold()).toBe(1);
});

test("an erased version leaves the tombstone of its folded run, unless a run of its item is open", async () => {
  await addItem();
  const [folded, fresh] = [await backUp(20), await backUp(1)];
  await fold();
  expect((await columnsOf(run, "id")).map(([id]) => id)).toEqual([fresh.runId]);

  await addRun({ id: "run_open", status: "running" });
  expect(await eraseSnapshot(ledger, { ...folded, ...KEY }, NOW)).toBe(false);
  expect((await columnsOf(run, "id")).map(([id]) => id)).toEqual([fresh.runId, "run_open"]);
  await ledger.delete(run).where(eq(run.id, "run_open"));

  for (const version of [folded, fresh])
    expect(await eraseSnapshot(ledger, { ...version, ...KEY }, NOW)).toBe(true);
  const facts =
    "id, trigger, status, attempts, bytes_read, snapshot_id, created_at, began_at, finished_at, erased_at";
  const [from1, from20] = [NOW - DAY_MS, NOW - 20 * DAY_MS];
  expect(await columnsOf(run, facts)).toEqual([
    [
      fresh.runId,
      "schedule",
      "succeeded",
      2,
      101,
      fresh.id,
      from1,
      from1 + 1_000,
      from1 + 2 * MINUTE_MS,
      NOW,
    ],
    [
      folded.runId,
      "schedule",
      "succeeded",
      1,
      120,
      folded.id,
      from20,
      from20 + 1_000,
      from20 + 21 * MINUTE_MS,
      NOW,
    ],
  ]);
  // A version that has gone by another way was not erased.
  const gone = { ...(await backUp(3)), ...KEY };
  await ledger.delete(snapshot).where(eq(snapshot.id, gone.id));
  expect(await eraseSnapshot(ledger, gone, NOW)).toBe(false);
  expect(await columnsOf(run, "id, erased_at")).toContainEqual([gone.runId, null]);
  await ledger.delete(run).where(eq(run.id, gone.runId));
  // What is erased is not folded again.
  expect(await fold()).toBe(0);
});

test("a version that expires takes its folded run with it", async () => {
  await addItem();
  const old = await backUp(20);
  await backUp(1);
  await fold();
  await expireSnapshots(ledger, NOW, { ids: [old.id], kept: [] });
  expect(await columnsOf(snapshot, "id")).toEqual([["snp_itm_a_1"]]);
  expect((await listHistoryRows(ledger, { ...QUERY, itemId: ITEM, account: null })).length).toBe(1);
});

test("histories find folded runs by an index", async () => {
  for (const of of [
    { itemId: ITEM, account: null },
    { itemId: null, account: ACCOUNT },
  ]) {
    await listHistoryRows(ledger, { ...QUERY, ...of });
    await readHistoryFacts(ledger, { ...QUERY, ...of });
  }
  await recentDurations(ledger, ITEM, "backup");
  await fold();
  await assertNoScans();
});

test.each(["0024", "0026"])(
  "a filled ledger keeps its runs for a day after migration %s, and folds them then",
  async (name) => {
    const { database, migrate } = await ledgerBefore(name);
    const at = NOW - 20 * DAY_MS;
    await database.batch(
      [
        `INSERT INTO item (id, organisation_id, connection_id, platform, kind, external_id, name, full_name, name_folded,
         visibility, details, status, is_daily, created_at)
       VALUES ('itm', 'org', 'con', 'github', 'repository', 'x', 'a', 'a', 'a', 'private', '{}', 'backuped', 1, 1)`,
        `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, status, attempts, snapshot_id,
         created_at, started_at, began_at, finished_at)
       VALUES ('run', 'org', 'con', 'itm', 'github', 'backup', 'user', 'succeeded', 2, 'snp', ${at}, ${at}, ${at}, ${at})`,
        `INSERT INTO snapshot (id, organisation_id, item_id, run_id, taken_at, manifest_id, size_bytes, new_bytes,
         verify_state, expires_at)
       VALUES ('snp', 'org', 'itm', 'run', ${at}, 'man', 1, 1, 'queued', 1)`,
      ].map((text) => database.prepare(text)),
    );
    await migrate();
    const migrated = ledgerOn(database);
    const shown = async () => {
      const [row] = await listHistoryRows(migrated, {
        ...QUERY,
        organisationId: "org",
        itemId: "itm",
        account: null,
      });
      return [
        row?.run.trigger,
        row?.run.attempts,
        row?.run.createdAt,
        row?.run.finishedAt,
        row?.snapshot?.id,
      ];
    };
    const before = await shown();
    expect(before).toEqual(["user", 2, at, at, "snp"]);
    expect(await fold({ now: at + DAY_MS - 1, of: migrated })).toBe(0);
    expect(await fold({ now: at + DAY_MS, of: migrated })).toBe(1);
    expect(await shown()).toEqual(before);
  },
);
