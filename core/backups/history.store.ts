import { and, desc, eq, getViewSelectedFields, ne, or, type SQL, sql } from "drizzle-orm";
import { exportRow, IS_SHOWN, item, knownRun, snapshot } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { sameHash } from "#core/database/short-hash.ts";
import { copiesOf } from "#core/replicas/index.ts";

/** The history of an item, of an account of a platform, or of an item if it is the account's. */
export type HistoryQuery = {
  organisationId: string;
  itemId: string | null;
  account: { platform: string; connectionId: string } | null;
};

export type PageOfHistory = HistoryQuery & { page: number; perPage: number };

/**
 * The backups and restores in a history, ended or open, without superseded backups and those whose version has expired.
 * A backup whose version was erased stays as its tombstone.
 */
function inHistory(query: HistoryQuery): SQL | undefined {
  return and(
    eq(knownRun.organisationId, query.organisationId),
    query.itemId === null ? undefined : eq(knownRun.itemId, query.itemId),
    query.account === null ? undefined : eq(knownRun.platform, query.account.platform),
    query.account === null ? undefined : eq(knownRun.connectionId, query.account.connectionId),
    sql.raw(`known_run.${IS_SHOWN}`),
    ne(knownRun.kind, "export"),
    ne(knownRun.status, "superseded"),
    or(
      sql`${knownRun.kind} <> 'backup'`,
      sql`${knownRun.status} <> 'succeeded'`,
      sql`${knownRun.erasedAt} IS NOT NULL`,
      sql`EXISTS (SELECT 1 FROM snapshot kept WHERE kept.id = ${knownRun.snapshotId})`,
    ),
  );
}

/** SQL: the manifest is the version's. */
const IS_MANIFEST = sql.raw(sameHash("manifest.id", '"snapshot"."manifest_id"'));

/** One page of history, newest first, with each backup's version. */
export async function listHistoryRows(ledger: LedgerDatabase, query: PageOfHistory) {
  return ledger
    .select({
      run: getViewSelectedFields(knownRun),
      snapshot,
      // Not a join: SQLite reads a whole view to join it from the left.
      completeness: sql<unknown>`(SELECT completeness FROM manifest
        WHERE manifest.item_id = ${snapshot.itemId} AND ${IS_MANIFEST})`.mapWith((text) => JSON.parse(text)),
      itemName: item.name,
    })
    .from(knownRun)
    .leftJoin(snapshot, and(eq(snapshot.id, knownRun.snapshotId), eq(snapshot.runId, knownRun.id)))
    .leftJoin(item, eq(item.id, knownRun.itemId))
    .where(inHistory(query))
    .orderBy(desc(knownRun.createdAt), desc(knownRun.id))
    .limit(query.perPage)
    .offset(query.page * query.perPage);
}

/** What a page of history shows beside its rows, in one round trip that needs not know them. */
export async function readHistoryFacts(ledger: LedgerDatabase, query: PageOfHistory) {
  const runs = ledger
    .select({ snapshotId: knownRun.snapshotId })
    .from(knownRun)
    .where(inHistory(query))
    .orderBy(desc(knownRun.createdAt), desc(knownRun.id))
    .limit(query.perPage)
    .offset(query.page * query.perPage);
  const versions = sql`(SELECT snapshot_id FROM ${runs})`;
  const [counted, exports, copies] = await ledger.batch([
    ledger.select({ count: sql<number>`count(*)` }).from(knownRun).where(inHistory(query)),
    ledger
      .select()
      .from(exportRow)
      .where(sql`${exportRow.snapshotId} IN ${versions}`)
      .orderBy(desc(exportRow.createdAt)),
    copiesOf(ledger, versions),
  ]);
  return {
    total: counted[0]?.count ?? 0,
    /** The newest export of each version. */
    exports: new Map(exports.toReversed().map((row) => [row.snapshotId, row])),
    copies: new Map(copies.map((row) => [row.snapshotId, row])),
  };
}
