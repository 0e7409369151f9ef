import { and, asc, desc, eq, lte, type SQL, sql } from "drizzle-orm";
import { isHere, item, replica, snapshot } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { RUN_IS_MINE } from "#core/runs/index.ts";

export type ReplicaRow = typeof replica.$inferSelect;
/** The copy as shown in a version's history. */
export type CopyFacts = Pick<
  ReplicaRow,
  "snapshotId" | "kind" | "status" | "runId" | "path" | "sizeBytes" | "errorText" | "nextTryAt" | "storedAt"
>;

type Hold = { runId: string; epoch: number };

/** Returns the copy that a run makes. */
export async function findReplicaOfRun(
  ledger: LedgerDatabase,
  run: { id: string; snapshotId: string | null },
): Promise<ReplicaRow | null> {
  const rows = await ledger
    .select()
    .from(replica)
    .where(and(eq(replica.snapshotId, run.snapshotId ?? ""), eq(replica.runId, run.id)))
    .limit(1);
  return rows[0] ?? null;
}

/** Statement that lists the copies of versions. @param versions - Their ids, as a list in SQL. */
export function copiesOf(ledger: LedgerDatabase, versions: SQL) {
  return ledger.select().from(replica).where(sql`${replica.snapshotId} IN ${versions}`);
}

/** Sets the path of a copy once; later calls do not change it. @returns The stored path. */
export async function settlePath(
  ledger: LedgerDatabase,
  hold: Hold,
  copy: { snapshotId: string; path: string },
): Promise<string | null> {
  const [result] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE replica SET path = coalesce(path, ?4) WHERE snapshot_id = ?3 AND run_id = ?1
         AND ${RUN_IS_MINE("?1", "?2")} RETURNING path`,
      hold.runId,
      hold.epoch,
      copy.snapshotId,
      copy.path,
    ),
  ]);
  return (result?.results[0]?.path as string | undefined) ?? null;
}

/** Statement that records a finished copy. Its result shows whether the copy is still wanted. */
export function noteStored(
  ledger: LedgerDatabase,
  hold: Hold,
  copy: { snapshotId: string; mark: string; sizeBytes: number; now: number },
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE replica SET status = 'stored', run_id = NULL, mark = ?4, size_bytes = ?5, stored_at = ?6, attempts = 0,
       error_text = NULL, next_try_at = NULL
     WHERE snapshot_id = ?3 AND run_id = ?1 AND ${RUN_IS_MINE("?1", "?2")} RETURNING snapshot_id`,
    hold.runId,
    hold.epoch,
    copy.snapshotId,
    copy.mark,
    copy.sizeBytes,
    copy.now,
  );
}

/** Statements that start the copies of versions that passed their check, each with its own run. */
export function startCopies(
  ledger: LedgerDatabase,
  copies: readonly { snapshotId: string; runId: string }[],
  order: { leaseUntil: number; now: number; guard?: { sql: string; values: [string, number] } },
): D1PreparedStatement[] {
  const rows = JSON.stringify(copies.map(({ snapshotId, runId }) => [snapshotId, runId]));
  const { guard } = order;
  return [
    statement(
      ledger,
      `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, snapshot_id, status,
         epoch, lease_until, created_at)
       SELECT value->>1, replica.organisation_id, item.connection_id, replica.item_id, replica.platform, 'replicate',
         'system', replica.snapshot_id, 'queued', 0, ?2, ?3
       FROM json_each(?1) JOIN replica ON replica.snapshot_id = value->>0 JOIN item ON item.id = replica.item_id
       WHERE replica.status IN ('waiting', 'failed') AND replica.run_id IS NULL
         ${guard ? `AND ${guard.sql}` : ""}
       ON CONFLICT (id) DO NOTHING RETURNING id`,
      rows,
      order.leaseUntil,
      order.now,
      ...(guard?.values ?? []),
    ),
    statement(
      ledger,
      `UPDATE replica SET run_id = (SELECT value->>1 FROM json_each(?1) WHERE value->>0 = replica.snapshot_id),
         status = 'waiting', next_try_at = NULL
       WHERE run_id IS NULL AND snapshot_id IN (SELECT value->>0 FROM json_each(?1)
         JOIN run ON run.id = value->>1 WHERE run.status = 'queued')`,
      rows,
    ),
  ];
}

