import { numberOf } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { hashBytes, sameHash } from "#core/database/short-hash.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { FOLDED_FACTS, foldRun, succeedRun } from "#core/runs/index.ts";
import type { DraftResult } from "#core/vault/index.ts";
import { ARE_STORED, changeSpans, idLists, planSpans, type SpanChange, STAYS } from "./object-spans.store.ts";
import { STANDING_VERDICT } from "./snapshots.store.ts";

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
  /** The object that describes the version's state, so that a lost ledger can be rebuilt. Absent = there is one already. */
  stateObject?: string | undefined;
  /** The item's current facts at the platform. */
  item: {
    name: string;
    fullName: string;
    description: string | null;
    details: Json;
  };
  /** Id of the run that will check the new version. It is queued only together with the version. */
  verifyRunId: string;
  /** A verdict after this time stands for an unchanged version, which is then not checked. Absent = check it. */
  verdictSince?: number | undefined;
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
 * the run is still ours, that no existing version began later, and that the plan for the manifest's objects still holds.
 * The guard of every other statement checks that the row exists. The run of an unchanged version is folded into it.
 *
 * @returns False when the guard failed and nothing became visible.
 */
export async function commitSnapshot(ledger: LedgerDatabase, commit: SnapshotCommit): Promise<boolean> {
  const { hold, draft, snapshotId } = commit;
  const change = await planSpans(ledger, hold.itemId, draft);
  const guard = { sql: IS_VISIBLE("?1"), value: snapshotId };
  const results = await commitTogether(ledger, [
    insertSnapshot(ledger, commit, change),
    ...(change
      ? [...changeSpans(ledger, hold.itemId, change, guard), ...putManifest(ledger, commit, change.seq + 1)]
      : []),
    ...(commit.stateObject === undefined ? [] : [keepState(ledger, commit, commit.stateObject)]),
    showInItem(ledger, commit, change),
    describeItem(ledger, commit),
    queueCheck(ledger, commit),
    ...(commit.copyTo ? [awaitCopy(ledger, commit, commit.copyTo)] : []),
    isFolded(draft, change)
      ? foldRun(ledger, { ...hold, snapshotId })
      : succeedRun(ledger, hold, {
          now: commit.committedAt,
          snapshotId,
          bytesRead: commit.bytesRead,
          bytesStored: draft.newBytes,
          // What was skipped is in the manifest, of which equal versions share one.
          report: null,
        }),
  ]);
  return (results.at(-1)?.results.length ?? 0) > 0;
}

/**
 * True for a version that equals the one before, whose run is folded into it. One that returns to an earlier state has a
 * manifest that stays too, but it is a change.
 */
function isFolded({ unchanged }: DraftResult, change: SpanChange | null): boolean {
  return unchanged && change === null;
}

function insertSnapshot(
  ledger: LedgerDatabase,
  commit: SnapshotCommit,
  change: SpanChange | null,
): D1PreparedStatement {
  const { hold, draft } = commit;
  const { id, root, sizeBytes } = draft.manifest;
  const lists = idLists(change?.come ?? []);
  const values = [
    hold.runId,
    hold.epoch,
    commit.snapshotId,
    commit.organisationId,
    hold.itemId,
    commit.takenAt,
    id,
    sizeBytes,
    draft.newBytes,
    draft.completeness.skippedCount,
    commit.expiresAt,
    root.object,
    root.offset,
    ...(change ? [change.seq, ...lists] : []),
    ...(isFolded(draft, change) ? [commit.committedAt, commit.bytesRead] : []),
  ];
  // Only a manifest that stays was checked as it is.
  const since = change || commit.verdictSince === undefined ? Number.MAX_SAFE_INTEGER : commit.verdictSince;
  const atEnd: Record<string, string> = { finished_at: "?14", bytes_read: "?15" };
  const facts = FOLDED_FACTS.map((fact) =>
    isFolded(draft, change) ? (atEnd[fact] ?? `run.${fact}`) : "NULL",
  );
  const isNewest =
    "NOT EXISTS (SELECT 1 FROM snapshot later WHERE later.item_id = run.item_id AND later.taken_at >= run.began_at)";
  return statement(
    ledger,
    `INSERT INTO snapshot (id, organisation_id, item_id, run_id, taken_at, manifest_id, size_bytes, new_bytes,
         skipped_count, verify_state, verified_at, verify_text, restore_obstacle, unreachable_objects,
         unreachable_bytes, expires_at, ${FOLDED_FACTS.map((fact) => `run_${fact}`).join(", ")})
       SELECT ?3, ?4, ?5, ?1, ?6, ?7, ?8, ?9, ?10, coalesce(known.verify_state, 'queued'), known.verified_at,
         known.verify_text, known.restore_obstacle, known.unreachable_objects, known.unreachable_bytes, ?11,
         ${facts.join(", ")}
       FROM run JOIN numbered_item ON numbered_item.item_id = ?5
         ${STANDING_VERDICT(ITEM_OF_COMMIT, "?7", String(since))}
       WHERE run.id = ?1 AND run.epoch = ?2 AND run.status = 'running'
         AND ${[isNewest, ...planHolds(change, lists)].join(" AND ")}
       ON CONFLICT DO NOTHING`,
    ...values,
  );
}

/** The item in the statement that inserts the version. */
const ITEM_OF_COMMIT = { id: "?5", number: "numbered_item.number" };

