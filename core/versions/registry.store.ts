import { and, eq, sql } from "drizzle-orm";
import { failedConstraint } from "#core/database/failed-constraint.ts";
import {
  companion,
  manifest,
  manifestObject,
  numberOf,
  snapshot,
  vaultObject,
} from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { hashBytes, sameHash, shortBytes, shortened, shortHash } from "#core/database/short-hash.ts";
import { statement } from "#core/database/statements.ts";
import type { Clock } from "#core/kernel/clock.ts";
import {
  type Completeness,
  type ListedManifest,
  type ManifestRef,
  type ObjectRegistry,
  objectKey,
  type StoredObject,
  VaultError,
} from "#core/vault/index.ts";

type SnapshotRow = typeof snapshot.$inferSelect;
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
      await statement(
        ledger,
        `INSERT INTO object_row (id, item, run_id, kind, status, created_at)
         VALUES (?1, (SELECT number FROM numbered_item WHERE item_id = ?2 AND organisation_id = ?6), ?3, ?4, 'reserved', ?5)
         ON CONFLICT (id) DO NOTHING`,
        object.id,
        object.itemId,
        object.runId,
        object.kind,
        clock.now(),
        organisationId,
      )
        .run()
        .catch((error: unknown) => {
          // Without a number, the item is gone or another organisation's.
          if (failedConstraint(error) !== "object_row.item") throw error;
          throw new VaultError("missing", `${object.key} is not wanted`, { cause: error });
        });
    },
    complete: async (object) => {
      const row = await statement(
        ledger,
        `UPDATE object_row SET status = 'stored', size_bytes = ?3, stored_bytes = ?4, hash = ${hashBytes("?5")}, crc32 = ?6
         WHERE id = ?1 AND ${IS_OF("?2")} AND status <> 'deleting' RETURNING id`,
        object.id,
        organisationId,
        object.sizeBytes,
        object.storedBytes,
        object.hash,
        object.crc32,
      ).first();
      // The item was deleted meanwhile; bytes without a row must not stay behind.
      if (!row) throw new VaultError("missing", `${object.key} is no longer wanted`);
    },
    findStream: async (itemId, hash, runId) => {
      const row = await statement(
        ledger,
        `UPDATE object_row SET marked_at = NULL, run_id = ?4
         WHERE item = ${numberOf("?2")} AND kind = 'stream' AND ${shortBytes("hash")} = ${shortBytes(hashBytes("?3"))}
           AND hash = ${hashBytes("?3")} AND status = 'stored' AND ${IS_OF("?1")}
           AND ${IS_TRUSTED("?2")}
         RETURNING id, kind, size_bytes AS sizeBytes, stored_bytes AS storedBytes, crc32`,
        organisationId,
        itemId,
        hash,
        runId,
      ).first<Omit<StoredObject, "key" | "hash">>();
      return row && { ...row, hash, key: objectKey({ organisationId, itemId }, row.id) };
    },
    discard: async (ids) => {
      await statement(
        ledger,
        `DELETE FROM object_row WHERE id IN (SELECT value FROM json_each(?1)) AND ${IS_OF("?2")}`,
        JSON.stringify(ids),
        organisationId,
      ).run();
    },
  };
}

/** SQL: a row of `object_row` belongs to the organisation. */
const IS_OF = (organisationId: string) =>
  `(SELECT organisation_id FROM numbered_item WHERE number = object_row.item) = ${organisationId}`;

/** SQL: no version that needs the object has failed its check. Objects of one that has are fetched again, never adopted. */
const IS_TRUSTED = (itemId: string) => `NOT EXISTS (SELECT 1 FROM snapshot
  CROSS JOIN manifest_row ON manifest_row.item = object_row.item AND ${sameHash("manifest_row.id", "snapshot.manifest_id")}
  CROSS JOIN span_row needs ON needs.item = object_row.item AND needs.object_id = object_row.id
    AND manifest_row.seq BETWEEN needs.from_seq AND coalesce(needs.to_seq, manifest_row.seq)
  WHERE snapshot.item_id = ${itemId} AND snapshot.verify_state = 'failed')`;

/** Returns a stored object of the organisation, or null. */
export async function findObject(
  ledger: LedgerDatabase,
  organisationId: string,
  objectId: string,
): Promise<StoredObject | null> {
  const [row] = await objectRows(ledger, organisationId, objectId);
  return row ? toStored(row) : null;
}

/**
 * `findObject` for a few objects in one round trip, in their order. One statement for all of them would read more rows:
 * D1 counts those of a list, too.
 */
export async function findObjects(
  ledger: LedgerDatabase,
  organisationId: string,
  objectIds: readonly string[],
): Promise<(StoredObject | null)[]> {
  const [first, ...others] = objectIds.map((id) => objectRows(ledger, organisationId, id));
  if (!first) return [];
  return (await ledger.batch([first, ...others])).map(([row]) => (row ? toStored(row) : null));
}

function objectRows(ledger: LedgerDatabase, organisationId: string, objectId: string) {
  return ledger
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
}

/** Returns the object that holds a companion of another object, or null. */
export async function findCompanionObject(
  ledger: LedgerDatabase,
  organisationId: string,
  source: { objectId: string; name: string },
): Promise<StoredObject | null> {
  const objectId = ledger
    .select({ id: companion.objectId })
    .from(companion)
    .where(and(eq(companion.sourceObjectId, source.objectId), eq(companion.name, source.name)));
  const rows = await ledger
    .select()
    .from(vaultObject)
    .where(
      and(
        sql`${vaultObject.id} = (${objectId})`,
        eq(vaultObject.organisationId, organisationId),
        eq(vaultObject.status, "stored"),
      ),
    )
    .limit(1);
  return rows[0] ? toStored(rows[0]) : null;
}

