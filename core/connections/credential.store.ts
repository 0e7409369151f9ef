import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { connection, credential } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

export type CredentialRow = typeof credential.$inferSelect;

/** Sealed tokens of one method. */
export type NewCredential = Pick<
  CredentialRow,
  "authMethod" | "sealedAccessToken" | "accessTokenExpiresAt" | "sealedRefreshToken"
> & {
  /** Set for tokens that several connections share; null = only this connection uses them. */
  grantId: string | null;
  /** The first version of the tokens: the same for all connections that share them. */
  tokenVersion: number;
};

/** One version of the tokens, of one connection or of all that share them. */
export type TokenVersion = Pick<
  CredentialRow,
  "connectionId" | "authMethod" | "organisationId" | "grantId" | "tokenVersion"
>;

/** The credentials of a connection. */
export async function listCredentials(
  control: ControlDatabase,
  { organisationId, id }: { organisationId: string; id: string },
): Promise<CredentialRow[]> {
  return control
    .select()
    .from(credential)
    .where(and(eq(credential.connectionId, id), eq(credential.organisationId, organisationId)));
}

/** One credential of a connection, or null. */
export async function findCredential(
  control: ControlDatabase,
  { organisationId, id, authMethod }: { organisationId: string; id: string; authMethod: string },
): Promise<CredentialRow | null> {
  const [row] = await control
    .select()
    .from(credential)
    .where(
      and(
        eq(credential.connectionId, id),
        eq(credential.authMethod, authMethod),
        eq(credential.organisationId, organisationId),
      ),
    );
  return row ?? null;
}

/** The credentials of every connection of an account, of all organisations: for what the platform itself reports. */
export async function listCredentialsOfAccount(
  control: ControlDatabase,
  { platform, externalId }: { platform: string; externalId: string },
): Promise<
  Pick<CredentialRow, "organisationId" | "connectionId" | "authMethod" | "status" | "tokenVersion">[]
> {
  const { organisationId, connectionId, authMethod, status, tokenVersion } = credential;
  return control
    .select({ organisationId, connectionId, authMethod, status, tokenVersion })
    .from(connection)
    .innerJoin(credential, eq(credential.connectionId, connection.id))
    .where(and(eq(connection.platform, platform), eq(connection.externalId, externalId)));
}

/** Stores a newer token of a credential that exists, which works again with it, as does its connection. */
export async function saveBroughtToken(
  control: ControlDatabase,
  brought: Pick<
    CredentialRow,
    "organisationId" | "connectionId" | "authMethod" | "sealedAccessToken" | "accessTokenExpiresAt"
  >,
): Promise<void> {
  const { organisationId, connectionId, authMethod, sealedAccessToken, accessTokenExpiresAt } = brought;
  const which = and(
    eq(credential.organisationId, organisationId),
    eq(credential.connectionId, connectionId),
    eq(credential.authMethod, authMethod),
  );
  await control.batch([
    control
      .update(credential)
      .set({
        sealedAccessToken,
        accessTokenExpiresAt,
        status: "active",
        tokenVersion: sql`${credential.tokenVersion} + 1`,
      })
      // Deliveries are repeated and may overtake each other.
      .where(and(which, sql`coalesce(${credential.accessTokenExpiresAt}, 0) <= ${accessTokenExpiresAt}`)),
    control
      .update(connection)
      .set({ status: "active", lostReason: null })
      .where(
        and(
          eq(connection.id, connectionId),
          eq(connection.organisationId, organisationId),
          eq(connection.status, "revoked"),
          sql`EXISTS (SELECT 1 FROM ${credential} WHERE ${credential.connectionId} = ${connection.id}
            AND ${credential.status} = 'active')`,
        ),
      ),
  ]);
}

/** Statement that stores a credential of the connection that `which` selects, or renews the one of its method. */
export function saveCredential(control: ControlDatabase, which: SQL | undefined, granted: NewCredential) {
  const { authMethod, sealedAccessToken, accessTokenExpiresAt, sealedRefreshToken, grantId, tokenVersion } =
    granted;
  return control
    .insert(credential)
    .select(
      sql`select ${connection.id}, ${authMethod}, ${connection.organisationId}, ${sealedAccessToken},
        ${accessTokenExpiresAt}, ${sealedRefreshToken}, ${tokenVersion}, ${grantId}, 'active'
        from ${connection} where ${which}`,
    )
    .onConflictDoUpdate({
      target: [credential.connectionId, credential.authMethod],
      set: {
        sealedAccessToken,
        accessTokenExpiresAt,
        sealedRefreshToken,
        grantId,
        status: "active",
        tokenVersion: sql`max(${credential.tokenVersion} + 1, ${tokenVersion})`,
      },
    });
}

