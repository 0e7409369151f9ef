import { eq } from "drizzle-orm";
import { isHere, sweepPosition } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { sameHash } from "#core/database/short-hash.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { DAY_MS } from "#core/kernel/clock.ts";

/**
 * SQL that is true when nothing needs an object: no manifest (directly, or through a companion of an object that a
 * manifest needs, or because it describes one), no live export, no index of names, and no open run that wrote or
 * adopted it.
 */
const IS_UNREFERENCED = (object: string) => `
  NOT EXISTS (SELECT 1 FROM span_row needs WHERE needs.item = ${object}.item AND needs.object_id = ${object}.id)
  AND NOT EXISTS (SELECT 1 FROM manifest_row root WHERE root.item = ${object}.item AND root.root_object = ${object}.id)
  AND NOT EXISTS (SELECT 1 FROM manifest_row described WHERE described.item = ${object}.item
    AND ${sameHash("described.id", `${object}.manifest_id`)})
  AND NOT EXISTS (SELECT 1 FROM companion CROSS JOIN span_row needs ON needs.item = ${object}.item
      AND needs.object_id = companion.source_object_id
    WHERE companion.object_id = ${object}.id)
  AND NOT EXISTS (SELECT 1 FROM export WHERE export.item_id = ${object}.item_id
    AND export.layout_object_id = ${object}.id AND export.status IN ('pending', 'ready') AND export.revoked_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM name_index WHERE name_index.item_id = ${object}.item_id
    AND name_index.object_id = ${object}.id)
  AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = ${object}.run_id AND run.finished_at IS NULL)`;

/** A range of item ids: after `from`, up to and including `to`. */
export type ItemStretch = { from: string; to: string };

/** Sorts after every id. */
export const END_OF_ITEMS = "\u{10ffff}";

/**
 * Returns the range of the next `items` items that may have objects, after a position. The last range ends at
 * `END_OF_ITEMS`.
 */
export async function stretchBehind(
  ledger: LedgerDatabase,
  from: string,
  items: number,
): Promise<ItemStretch> {
  const [found] = await commitTogether(ledger, [
    statement(
      ledger,
      "SELECT item_id FROM numbered_item WHERE item_id > ?1 ORDER BY item_id LIMIT 1 OFFSET ?2 - 1",
      from,
      items,
    ),
  ]);
  return { from, to: String(found?.results[0]?.item_id ?? END_OF_ITEMS) };
}

/** Returns where an unfinished prune sweep continues. Empty = at the first item. */
export async function readSweepPosition(ledger: LedgerDatabase): Promise<string> {
  const [row] = await ledger.select().from(sweepPosition).where(eq(sweepPosition.sweep, "prune"));
  return row?.itemId ?? "";
}

/** Records where the next sweep continues. */
export async function recordSweepPosition(ledger: LedgerDatabase, itemId: string): Promise<void> {
  await ledger
    .insert(sweepPosition)
    .values({ sweep: "prune", itemId })
    .onConflictDoUpdate({ target: sweepPosition.sweep, set: { itemId } });
}

/** SQL: the key of a row of `object_row`. */
const KEY = "(SELECT key FROM object WHERE object.id = object_row.id)";

const IS_WITHIN = (table: string) => `${table}.item_id > ?1 AND ${table}.item_id <= ?2`;

/**
 * Deletes the manifests of these items that no version, no live export and no open run of the item needs, and indexes
 * of the names in versions that are gone. A trigger deletes what only these manifests needed from the object lists.
 *
 * Nearly every manifest is that of the version which committed it, so that version is asked first: all of an item's
 * versions are read only for a manifest whose first version is gone.
 */
