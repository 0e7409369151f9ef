import { asc, sql } from "drizzle-orm";
import { backupRequest, isHere } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, type SqlValue, statement } from "#core/database/statements.ts";

export type BackupRequestRow = typeof backupRequest.$inferSelect;
type Scope = Pick<BackupRequestRow, "organisationId" | "connectionId" | "kind" | "placeId">;

/** SQL condition and values: the items of a request that are idle, and neither paused nor deleted. */
const IN_SCOPE = `organisation_id = ?1 AND connection_id = ?2 AND (?3 IS NULL OR kind = ?3)
  AND (?4 IS NULL OR place_id = ?4) AND is_daily = 1 AND status <> 'deleted' AND active_run_id IS NULL`;
const scopeValues = ({ organisationId, connectionId, kind, placeId }: Scope): SqlValue[] => [
  organisationId,
  connectionId,
  kind,
  placeId,
];
const IS_OPEN = "(backup_now_opens_at IS NULL OR backup_now_opens_at <= ?5)";

/** How many items a request would back up, and how many it would skip because their own window is closed. */
export async function countWanted(
  ledger: LedgerDatabase,
  scope: Scope,
  now: number,
): Promise<{ open: number; closed: number; opensAt: number | null }> {
  const [counted] = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT count(*) AS wanted, coalesce(sum(${IS_OPEN}), 0) AS open, min(backup_now_opens_at) AS opensAt
       FROM item WHERE ${IN_SCOPE}`,
      ...scopeValues(scope),
      now,
    ),
  ]);
  const row = counted?.results[0] as { wanted: number; open: number; opensAt: number | null } | undefined;
  return {
    open: row?.open ?? 0,
    closed: (row?.wanted ?? 0) - (row?.open ?? 0),
    opensAt: row?.opensAt ?? null,
  };
}

/** Inserts a request. */
export async function insertRequest(ledger: LedgerDatabase, request: BackupRequestRow): Promise<void> {
  await ledger.insert(backupRequest).values(request);
}

/** The oldest request; null when there is none. */
export async function oldestRequest(ledger: LedgerDatabase): Promise<BackupRequestRow | null> {
  const rows = await ledger
    .select()
    .from(backupRequest)
    .where(sql.raw(isHere("backup_request.organisation_id")))
    .orderBy(asc(backupRequest.createdAt))
    .limit(1);
  return rows[0] ?? null;
}

/** The next items of a request whose window is open, ordered by id. */
export async function listWanted(
  ledger: LedgerDatabase,
  request: BackupRequestRow,
  { now, limit }: { now: number; limit: number },
): Promise<string[]> {
  const [found] = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT id FROM item WHERE ${IN_SCOPE} AND ${IS_OPEN} AND id > ?6 ORDER BY id LIMIT ?7`,
      ...scopeValues(request),
      now,
      request.position,
      limit,
    ),
  ]);
  return (found?.results ?? []).map((row) => String(row.id));
}

/** The statement that records up to which item a request was carried out. */
export function moveRequest(ledger: LedgerDatabase, id: string, position: string): D1PreparedStatement {
  return statement(ledger, "UPDATE backup_request SET position = ?2 WHERE id = ?1", id, position);
}

/** Moves a request behind all others. */
export async function postponeRequest(ledger: LedgerDatabase, id: string, now: number): Promise<void> {
  await commitTogether(ledger, [
    statement(ledger, "UPDATE backup_request SET created_at = ?2 WHERE id = ?1", id, now),
  ]);
}

/** The statement that deletes a request, when it is carried out or refused. */
export function dropRequest(ledger: LedgerDatabase, id: string): D1PreparedStatement {
  return statement(ledger, "DELETE FROM backup_request WHERE id = ?1", id);
}
