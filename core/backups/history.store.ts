import { and, desc, eq, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import { exportRow, item, manifest, run, snapshot } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";

export type HistoryQuery = { organisationId: string; itemId: string | null; connectionId: string | null };

/**
 * The backups and restores in a history, ended or open, without superseded backups and those whose version has expired.
 */
function inHistory(query: HistoryQuery): SQL | undefined {
  return and(
    eq(run.organisationId, query.organisationId),
    query.itemId === null ? undefined : eq(run.itemId, query.itemId),
    query.connectionId === null ? undefined : eq(run.connectionId, query.connectionId),
    inArray(run.kind, ["backup", "restore"]),
    ne(run.status, "superseded"),
    or(
      sql`${run.kind} <> 'backup'`,
      sql`${run.status} <> 'succeeded'`,
      sql`EXISTS (SELECT 1 FROM snapshot kept WHERE kept.run_id = ${run.id})`,
    ),
  );
}

/** One page of history, newest first, with each backup's version. */
export async function listHistoryRows(
  ledger: LedgerDatabase,
  query: HistoryQuery & { page: number; perPage: number },
) {
  return ledger
    .select({
      run,
      snapshot,
      completeness: manifest.completeness,
      itemName: item.name,
    })
    .from(run)
    .leftJoin(snapshot, eq(snapshot.runId, run.id))
    .leftJoin(manifest, and(eq(manifest.itemId, snapshot.itemId), eq(manifest.id, snapshot.manifestId)))
    .leftJoin(item, eq(item.id, run.itemId))
    .where(inHistory(query))
    .orderBy(desc(run.createdAt), desc(run.id))
    .limit(query.perPage)
    .offset(query.page * query.perPage);
}

/** The number of rows in the history. */
export async function countHistoryRows(ledger: LedgerDatabase, query: HistoryQuery): Promise<number> {
  const rows = await ledger.select({ count: sql<number>`count(*)` }).from(run).where(inHistory(query));
  return rows[0]?.count ?? 0;
}

/** The newest export of each of these versions. */
export async function listNewestExports(ledger: LedgerDatabase, snapshotIds: readonly string[]) {
  const rows = await ledger
    .select()
    .from(exportRow)
    .where(sql`${exportRow.snapshotId} IN (SELECT value FROM json_each(${JSON.stringify(snapshotIds)}))`)
    .orderBy(desc(exportRow.createdAt));
  const newest = new Map<string, (typeof rows)[number]>();
  for (const row of rows) if (!newest.has(row.snapshotId)) newest.set(row.snapshotId, row);
  return newest;
}