export async function dropLooseManifests(ledger: LedgerDatabase, { from, to }: ItemStretch): Promise<void> {
  await commitTogether(ledger, [
    statement(
      ledger,
      `DELETE FROM manifest_row WHERE (item, seq) IN (SELECT item, seq FROM manifest
         WHERE ${IS_WITHIN("manifest")} AND ${isHere("manifest.organisation_id")}
         AND manifest.id IS NOT (SELECT first.manifest_id FROM snapshot first WHERE first.item_id = manifest.item_id
           AND first.taken_at <= manifest.created_at ORDER BY first.taken_at DESC LIMIT 1)
         AND NOT EXISTS (SELECT 1 FROM snapshot
           WHERE snapshot.item_id = manifest.item_id AND snapshot.manifest_id = manifest.id)
         AND NOT EXISTS (SELECT 1 FROM export WHERE export.item_id = manifest.item_id
           AND export.manifest_id = manifest.id AND export.status IN ('pending', 'ready')
           AND export.revoked_at IS NULL)
         AND NOT EXISTS (SELECT 1 FROM run WHERE run.item_id = manifest.item_id
           AND run.finished_at IS NULL))`,
      from,
      to,
    ),
    statement(
      ledger,
      `DELETE FROM name_index WHERE ${IS_WITHIN("name_index")} AND ${isHere("name_index.organisation_id")}
         AND NOT EXISTS (SELECT 1 FROM snapshot
           WHERE snapshot.item_id = name_index.item_id AND snapshot.manifest_id = name_index.manifest_id)`,
      from,
      to,
    ),
  ]);
}

/** Clears the mark of objects that are needed again. */
export async function unmarkReferenced(ledger: LedgerDatabase): Promise<void> {
  await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE object_row SET marked_at = NULL WHERE id IN (SELECT id FROM object WHERE marked_at IS NOT NULL
         AND NOT (${IS_UNREFERENCED("object")}) AND ${isHere("object.organisation_id")})`,
    ),
  ]);
}

/**
 * First step of prune: marks objects of these items that are at least a day old and unreferenced, with the current
 * time.
 */
export async function markUnreferenced(
  ledger: LedgerDatabase,
  { from, to }: ItemStretch,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const [marked] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE object_row SET marked_at = ?3 WHERE id IN (SELECT id FROM object WHERE ${IS_WITHIN("object")}
         AND marked_at IS NULL AND created_at <= ?4 AND ${isHere("object.organisation_id")} AND ${IS_UNREFERENCED("object")} LIMIT ?5) RETURNING id`,
      from,
      to,
      now,
      now - DAY_MS,
      limit,
    ),
  ]);
  return marked?.results.length ?? 0;
}

/**
 * Second step of prune: sets objects that were marked at least a day ago and are still unreferenced to `deleting`. The
 * statement checks every condition again. From then on a commit that needs one of them fails.
 *
 * @returns Keys and ids of the objects to delete from the bucket.
 */
export async function takeUnreferenced(
  ledger: LedgerDatabase,
  now: number,
  limit: number,
): Promise<{ id: string; key: string }[]> {
  const [taken] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE object_row SET status = 'deleting' WHERE id IN (SELECT id FROM object WHERE marked_at <= ?1 AND ${isHere("object.organisation_id")}
         AND ${IS_UNREFERENCED("object")} ORDER BY marked_at LIMIT ?2) RETURNING id, ${KEY} AS key`,
      now - DAY_MS,
      limit,
    ),
  ]);
  return (taken?.results ?? []).map((row) => ({ id: String(row.id), key: String(row.key) }));
}

/** Sets all objects of an item that its owner deleted to `deleting`, without waiting. */
export async function takeObjectsOfItem(
  ledger: LedgerDatabase,
  key: { organisationId: string; itemId: string },
  limit: number,
): Promise<{ id: string; key: string }[]> {
  const [taken] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE object_row SET status = 'deleting' WHERE id IN
         (SELECT id FROM object WHERE organisation_id = ?1 AND item_id = ?2 LIMIT ?3) RETURNING id, ${KEY} AS key`,
      key.organisationId,
      key.itemId,
      limit,
    ),
  ]);
  return (taken?.results ?? []).map((row) => ({ id: String(row.id), key: String(row.key) }));
}

/** Deletes the rows of objects whose bytes are gone, and of companions that refer to or from them. */
export async function forgetObjects(ledger: LedgerDatabase, ids: readonly string[]): Promise<void> {
  const list = JSON.stringify(ids);
  const these = "(SELECT value FROM json_each(?1))";
  await commitTogether(ledger, [
    statement(
      ledger,
      `DELETE FROM companion WHERE object_id IN ${these} OR source_object_id IN ${these}`,
      list,
    ),
    statement(ledger, `DELETE FROM object_row WHERE id IN ${these} AND status = 'deleting'`, list),
  ]);
}
