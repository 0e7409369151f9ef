import { and, asc, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { connection } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { Region } from "#core/kernel/platform-id.ts";

export type ConnectionRow = typeof connection.$inferSelect;

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

export type NewConnection = {
  id: string;
  organisationId: string;
  platform: string;
  region: Region;
  externalId: string;
  name: string;
  /** The platform's own type. */
  accountType: string;
  sealedAccessToken: string;
  accessTokenExpiresAt: number | null;
  sealedRefreshToken: string | null;
  details: Json;
  isAutoAdd: boolean;
  /** False = connected by name and not confirmed by code yet. */
  isConfirmed: boolean;
  /** The account whose grant is used, if it is another one. */
  grantName: string | null;
  /** Set for tokens that several connections share; null = only this connection uses them. */
  grantId: string | null;
  /** The first version of the tokens: the same for all connections that share them. */
  tokenVersion: number;
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
  const { name, sealedAccessToken, accessTokenExpiresAt, sealedRefreshToken } = row;
  const { details, grantName, grantId, tokenVersion, now, ...values } = row;
  const [rows] = await control.batch([
    control
      .insert(connection)
      .values({ ...values, details, grantName, grantId, status: "active", tokenVersion, createdAt: now })
      .onConflictDoUpdate({
        target: [connection.organisationId, connection.platform, connection.externalId],
        set: {
          name,
          sealedAccessToken,
          accessTokenExpiresAt,
          sealedRefreshToken,
          details,
          grantName,
          grantId,
          status: "active",
          lostReason: null,
          isConfirmed: sql`max(${connection.isConfirmed}, ${Number(row.isConfirmed)})`,
          tokenVersion: sql`max(${connection.tokenVersion} + 1, ${tokenVersion})`,
        },
      })
      .returning(),
    alongside,
  ]);
  return rows[0]!;
}

/** One version of the tokens, of one connection or of all that share them. */
export type TokenVersion = Pick<ConnectionRow, "id" | "organisationId" | "grantId" | "tokenVersion">;

function ofVersion({ id, organisationId, grantId, tokenVersion }: TokenVersion) {
  return and(
    eq(connection.organisationId, organisationId),
    grantId === null ? eq(connection.id, id) : eq(connection.grantId, grantId),
    eq(connection.tokenVersion, tokenVersion),
  );
}

/** The connections that use these tokens. */
export async function listSharing(
  control: ControlDatabase,
  version: TokenVersion,
): Promise<Pick<ConnectionRow, "id" | "platform" | "externalId">[]> {
  return control
    .select({ id: connection.id, platform: connection.platform, externalId: connection.externalId })
    .from(connection)
    .where(ofVersion(version));
}

/**
 * Stores renewed tokens before they are used, sealed for each connection. A slower renewal of an older version changes
 * nothing.
 */
export async function saveRenewedTokens(
  control: ControlDatabase,
  version: TokenVersion,
  renewed: readonly { id: string; sealedAccessToken: string; sealedRefreshToken: string | null }[],
  accessTokenExpiresAt: number | null,
): Promise<void> {
  const [first, ...others] = renewed.map(({ id, ...sealed }) =>
    control
      .update(connection)
      .set({
        ...sealed,
        accessTokenExpiresAt,
        tokenVersion: version.tokenVersion + 1,
        status: "active",
        lostReason: null,
      })
      .where(and(eq(connection.id, id), ofVersion(version))),
  );
  if (first) await control.batch([first, ...others]);
}

/** Records that the provider rejects this version of the tokens, or that its app was removed. */
export async function markRevoked(
  control: ControlDatabase,
  version: TokenVersion,
  lostReason: "token" | "app" = "token",
): Promise<void> {
  await control.update(connection).set({ status: "revoked", lostReason }).where(ofVersion(version));
}

/** Stores a token entered by hand in place of the grant; the connection works again. */
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
    .set({
      ...token,
      grantId: null,
      status: "active",
      lostReason: null,
      tokenVersion: sql`${connection.tokenVersion} + 1`,
    })
    .where(and(eq(connection.id, key.connectionId), eq(connection.organisationId, key.organisationId)));
}

/** Sets whether new items are protected automatically. Turning it on schedules a check for new items at once. */
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

/** Claims connections that are due to look for new items; exactly one caller claims each. */
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