/**
 * Conditions under which the plan for a manifest's objects holds. While our run is open, no sweep deletes manifests of
 * the item and no repack commits, so the spans are those of the plan if no manifest was added. Objects with a span are
 * never taken by `prune`, so only those that get one must be checked.
 */
function planHolds(change: SpanChange | null, lists: readonly string[]): string[] {
  const stays = STAYS(ITEM_OF_COMMIT, { id: "?7", object: "?12", offset: "?13" });
  if (!change) return [stays];
  const isNewest = "(SELECT manifest_seq FROM item WHERE id = ?5) = ?14";
  return [`NOT ${stays}`, isNewest, ...lists.map((_, at) => ARE_STORED(`?${15 + at}`))];
}

/** SQL that is true when the snapshot's row exists, i.e. its guard held. */
const IS_VISIBLE = (snapshotId: string) => `EXISTS (SELECT 1 FROM snapshot WHERE id = ${snapshotId})`;

/** Statements that move a damaged manifest to its new location, or insert the manifest. */
function putManifest(ledger: LedgerDatabase, commit: SnapshotCommit, seq: number): D1PreparedStatement[] {
  const { manifest, completeness } = commit.draft;
  const { root } = manifest;
  const isFree = `${IS_VISIBLE("?1")} AND NOT EXISTS (SELECT 1 FROM manifest_row WHERE item = ${numberOf("?2")} AND seq = ?4)`;
  const place = [commit.snapshotId, commit.hold.itemId, manifest.id, seq] as const;
  const to = [root.object, root.offset, root.length, root.method, root.hash] as const;
  return [
    statement(
      ledger,
      `UPDATE manifest_row SET root_object = ?5, root_offset = ?6, root_length = ?7, root_method = ?8,
         root_hash = ${hashBytes("?9")}, seq = ?4
       WHERE item = ${numberOf("?2")} AND ${sameHash("id", "?3")} AND ${isFree}`,
      ...place,
      ...to,
    ),
    // One that was moved has the number now.
    statement(
      ledger,
      `INSERT INTO manifest_row (item, id, seq, root_object, root_offset, root_length, root_method, root_hash, entry_count,
         size_bytes, completeness, created_at)
       SELECT ${numberOf("?2")}, ?3, ?4, ?5, ?6, ?7, ?8, ${hashBytes("?9")}, ?10, ?11, ?12, ?13 WHERE ${isFree}`,
      ...place,
      ...to,
      manifest.entryCount,
      manifest.sizeBytes,
      JSON.stringify(completeness),
      commit.committedAt,
    ),
  ];
}

/** Ties the object that describes the state to its manifest: `prune` deletes it with that. */
function keepState(
  ledger: LedgerDatabase,
  { hold, draft, snapshotId }: SnapshotCommit,
  stateObject: string,
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE object_row SET manifest_id = ${hashBytes("?4")} WHERE id = ?3 AND item = ${numberOf("?2")} AND ${IS_VISIBLE("?1")}`,
    snapshotId,
    hold.itemId,
    stateObject,
    draft.manifest.id,
  );
}

/** Writes the version into the item's row and unlocks the item. */
function showInItem(
  ledger: LedgerDatabase,
  { hold, snapshotId, takenAt, draft }: SnapshotCommit,
  change: SpanChange | null,
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE item SET last_backup_at = ?3, last_snapshot_id = ?2, size_bytes = ?4, starts_over = 0,
         manifest_seq = max(manifest_seq, ?5),
         active_run_kind = iif(active_run_id = ?6, NULL, active_run_kind),
         active_run_id = iif(active_run_id = ?6, NULL, active_run_id)
       WHERE id = ?1 AND ${IS_VISIBLE("?2")}`,
    hold.itemId,
    snapshotId,
    takenAt,
    draft.manifest.sizeBytes,
    change ? change.seq + 1 : 0,
    hold.runId,
  );
}

/**
 * Writes the item's current facts into its row if it shows the version and one of them is new. They are in three indexes,
 * each of which would be written for every version.
 */
function describeItem(
  ledger: LedgerDatabase,
  { hold, snapshotId, item }: SnapshotCommit,
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE item SET status = 'backuped', name = ?3, full_name = ?4, name_folded = ?5, description = ?6, details = ?7,
         last_error = NULL, last_error_at = NULL
       WHERE id = ?1 AND last_snapshot_id = ?2 AND (status <> 'backuped' OR last_error IS NOT NULL
         OR last_error_at IS NOT NULL OR name <> ?3 OR full_name <> ?4 OR name_folded <> ?5
         OR description IS NOT ?6 OR details <> ?7)`,
    hold.itemId,
    snapshotId,
    item.name,
    item.fullName,
    item.name.toLowerCase(),
    item.description,
    JSON.stringify(item.details),
  );
}

/** Inserts the run that checks the new version, unless a verdict stands for it. */
function queueCheck(
  ledger: LedgerDatabase,
  { hold, verifyRunId, snapshotId, committedAt }: SnapshotCommit,
): D1PreparedStatement {
  return statement(
    ledger,
    `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, snapshot_id, status,
         epoch, lease_until, created_at)
       SELECT ?1, organisation_id, connection_id, item_id, platform, 'verify', 'system', ?2, 'queued', 0, ?3, ?3
       FROM run WHERE id = ?4 AND EXISTS (SELECT 1 FROM snapshot WHERE id = ?2 AND verify_state = 'queued')
       ON CONFLICT (id) DO NOTHING`,
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
