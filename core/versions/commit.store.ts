import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { RUN_IS_MINE, succeedRun, unlockItem } from "#core/runs/index.ts";
import type { DraftResult } from "#core/vault/index.ts";

/** What a backup commits. */
export type SnapshotCommit = {
  hold: { runId: string; epoch: number; itemId: string };
  organisationId: string;
  snapshotId: string;
  /** When reading began, epoch ms. The version shows the item as of this time, and no older version may follow it. */
  takenAt: number;
  committedAt: number;
  expiresAt: number;
  draft: DraftResult;
  /** The item's current facts at the platform. */
  item: {
    name: string;
    fullName: string;
    description: string | null;
    details: Json;
  };
  /** Id of the run that will check the new version. It is queued only together with the version. */
  verifyRunId: string;
  /**
   * The storage that gets a copy of the version. Null = none. The replica row is inserted only together with the
   * version.
   */
  copyTo: { storageId: string; kind: string; tryAt: number } | null;
  bytesRead: number;
};

/**
 * The only commit point of a backup: one D1 batch inserts the snapshot and completes the run. A batch does not stop at
 * a statement that changes no rows, so each statement has a guard. The snapshot's row comes first. Its guard checks that
 * the run is still ours, that every object the manifest needs is stored (not deleted by `prune`) and that no existing
 * version began later. The guard of every other statement checks that the row exists.
 *
 * @returns False when the guard failed and nothing became visible.
 */
export async function commitSnapshot(ledger: LedgerDatabase, commit: SnapshotCommit): Promise<boolean> {
  const { hold, draft } = commit;
  const lists = listsOf(draft.manifest.objects);
  const results = await commitTogether(ledger, [
    insertSnapshot(ledger, commit, lists),
    dropDamagedObjects(ledger, commit),
    insertManifest(ledger, commit),
    ...lists.map((list) => insertManifestObjects(ledger, commit, list)),
    unmarkObjects(ledger, commit),
    showInItem(ledger, commit),
    queueCheck(ledger, commit),
    ...(commit.copyTo ? [awaitCopy(ledger, commit, commit.copyTo)] : []),
    unlockItem(ledger, hold),
    succeedRun(ledger, hold, {
      now: commit.committedAt,
      snapshotId: commit.snapshotId,
      bytesRead: commit.bytesRead,
      bytesStored: draft.newBytes,
      report: { skipped: draft.completeness.skipped, skippedCount: draft.completeness.skippedCount },
    }),
  ]);
  return (results.at(-1)?.results.length ?? 0) > 0;
}

/** Ids per bound value: less than a megabyte, and D1 allows two. */
const IDS_PER_LIST = 25_000;

/** A list of ids as JSON texts that D1 can bind. */
function listsOf(ids: readonly string[]): string[] {
  const lists: string[] = [];
  for (let at = 0; at < ids.length; at += IDS_PER_LIST)
    lists.push(JSON.stringify(ids.slice(at, at + IDS_PER_LIST)));
  return lists;
}

function insertSnapshot(
  ledger: LedgerDatabase,
  commit: SnapshotCommit,
  lists: readonly string[],
): D1PreparedStatement {
  const { hold, draft } = commit;
  const values = [
    hold.runId,
    hold.epoch,
    commit.snapshotId,
    commit.organisationId,
    hold.itemId,
    commit.takenAt,
    draft.manifest.id,
    draft.manifest.sizeBytes,
    draft.newBytes,
    draft.completeness.skippedCount,
    commit.expiresAt,
  ];
  const areStored = lists.map(
    (_, at) => `NOT EXISTS (SELECT 1 FROM json_each(?${values.length + 1 + at}) needed
       LEFT JOIN object ON object.id = needed.value WHERE object.id IS NULL OR object.status <> 'stored')`,
  );
  const isNewest = `NOT EXISTS (SELECT 1 FROM run JOIN snapshot later ON later.item_id = run.item_id
       WHERE run.id = ?1 AND later.taken_at >= run.began_at)`;
  return statement(
    ledger,
    `INSERT INTO snapshot (id, organisation_id, item_id, run_id, taken_at, manifest_id, size_bytes, new_bytes,
         skipped_count, verify_state, expires_at)
       SELECT ?3, ?4, ?5, ?1, ?6, ?7, ?8, ?9, ?10, 'queued', ?11
       WHERE ${[RUN_IS_MINE("?1", "?2"), isNewest, ...areStored].join(" AND ")} ON CONFLICT DO NOTHING`,
    ...values,
    ...lists,
  );
}

/** SQL that is true when the snapshot's row exists, i.e. its guard held. */
const IS_VISIBLE = (snapshotId: string) => `EXISTS (SELECT 1 FROM snapshot WHERE id = ${snapshotId})`;

/**
 * SQL that is true when the manifest failed verification. A manifest's id names its content, not its location: a
 * damaged one gets its new location with this commit.
 */
const isDamaged = (itemId: string, manifestId: string) =>
  `EXISTS (SELECT 1 FROM snapshot WHERE snapshot.item_id = ${itemId} AND snapshot.manifest_id = ${manifestId}
       AND snapshot.verify_state = 'failed')`;

