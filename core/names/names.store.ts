import type { nameIndex } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { hashText } from "#core/database/short-hash.ts";
import { statement } from "#core/database/statements.ts";
import { RUN_IS_MINE } from "#core/runs/index.ts";

/** A version's index of names, and the object that holds it; null = it has no names. */
export type NameIndex = Omit<typeof nameIndex.$inferSelect, "itemId" | "organisationId">;

/** The index that an item has, with the hash of its bytes; null = none, or its bytes are gone. */
export async function findNameIndex(
  ledger: LedgerDatabase,
  { organisationId, itemId }: { organisationId: string; itemId: string },
): Promise<(NameIndex & { hash: string | null }) | null> {
  const row = await statement(
    ledger,
    `SELECT named.manifest_id AS manifestId, named.taken_at AS takenAt, named.object_id AS objectId,
       named.name_count AS nameCount, named.is_cut AS isCut, ${hashText("stored.hash")} AS hash
     FROM name_index named LEFT JOIN object_row stored ON stored.id = named.object_id AND stored.status = 'stored'
     WHERE named.item_id = ?1 AND named.organisation_id = ?2
       AND (named.object_id IS NULL OR stored.id IS NOT NULL)`,
    itemId,
    organisationId,
  ).first<Omit<NameIndex, "isCut"> & { isCut: number; hash: string | null }>();
  return row && { ...row, isCut: row.isCut === 1 };
}

/**
 * Statement that makes this the index of an item, for the run that checks its version. An index of a newer version stays,
 * unless that version is gone.
 */
export function recordNameIndex(
  ledger: LedgerDatabase,
  hold: { runId: string; epoch: number },
  { organisationId, itemId, ...index }: NameIndex & { organisationId: string; itemId: string },
): D1PreparedStatement {
  return statement(
    ledger,
    `INSERT INTO name_index (item_id, organisation_id, manifest_id, taken_at, object_id, name_count, is_cut)
     SELECT ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE ${RUN_IS_MINE("?1", "?2")}
     ON CONFLICT (item_id) DO UPDATE SET manifest_id = excluded.manifest_id, taken_at = excluded.taken_at,
       object_id = excluded.object_id, name_count = excluded.name_count, is_cut = excluded.is_cut
     WHERE excluded.taken_at >= name_index.taken_at OR NOT EXISTS (SELECT 1 FROM snapshot
       WHERE snapshot.item_id = name_index.item_id AND snapshot.manifest_id = name_index.manifest_id)`,
    hold.runId,
    hold.epoch,
    itemId,
    organisationId,
    index.manifestId,
    index.takenAt,
    index.objectId,
    index.nameCount,
    index.isCut,
  );
}

/** A position in the order of a search: versions from the newest to the oldest. */
export type SearchMark = { takenAt: number; itemId: string };

/** The items that a search may look into. */
type SearchedItems = { organisationId: string; connectionIds: readonly string[] };

/** An item to search, with the newest version that has the names of its index. */
export type IndexedItem = {
  itemId: string;
  platform: string;
  name: string;
  fullName: string;
  snapshotId: string;
  takenAt: number;
  objectId: string;
  sizeBytes: number;
  hash: string | null;
  nameCount: number;
  isCut: boolean;
};

/** SQL: the newest version with the manifest of an index that has not failed a check. */
const VERSION = `SELECT snapshot.id FROM snapshot WHERE snapshot.item_id = named.item_id
  AND snapshot.manifest_id = named.manifest_id AND snapshot.verify_state <> 'failed'
  ORDER BY snapshot.taken_at DESC LIMIT 1`;

/** Lists items whose indexes have names, the newest version first, after a mark. */
export async function listIndexedItems(
  ledger: LedgerDatabase,
  { organisationId, connectionIds }: SearchedItems,
  { after, limit }: { after: SearchMark | null; limit: number },
): Promise<IndexedItem[]> {
  const { results } = await statement(
    ledger,
    `SELECT named.item_id AS itemId, item.platform, item.name, item.full_name AS fullName,
       named.taken_at AS takenAt, object.id AS objectId, object.size_bytes AS sizeBytes, object.hash,
       named.name_count AS nameCount, named.is_cut AS isCut, (${VERSION}) AS snapshotId
     FROM name_index named INDEXED BY name_index_newest
     CROSS JOIN item ON item.id = named.item_id AND item.organisation_id = ?1
       AND item.connection_id IN (SELECT value FROM json_each(?2))
     CROSS JOIN object ON object.id = named.object_id AND object.organisation_id = ?1 AND object.status = 'stored'
     WHERE named.organisation_id = ?1 AND (named.taken_at, named.item_id) < (?3, ?4) AND (${VERSION}) IS NOT NULL
     ORDER BY named.taken_at DESC, named.item_id DESC LIMIT ?5`,
    organisationId,
    JSON.stringify(connectionIds),
    after?.takenAt ?? Number.MAX_SAFE_INTEGER,
    after?.itemId ?? "",
    limit,
  ).all<Omit<IndexedItem, "isCut"> & { isCut: number }>();
  return results.map((row) => ({ ...row, isCut: row.isCut === 1 }));
}

/** Counts the items with versions that have no index of a version that is still there. */
export async function countUnindexedItems(
  ledger: LedgerDatabase,
  { organisationId, connectionIds }: SearchedItems,
): Promise<number> {
  const row = await statement(
    ledger,
    `SELECT count(*) AS count FROM item WHERE organisation_id = ?1
       AND connection_id IN (SELECT value FROM json_each(?2)) AND last_snapshot_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM name_index named
         WHERE named.item_id = item.id AND named.organisation_id = ?1 AND (${VERSION}) IS NOT NULL)`,
    organisationId,
    JSON.stringify(connectionIds),
  ).first<{ count: number }>();
  return row?.count ?? 0;
}
