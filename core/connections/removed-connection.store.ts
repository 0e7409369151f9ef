import { and, asc, eq, lte, sql } from "drizzle-orm";
import { removedConnection } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, type SqlValue, statement } from "#core/database/statements.ts";
import type { ConnectionRow, NewConnection } from "./connection.store.ts";

export type RemovedConnection = typeof removedConnection.$inferSelect;

/**
 * Puts a connection in the place of another, and remembers the old one until what it held is deleted: all of it or
 * nothing. Where tokens were carried over, `tokenVersion` guards against a renewal that has outdated them.
 *
 * @returns False when the old connection is gone or was renewed meanwhile; then nothing has changed.
 */
export async function replaceConnection(
  control: ControlDatabase,
  {
    old,
    tokenVersion,
    row,
    removedBy,
  }: { old: ConnectionRow; tokenVersion: number | null; row: NewConnection; removedBy: string },
  alongside: { toSQL(): { sql: string; params: unknown[] } },
): Promise<boolean> {
  const isTaken = "EXISTS (SELECT 1 FROM removed_connection WHERE connection_id = ?1)";
  const entry = alongside.toSQL();
  const [, , , inserted] = await commitTogether(control, [
    statement(
      control,
      `INSERT INTO removed_connection (connection_id, organisation_id, platform, region, name, removed_by, removed_at)
       SELECT id, organisation_id, platform, region, name, ?2, ?3 FROM connection
       WHERE id = ?1 AND organisation_id = ?4 AND (?5 IS NULL OR token_version = ?5)`,
      old.id,
      removedBy,
      row.now,
      row.organisationId,
      tokenVersion,
    ),
    // The old one goes first: an account that only changes its region is the same account.
    statement(control, `DELETE FROM account_code WHERE connection_id = ?1 AND ${isTaken}`, old.id),
    statement(control, `DELETE FROM connection WHERE id = ?1 AND ${isTaken}`, old.id),
    statement(
      control,
      `INSERT INTO connection (id, organisation_id, platform, region, external_id, node_id, name, account_type, status,
         sealed_access_token, access_token_expires_at, sealed_refresh_token, token_version, details, is_auto_add,
         auto_add_due_at, is_confirmed, grant_name, created_at)
       SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'active', ?10, ?11, ?12, 1, ?13, ?14, 0, ?15, ?16, ?17
       WHERE ${isTaken} RETURNING id`,
      old.id,
      row.id,
      row.organisationId,
      row.platform,
      row.region,
      row.externalId,
      row.nodeId,
      row.name,
      row.accountType,
      row.sealedAccessToken,
      row.accessTokenExpiresAt,
      row.sealedRefreshToken,
      JSON.stringify(row.details),
      row.isAutoAdd,
      row.isConfirmed,
      row.grantName,
      row.now,
    ),
    statement(control, entry.sql, ...(entry.params as SqlValue[])),
  ]);
  return (inserted?.results.length ?? 0) > 0;
}

/** The condition of an audit entry that goes with `replaceConnection`: the old connection was taken. */
export const isRemoved = (connectionId: string) =>
  sql`EXISTS (SELECT 1 FROM removed_connection WHERE connection_id = ${connectionId})`;

/** A removed connection whose things are still to be deleted, or null. */
export async function findRemovedConnection(
  control: ControlDatabase,
  { organisationId, connectionId }: { organisationId: string; connectionId: string },
): Promise<RemovedConnection | null> {
  const [row] = await control
    .select()
    .from(removedConnection)
    .where(
      and(
        eq(removedConnection.connectionId, connectionId),
        eq(removedConnection.organisationId, organisationId),
      ),
    );
  return row ?? null;
}

/** Connections whose things are still to be deleted, the longest waiting first. */
export async function listRemovedConnections(
  control: ControlDatabase,
  { removedBefore, limit }: { removedBefore: number; limit: number },
): Promise<RemovedConnection[]> {
  return control
    .select()
    .from(removedConnection)
    .where(lte(removedConnection.removedAt, removedBefore))
    .orderBy(asc(removedConnection.removedAt))
    .limit(limit);
}

/** Forgets a removed connection: nothing of it is left. */
export async function forgetRemovedConnection(
  control: ControlDatabase,
  { organisationId, connectionId }: Pick<RemovedConnection, "organisationId" | "connectionId">,
): Promise<void> {
  await control
    .delete(removedConnection)
    .where(
      and(
        eq(removedConnection.connectionId, connectionId),
        eq(removedConnection.organisationId, organisationId),
      ),
    );
}
