import { and, desc, eq, lt, ne, type SQL } from "drizzle-orm";
import { isHere, REVERIFY_AFTER_MS, snapshot, VERSION_DUE_AT } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { sameHash } from "#core/database/short-hash.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { RUN_IS_MINE } from "#core/runs/index.ts";

export type SnapshotRow = typeof snapshot.$inferSelect;

/** Returns one version of the organisation, or null. */
export async function findSnapshot(
  ledger: LedgerDatabase,
  organisationId: string,
  snapshotId: string,
): Promise<SnapshotRow | null> {
  const rows = await ledger
    .select()
    .from(snapshot)
    .where(and(eq(snapshot.id, snapshotId), eq(snapshot.organisationId, organisationId)))
    .limit(1);
  return rows[0] ?? null;
}

/** Returns a version of any organisation. The caller must check the rights of the person who follows the link. */
export async function findSnapshotOfAnyone(
  ledger: LedgerDatabase,
  snapshotId: string,
): Promise<SnapshotRow | null> {
  return (await ledger.select().from(snapshot).where(eq(snapshot.id, snapshotId)).limit(1))[0] ?? null;
}

/** Returns the newest version of an item that has not failed a check, or null. The next version may build on it. */
export async function findNewestSoundSnapshot(
  ledger: LedgerDatabase,
  organisationId: string,
  itemId: string,
): Promise<SnapshotRow | null> {
  return newestSound(ledger, [eq(snapshot.itemId, itemId), eq(snapshot.organisationId, organisationId)]);
}

/** The newest version of each item of a connection that has not failed a check, in the order of the items' ids. */
export async function listNewestSoundSnapshots(
  ledger: LedgerDatabase,
  { organisationId, connectionId }: { organisationId: string; connectionId: string },
  { after, limit }: { after: string; limit: number },
): Promise<{ itemId: string; manifestId: string }[]> {
  // SQLite takes the other columns from the row with the greatest time.
  const { results } = await statement(
    ledger,
    `SELECT snapshot.item_id AS itemId, manifest_id AS manifestId, max(taken_at)
     FROM item JOIN snapshot ON snapshot.item_id = item.id AND verify_state <> 'failed'
     WHERE item.organisation_id = ?1 AND connection_id = ?2 AND item.id > ?3
     GROUP BY snapshot.item_id ORDER BY snapshot.item_id LIMIT ?4`,
    organisationId,
    connectionId,
    after,
    limit,
  ).all<{ itemId: string; manifestId: string }>();
  return results;
}

/** Returns the previous version of the same item that has not failed a check, or null. */
export async function findSoundSnapshotBefore(
  ledger: LedgerDatabase,
  { organisationId, itemId, takenAt }: Pick<SnapshotRow, "organisationId" | "itemId" | "takenAt">,
): Promise<SnapshotRow | null> {
  const ofItem = [eq(snapshot.itemId, itemId), eq(snapshot.organisationId, organisationId)];
  return newestSound(ledger, [...ofItem, lt(snapshot.takenAt, takenAt)]);
}

async function newestSound(ledger: LedgerDatabase, conditions: readonly SQL[]): Promise<SnapshotRow | null> {
  const rows = await ledger
    .select()
    .from(snapshot)
    .where(and(...conditions, ne(snapshot.verifyState, "failed")))
    .orderBy(desc(snapshot.takenAt))
    .limit(1);
  return rows[0] ?? null;
}

/** The result of a check; the last two as in the columns of the version. */
export type Verdict = {
  state: "verified" | "intact" | "failed";
  at: number;
  text: string | null;
  restoreObstacle: string | null;
  unreachable: { objects: number; bytes: number | null } | null;
};

/**
 * SQL that joins the newest version of an item as `known`, if its verdict stands for another version of this manifest: its
 * check proved the manifest since then, and no repack has moved it since the check.
 */
