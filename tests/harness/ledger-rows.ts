import { env } from "cloudflare:workers";
import { and, eq, getTableName, getViewName, type InferInsertModel, is, isNull, max } from "drizzle-orm";
import { type SQLiteTable, SQLiteView } from "drizzle-orm/sqlite-core";
import {
  alarm,
  companion,
  exportRow,
  item,
  manifest,
  numberedItem,
  numberOf,
  objectSpan,
  replica,
  run,
  snapshot,
  spanRow,
  type vaultObject,
} from "#core/database/ledger/index.ts";
import { ledgerDatabase } from "#core/database/ledgers.ts";
import { hashBytes } from "#core/database/short-hash.ts";
import { statement } from "#core/database/statements.ts";

/** The default organisation and item of every row. */
export const ORGANISATION = "org_a";
export const ITEM = "itm_a";

/** The ledger that these tests write to. */
export const ledger = ledgerDatabase(env, "DE");

const of = { organisationId: ORGANISATION, itemId: ITEM };

/** Adds a run. By default it is running, in its first epoch. One that has ended did so at 2. */
export const addRun = (row: Partial<InferInsertModel<typeof run>> & { id: string }) =>
  add(run, {
    ...of,
    connectionId: "con_a",
    platform: "github",
    kind: "backup",
    trigger: "user",
    status: "running",
    epoch: 1,
    leaseUntil: 1_000,
    createdAt: 1,
    finishedAt: [undefined, "queued", "running"].includes(row.status) ? null : 2,
    ...row,
  });

/** Adds an item that has never been backed up. */
export const addItem = ({ id = ITEM, ...row }: Partial<InferInsertModel<typeof item>> = {}) =>
  add(item, {
    id,
    organisationId: ORGANISATION,
    connectionId: "con_a",
    platform: "github",
    kind: "repository",
    externalId: id,
    name: "old name",
    fullName: "octo/old name",
    nameFolded: "old name",
    visibility: "private",
    details: {},
    status: "initialized",
    isDaily: true,
    createdAt: 1,
    ...row,
  });

/** Adds a version. By default its check has passed. */
export const addSnapshot = (row: Partial<InferInsertModel<typeof snapshot>> & { id: string }) =>
  add(snapshot, {
    ...of,
    runId: `run of ${row.id}`,
    takenAt: 10,
    manifestId: `manifest of ${row.id}`,
    sizeBytes: 100,
    newBytes: 10,
    verifyState: "verified",
    verifiedAt: 20,
    expiresAt: 1_000,
    ...row,
  });

/** Gives an item of the tests a number, if it has none. */
export async function numberItem(itemId = ITEM, organisationId = ORGANISATION): Promise<void> {
  await ledger.insert(numberedItem).values({ itemId, organisationId }).onConflictDoNothing();
}

/** What a test says of a row that has the number of its item. */
type OfItem<Row> = Partial<Omit<Row, "item">> & { id: string };

/** Adds a stored record pack, created at 1. */
export async function addObject(given: OfItem<Omit<typeof vaultObject.$inferSelect, "key">>): Promise<void> {
  const row = {
    ...of,
    ...{ runId: "run_gone", kind: "pack", status: "stored", sizeBytes: 50, storedBytes: 40, crc32: 7 },
    ...{ hash: `hash of ${given.id}`, manifestId: null, markedAt: null, createdAt: 1 },
    ...given,
  };
  await numberItem(row.itemId, row.organisationId);
  await statement(
    ledger,
    `INSERT INTO object_row (id, item, run_id, kind, status, size_bytes, stored_bytes, hash, crc32, manifest_id, marked_at,
       created_at)
     VALUES (?1, ${numberOf("?2")}, ?3, ?4, ?5, ?6, ?7, ${hashBytes("?8")}, ?9, ${hashBytes("?10")}, ?11, ?12)`,
    ...[row.id, row.itemId, row.runId, row.kind, row.status, row.sizeBytes, row.storedBytes, row.hash],
    ...[row.crc32, row.manifestId, row.markedAt, row.createdAt],
  ).run();
}