function dropDamagedObjects(
  ledger: LedgerDatabase,
  { hold, draft, snapshotId }: SnapshotCommit,
): D1PreparedStatement {
  return statement(
    ledger,
    `DELETE FROM manifest_object WHERE item_id = ?1 AND manifest_id = ?2
         AND ${isDamaged("?1", "?2")} AND ${IS_VISIBLE("?3")}`,
    hold.itemId,
    draft.manifest.id,
    snapshotId,
  );
}

/** A state that recurs reuses its first manifest: that row and its list of objects stay unchanged. */
function insertManifest(ledger: LedgerDatabase, commit: SnapshotCommit): D1PreparedStatement {
  const { manifest, completeness } = commit.draft;
  return statement(
    ledger,
    `INSERT INTO manifest (item_id, id, organisation_id, root_object, root_offset, root_length, root_method,
         root_hash, entry_count, size_bytes, completeness, created_at)
       SELECT ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 WHERE ${IS_VISIBLE("?1")}
       ON CONFLICT (item_id, id) DO UPDATE SET root_object = excluded.root_object,
         root_offset = excluded.root_offset, root_length = excluded.root_length,
         root_method = excluded.root_method, root_hash = excluded.root_hash
       WHERE ${isDamaged("manifest.item_id", "manifest.id")}`,
    commit.snapshotId,
    commit.hold.itemId,
    manifest.id,
    commit.organisationId,
    manifest.root.object,
    manifest.root.offset,
    manifest.root.length,
    manifest.root.method,
    manifest.root.hash,
    manifest.entryCount,
    manifest.sizeBytes,
    JSON.stringify(completeness),
    commit.committedAt,
  );
}

/** Inserts a part of the manifest's list of objects, unless the manifest has another location: then it has a list. */
function insertManifestObjects(
  ledger: LedgerDatabase,
  { hold, draft, snapshotId }: SnapshotCommit,
  list: string,
): D1PreparedStatement {
  const { id, root } = draft.manifest;
  return statement(
    ledger,
    `INSERT INTO manifest_object (item_id, manifest_id, object_id)
       SELECT ?2, ?3, value FROM json_each(?4) WHERE ${IS_VISIBLE("?1")} AND EXISTS
         (SELECT 1 FROM manifest WHERE item_id = ?2 AND id = ?3 AND root_object = ?5 AND root_offset = ?6)
       ON CONFLICT DO NOTHING`,
    snapshotId,
    hold.itemId,
    id,
    list,
    root.object,
    root.offset,
  );
}

/** Takes back the marks that `prune` left on the manifest's objects. */
function unmarkObjects(
  ledger: LedgerDatabase,
  { hold, draft, snapshotId }: SnapshotCommit,
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE object SET marked_at = NULL
       WHERE id IN (SELECT object_id FROM manifest_object WHERE item_id = ?2 AND manifest_id = ?3)
         AND marked_at IS NOT NULL AND ${IS_VISIBLE("?1")}`,
    snapshotId,
    hold.itemId,
    draft.manifest.id,
  );
}

/** Writes the version and the item's current facts into the item's row. */
function showInItem(
  ledger: LedgerDatabase,
  { hold, snapshotId, takenAt, draft, item }: SnapshotCommit,
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE item SET status = 'backuped', last_backup_at = ?3, last_snapshot_id = ?2, size_bytes = ?4, name = ?5,
         full_name = ?6, name_folded = ?7, description = ?8, details = ?9,
         last_error = NULL, last_error_at = NULL, starts_over = 0
       WHERE id = ?1 AND ${IS_VISIBLE("?2")}`,
    hold.itemId,
    snapshotId,
    takenAt,
    draft.manifest.sizeBytes,
    item.name,
    item.fullName,
    item.name.toLowerCase(),
    item.description,
    JSON.stringify(item.details),
  );
}

/** Inserts the run that checks the new version. */
function queueCheck(
  ledger: LedgerDatabase,
  { hold, verifyRunId, snapshotId, committedAt }: SnapshotCommit,
): D1PreparedStatement {
  return statement(
    ledger,
    `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, snapshot_id, status,
         epoch, lease_until, created_at)
       SELECT ?1, organisation_id, connection_id, item_id, platform, 'verify', 'system', ?2, 'queued', 0, ?3, ?3
       FROM run WHERE id = ?4 AND ${IS_VISIBLE("?2")} ON CONFLICT (id) DO NOTHING`,
    verifyRunId,
    snapshotId,
    committedAt,
    hold.runId,
  );
}

/** Inserts the version's replica, which waits for the check. */
function awaitCopy(
  ledger: LedgerDatabase,
  { hold, snapshotId, committedAt }: SnapshotCommit,
  copy: NonNullable<SnapshotCommit["copyTo"]>,
): D1PreparedStatement {
  return statement(
    ledger,
    `INSERT INTO replica (snapshot_id, organisation_id, storage_id, kind, item_id, platform, status, next_try_at,
       created_at)
     SELECT ?2, organisation_id, ?3, ?4, item_id, platform, 'waiting', ?5, ?6
     FROM run WHERE id = ?1 AND ${IS_VISIBLE("?2")} ON CONFLICT DO NOTHING`,
    hold.runId,
    snapshotId,
    copy.storageId,
    copy.kind,
    copy.tryAt,
    committedAt,
  );
}
