import { and, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type ConsentKey, isUsable } from "#core/database/consents.ts";
import { storage, storageAuthorisation } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";

export type StorageRow = typeof storage.$inferSelect;
export type StorageAuthorisationRow = typeof storageAuthorisation.$inferSelect;

/** Returns the organisation's storage, or null. */
export async function findStorageRow(
  control: ControlDatabase,
  organisationId: string,
): Promise<StorageRow | null> {
  return (
    (await control.select().from(storage).where(eq(storage.organisationId, organisationId)).limit(1))[0] ??
    null
  );
}

/** Returns storages of any organisation by id. For scheduled work, which acts for no member. */
export async function listStorageRows(
  control: ControlDatabase,
  ids: readonly string[],
): Promise<StorageRow[]> {
  if (ids.length === 0) return [];
  return control
    .select()
    .from(storage)
    .where(sql`${storage.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

/** SQL that is true when the organisation has exactly this storage, for the audit entry in the same batch. */
export const isConnected = (key: { organisationId: string; id: string; tokenVersion: number }) =>
  sql`EXISTS (SELECT 1 FROM storage WHERE organisation_id = ${key.organisationId} AND id = ${key.id} AND token_version = ${key.tokenVersion})`;

/** SQL that is true when the organisation has no storage. */
export const isDisconnected = (organisationId: string) =>
  sql`NOT EXISTS (SELECT 1 FROM storage WHERE organisation_id = ${organisationId})`;

export type NewStorage = Pick<
  StorageRow,
  | "organisationId"
  | "id"
  | "kind"
  | "externalId"
  | "name"
  | "sealedAccessToken"
  | "accessTokenExpiresAt"
  | "sealedRefreshToken"
  | "sealedKeys"
  | "details"
  | "platforms"
  | "connectedBy"
  | "connectedAt"
>;

/**
 * Connects a storage if there is none, or renews the existing one if it is the same. The organisation is the key of the
 * row, so of two storages at the same moment one wins.
 *
 * @returns Null when another storage is connected.
 */
export async function saveStorage(
  control: ControlDatabase,
  row: NewStorage,
  alongside: BatchItem<"sqlite">,
): Promise<StorageRow | null> {
  const { sealedAccessToken, accessTokenExpiresAt, sealedRefreshToken, sealedKeys, details, name } = row;
  const [rows] = await control.batch([
    control
      .insert(storage)
      .values({ ...row, status: "active", tokenVersion: 1 })
      .onConflictDoUpdate({
        target: storage.organisationId,
        set: {
          name,
          sealedAccessToken,
          accessTokenExpiresAt,
          sealedRefreshToken,
          sealedKeys,
          details,
          status: "active",
          tokenVersion: sql`${storage.tokenVersion} + 1`,
          trouble: null,
          troubleText: null,
          troubleAt: null,
        },
        setWhere: and(eq(storage.kind, row.kind), eq(storage.externalId, row.externalId)),
      })
      .returning(),
    alongside,
  ]);
  return rows[0] ?? null;
}

/** Stores renewed tokens before they are used. A slower renewal of an older version changes nothing. */
export async function saveStorageTokens(
  control: ControlDatabase,
  key: Pick<StorageRow, "id" | "tokenVersion">,
  tokens: Pick<StorageRow, "sealedAccessToken" | "accessTokenExpiresAt" | "sealedRefreshToken">,
): Promise<void> {
  await control
    .update(storage)
    .set({ ...tokens, tokenVersion: key.tokenVersion + 1, status: "active" })
    .where(and(eq(storage.id, key.id), eq(storage.tokenVersion, key.tokenVersion)));
}

/**
 * Records why copies fail, if the tokens have not changed meanwhile.
 * @returns False when it was already recorded, or the storage was reconnected meanwhile.
 */
export async function saveTrouble(
  control: ControlDatabase,
  key: Pick<StorageRow, "id" | "tokenVersion">,
  trouble: { kind: NonNullable<StorageRow["trouble"]>; text: string; now: number },
): Promise<boolean> {
  const rows = await control
    .update(storage)
    .set({
      trouble: trouble.kind,
      troubleText: trouble.text,
      troubleAt: sql`CASE WHEN ${storage.trouble} = ${trouble.kind} THEN ${storage.troubleAt} ELSE ${trouble.now} END`,
      ...(trouble.kind === "unauthorized" ? { status: "revoked" as const } : {}),
    })
    .where(
      and(
        eq(storage.id, key.id),
        eq(storage.tokenVersion, key.tokenVersion),
        sql`(${storage.trouble} IS NULL OR ${storage.trouble} <> ${trouble.kind})`,
      ),
    )
    .returning({ id: storage.id });
  return rows.length > 0;
}

/** Clears the trouble after a copy has succeeded. */
export async function clearTrouble(control: ControlDatabase, id: string): Promise<void> {
  await control
    .update(storage)
    .set({ trouble: null, troubleText: null, troubleAt: null })
    .where(and(eq(storage.id, id), eq(storage.status, "active")));
}

/** Sets the copied platforms, if the list is unchanged since it was read. */
export async function savePlatforms(
  control: ControlDatabase,
  change: { id: string; from: readonly string[]; to: readonly string[] },
): Promise<boolean> {
  const rows = await control
    .update(storage)
    .set({ platforms: [...change.to] })
    .where(and(eq(storage.id, change.id), sql`${storage.platforms} = ${JSON.stringify(change.from)}`))
    .returning({ id: storage.id });
  return rows.length > 0;
}

/** Deletes a storage together with another statement. */
export async function deleteStorage(
  control: ControlDatabase,
  key: { organisationId: string; id: string },
  alongside: BatchItem<"sqlite">,
): Promise<boolean> {
  const [rows] = await control.batch([
    control
      .delete(storage)
      .where(and(eq(storage.organisationId, key.organisationId), eq(storage.id, key.id)))
      .returning({ id: storage.id }),
    alongside,
  ]);
  return rows.length > 0;
}

/** Stores a started consent and deletes expired ones. */
export async function insertStorageAuthorisation(
  control: ControlDatabase,
  row: Omit<StorageAuthorisationRow, "usedAt">,
  now: number,
): Promise<void> {
  await control.batch([
    control.delete(storageAuthorisation).where(sql`${storageAuthorisation.expiresAt} < ${now}`),
    control.insert(storageAuthorisation).values({ ...row, usedAt: null }),
  ]);
}

/** Consumes a consent. It works once, before it expires, for the person who started it. */
export async function takeStorageAuthorisation(
  control: ControlDatabase,
  key: ConsentKey & { kind: string },
): Promise<StorageAuthorisationRow | null> {
  const rows = await control
    .update(storageAuthorisation)
    .set({ usedAt: key.now })
    .where(and(isUsable(storageAuthorisation, key), eq(storageAuthorisation.kind, key.kind)))
    .returning();
  return rows[0] ?? null;
}