export const STANDING_VERDICT = (item: { id: string; number: string }, manifestId: string, since: string) =>
  `LEFT JOIN (SELECT * FROM snapshot WHERE item_id = ${item.id} ORDER BY taken_at DESC, id DESC LIMIT 1) known
     ON known.manifest_id = ${manifestId} AND known.verify_state IN ('verified', 'intact') AND known.verified_at > ${since}
       AND known.verified_at > (SELECT root.created_at FROM manifest_row JOIN object_row root ON root.id = root_object
         WHERE manifest_row.item = ${item.number} AND ${sameHash("manifest_row.id", manifestId)})`;

/** Statement that records the result of a check on every version with the same manifest. */
export function recordVerdict(
  ledger: LedgerDatabase,
  key: { itemId: string; manifestId: string; runId: string; epoch: number },
  verdict: Verdict,
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE snapshot SET verify_state = ?3, verified_at = ?4, verify_text = ?5, restore_obstacle = ?8,
       unreachable_objects = ?9, unreachable_bytes = ?10
     WHERE item_id = ?1 AND manifest_id = ?2
       AND EXISTS (SELECT 1 FROM run WHERE id = ?6 AND epoch = ?7 AND status = 'running') RETURNING id`,
    key.itemId,
    key.manifestId,
    verdict.state,
    verdict.at,
    verdict.text,
    key.runId,
    key.epoch,
    verdict.restoreObstacle,
    verdict.unreachable?.objects ?? null,
    verdict.unreachable?.bytes ?? null,
  );
}

/** Statement that revokes the ZIP links of a manifest: data known to be damaged is not served. */
export function revokeLinks(
  ledger: LedgerDatabase,
  key: { itemId: string; manifestId: string },
  { hold, at }: { hold: { runId: string; epoch: number }; at: number },
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE export SET revoked_at = ?5 WHERE item_id = ?3 AND manifest_id = ?4 AND revoked_at IS NULL
       AND ${RUN_IS_MINE("?1", "?2")}`,
    hold.runId,
    hold.epoch,
    key.itemId,
    key.manifestId,
    at,
  );
}

/** A version to check, with the account of its item. */
export type UncheckedVersion = Pick<SnapshotRow, "organisationId" | "itemId" | "verifiedAt"> & {
  snapshotId: string;
  connectionId: string;
  platform: string;
};

/**
 * Lists versions that were never checked or whose last check is longest ago, one per item. A check that ended without a
 * verdict is repeated once the version was taken before `unprovenBefore`.
 *
 * @returns `hasMore`: there may be more, of other items too, once these are being checked
 */
export async function listLongUnverified(
  ledger: LedgerDatabase,
  { now, unprovenBefore, limit }: { now: number; unprovenBefore: number; limit: number },
): Promise<{ versions: UncheckedVersion[]; hasMore: boolean }> {
  const list = (index: string, condition: string, order: string, time: number) =>
    statement(
      ledger,
      `SELECT old.id AS snapshotId, old.organisation_id AS organisationId, old.item_id AS itemId,
         old.verified_at AS verifiedAt, item.connection_id AS connectionId, item.platform
       FROM snapshot old INDEXED BY ${index} CROSS JOIN item ON item.id = old.item_id
       WHERE ${condition} AND ${isHere("old.organisation_id")} AND NOT EXISTS (SELECT 1 FROM run open
         WHERE open.item_id = old.item_id AND open.kind = 'verify' AND open.finished_at IS NULL)
       ORDER BY ${order} LIMIT ?2`,
      time,
      limit,
    );
  const due = VERSION_DUE_AT("old.");
  const isOld = `${due} < ?1 AND old.verified_at + ${REVERIFY_AFTER_MS} < ?1`;
  const answers = await commitTogether<UncheckedVersion>(ledger, [
    list(
      "snapshot_unchecked",
      "old.verify_state = 'queued' AND old.taken_at < ?1",
      "old.taken_at",
      unprovenBefore,
    ),
    list("snapshot_due", isOld, due, now),
  ]);
  const found = answers.flatMap(({ results }) => results);
  const versions = [...new Map(found.map((row) => [row.itemId, row])).values()].slice(0, limit);
  return { versions, hasMore: answers.some(({ results }) => results.length === limit) };
}

