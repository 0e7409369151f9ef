import { and, asc, desc, eq, gt, lte, sql } from "drizzle-orm";
import { manifest, snapshot } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { sameHash } from "#core/database/short-hash.ts";
import type { ManifestRef } from "#core/vault/index.ts";

/** A version of an item with the place of its manifest. */
export type NearbyVersion = { snapshotId: string; takenAt: number; manifest: ManifestRef };

const IS_ITS_MANIFEST = sql.raw(sameHash("snapshot.manifest_id", "manifest.id"));

/** What names a manifest. */
const ROOT = {
  id: manifest.id,
  rootObject: manifest.rootObject,
  rootOffset: manifest.rootOffset,
  rootLength: manifest.rootLength,
  rootMethod: manifest.rootMethod,
  rootHash: manifest.rootHash,
  entryCount: manifest.entryCount,
  sizeBytes: manifest.sizeBytes,
};

/**
 * Lists versions of an item in one round trip: those up to a time, newest first, and those after it, oldest first.
 */
export async function listNearbyVersions(
  ledger: LedgerDatabase,
  organisationId: string,
  order: { itemId: string; takenAt: number; most: { older: number; newer: number } },
): Promise<{ older: NearbyVersion[]; newer: NearbyVersion[] }> {
  const { itemId, takenAt, most } = order;
  const isOwn = and(eq(snapshot.itemId, itemId), eq(snapshot.organisationId, organisationId));
  const rows = () =>
    ledger
      // D1 returns a batch's rows by column name, so the two ids need different names.
      .select({
        manifest: ROOT,
        snapshotId: sql<string>`${snapshot.id}`.as("snapshot_id"),
        takenAt: snapshot.takenAt,
      })
      .from(snapshot)
      .innerJoin(manifest, and(eq(manifest.itemId, snapshot.itemId), IS_ITS_MANIFEST));
  const [older, newer] = await ledger.batch([
    rows()
      .where(and(isOwn, lte(snapshot.takenAt, takenAt)))
      .orderBy(desc(snapshot.takenAt))
      .limit(most.older),
    rows()
      .where(and(isOwn, gt(snapshot.takenAt, takenAt)))
      .orderBy(asc(snapshot.takenAt))
      .limit(most.newer),
  ]);
  return { older: older.map(toNearby), newer: newer.map(toNearby) };
}

type Row = {
  snapshotId: string;
  takenAt: number;
  manifest: Pick<typeof manifest.$inferSelect, keyof typeof ROOT>;
};

function toNearby({ snapshotId, takenAt, manifest: row }: Row): NearbyVersion {
  const root = {
    object: row.rootObject,
    offset: row.rootOffset,
    length: row.rootLength,
    method: row.rootMethod === 8 ? (8 as const) : (0 as const),
    hash: row.rootHash,
  };
  const { id, entryCount, sizeBytes } = row;
  return { snapshotId, takenAt, manifest: { id, root, entryCount, sizeBytes } };
}
