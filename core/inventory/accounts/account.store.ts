import { and, asc, eq, gt, lt, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { accountCode, chosenRegion, connection, removedConnection } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, type SqlValue, statement } from "#core/database/statements.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { ConnectionRow, NewConnection } from "../connection.store.ts";

export type RemovedConnection = typeof removedConnection.$inferSelect;

/**
 * Replaces a connection with another one and records the old one until its data is deleted: all or nothing. When tokens
 * were carried over, `tokenVersion` guards against a renewal meanwhile.
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
    // Delete the old connection first: a change of region keeps the same account.
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

/** Condition for the audit entry of `replaceConnection`: the old connection was replaced. */
export const isRemoved = (connectionId: string) =>
  sql`EXISTS (SELECT 1 FROM removed_connection WHERE connection_id = ${connectionId})`;

/** Lists replaced connections whose data must still be deleted, the oldest first. */
export async function listRemovedConnections(
  control: ControlDatabase,
  limit: number,
): Promise<RemovedConnection[]> {
  return control.select().from(removedConnection).orderBy(asc(removedConnection.removedAt)).limit(limit);
}

/** Deletes the record of a replaced connection. Nothing of it is left. */
export async function forgetRemovedConnection(control: ControlDatabase, connectionId: string): Promise<void> {
  await control.delete(removedConnection).where(eq(removedConnection.connectionId, connectionId));
}

/** Saves the region for a platform's first account. */
export async function saveChosenRegion(
  control: ControlDatabase,
  key: { organisationId: string; platform: string },
  { region, now }: { region: Region; now: number },
): Promise<void> {
  await control
    .insert(chosenRegion)
    .values({ ...key, region, chosenAt: now })
    .onConflictDoUpdate({
      target: [chosenRegion.organisationId, chosenRegion.platform],
      set: { region, chosenAt: now },
    });
}

/** Returns the chosen regions by platform. */
export async function listChosenRegions(
  control: ControlDatabase,
  organisationId: string,
): Promise<ReadonlyMap<string, Region>> {
  const rows = await control
    .select()
    .from(chosenRegion)
    .where(eq(chosenRegion.organisationId, organisationId));
  return new Map(rows.map(({ platform, region }) => [platform, region]));
}

/** Returns the chosen region of a platform. Null = none yet. */
export async function findChosenRegion(
  control: ControlDatabase,
  key: { organisationId: string; platform: string },
): Promise<Region | null> {
  const [row] = await control
    .select({ region: chosenRegion.region })
    .from(chosenRegion)
    .where(and(eq(chosenRegion.organisationId, key.organisationId), eq(chosenRegion.platform, key.platform)));
  return row?.region ?? null;
}

/** Sets whether new items are protected automatically. Makes the next look due at once. */
export async function updateAutoAdd(
  control: ControlDatabase,
  key: { organisationId: string; connectionId: string },
  isAutoAdd: boolean,
): Promise<void> {
  await control
    .update(connection)
    .set({ isAutoAdd, autoAddDueAt: 0 })
    .where(and(eq(connection.id, key.connectionId), eq(connection.organisationId, key.organisationId)));
}

/** Claims connections whose look for new items is due. Only one caller claims each. */
export async function claimAutoAdds(
  control: ControlDatabase,
  { now, nextAt, limit }: { now: number; nextAt: number; limit: number },
): Promise<{ id: string; organisationId: string }[]> {
  return control.all(sql`
    UPDATE connection SET auto_add_due_at = ${nextAt}
    WHERE id IN (
      SELECT id FROM connection
      WHERE is_auto_add = 1 AND auto_add_due_at <= ${now} AND status = 'active' AND is_confirmed = 1
      LIMIT ${limit}
    )
    RETURNING id, organisation_id AS "organisationId"`);
}

/** Replaces the connection's tokens with a token entered by hand, and marks the connection active. */
export async function saveGivenToken(
  control: ControlDatabase,
  key: { organisationId: string; connectionId: string },
  token: {
    sealedAccessToken: string;
    accessTokenExpiresAt: number | null;
    sealedRefreshToken: string | null;
    grantName: string | null;
  },
): Promise<void> {
  await control
    .update(connection)
    .set({ ...token, status: "active", lostReason: null, tokenVersion: sql`${connection.tokenVersion} + 1` })
    .where(and(eq(connection.id, key.connectionId), eq(connection.organisationId, key.organisationId)));
}

/**
 * Stores a code as the connection's only one. Beyond `most` codes within a window nothing changes.
 *
 * @returns False when the limit of the window is reached.
 */
export async function upsertCode(
  control: ControlDatabase,
  code: {
    connectionId: string;
    organisationId: string;
    sealedCode: string;
    expiresAt: number;
    now: number;
    windowMs: number;
    most: number;
  },
): Promise<boolean> {
  const { now, windowMs, most, ...values } = code;
  const isOver = lte(accountCode.windowAt, now - windowMs);
  const rows = await control
    .insert(accountCode)
    .values({ ...values, attempts: 0, sent: 1, windowAt: now })
    .onConflictDoUpdate({
      target: accountCode.connectionId,
      set: {
        sealedCode: code.sealedCode,
        expiresAt: code.expiresAt,
        attempts: 0,
        sent: sql`CASE WHEN ${isOver} THEN 1 ELSE ${accountCode.sent} + 1 END`,
        windowAt: sql`CASE WHEN ${isOver} THEN ${now} ELSE ${accountCode.windowAt} END`,
      },
      setWhere: sql`${isOver} OR ${lt(accountCode.sent, most)}`,
    })
    .returning({ connectionId: accountCode.connectionId });
  return rows.length > 0;
}

/** Counts one try of a connection's code. Returns null when there is no code, it has expired or no try is left. */
export async function spendCodeTry(
  control: ControlDatabase,
  key: { organisationId: string; connectionId: string; most: number; now: number },
): Promise<{ sealedCode: string } | null> {
  const [row] = await control
    .update(accountCode)
    .set({ attempts: sql`${accountCode.attempts} + 1` })
    .where(
      and(
        eq(accountCode.connectionId, key.connectionId),
        eq(accountCode.organisationId, key.organisationId),
        lt(accountCode.attempts, key.most),
        gt(accountCode.expiresAt, key.now),
      ),
    )
    .returning({ sealedCode: accountCode.sealedCode });
  return row ?? null;
}

/** Condition for the audit entry of `confirmWithCode`: the code still exists. */
export const isCodeStanding = (connectionId: string, sealedCode: string) =>
  sql`EXISTS (SELECT 1 FROM account_code WHERE connection_id = ${connectionId} AND sealed_code = ${sealedCode})`;

/**
 * Consumes a code, confirms its connection and writes the audit entry. Returns false when another request was first.
 */
export async function confirmWithCode(
  control: ControlDatabase,
  key: { organisationId: string; connectionId: string; sealedCode: string },
  entry: BatchItem<"sqlite">,
): Promise<boolean> {
  const isRight = and(
    eq(accountCode.connectionId, key.connectionId),
    eq(accountCode.sealedCode, key.sealedCode),
  );
  const [confirmed] = await control.batch([
    control
      .update(connection)
      .set({ isConfirmed: true, autoAddDueAt: 0 })
      .where(
        and(
          eq(connection.id, key.connectionId),
          eq(connection.organisationId, key.organisationId),
          eq(connection.isConfirmed, false),
          sql`EXISTS (SELECT 1 FROM ${accountCode} WHERE ${isRight})`,
        ),
      )
      .returning({ id: connection.id }),
    entry,
    control.delete(accountCode).where(isRight),
  ]);
  return confirmed.length > 0;
}
