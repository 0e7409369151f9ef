import { eq } from "drizzle-orm";
import { sweepPosition } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { DAY_MS } from "#core/kernel/clock.ts";

/**
 * SQL text that is true when nothing needs an object: no manifest (itself, or as the companion of an object that a
 * manifest needs), no live export, no open run that wrote or adopted it.
 */
const IS_UNREFERENCED = (object: string) => `
  NOT EXISTS (SELECT 1 FROM manifest_object needs WHERE needs.object_id = ${object}.id)
  AND NOT EXISTS (SELECT 1 FROM manifest root WHERE root.item_id = ${object}.item_id AND root.root_object = ${object}.id)
  AND NOT EXISTS (SELECT 1 FROM companion JOIN manifest_object needs ON needs.object_id = companion.source_object_id
    WHERE companion.object_id = ${object}.id)
  AND NOT EXISTS (SELECT 1 FROM export WHERE export.item_id = ${object}.item_id
    AND export.layout_object_id = ${object}.id AND export.status IN ('pending', 'ready') AND export.revoked_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM run WHERE run.id = ${object}.run_id AND run.status IN ('queued', 'running'))`;

/** A stretch of items in the order of their ids: behind `from`, up to `to`. */
export type ItemStretch = { from: string; to: string };

/** Behind every id. */
export const END_OF_ITEMS = "\u{10ffff}";

/** The stretch of so many items that have objects, behind a position; the last one ends behind every id. */
export async function stretchBehind(
  ledger: LedgerDatabase,
  from: string,
  items: number,
): Promise<ItemStretch> {
  const [found] = await commitTogether(ledger, [
    statement(
      ledger,
      "SELECT DISTINCT item_id FROM object WHERE item_id > ?1 ORDER BY item_id LIMIT 1 OFFSET ?2 - 1",
      from,
      items,
    ),
  ]);
  return { from, to: String(found?.results[0]?.item_id ?? END_OF_ITEMS) };
}

/** Where the sweep that the watch before could not finish goes on; empty = at the first item. */
export async function readSweepPosition(ledger: LedgerDatabase): Promise<string> {
  const [row] = await ledger.select().from(sweepPosition).where(eq(sweepPosition.sweep, "prune"));
  return row?.itemId ?? "";
}

/** Notes where the next watch goes on. */
export async function recordSweepPosition(ledger: LedgerDatabase, itemId: string): Promise<void> {
  await ledger
    .insert(sweepPosition)
    .values({ sweep: "prune", itemId })
    .onConflictDoUpdate({ target: sweepPosition.sweep, set: { itemId } });
}

const IS_WITHIN = (table: string) => `${table}.item_id > ?1 AND ${table}.item_id <= ?2`;

/** Drops manifests of these items to which neither a version nor a live export points, and their lists of objects. */
export async function dropLooseManifests(ledger: LedgerDatabase, { from, to }: ItemStretch): Promise<void> {
  await commitTogether(ledger, [
    statement(
      ledger,
      `DELETE FROM manifest WHERE ${IS_WITHIN("manifest")}
         AND NOT EXISTS (SELECT 1 FROM snapshot
           WHERE snapshot.item_id = manifest.item_id AND snapshot.manifest_id = manifest.id)
         AND NOT EXISTS (SELECT 1 FROM export WHERE export.item_id = manifest.item_id
           AND export.manifest_id = manifest.id AND export.status IN ('pending', 'ready')
           AND export.revoked_at IS NULL)
         AND NOT EXISTS (SELECT 1 FROM run WHERE run.item_id = manifest.item_id
           AND run.status IN ('queued', 'running'))`,
      from,
      to,
    ),
    statement(
      ledger,
      `DELETE FROM manifest_object WHERE ${IS_WITHIN("manifest_object")}
         AND NOT EXISTS (SELECT 1 FROM manifest
           WHERE manifest.item_id = manifest_object.item_id AND manifest.id = manifest_object.manifest_id)`,
      from,
      to,
    ),
  ]);
}

/** Takes the mark from objects that are needed again. */
export async function unmarkReferenced(ledger: LedgerDatabase): Promise<void> {
  await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE object SET marked_at = NULL WHERE marked_at IS NOT NULL AND NOT (${IS_UNREFERENCED("object")})`,
    ),
  ]);
}

/** First mark: notes the time at which objects of these items, at least a day old, were found without any reference. */
export async function markUnreferenced(
  ledger: LedgerDatabase,
  { from, to }: ItemStretch,
  { now, limit }: { now: number; limit: number },
): Promise<number> {
  const [marked] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE object SET marked_at = ?3 WHERE id IN (SELECT id FROM object WHERE ${IS_WITHIN("object")}
         AND marked_at IS NULL AND created_at <= ?4 AND ${IS_UNREFERENCED("object")} LIMIT ?5) RETURNING id`,
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
 * Second mark: takes objects out that were marked at least a day ago and still have no reference. The statement
 * that takes them repeats every condition; a commit that needs one of them fails from here on.
 *
 * @returns Keys and ids of what may now be deleted from the bucket.
 */
export async function takeUnreferenced(
  ledger: LedgerDatabase,
  now: number,
  limit: number,
): Promise<{ id: string; key: string }[]> {
  const [taken] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE object SET status = 'deleting' WHERE id IN (SELECT id FROM object WHERE marked_at <= ?1
         AND ${IS_UNREFERENCED("object")} ORDER BY marked_at LIMIT ?2) RETURNING id, key`,
      now - DAY_MS,
      limit,
    ),
  ]);
  return (taken?.results ?? []).map((row) => ({ id: String(row.id), key: String(row.key) }));
}

/** Objects of an item that was deleted by its owner: everything goes, at once. */
export async function takeObjectsOfItem(
  ledger: LedgerDatabase,
  key: { organisationId: string; itemId: string },
  limit: number,
): Promise<{ id: string; key: string }[]> {
  const [taken] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE object SET status = 'deleting' WHERE id IN
         (SELECT id FROM object WHERE organisation_id = ?1 AND item_id = ?2 LIMIT ?3) RETURNING id, key`,
      key.organisationId,
      key.itemId,
      limit,
    ),
  ]);
  return (taken?.results ?? []).map((row) => ({ id: String(row.id), key: String(row.key) }));
}

/** Forgets objects whose bytes are gone, and companions that pointed to or from them. */
export async function forgetObjects(ledger: LedgerDatabase, ids: readonly string[]): Promise<void> {
  const list = JSON.stringify(ids);
  const these = "(SELECT value FROM json_each(?1))";
  await commitTogether(ledger, [
    statement(
      ledger,
      `DELETE FROM companion WHERE object_id IN ${these} OR source_object_id IN ${these}`,
      list,
    ),
    statement(ledger, `DELETE FROM object WHERE id IN ${these} AND status = 'deleting'`, list),
  ]);
}
