import { and, asc, eq, lte, sql } from "drizzle-orm";
import { removedConnection } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, type SqlValue, statement } from "#core/database/statements.ts";
import type { ConnectionRow, NewConnection } from "./connection.store.ts";

export type RemovedConnection = typeof removedConnection.$inferSelect;

/** Which connection is removed, by whom, and in which attempt. */
export type Removal = {
  /** Unique per attempt, so that only the attempt that took the connection continues. */
  removalId: string;
  old: Pick<ConnectionRow, "id" | "organisationId">;
  /** Version of tokens that are carried over; null = none are. Guards against a renewal that has replaced them. */
  tokenVersion: number | null;
  removedBy: string;
  now: number;
};

type Entry = { toSQL(): { sql: string; params: unknown[] } };

/** SQL: this attempt took the connection. */
const IS_TAKEN = "EXISTS (SELECT 1 FROM removed_connection WHERE connection_id = ?1 AND removal_id = ?2)";

/** The condition of an audit entry written with a removal: this attempt took the connection. */
export const isRemoved = ({ removalId, old }: Pick<Removal, "removalId" | "old">) =>
  sql`EXISTS (SELECT 1 FROM removed_connection WHERE connection_id = ${old.id} AND removal_id = ${removalId})`;

/**
 * Removes a connection and records it until its data is deleted: all or nothing.
 *
 * @returns False when the connection is missing; nothing has changed then.
 */
export async function takeConnection(
  control: ControlDatabase,
  removal: Removal,
  alongside: Entry,
): Promise<boolean> {
  const results = await commitTogether(control, [
    ...removalStatements(control, removal),
    entryStatement(control, alongside),
  ]);
  return (results[2]?.results.length ?? 0) > 0;
}

/**
 * Replaces a connection with another one, and records the old one until its data is deleted: all or nothing.
 *
 * @returns False when the old connection is missing or was renewed meanwhile; nothing has changed then.
 */
export async function replaceConnection(
  control: ControlDatabase,
  removal: Removal,
  row: NewConnection,
  alongside: Entry,
): Promise<boolean> {
  const [, , , inserted] = await commitTogether(control, [
    // The old one is removed first: changing only the region keeps the same account.
    ...removalStatements(control, removal),
    statement(
      control,
      `INSERT INTO connection (id, organisation_id, platform, region, external_id, name, account_type, status,
         sealed_access_token, access_token_expires_at, sealed_refresh_token, token_version, details, is_auto_add,
         auto_add_due_at, is_confirmed, grant_name, created_at, grant_id)
       SELECT ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'active', ?10, ?11, ?12, ?19, ?13, ?14, 0, ?15, ?16, ?17, ?18
       WHERE ${IS_TAKEN} RETURNING id`,
      removal.old.id,
      removal.removalId,
      row.id,
      row.organisationId,
      row.platform,
      row.region,
      row.externalId,
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
      row.grantId,
      row.tokenVersion,
    ),
    entryStatement(control, alongside),
  ]);
  return (inserted?.results.length ?? 0) > 0;
}

function removalStatements(control: ControlDatabase, removal: Removal): D1PreparedStatement[] {
  const { old, removalId, removedBy, now, tokenVersion } = removal;
  return [
    statement(
      control,
      `INSERT INTO removed_connection
         (connection_id, removal_id, organisation_id, platform, region, name, removed_by, removed_at)
       SELECT id, ?2, organisation_id, platform, region, name, ?3, ?4 FROM connection
       WHERE id = ?1 AND organisation_id = ?5 AND (?6 IS NULL OR token_version = ?6)`,
      old.id,
      removalId,
      removedBy,
      now,
      old.organisationId,
      tokenVersion,
    ),
    statement(
      control,
      `DELETE FROM account_code WHERE connection_id = ?1 AND ${IS_TAKEN}`,
      old.id,
      removalId,
    ),
    statement(
      control,
      `DELETE FROM connection WHERE id = ?1 AND ${IS_TAKEN} RETURNING id`,
      old.id,
      removalId,
    ),
  ];
}

function entryStatement(control: ControlDatabase, entry: Entry): D1PreparedStatement {
  const { sql: text, params } = entry.toSQL();
  return statement(control, text, ...(params as SqlValue[]));
}

/** A removed connection whose data is not deleted yet, or null. */
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

/** Removed connections whose data is not deleted yet, the longest waiting first. */
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

/** Deletes the record of a removed connection once all its data is gone. */
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
