import { and, eq, ne, sql } from "drizzle-orm";
import { companion, manifest, manifestObject, snapshot, vaultObject } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { sameHash, shortened, shortHash } from "#core/database/short-hash.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { Clock } from "#core/kernel/clock.ts";
import {
  type Completeness,
  type ListedManifest,
  type ManifestRef,
  type ObjectRegistry,
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
            eq(sql.raw(shortHash("hash")), shortened(hash)),
            eq(vaultObject.hash, hash),
            eq(vaultObject.status, "stored"),
            // Objects of a version that failed its check are fetched again, never adopted.
            sql`NOT EXISTS (SELECT 1 FROM object_span needs JOIN manifest ON manifest.item_id = needs.item_id
              AND manifest.seq BETWEEN needs.from_seq AND coalesce(needs.to_seq, manifest.seq)
              JOIN snapshot ON snapshot.item_id = manifest.item_id AND ${sql.raw(sameHash("snapshot.manifest_id", "manifest.id"))}
              WHERE needs.item_id = ${itemId} AND needs.object_id = ${vaultObject.id}
                AND snapshot.verify_state = 'failed')`,
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
  const [snapshots, rows, companions, objects] = await ledger.batch([
    ledger.select().from(snapshot).where(isMeant).limit(1),
    ledger
      .select()
      .from(manifest)
      .where(
        and(
          sql`${manifest.itemId} = (${item})`,
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

function manifestRows(ledger: LedgerDatabase, organisationId: string, { itemId, manifestId }: ManifestKey) {
  return ledger
    .select()
    .from(manifest)
    .where(
      and(
        eq(manifest.itemId, itemId),
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
