import { and, eq, ne, sql } from "drizzle-orm";
import { companion, manifest, manifestObject, vaultObject } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { Clock } from "#core/kernel/clock.ts";
import {
  type Completeness,
  type ManifestRef,
  type ObjectRegistry,
  type StoredObject,
  VaultError,
} from "#core/vault/index.ts";

type ObjectRow = typeof vaultObject.$inferSelect;

const toStored = (row: ObjectRow): StoredObject => ({
  id: row.id,
  kind: row.kind,
  key: row.key,
  sizeBytes: row.sizeBytes,
  storedBytes: row.storedBytes,
  hash: row.hash ?? "",
  crc32: row.crc32,
});

/**
 * The ledger as the vault's object registry. A row is reserved before the first byte is uploaded, so `prune` finds what
 * a crashed run leaves behind without listing buckets.
 */
export function objectRegistry(
  ledger: LedgerDatabase,
  { organisationId, clock }: { organisationId: string; clock: Clock },
): ObjectRegistry {
  return {
    reserve: async (object) => {
      await commitTogether(ledger, [
        statement(
          ledger,
          `INSERT INTO object (id, organisation_id, item_id, run_id, kind, key, status, created_at)
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'reserved', ?7) ON CONFLICT (id) DO NOTHING`,
          object.id,
          organisationId,
          object.itemId,
          object.runId,
          object.kind,
          object.key,
          clock.now(),
        ),
      ]);
    },
    complete: async (object) => {
      const rows = await ledger
        .update(vaultObject)
        .set({
          status: "stored",
          sizeBytes: object.sizeBytes,
          storedBytes: object.storedBytes,
          hash: object.hash,
          crc32: object.crc32,
        })
        .where(
          and(
            eq(vaultObject.id, object.id),
            eq(vaultObject.organisationId, organisationId),
            ne(vaultObject.status, "deleting"),
          ),
        )
        .returning({ id: vaultObject.id });
      // The item was deleted meanwhile; bytes without a row must not stay behind.
      if (rows.length === 0) throw new VaultError("missing", `${object.key} is no longer wanted`);
    },
    findStream: async (itemId, hash, runId) => {
      const rows = await ledger
        .update(vaultObject)
        .set({ markedAt: null, runId })
        .where(
          and(
            eq(vaultObject.organisationId, organisationId),
            eq(vaultObject.itemId, itemId),
            eq(vaultObject.kind, "stream"),
            eq(vaultObject.hash, hash),
            eq(vaultObject.status, "stored"),
            // Objects of a version that failed its check are fetched again, never adopted.
            sql`NOT EXISTS (SELECT 1 FROM manifest_object needs JOIN snapshot ON snapshot.item_id = needs.item_id
              AND snapshot.manifest_id = needs.manifest_id
              WHERE needs.object_id = ${vaultObject.id} AND snapshot.verify_state = 'failed')`,
          ),
        )
        .returning();
      return rows[0] ? toStored(rows[0]) : null;
    },
    discard: async (ids) => {
      const isOne = sql`${vaultObject.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
      await ledger.delete(vaultObject).where(and(isOne, eq(vaultObject.organisationId, organisationId)));
    },
  };
}

/** Returns a stored object of the organisation, or null. */
export async function findObject(
  ledger: LedgerDatabase,
  organisationId: string,
  objectId: string,
): Promise<StoredObject | null> {
  const rows = await ledger
    .select()
    .from(vaultObject)
    .where(
      and(
        eq(vaultObject.id, objectId),
        eq(vaultObject.organisationId, organisationId),
        eq(vaultObject.status, "stored"),
      ),
    )
    .limit(1);
  return rows[0] ? toStored(rows[0]) : null;
}

/** Returns the object that holds a companion of another object, or null. */
export async function findCompanionObject(
  ledger: LedgerDatabase,
  organisationId: string,
  source: { objectId: string; name: string },
): Promise<StoredObject | null> {
  const rows = await ledger
    .select({ object: vaultObject })
    .from(companion)
    .innerJoin(vaultObject, eq(vaultObject.id, companion.objectId))
    .where(
      and(
        eq(companion.sourceObjectId, source.objectId),
        eq(companion.name, source.name),
        eq(vaultObject.organisationId, organisationId),
        eq(vaultObject.status, "stored"),
      ),
    )
    .limit(1);
  return rows[0] ? toStored(rows[0].object) : null;
}

/** Records a companion. Recording the same one again changes nothing. */
export async function recordCompanion(
  ledger: LedgerDatabase,
  row: { sourceObjectId: string; name: string; objectId: string; itemId: string; now: number },
): Promise<void> {
  await ledger
    .insert(companion)
    .values({
      sourceObjectId: row.sourceObjectId,
      name: row.name,
      objectId: row.objectId,
      itemId: row.itemId,
      createdAt: row.now,
    })
    .onConflictDoNothing();
}

/** Returns a manifest's location in the vault and the objects it needs, or null. */
export async function findManifest(
  ledger: LedgerDatabase,
  organisationId: string,
  key: { itemId: string; manifestId: string },
): Promise<{ ref: ManifestRef; completeness: Completeness } | null> {
  const isNeeded = and(eq(manifestObject.itemId, key.itemId), eq(manifestObject.manifestId, key.manifestId));
  // Two rows, because the object list of a large version fills a row alone.
  const [rows, lists] = await ledger.batch([
    ledger
      .select()
      .from(manifest)
      .where(
        and(
          eq(manifest.itemId, key.itemId),
          eq(manifest.id, key.manifestId),
          eq(manifest.organisationId, organisationId),
        ),
      )
      .limit(1),
    ledger
      .select({ ids: sql<string>`json_group_array(${manifestObject.objectId})` })
      .from(manifestObject)
      .where(isNeeded),
  ]);
  const row = rows[0];
  if (!row) return null;
  return {
    ref: {
      id: row.id,
      root: {
        object: row.rootObject,
        offset: row.rootOffset,
        length: row.rootLength,
        method: row.rootMethod === 8 ? 8 : 0,
        hash: row.rootHash,
      },
      entryCount: row.entryCount,
      sizeBytes: row.sizeBytes,
      objects: JSON.parse(lists[0]?.ids ?? "[]") as string[],
    },
    completeness: row.completeness as Completeness,
  };
}