/** Statement that gives up copies whose version failed its check. */
export function refuseCopies(
  ledger: LedgerDatabase,
  snapshotIds: readonly string[],
  text: string,
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE replica SET status = 'failed', error_text = ?2, next_try_at = NULL
     WHERE snapshot_id IN (SELECT value FROM json_each(?1)) AND status IN ('waiting', 'failed') AND run_id IS NULL`,
    JSON.stringify(snapshotIds),
    text,
  );
}

/** Lists copies that are due, and expired ones to remove. */
export async function listDueReplicas(
  ledger: LedgerDatabase,
  now: number,
  limit: number,
): Promise<(ReplicaRow & { verifyState: "queued" | "verified" | "intact" | "failed" | null })[]> {
  const rows = await ledger
    .select({ replica, verifyState: snapshot.verifyState })
    .from(replica)
    .leftJoin(snapshot, eq(snapshot.id, replica.snapshotId))
    .where(and(lte(replica.nextTryAt, now), sql.raw(isHere("replica.organisation_id"))))
    .orderBy(asc(replica.nextTryAt))
    .limit(limit);
  return rows.map(({ replica: row, verifyState }) => ({ ...row, verifyState }));
}

/** Statement that postpones copies until a time, or until another event (null). */
export function postponeCopies(
  ledger: LedgerDatabase,
  snapshotIds: readonly string[],
  until: number | null,
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE replica SET next_try_at = ?2 WHERE snapshot_id IN (SELECT value FROM json_each(?1)) AND run_id IS NULL`,
    JSON.stringify(snapshotIds),
    until,
  );
}

/** Statement that makes every failed or waiting copy of a storage due now. */
export function hurryCopies(ledger: LedgerDatabase, storageId: string, now: number): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE replica SET next_try_at = ?2 WHERE storage_id = ?1 AND status IN ('failed', 'waiting') AND run_id IS NULL
       AND (next_try_at IS NULL OR next_try_at > ?2)`,
    storageId,
    now,
  );
}

/** Deletes the records of copies. Their files stay. */
export async function forgetCopies(ledger: LedgerDatabase, snapshotIds: readonly string[]): Promise<void> {
  if (snapshotIds.length === 0) return;
  await commitTogether(ledger, [
    statement(
      ledger,
      "DELETE FROM replica WHERE snapshot_id IN (SELECT value FROM json_each(?1))",
      JSON.stringify(snapshotIds),
    ),
  ]);
}

/** Deletes all records of a disconnected storage. Its files stay. */
export async function forgetStorage(ledger: LedgerDatabase, storageId: string): Promise<void> {
  await commitTogether(ledger, [statement(ledger, "DELETE FROM replica WHERE storage_id = ?1", storageId)]);
}

/** Deletes the records of unfinished copies of platforms that are no longer copied. */
export async function forgetUnmade(
  ledger: LedgerDatabase,
  storageId: string,
  platforms: readonly string[],
): Promise<void> {
  await commitTogether(ledger, [
    statement(
      ledger,
      `DELETE FROM replica WHERE storage_id = ?1 AND status IN ('waiting', 'failed')
         AND platform IN (SELECT value FROM json_each(?2))`,
      storageId,
      JSON.stringify(platforms),
    ),
  ]);
}

/** Lists copies whose versions have expired. */
export async function listExpiredCopies(
  ledger: LedgerDatabase,
  storageId: string,
  limit: number,
): Promise<ReplicaRow[]> {
  return ledger
    .select()
    .from(replica)
    .where(and(eq(replica.storageId, storageId), eq(replica.status, "expired")))
    .limit(limit);
}

/** Counts a storage's copies by platform and status. */
export async function countCopies(ledger: LedgerDatabase, storageId: string) {
  return ledger
    .select({
      platform: replica.platform,
      status: replica.status,
      count: sql<number>`count(*)`,
      sizeBytes: sql<number>`coalesce(sum(${replica.sizeBytes}), 0)`,
      lastStoredAt: sql<number | null>`max(${replica.storedAt})`,
    })
    .from(replica)
    .where(eq(replica.storageId, storageId))
    .groupBy(replica.platform, replica.status);
}

/** Lists the newest failed copies of a storage with the names of their items. */
export async function listFailedCopies(ledger: LedgerDatabase, storageId: string, limit: number) {
  return ledger
    .select({
      platform: replica.platform,
      itemId: replica.itemId,
      itemName: item.name,
      snapshotId: replica.snapshotId,
      takenAt: replica.createdAt,
      text: replica.errorText,
      nextTryAt: replica.nextTryAt,
    })
    .from(replica)
    .innerJoin(item, eq(item.id, replica.itemId))
    .where(and(eq(replica.storageId, storageId), eq(replica.status, "failed")))
    .orderBy(desc(replica.createdAt))
    .limit(limit);
}