/**
 * SQL: an expired version that nothing keeps. An item keeps its newest version, its newest good one, versions that an
 * open run uses, and versions kept by an unacknowledged alarm. A version counts as good until its check fails, so the
 * newest one that has passed its check is kept too.
 */
const IS_EXPIRED = (
  old: string,
  now: string,
) => `${VERSION_DUE_AT(`${old}.`)} <= ${now} AND ${old}.expires_at <= ${now}
  AND ${old}.id <> coalesce((SELECT newest.id FROM snapshot newest WHERE newest.item_id = ${old}.item_id
    ORDER BY newest.taken_at DESC, newest.id DESC LIMIT 1), '')
  AND ${old}.id <> coalesce((SELECT good.id FROM snapshot good WHERE good.item_id = ${old}.item_id
    AND good.verify_state <> 'failed' ORDER BY good.taken_at DESC, good.id DESC LIMIT 1), '')
  AND ${old}.id <> coalesce((SELECT proved.id FROM snapshot proved WHERE proved.item_id = ${old}.item_id
    AND proved.verify_state IN ('verified', 'intact') ORDER BY proved.taken_at DESC, proved.id DESC LIMIT 1), '')
  AND NOT EXISTS (SELECT 1 FROM run user WHERE user.item_id = ${old}.item_id AND user.snapshot_id = ${old}.id
    AND user.kind <> 'backup' AND user.finished_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM alarm WHERE alarm.kept_snapshot_id = ${old}.id
    AND alarm.acknowledged_at IS NULL)`;

/** An expired version, and the platform of its item; null when the item is gone. */
export type ExpiredVersion = {
  id: string;
  organisationId: string;
  platform: string | null;
  takenAt: number;
};

/** Expired versions that nothing keeps, the longest expired first. */
export async function listExpired(
  ledger: LedgerDatabase,
  now: number,
  limit: number,
): Promise<ExpiredVersion[]> {
  const { results } = await statement(
    ledger,
    `SELECT old.id AS id, old.organisation_id AS organisationId, old.taken_at AS takenAt,
       (SELECT platform FROM item WHERE item.id = old.item_id) AS platform
     FROM snapshot old WHERE ${IS_EXPIRED("old", "?1")} AND ${isHere("old.organisation_id")}
     ORDER BY ${VERSION_DUE_AT("old.")} LIMIT ?2`,
    now,
    limit,
  ).all<ExpiredVersion>();
  return results;
}

/**
 * Deletes expired versions, unless something keeps one by now, and gives others more time. A version's run goes with it,
 * because no list shows a backup whose version has expired. Deletes only rows and marks exports past their time as
 * expired; `prune` finds what nothing refers to any more.
 */
export async function expireSnapshots(
  ledger: LedgerDatabase,
  now: number,
  { ids, kept }: { ids: readonly string[]; kept: readonly { id: string; until: number }[] },
): Promise<void> {
  await commitTogether(ledger, [
    statement(
      ledger,
      `UPDATE snapshot SET expires_at = (SELECT value->>'until' FROM json_each(?1) WHERE value->>'id' = snapshot.id)
       WHERE id IN (SELECT value->>'id' FROM json_each(?1))`,
      JSON.stringify(kept),
    ),
    statement(
      ledger,
      `DELETE FROM run WHERE id IN (SELECT old.run_id FROM json_each(?2) JOIN snapshot old ON old.id = value
         WHERE ${IS_EXPIRED("old", "?1")}) AND kind = 'backup' AND status = 'succeeded'`,
      now,
      JSON.stringify(ids),
    ),
    statement(
      ledger,
      `DELETE FROM snapshot WHERE id IN (SELECT old.id FROM json_each(?2) JOIN snapshot old ON old.id = value
         WHERE ${IS_EXPIRED("old", "?1")})`,
      now,
      JSON.stringify(ids),
    ),
    statement(
      ledger,
      `UPDATE export SET status = 'expired' WHERE status IN ('ready', 'pending') AND expires_at <= ?1
         AND ${isHere("export.organisation_id")}`,
      now,
    ),
  ]);
}

