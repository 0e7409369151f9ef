import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { exportRow } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { insertRuns, type NewRun, RUN_IS_MINE } from "#core/runs/index.ts";

export type ExportRow = typeof exportRow.$inferSelect;

/** A version's live export: ready or pending, not revoked, not expired; null when there is none. */
export async function findLiveExport(
  ledger: LedgerDatabase,
  key: { organisationId: string; snapshotId: string; reachedOnly: boolean; now: number },
): Promise<ExportRow | null> {
  const rows = await ledger
    .select()
    .from(exportRow)
    .where(
      and(
        eq(exportRow.organisationId, key.organisationId),
        eq(exportRow.snapshotId, key.snapshotId),
        eq(exportRow.reachedOnly, key.reachedOnly),
        isNull(exportRow.revokedAt),
        sql`${exportRow.status} IN ('pending', 'ready')`,
        sql`${exportRow.expiresAt} > ${key.now}`,
      ),
    )
    .orderBy(desc(exportRow.createdAt))
    .limit(1);
  return rows[0] ?? null;
}

/** An export of any organisation by its id. The caller must check the right of the link's person. */
export async function findExport(ledger: LedgerDatabase, exportId: string): Promise<ExportRow | null> {
  return (await ledger.select().from(exportRow).where(eq(exportRow.id, exportId)).limit(1))[0] ?? null;
}

export type NewExport = Pick<
  ExportRow,
  | "id"
  | "organisationId"
  | "itemId"
  | "platform"
  | "snapshotId"
  | "manifestId"
  | "runId"
  | "status"
  | "layoutObjectId"
  | "sizeBytes"
  | "fileName"
  | "reachedOnly"
  | "requestedBy"
  | "createdAt"
  | "expiresAt"
>;

/**
 * Inserts an export, and the run that prepares it, if any.
 *
 * @returns False, and inserts nothing, when the version has been erased or has expired meanwhile.
 */
export async function insertExport(
  ledger: LedgerDatabase,
  row: NewExport,
  run: NewRun | null,
): Promise<boolean> {
  const [inserted] = await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO export (id, organisation_id, item_id, platform, snapshot_id, manifest_id, run_id, status,
         layout_object_id, size_bytes, file_name, requested_by, created_at, expires_at, reached_only)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15
       WHERE EXISTS (SELECT 1 FROM snapshot WHERE id = ?5 AND item_id = ?3 AND organisation_id = ?2) RETURNING id`,
      row.id,
      row.organisationId,
      row.itemId,
      row.platform,
      row.snapshotId,
      row.manifestId,
      row.runId,
      row.status,
      row.layoutObjectId,
      row.sizeBytes,
      row.fileName,
      row.requestedBy,
      row.createdAt,
      row.expiresAt,
      row.reachedOnly,
    ),
    ...(run
      ? [insertRuns(ledger, [run], row.createdAt, "EXISTS (SELECT 1 FROM export WHERE run_id = value->>0)")]
      : []),
  ]);
  return (inserted?.results.length ?? 0) > 0;
}

/** Marks a prepared export as ready; its lifetime begins now. Returns false when the run is no longer ours. */
export async function finishExport(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number },
  done: { layoutObjectId: string; sizeBytes: number; expiresAt: number },
): Promise<boolean> {
  const [result] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE export SET status = 'ready', layout_object_id = ?3, size_bytes = ?4, expires_at = ?5
       WHERE run_id = ?1 AND status IN ('pending', 'ready') AND ${RUN_IS_MINE("?1", "?2")} RETURNING id`,
      hold.runId,
      hold.epoch,
      done.layoutObjectId,
      done.sizeBytes,
      done.expiresAt,
    ),
  ]);
  return (result?.results.length ?? 0) > 0;
}

/** The export that a run prepares. */
export async function findExportOfRun(ledger: LedgerDatabase, runId: string): Promise<ExportRow | null> {
  return (await ledger.select().from(exportRow).where(eq(exportRow.runId, runId)).limit(1))[0] ?? null;
}
