import type { PlatformItem } from "#connectors/contract/platform-connector.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { insertRuns, type NewRun, type RunKind } from "#core/runs/index.ts";

/** Maximum description length in lists. Versions hold the full text. */
const DESCRIPTION_LENGTH = 1_000;

/** Shortens a description for an item's row: some platforms allow several pages of text. */
export const listedDescription = (description: string | null): string | null =>
  description?.slice(0, DESCRIPTION_LENGTH).toWellFormed() ?? null;

/** A run that ended because its item was removed. */
export type StoppedRun = { id: string; itemId: string; platform: string; kind: RunKind };

/**
 * Adds items with their schedule and first backup in one batch. The total never exceeds `limit`, even when other calls
 * add items at the same moment. Existing items stay unchanged.
 */
export async function insertItems(
  ledger: LedgerDatabase,
  owner: { organisationId: string; connectionId: string; platform: string; placeId: string | null },
  items: readonly { id: string; item: PlatformItem; run: NewRun; dueAt: number }[],
  facts: { now: number; periodMs: number; limit: number },
): Promise<string[]> {
  const rows = items.map(({ id, item: each, dueAt }) => [
    id,
    each.kind,
    each.externalId,
    each.name,
    each.fullName,
    each.name.toLowerCase(),
    listedDescription(each.description),
    JSON.stringify(each.details),
    dueAt,
  ]);
  const json = JSON.stringify(rows);
  const isStanding = "EXISTS (SELECT 1 FROM item WHERE item.id = run.item_id)";
  const results = await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO item (id, organisation_id, connection_id, place_id, platform, kind, external_id, name,
         full_name, name_folded, description, visibility, details, status, is_daily, size_bytes, created_at)
       SELECT value->>0, ?2, ?3, ?4, ?5, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, 'private',
         value->>7, 'initialized', 1, 0, ?6
       FROM json_each(?1)
       WHERE json_each.key < ?7 - (SELECT count(*) FROM item WHERE organisation_id = ?2 AND platform = ?5)
       ON CONFLICT DO NOTHING`,
      json,
      owner.organisationId,
      owner.connectionId,
      owner.placeId,
      owner.platform,
      facts.now,
      facts.limit,
    ),
    statement(
      ledger,
      `INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
       SELECT value->>0, value->>8, ?2, ?3, ?4, ?5 FROM json_each(?1)
       WHERE EXISTS (SELECT 1 FROM item WHERE item.id = value->>0) ON CONFLICT DO NOTHING`,
      json,
      facts.periodMs,
      owner.organisationId,
      owner.connectionId,
      owner.platform,
    ),
    insertRuns(
      ledger,
      items.map((each) => each.run),
      facts.now,
    ),
    statement(
      ledger,
      `DELETE FROM run WHERE id IN (SELECT value FROM json_each(?1)) AND NOT ${isStanding}`,
      JSON.stringify(items.map((each) => each.run.id)),
    ),
    statement(ledger, "SELECT id FROM item WHERE id IN (SELECT value->>0 FROM json_each(?1))", json),
  ]);
  return (results.at(-1)?.results ?? []).map((row) => String(row.id));
}

/** Maximum number of daily-backup changes kept per item, so that frequent switching does not grow its row. */
const KEPT_CHANGES = 40;

/**
 * Turns daily backups on or off. Off deletes the schedule row; on makes the item due at its own time of day. Deleted
 * items stay off.
 */
export async function updateDaily(
  ledger: LedgerDatabase,
  organisationId: string,
  change: {
    ids: readonly string[];
    isDaily: boolean;
    changedAt: number;
    dueAt: (itemId: string) => number;
    periodMs: number;
    /** True for a lost connection: items switched on wait until it works again. */
    isPaused: boolean;
    /** True when the plan's quantity is the reason, and not a person. */
    isByPlan?: boolean;
  },
): Promise<string[]> {
  const json = JSON.stringify(change.ids.map((id) => [id, change.dueAt(id)]));
  const results = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE item SET is_daily = ?3, is_paused_by_plan = ?5, daily_changes = CASE
           WHEN is_daily = ?3 THEN daily_changes
           WHEN json_array_length(daily_changes) < ${KEPT_CHANGES} THEN json_insert(daily_changes, '$[#]', ?4)
           ELSE json_insert(json_remove(daily_changes, '$[0]'), '$[#]', ?4) END
         WHERE organisation_id = ?2 AND status <> 'deleted'
           AND id IN (SELECT value->>0 FROM json_each(?1)) RETURNING id`,
      json,
      organisationId,
      change.isDaily,
      change.changedAt,
      !change.isDaily && change.isByPlan === true,
    ),
    change.isDaily && !change.isPaused
      ? statement(
          ledger,
          `INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
           SELECT item.id, value->>1, ?3, item.organisation_id, item.connection_id, item.platform
           FROM json_each(?1) JOIN item ON item.id = value->>0
           WHERE item.organisation_id = ?2 AND item.is_daily = 1 AND item.status <> 'deleted'
           ON CONFLICT (item_id) DO NOTHING`,
          json,
          organisationId,
          change.periodMs,
        )
      : statement(
          ledger,
          `DELETE FROM schedule WHERE organisation_id = ?2 AND item_id IN (SELECT value->>0 FROM json_each(?1))`,
          json,
          organisationId,
        ),
  ]);
  return (results[0]?.results ?? []).map((row) => String(row.id));
}