/** The columns of a run that the view `known_run` still knows when the run is folded into its version. */
const FOLDED = `id, organisation_id, connection_id, item_id, platform, kind, trigger, status, attempts, bytes_read,
  bytes_stored, snapshot_id, created_by, created_at, started_at, began_at, finished_at`;

/**
 * Erases a version, unless a run of its item is open, in one batch: its row and links go, its run becomes a tombstone
 * (if it was folded, it gets a row again), its alarms end, its names are no longer found, and the item shows its newest
 * version that is left. `prune` finds the bytes that nothing needs any more; a trigger marks the version's copy for
 * removal.
 *
 * @returns false when a run is open
 */
export async function eraseSnapshot(
  ledger: LedgerDatabase,
  key: Pick<SnapshotRow, "id" | "itemId" | "organisationId" | "runId">,
  at: number,
): Promise<boolean> {
  const isErased = "NOT EXISTS (SELECT 1 FROM snapshot WHERE id = ?1)";
  const newest = (column: string) =>
    `(SELECT ${column} FROM snapshot WHERE item_id = ?2 ORDER BY taken_at DESC, id DESC LIMIT 1)`;
  const isIdle = "NOT EXISTS (SELECT 1 FROM run WHERE run.item_id = ?2 AND run.finished_at IS NULL)";
  const [, , erased] = await commitTogether(ledger, [
    statement(
      ledger,
      `INSERT INTO run (${FOLDED}) SELECT ${FOLDED} FROM known_run WHERE item_id = ?2 AND snapshot_id = ?1
         AND organisation_id = ?3 AND kind = 'backup' AND status = 'succeeded' AND ${isIdle} ON CONFLICT DO NOTHING`,
      key.id,
      key.itemId,
      key.organisationId,
    ),
    // Before the version goes: it may have gone with its item already.
    statement(
      ledger,
      `UPDATE run SET erased_at = ?5 WHERE id = ?4 AND item_id = ?2 AND organisation_id = ?3 AND ${isIdle}
         AND EXISTS (SELECT 1 FROM snapshot WHERE id = ?1)`,
      key.id,
      key.itemId,
      key.organisationId,
      key.runId,
      at,
    ),
    statement(
      ledger,
      `DELETE FROM snapshot WHERE id = ?1 AND item_id = ?2 AND organisation_id = ?3 AND ${isIdle} RETURNING id`,
      key.id,
      key.itemId,
      key.organisationId,
    ),
    statement(
      ledger,
      `UPDATE export SET status = 'expired', revoked_at = coalesce(revoked_at, ?2) WHERE snapshot_id = ?1 AND ${isErased}`,
      key.id,
      at,
    ),
    statement(
      ledger,
      `DELETE FROM alarm WHERE item_id = ?2 AND snapshot_id = ?1 AND ${isErased}`,
      key.id,
      key.itemId,
    ),
    statement(
      ledger,
      `DELETE FROM name_index WHERE item_id = ?2 AND ${isErased} AND NOT EXISTS (SELECT 1 FROM snapshot
         WHERE snapshot.item_id = ?2 AND snapshot.manifest_id = name_index.manifest_id)`,
      key.id,
      key.itemId,
    ),
    statement(
      ledger,
      `UPDATE alarm SET kept_snapshot_id = NULL WHERE item_id = ?2 AND kept_snapshot_id = ?1 AND ${isErased}`,
      key.id,
      key.itemId,
    ),
    statement(
      ledger,
      `UPDATE item SET starts_over = 1, last_snapshot_id = ${newest("id")}, last_backup_at = ${newest("taken_at")},
         size_bytes = coalesce(${newest("size_bytes")}, 0),
         status = CASE WHEN status = 'deleted' OR ${newest("id")} IS NOT NULL THEN status ELSE 'initialized' END
       WHERE id = ?2 AND organisation_id = ?3 AND ${isErased}`,
      key.id,
      key.itemId,
      key.organisationId,
    ),
  ]);
  return (erased?.results.length ?? 0) > 0;
}