/** The connections that use these tokens. */
export async function listSharing(
  control: ControlDatabase,
  version: TokenVersion,
): Promise<{ id: string; platform: string; externalId: string }[]> {
  return control
    .select({ id: connection.id, platform: connection.platform, externalId: connection.externalId })
    .from(credential)
    .innerJoin(connection, eq(connection.id, credential.connectionId))
    .where(ofVersion(version));
}

/** A connection that is marked as lost. */
export type LostConnection = Pick<
  typeof connection.$inferSelect,
  "id" | "organisationId" | "platform" | "region" | "status"
>;

/**
 * Stores renewed tokens before they are used, sealed for each connection. A slower renewal of an older version changes
 * nothing.
 *
 * @returns the connections that work again with these tokens and are still marked as lost
 */
export async function saveRenewedTokens(
  control: ControlDatabase,
  version: TokenVersion,
  renewed: readonly { id: string; sealedAccessToken: string; sealedRefreshToken: string | null }[],
  accessTokenExpiresAt: number | null,
): Promise<LostConnection[]> {
  const next = { ...version, tokenVersion: version.tokenVersion + 1 };
  const [first, ...others] = renewed.map(({ id, ...sealed }) =>
    control
      .update(credential)
      .set({ ...sealed, accessTokenExpiresAt, tokenVersion: next.tokenVersion, status: "active" })
      .where(and(eq(credential.connectionId, id), ofVersion(version))),
  );
  if (first === undefined) return [];
  const { id, organisationId, platform, region, status } = connection;
  const lost = control
    .select({ id, organisationId, platform, region, status })
    .from(connection)
    .where(and(inArray(id, holdersOf(control, next)), eq(status, "revoked")));
  const results = await control.batch([first, ...others, lost]);
  return results.at(-1) as LostConnection[];
}

/** Marks a connection as working again, if one of its credentials does. */
export async function reviveConnection(
  control: ControlDatabase,
  key: { id: string; organisationId: string },
): Promise<void> {
  await control
    .update(connection)
    .set({ status: "active", lostReason: null })
    .where(
      and(
        eq(connection.id, key.id),
        eq(connection.organisationId, key.organisationId),
        sql`EXISTS (SELECT 1 FROM ${credential} WHERE ${credential.connectionId} = ${connection.id}
          AND ${credential.status} = 'active')`,
      ),
    );
}

/**
 * Records that the provider rejects these versions of the tokens, or that its app was removed. A connection without
 * another credential that works is revoked.
 */
export async function markRevoked(
  control: ControlDatabase,
  versions: readonly TokenVersion[],
  lostReason: "token" | "app" = "token",
): Promise<void> {
  const [first, ...others] = versions.map((version) =>
    control.update(credential).set({ status: "revoked" }).where(ofVersion(version)),
  );
  if (first === undefined) return;
  const revoked = versions.map((version) =>
    control
      .update(connection)
      .set({ status: "revoked", lostReason })
      .where(
        and(
          inArray(connection.id, holdersOf(control, version)),
          sql`NOT EXISTS (SELECT 1 FROM ${credential}
            WHERE ${credential.connectionId} = ${connection.id} AND ${credential.status} = 'active')`,
        ),
      ),
  );
  await control.batch([first, ...others, ...revoked]);
}

/** Stores a credential entered by hand in place of the grant; the connection works again. */
export async function saveGivenCredential(
  control: ControlDatabase,
  key: { organisationId: string; connectionId: string },
  granted: NewCredential,
  grantName: string | null,
): Promise<void> {
  const which = and(eq(connection.id, key.connectionId), eq(connection.organisationId, key.organisationId));
  await control.batch([
    saveCredential(control, which, granted),
    control.update(connection).set({ grantName, status: "active", lostReason: null }).where(which),
  ]);
}

function ofVersion({ connectionId, authMethod, organisationId, grantId, tokenVersion }: TokenVersion) {
  return and(
    eq(credential.organisationId, organisationId),
    eq(credential.authMethod, authMethod),
    grantId === null ? eq(credential.connectionId, connectionId) : eq(credential.grantId, grantId),
    eq(credential.tokenVersion, tokenVersion),
  );
}

const holdersOf = (control: ControlDatabase, version: TokenVersion) =>
  control.select({ id: credential.connectionId }).from(credential).where(ofVersion(version));