/** The most companions that are read with a version. Of an item with more, each is asked for. */
const MOST_COMPANIONS = 500;

/** A companion, by the object that it was derived from and its name. */
const companionKey = (sourceObjectId: string, name: string) => `${sourceObjectId} ${name}`;

/** The companions of an item's objects. */
export type KnownCompanions = {
  /** Null when the object has no such companion; undefined when this list does not cover the object. */
  find: (objectId: string, name: string) => StoredObject | null | undefined;
};

/**
 * Returns a version with its manifest and companions in one round trip, or null when it does not exist.
 *
 * @param isBefore True = the version of the same item that was taken before that one.
 */
export async function findWholeVersion(
  ledger: LedgerDatabase,
  organisationId: string,
  snapshotId: string,
  isBefore = false,
): Promise<{ snapshot: SnapshotRow; manifest: FoundManifest | null; companions: KnownCompanions } | null> {
  const meant = isBefore
    ? sql`(SELECT older.id FROM snapshot newer JOIN snapshot older ON older.item_id = newer.item_id
        AND older.taken_at < newer.taken_at WHERE newer.id = ${snapshotId} AND newer.organisation_id = ${organisationId}
        ORDER BY older.taken_at DESC LIMIT 1)`
    : sql`${snapshotId}`;
  const isMeant = and(sql`${snapshot.id} = ${meant}`, eq(snapshot.organisationId, organisationId));
  const item = ledger.select({ id: snapshot.itemId }).from(snapshot).where(isMeant);
  const root = ledger.select({ id: snapshot.manifestId }).from(snapshot).where(isMeant);
  const start = ledger
    .select({ id: sql.raw(shortHash("manifest_id")) })
    .from(snapshot)
    .where(isMeant);
  const [snapshots, rows, companions, objects] = await ledger.batch([
    ledger.select().from(snapshot).where(isMeant).limit(1),
    ledger
      .select()
      .from(manifest)
      .where(
        and(
          sql`${manifest.itemId} = (${item})`,
          sql`${SHORT_ID} = (${start})`,
          sql`${manifest.id} = (${root})`,
          eq(manifest.organisationId, organisationId),
        ),
      )
      .limit(1),
    ledger
      .select()
      .from(companion)
      .where(sql`${companion.itemId} = (${item})`)
      .limit(MOST_COMPANIONS + 1),
    ledger
      .select()
      .from(vaultObject)
      .where(
        and(
          eq(vaultObject.organisationId, organisationId),
          eq(vaultObject.status, "stored"),
          sql`${vaultObject.id} IN (SELECT derived.object_id FROM companion derived
            WHERE derived.item_id = (${item}) LIMIT ${MOST_COMPANIONS})`,
        ),
      ),
  ]);
  if (!snapshots[0]) return null;
  const stored = new Map(objects.map((row) => [row.id, toStored(row)]));
  const known = new Map(
    companions.map((row) => [companionKey(row.sourceObjectId, row.name), stored.get(row.objectId) ?? null]),
  );
  const isWhole = companions.length <= MOST_COMPANIONS;
  const find: KnownCompanions["find"] = (objectId, name) =>
    isWhole ? (known.get(companionKey(objectId, name)) ?? null) : undefined;
  return { snapshot: snapshots[0], manifest: toFound(rows[0]), companions: { find } };
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

/** A manifest's location in the vault and what it could not include. */
export type FoundManifest = { ref: ManifestRef; completeness: Completeness };

/** Names a manifest of an item. */
type ManifestKey = { itemId: string; manifestId: string };

/** Returns a manifest's location in the vault, or null. */
export async function findManifest(
  ledger: LedgerDatabase,
  organisationId: string,
  key: ManifestKey,
): Promise<FoundManifest | null> {
  return toFound((await manifestRows(ledger, organisationId, key))[0]);
}

/** Returns a manifest with the objects it needs, or null. For checks: readers of entries do not need the list. */
export async function findListedManifest(
  ledger: LedgerDatabase,
  organisationId: string,
  key: ManifestKey,
): Promise<ListedManifest | null> {
  const part = sql`(row_number() OVER (ORDER BY ${manifestObject.objectId}) - 1) / ${IDS_PER_ROW}`;
  const needed = ledger
    .select({ id: manifestObject.objectId, part: part.as("part") })
    .from(manifestObject)
    .where(and(eq(manifestObject.itemId, key.itemId), eq(manifestObject.manifestId, key.manifestId)))
    .as("needed");
  const [rows, lists] = await ledger.batch([
    manifestRows(ledger, organisationId, key),
    ledger
      .select({ ids: sql<string>`json_group_array(${needed.id})` })
      .from(needed)
      .groupBy(sql`${needed.part}`),
  ]);
  const found = toFound(rows[0]);
  return found && { ...found.ref, objects: lists.flatMap(({ ids }) => JSON.parse(ids) as string[]) };
}

/** Ids per row of a list: half a megabyte, and D1 allows two. */
const IDS_PER_ROW = 15_000;

/** The start of a manifest's id, by which it is found. */
const SHORT_ID = sql.raw(shortHash('"manifest"."id"'));

function manifestRows(ledger: LedgerDatabase, organisationId: string, { itemId, manifestId }: ManifestKey) {
  return ledger
    .select()
    .from(manifest)
    .where(
      and(
        eq(manifest.itemId, itemId),
        eq(SHORT_ID, shortened(manifestId)),
        eq(manifest.id, manifestId),
        eq(manifest.organisationId, organisationId),
      ),
    )
    .limit(1);
}

function toFound(row: typeof manifest.$inferSelect | undefined): FoundManifest | null {
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
    },
    completeness: row.completeness as Completeness,
  };
}