/**
 * Removes items. This batch deletes lists, versions, exports, alarms and schedule rows. Active runs lose their epoch
 * and can no longer write. A `delete` run per item then deletes the bytes, found through the object rows that stay.
 *
 * @returns The runs that were active; the caller must tell open screens that they ended.
 */
export async function deleteItemRows(
  ledger: LedgerDatabase,
  organisationId: string,
  removal: { ids: readonly string[]; deleteRuns: readonly NewRun[]; now: number; reason?: string },
): Promise<StoppedRun[]> {
  const ids = JSON.stringify(removal.ids);
  const ofThese = "organisation_id = ?2 AND item_id IN (SELECT value FROM json_each(?1))";
  const remove = (table: string) =>
    statement(ledger, `DELETE FROM ${table} WHERE ${ofThese}`, ids, organisationId);
  const [stopped] = await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE run SET status = 'failed', epoch = epoch + 1, error_code = 'err.not.found',
         error_text = ?4, finished_at = ?3, lease_until = NULL
       WHERE ${ofThese} AND finished_at IS NULL AND kind <> 'delete'
       RETURNING id, item_id AS itemId, platform, kind`,
      ids,
      organisationId,
      removal.now,
      removal.reason ?? "The item was deleted by a user.",
    ),
    insertRuns(ledger, removal.deleteRuns, removal.now),
    ...["span_row", "manifest_row"].map((table) =>
      statement(
        ledger,
        `DELETE FROM ${table} WHERE item IN (SELECT number FROM numbered_item WHERE ${ofThese})`,
        ids,
        organisationId,
      ),
    ),
    // Files in the customer's own storage stay: deleting here does not delete there.
    remove("replica"),
    remove("snapshot"),
    remove("name_index"),
    remove("export"),
    remove("alarm"),
    remove("schedule"),
    statement(
      ledger,
      "DELETE FROM item WHERE organisation_id = ?2 AND id IN (SELECT value FROM json_each(?1))",
      ids,
      organisationId,
    ),
  ]);
  return (stopped?.results ?? []) as StoppedRun[];
}

/**
 * Statements that mark an item as deleted at its platform: its versions stay, its schedule ends, and it no longer counts
 * as failed.
 */
export function markItemDeleted(
  ledger: LedgerDatabase,
  key: { itemId: string; organisationId: string },
): D1PreparedStatement[] {
  return [
    statement(
      ledger,
      `UPDATE item SET status = 'deleted', is_daily = 0, last_error = NULL, last_error_at = NULL
       WHERE id = ?1 AND organisation_id = ?2`,
      key.itemId,
      key.organisationId,
    ),
    statement(
      ledger,
      "DELETE FROM schedule WHERE item_id = ?1 AND organisation_id = ?2",
      key.itemId,
      key.organisationId,
    ),
  ];
}
