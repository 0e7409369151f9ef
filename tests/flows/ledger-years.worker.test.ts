import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type LedgerDatabase, ledgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether } from "#core/database/statements.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { randomIds } from "#core/kernel/ids.ts";
import { createRuns, findRun, forgetRuns, succeedRun } from "#core/runs/index.ts";
import { claimRun, lockItem } from "#core/runs/runs.store.ts";
import { expire, prune } from "#core/upkeep/index.ts";
import type { ListedManifest } from "#core/vault/index.ts";
import { commitSnapshot, recordVerdict } from "#core/versions/index.ts";
import { objectRegistry } from "#core/versions/registry.store.ts";
import { quickDatabase } from "#tests/harness/databases/quick-database.ts";
import { isDeep } from "#tests/harness/sample.ts";

/**
 * Fills a ledger with the statements of the product, day by day, and measures the database: tables and indexes, after
 * the sweeps of every night. Contents are simulated; ids, rows, batches and sweeps are real.
 */

const START = Date.UTC(2026, 0, 1);
const RETENTION_DAYS = 30;
const ITEMS = 10;
/** Days after which a repack has replaced an item's small packs. */
const PACK_DAYS = 7;

type Ledger = { ledger: LedgerDatabase; database: D1Database; clock: { at: number } };

async function openLedger(name: string): Promise<Ledger> {
  const database = quickDatabase(() => env.DATABASES.getByName(`years ${name}`));
  for (const { queries } of env.LEDGER_MIGRATIONS)
    await database.batch(queries.map((text) => database.prepare(text)));
  const bindings = { ...env, LEDGER_DE: database };
  return { ledger: ledgerDatabase(bindings, "DE"), database, clock: { at: START } };
}

const sizeOf = async (database: D1Database) => (await database.prepare("SELECT 1").all()).meta.size_after;

const OWNER = { organisationId: randomIds.next("organisation"), connectionId: randomIds.next("connection") };

/** `files`: how many files never change, each an object of its own. */
type Item = typeof OWNER & { id: string; files: number; manifest: ListedManifest | null };

async function addItem({ database }: Ledger, at: number, files: number): Promise<Item> {
  const id = randomIds.next("item");
  await database
    .prepare(
      `INSERT INTO item (id, organisation_id, connection_id, place_id, platform, kind, external_id, name, full_name,
         name_folded, visibility, details, status, is_daily, created_at)
       VALUES (?1, ?2, ?3, ?4, 'trello', 'board', ?5, ?6, ?6, ?6, 'private', '{}', 'initialized', 1, ?7)`,
    )
    .bind(
      id,
      OWNER.organisationId,
      OWNER.connectionId,
      randomIds.next("place"),
      `ext${at}`,
      `Board ${at}`,
      START,
    )
    .run();
  return { ...OWNER, id, files, manifest: null };
}

/** Stores an object of a run, as the vault does. */
async function store(
  { ledger, clock }: Ledger,
  item: Item,
  runId: string,
  kind: "pack" | "state" = "pack",
): Promise<string> {
  const id = randomIds.next(kind === "state" ? "state" : "object");
  const registry = objectRegistry(ledger, {
    organisationId: item.organisationId,
    clock: { now: () => clock.at },
  });
  const key = `${item.organisationId}/${item.id}/${id}`;
  await registry.reserve({ id, kind, key, itemId: item.id, runId });
  const hash = createHash("sha256").update(id).digest("hex");
  await registry.complete({
    id,
    kind,
    key,
    sizeBytes: 9_000,
    storedBytes: 4_000,
    hash,
    crc32: 12_345_678,
  });
  return id;
}

/** Queues a run and claims it. */
async function begin(
  { ledger, clock }: Ledger,
  item: Item,
  kind: "backup" | "verify",
  snapshotId: string | null = null,
): Promise<string> {
  const id = randomIds.next("run");
  const { organisationId, connectionId } = item;
  const of = {
    organisationId,
    connectionId,
    itemId: item.id,
    platform: "trello",
    order: null,
    createdBy: null,
  };
  await createRuns(ledger, [{ id, ...of, kind, trigger: "schedule", snapshotId }], clock.at);
  await claim({ ledger, clock }, id);
  return id;
}

async function claim({ ledger, clock }: Pick<Ledger, "ledger" | "clock">, runId: string): Promise<void> {
  clock.at += 1_000;
  const order = { runId, epoch: 0, leaseUntil: clock.at + MINUTE_MS, now: clock.at };
  expect(await claimRun(ledger, order)).not.toBeNull();
}

/** What an item needs a day later: its files, the packs since the last repack, and a new one. */
async function changedManifest(
  into: Ledger,
  item: Item,
  day: number,
  runId: string,
): Promise<ListedManifest> {
  const old = item.manifest?.objects ?? [];
  const files = old.length > 0 ? old.slice(0, item.files) : [];
  while (files.length < item.files) files.push(await store(into, item, runId));
  const packs = day % PACK_DAYS === 0 ? [] : old.slice(item.files);
  const pack = await store(into, item, runId);
  const id = createHash("sha256").update(`${item.id} ${day}`).digest("hex");
  const root = { object: pack, offset: 5_000, length: 900, method: 8 as const, hash: id };
  return { id, root, entryCount: 300, sizeBytes: 2_000_000, objects: [...files, ...packs, pack] };
}

