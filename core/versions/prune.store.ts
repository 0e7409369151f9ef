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

/**
 * First mark: notes the time at which objects were found without any reference. Only objects at least a day old
 * are looked at; those that are needed again lose their mark.
 */
export async function markUnreferenced(ledger: LedgerDatabase, now: number, limit: number): Promise<number> {
  const [, marked] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE object SET marked_at = NULL WHERE marked_at IS NOT NULL AND NOT (${IS_UNREFERENCED("object")})`,
    ),
    statement(
      ledger,
      `UPDATE object SET marked_at = ?1 WHERE id IN (SELECT id FROM object WHERE created_at <= ?2
         AND marked_at IS NULL AND ${IS_UNREFERENCED("object")} ORDER BY created_at LIMIT ?3) RETURNING id`,
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
