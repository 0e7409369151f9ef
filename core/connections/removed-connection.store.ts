import { and, asc, eq, lte, sql } from "drizzle-orm";
import { removedConnection } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, type SqlValue, statement } from "#core/database/statements.ts";
import type { ConnectionRow, NewConnection } from "./connection.store.ts";
import type { NewCredential } from "./credential.store.ts";

export type RemovedConnection = typeof removedConnection.$inferSelect;

/** Which connection is removed, by whom, and in which attempt. */
export type Removal = {
  /** Unique per attempt, so that only the attempt that took the connection continues. */
  removalId: string;
  old: Pick<ConnectionRow, "id" | "organisationId">;
  removedBy: string;
  now: number;
};

/** The credentials of the connection that takes another one's place. */
export type CarriedCredentials =
  /** All of the old one: it is the same account. */
  | { granted: null }
  /**
   * Only this one. `isCarried` = it is the old connection's, sealed for the new account; a renewal meanwhile has replaced
   * it, and then nothing is done.
   */
  | { granted: NewCredential; isCarried?: true };

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
  const [, , removed] = await commitTogether(control, [
    takingStatement(control, removal, null),
    ...removalStatements(control, removal),
    entryStatement(control, alongside),
    forgetPeople(control, removal),
  ]);
  return (removed?.results.length ?? 0) > 0;
}

/**
 * Replaces a connection with another one, and records the old one until its data is deleted: all or nothing.
 *
 * @returns False when the old connection is missing or its credential was renewed meanwhile; nothing has changed then.
 */
export async function replaceConnection(
  control: ControlDatabase,
  removal: Removal,
  next: { row: NewConnection } & CarriedCredentials,
  alongside: Entry,
): Promise<boolean> {
  const { row, granted } = next;
  const guard = granted !== null && next.isCarried ? granted : null;
  const [, , , , inserted] = await commitTogether(control, [
    takingStatement(control, removal, guard),
    granted === null
      ? moveCredentials(control, removal, row.id)
      : insertCredential(control, removal, row.id, granted),
    // The old one is removed first: changing only the region keeps the same account.
    ...removalStatements(control, removal),
    statement(
      control,
      `INSERT INTO connection (id, organisation_id, platform, region, external_id, name, account_type, status,
         details, is_auto_add, auto_add_due_at, is_confirmed, grant_name, created_at)
       SELECT ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'active', ?10, ?11, 0, ?12, ?13, ?14
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
      JSON.stringify(row.details),
      row.isAutoAdd,
      row.isConfirmed,
      row.grantName,
      row.now,
    ),
    entryStatement(control, alongside),
    forgetPeople(control, removal),
  ]);
  return (inserted?.results.length ?? 0) > 0;
}

/** Takes the connection for this attempt, unless the guarded credential has a newer version. */
function takingStatement(
  control: ControlDatabase,
  { old, removalId, removedBy, now }: Removal,
  guard: Pick<NewCredential, "authMethod" | "tokenVersion"> | null,
): D1PreparedStatement {
  return statement(
    control,
    `INSERT INTO removed_connection
       (connection_id, removal_id, organisation_id, platform, region, name, removed_by, removed_at)
     SELECT id, ?2, organisation_id, platform, region, name, ?3, ?4 FROM connection
     WHERE id = ?1 AND organisation_id = ?5 AND (?6 IS NULL OR EXISTS (
       SELECT 1 FROM credential WHERE connection_id = ?1 AND auth_method = ?6 AND token_version = ?7))`,
    old.id,
    removalId,
    removedBy,
    now,
    old.organisationId,
    guard?.authMethod ?? null,
    guard?.tokenVersion ?? null,
  );
}

/** Tokens are sealed for the account, so the same account in another connection can use them. */
const moveCredentials = (control: ControlDatabase, { old, removalId }: Removal, newId: string) =>
  statement(
    control,
    `UPDATE credential SET connection_id = ?3 WHERE connection_id = ?1 AND ${IS_TAKEN}`,
    old.id,
    removalId,
    newId,
  );

function insertCredential(
  control: ControlDatabase,
  { old, removalId }: Removal,
  newId: string,
  granted: NewCredential,
): D1PreparedStatement {
  return statement(
    control,
    `INSERT INTO credential (connection_id, auth_method, organisation_id, sealed_access_token,
       access_token_expires_at, sealed_refresh_token, token_version, grant_id, status)
     SELECT ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, 'active' WHERE ${IS_TAKEN}`,
    old.id,
    removalId,
    newId,
    granted.authMethod,
    old.organisationId,
    granted.sealedAccessToken,
    granted.accessTokenExpiresAt,
    granted.sealedRefreshToken,
    granted.tokenVersion,
    granted.grantId,
  );
}

/** Deletes the connection that this attempt took, with its code. A trigger deletes its credentials. */
function removalStatements(control: ControlDatabase, { old, removalId }: Removal): D1PreparedStatement[] {
  return ["account_code WHERE connection_id", "connection WHERE id"].map((which) =>
    statement(control, `DELETE FROM ${which} = ?1 AND ${IS_TAKEN} RETURNING 1 AS removed`, old.id, removalId),
  );
}

const forgetPeople = (control: ControlDatabase, { old, removalId }: Removal) =>
  statement(control, `DELETE FROM held_person WHERE connection_id = ?1 AND ${IS_TAKEN}`, old.id, removalId);

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

/** How many of an organisation's removed connections have data that is not deleted yet. */
export async function countRemovedConnections(
  control: ControlDatabase,
  organisationId: string,
): Promise<number> {
  return control.$count(removedConnection, eq(removedConnection.organisationId, organisationId));
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
