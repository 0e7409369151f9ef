import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { authorisation, connection } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { Region } from "#core/kernel/platform-id.ts";

export type ConnectionRow = typeof connection.$inferSelect;
export type AuthorisationRow = typeof authorisation.$inferSelect;

/** Lists the organisation's connections of a platform, oldest first. */
export async function listConnectionRows(
  control: ControlDatabase,
  organisationId: string,
  platform: string,
): Promise<ConnectionRow[]> {
  return control
    .select()
    .from(connection)
    .where(and(eq(connection.organisationId, organisationId), eq(connection.platform, platform)))
    .orderBy(asc(connection.createdAt), asc(connection.id));
}

/** Lists the organisation's connections of all platforms, oldest first. */
export async function listAllConnectionRows(
  control: ControlDatabase,
  organisationId: string,
): Promise<ConnectionRow[]> {
  return control
    .select()
    .from(connection)
    .where(eq(connection.organisationId, organisationId))
    .orderBy(asc(connection.createdAt), asc(connection.id));
}

/** Returns one connection of the organisation, or null. */
export async function findConnectionRow(
  control: ControlDatabase,
  organisationId: string,
  connectionId: string,
): Promise<ConnectionRow | null> {
  const rows = await control
    .select()
    .from(connection)
    .where(and(eq(connection.id, connectionId), eq(connection.organisationId, organisationId)))
    .limit(1);
  return rows[0] ?? null;
}

/** Stores a started authorisation. */
export async function insertAuthorisation(
  control: ControlDatabase,
  row: Omit<AuthorisationRow, "usedAt">,
): Promise<void> {
  await control.insert(authorisation).values({ ...row, usedAt: null });
}

/** Consumes an authorisation. It works once, before it expires, for the person who started it. */
export async function takeAuthorisation(
  control: ControlDatabase,
  key: { stateHash: string; organisationId: string; userId: string; platform: string; now: number },
): Promise<AuthorisationRow | null> {
  const rows = await control
    .update(authorisation)
    .set({ usedAt: key.now })
    .where(
      and(
        eq(authorisation.stateHash, key.stateHash),
        eq(authorisation.organisationId, key.organisationId),
        eq(authorisation.userId, key.userId),
        eq(authorisation.platform, key.platform),
        isNull(authorisation.usedAt),
        gt(authorisation.expiresAt, key.now),
      ),
    )
    .returning();
  return rows[0] ?? null;
}

export type NewConnection = {
  id: string;
  organisationId: string;
  platform: string;
  region: Region;
  externalId: string;
  nodeId: string | null;
  name: string;
  accountType: "User" | "Organization";
  sealedAccessToken: string;
  accessTokenExpiresAt: number | null;
  sealedRefreshToken: string | null;
  details: Json;
  isAutoAdd: boolean;
  /** False = connected by name and not confirmed by code yet. */
  isConfirmed: boolean;
  /** The account whose grant is used, if it is another one. */
  grantName: string | null;
  now: number;
};

/**
 * Stores a connection together with another statement on the same database. Connecting the same account again renews
 * its tokens and keeps its id and region; a confirmed account stays confirmed.
 */
export async function saveConnection(
  control: ControlDatabase,
  row: NewConnection,
  alongside: BatchItem<"sqlite">,
): Promise<ConnectionRow> {
  const { nodeId, name, sealedAccessToken, accessTokenExpiresAt, sealedRefreshToken, details, grantName } =
    row;
  const { now, ...values } = row;
  const [rows] = await control.batch([
    control
      .insert(connection)
      .values({ ...values, status: "active", tokenVersion: 1, createdAt: now })
      .onConflictDoUpdate({
        target: [connection.organisationId, connection.platform, connection.externalId],
        set: {
          nodeId,
          name,
          sealedAccessToken,
          accessTokenExpiresAt,
          sealedRefreshToken,
          details,
          grantName,
          status: "active",
          lostReason: null,
          isConfirmed: sql`max(${connection.isConfirmed}, ${Number(row.isConfirmed)})`,
          tokenVersion: sql`${connection.tokenVersion} + 1`,
        },
      })
      .returning(),
    alongside,
  ]);
  return rows[0]!;
}

/** Stores renewed tokens before they are used. A slower renewal of an older version changes nothing. */
export async function saveRenewedTokens(
  control: ControlDatabase,
  key: { connectionId: string; tokenVersion: number },
  tokens: {
    sealedAccessToken: string;
    accessTokenExpiresAt: number | null;
    sealedRefreshToken: string | null;
  },
): Promise<boolean> {
  const rows = await control
    .update(connection)
    .set({ ...tokens, tokenVersion: key.tokenVersion + 1, status: "active", lostReason: null })
    .where(and(eq(connection.id, key.connectionId), eq(connection.tokenVersion, key.tokenVersion)))
    .returning({ id: connection.id });
  return rows.length > 0;
}

/** Records that the provider rejects this version of the tokens, or that its app was removed. */
export async function markRevoked(
  control: ControlDatabase,
  key: { connectionId: string; tokenVersion: number },
  lostReason: "token" | "app" = "token",
): Promise<void> {
  await control
    .update(connection)
    .set({ status: "revoked", lostReason })
    .where(and(eq(connection.id, key.connectionId), eq(connection.tokenVersion, key.tokenVersion)));
}

/** Stores a token given by hand in the place of the grant; the connection works again. */
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

/** Sets whether new items are protected by themselves. Switching it on asks for a look at once. */
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

/** Claims connections whose look for new items is due; each is claimed by one caller only. */
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