/** Adds a manifest and the list of objects that it needs. */
export async function addManifest({
  objects = [],
  ...given
}: OfItem<typeof manifest.$inferSelect> & { objects?: readonly string[] }): Promise<void> {
  const itemId = given.itemId ?? ITEM;
  await numberItem(itemId, given.organisationId);
  const row = {
    ...{ rootObject: "obj_root", rootOffset: 1, rootLength: 2, rootMethod: 8, rootHash: "root hash" },
    ...{ entryCount: 3, sizeBytes: 100, completeness: { skipped: [], skippedCount: 0 }, createdAt: 1 },
    ...given,
    seq: given.seq ?? (await nextSeq(itemId)),
  };
  await statement(
    ledger,
    `INSERT INTO manifest_row (item, id, seq, root_object, root_offset, root_length, root_method, root_hash, entry_count,
       size_bytes, completeness, created_at)
     VALUES (${numberOf("?1")}, ?2, ?3, ?4, ?5, ?6, ?7, ${hashBytes("?8")}, ?9, ?10, ?11, ?12)`,
    ...[
      itemId,
      row.id,
      row.seq,
      row.rootObject,
      row.rootOffset,
      row.rootLength,
      row.rootMethod,
      row.rootHash,
    ],
    ...[row.entryCount, row.sizeBytes, JSON.stringify(row.completeness), row.createdAt],
  ).run();
  await ledger.update(item).set({ manifestSeq: row.seq }).where(eq(item.id, itemId));
  const spans = await ledger
    .select()
    .from(objectSpan)
    .where(and(eq(objectSpan.itemId, itemId), isNull(objectSpan.toSeq)));
  for (const { item: number, objectId, fromSeq } of spans.filter((span) => !objects.includes(span.objectId)))
    await ledger
      .update(spanRow)
      .set({ toSeq: row.seq - 1 })
      .where(and(eq(spanRow.item, number), eq(spanRow.objectId, objectId), eq(spanRow.fromSeq, fromSeq)));
  const open = new Set(spans.map(({ objectId }) => objectId));
  for (const objectId of objects.filter((id) => !open.has(id)))
    await statement(
      ledger,
      `INSERT INTO span_row (item, object_id, from_seq) VALUES (${numberOf("?1")}, ?2, ?3)`,
      ...[itemId, objectId, row.seq],
    ).run();
}

async function nextSeq(itemId: string): Promise<number> {
  const [newest] = await ledger
    .select({ seq: max(manifest.seq) })
    .from(manifest)
    .where(eq(manifest.itemId, itemId));
  return (newest?.seq ?? 0) + 1;
}

/** Adds an object that is derived from another one. */
export const addCompanion = (row: { sourceObjectId: string; objectId: string; name?: string }) =>
  add(companion, { name: "index", itemId: ITEM, createdAt: 1, ...row });

/** Adds a ZIP that is ready to download. */
export const addExport = (row: Partial<InferInsertModel<typeof exportRow>> & { id: string }) =>
  add(exportRow, {
    ...of,
    platform: "github",
    snapshotId: "snp_a",
    manifestId: "manifest a",
    status: "ready",
    fileName: "a.zip",
    requestedBy: "usr_a",
    createdAt: 1,
    expiresAt: 1_000,
    ...row,
  });

/** Adds the copy of a version. */
export const addReplica = (row: Partial<InferInsertModel<typeof replica>> & { snapshotId: string }) =>
  add(replica, {
    ...of,
    storageId: "sto_a",
    kind: "s3",
    platform: "github",
    status: "waiting",
    createdAt: 1,
    ...row,
  });

/** Adds an unacknowledged alarm. */
export const addAlarm = (row: Partial<InferInsertModel<typeof alarm>> & { id: string }) =>
  add(alarm, { ...of, kind: "size-cliff", snapshotId: "snp_a", message: "It shrank.", createdAt: 1, ...row });

async function add<T extends SQLiteTable>(table: T, row: InferInsertModel<T>): Promise<void> {
  await ledger.insert(table).values(row);
}

/** The given columns of every row of a table or view, ordered by those columns. */
export function columnsOf(table: SQLiteTable | SQLiteView, columns: string): Promise<unknown[][]> {
  const name = is(table, SQLiteView) ? getViewName(table) : getTableName(table);
  return env.LEDGER_DE.prepare(`SELECT ${columns} FROM ${name} ORDER BY ${columns}`).raw();
}