/** One backup of an item with its check. */
async function backUp(into: Ledger, item: Item, day: number, isChanged: boolean): Promise<void> {
  const { ledger, clock } = into;
  const runId = await begin(into, item, "backup");
  await lockItem(ledger, { runId, epoch: 1, itemId: item.id, kind: "backup" });
  const previous = item.manifest;
  const isNew = isChanged || !previous;
  if (isNew) item.manifest = await changedManifest(into, item, day, runId);
  const [snapshotId, verifyRunId] = [randomIds.next("snapshot"), randomIds.next("run")];
  const run = (await findRun(ledger, runId))!;
  const isVisible = await commitSnapshot(ledger, {
    hold: { runId, epoch: 1, itemId: item.id },
    organisationId: item.organisationId,
    snapshotId,
    takenAt: run.beganAt!,
    committedAt: clock.at,
    expiresAt: clock.at + RETENTION_DAYS * DAY_MS,
    draft: {
      manifest: item.manifest!,
      previous,
      unchanged: item.manifest === previous,
      newBytes: 4_000,
      completeness: {
        ...{ counts: { card: 200, list: 6, file: 60, board: 1 }, reported: { card: 200 } },
        ...{ skipped: [], skippedCount: 0, apiVersion: "1", account: "nora" },
      },
    },
    item: { name: "Board", fullName: "Board", description: null, details: { url: "https://trello.com/b/1" } },
    verifyRunId,
    verdictSince: run.beganAt! - 7 * DAY_MS,
    ...(isNew && { stateObject: await store(into, item, runId, "state") }),
    copyTo: null,
    bytesRead: 40_000,
  });
  expect(isVisible).toBe(true);
  // The verdict of the last check stands for a week.
  if ((await findRun(ledger, verifyRunId)) === null) return;
  await claim(into, verifyRunId);
  const hold = { runId: verifyRunId, epoch: 1 };
  await commitTogether(ledger, [
    recordVerdict(
      ledger,
      { itemId: item.id, manifestId: item.manifest!.id, ...hold },
      { state: "verified", at: clock.at, text: null, restoreObstacle: null, unreachable: null },
    ),
    succeedRun(ledger, hold, {
      now: clock.at,
      snapshotId: null,
      bytesRead: 9_000,
      bytesStored: 0,
      report: null,
    }),
  ]);
}

/** The sweeps of a night. */
async function watch({ ledger, clock }: Ledger): Promise<void> {
  const s = {
    clock: { now: () => clock.at },
    ledger: () => ledger,
    bucket: () => ({ delete: async () => {} }),
  } as unknown as Parameters<typeof prune>[0] & Parameters<typeof expire>[0];
  const plans = { look: async () => {}, keptUntil: () => null } as unknown as Parameters<typeof expire>[2];
  while ((await expire(s, "DE", plans)).hasMore);
  for (let pass = 0; pass < 2; pass++) while ((await prune(s, "DE")).hasMore);
  while ((await forgetRuns(s, "DE")).hasMore);
}

type Case = { files: number; isChanged: boolean; days: readonly number[] };

/** Bytes of an item in the ledger at the end of each of these days. */
async function fill(name: string, { files, isChanged, days }: Case): Promise<number[]> {
  const into = await openLedger(name);
  const empty = await sizeOf(into.database);
  const items: Item[] = [];
  for (let at = 0; at < ITEMS; at++) items.push(await addItem(into, at, files));
  const sizes: number[] = [];
  for (let day = 0; day <= days.at(-1)!; day++) {
    for (const [at, item] of items.entries()) {
      into.clock.at = START + day * DAY_MS + at * MINUTE_MS;
      await backUp(into, item, day + at, isChanged);
    }
    into.clock.at = START + day * DAY_MS + 12 * HOUR_MS;
    await watch(into);
    if (days.includes(day)) sizes.push(((await sizeOf(into.database)) - empty) / ITEMS);
  }
  const counts = ["run", "snapshot", "manifest", "object", "object_span"].map(async (table) => [
    table,
    (await into.database.prepare(`SELECT count(*) AS n FROM ${table}`).first<number>("n"))! / ITEMS,
  ]);
  console.info(`${name}: ${JSON.stringify([sizes, await Promise.all(counts)])}`);
  return sizes;
}

// The bounds are the goals.
test.each([
  ["a repository that never changes", { files: 2, isChanged: false }, 20_000],
  ["a board of 60 files with a changed card a day", { files: 60, isChanged: true }, 60_000],
] as const)(
  "%s, backed up daily, takes a constant size after its retention",
  async (name, item, most) => {
    const [first, last] = await fill(name, { ...item, days: [42, isDeep() ? 365 : 60] });
    expect(last!).toBeLessThan(most);
    // What comes equals what goes, up to the pages of a small database. One row of a run a day would be 40 %.
    expect(last! - first!).toBeLessThan(first! * 0.1);
  },
  300_000,
);
