import { isHere, numberOf } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { hashBytes, sameHash } from "#core/database/short-hash.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { RUN_IS_MINE, succeedRun } from "#core/runs/index.ts";
import type { ListedManifest } from "#core/vault/index.ts";
import {
  ARE_STORED,
  idLists,
  inParts,
  listSpans,
  planReplacement,
  replaceSpans,
} from "./object-spans.store.ts";
import { type NumberedManifest, objectsBySeq } from "./object-spans.ts";

/** An item whose packs may hold dead bytes. */
export type RepackCandidate = {
  organisationId: string;
  connectionId: string;
  itemId: string;
  platform: string;
};

/**
 * Lists items that had a pack written in this time span and have enough packs to be worth checking. It reads the packs
 * of the span by time and a few rows of each of their items, so its cost depends on the backups of that past hour, not
 * on the number of items. The run walks the manifests to find out what the item holds by then.
 */
export async function listRepackCandidates(
  ledger: LedgerDatabase,
  span: {
    from: number;
    until: number;
    quietSince: number;
    leastPacks: number;
    leastBytes: number;
    limit: number;
  },
): Promise<RepackCandidate[]> {
  const [found] = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT item.id, item.organisation_id, item.connection_id, item.platform
       FROM (SELECT DISTINCT item FROM object_row INDEXED BY object_row_packed
         WHERE created_at >= ?1 AND created_at < ?2 AND kind = 'pack' AND status = 'stored') written
       JOIN numbered_item ON numbered_item.number = written.item
       JOIN item ON item.id = numbered_item.item_id AND item.status <> 'deleted'
       WHERE ${isHere("item.organisation_id")}
         AND NOT EXISTS (SELECT 1 FROM run WHERE run.item_id = item.id AND run.created_at >= ?3 AND run.kind = 'repack')
         AND (SELECT count(*) >= 2 AND (count(*) >= ?4 OR coalesce(sum(pack.stored_bytes), 0) >= ?5)
           FROM object_row pack WHERE pack.item = written.item AND pack.kind = 'pack' AND pack.status = 'stored')
       LIMIT ?6`,
      span.from,
      span.until,
      span.quietSince,
      span.leastPacks,
      span.leastBytes,
      span.limit,
    ),
  ]);
  return (found?.results ?? []).map((row) => ({
    itemId: String(row.id),
    organisationId: String(row.organisation_id),
    connectionId: String(row.connection_id),
    platform: String(row.platform),
  }));
}

/** Lists the manifests of an item with the objects they need. */
export async function listManifests(
  ledger: LedgerDatabase,
  key: { organisationId: string; itemId: string },
): Promise<NumberedManifest[]> {
  const [roots] = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT id, seq, root_object, root_offset, root_length, root_method, root_hash, entry_count, size_bytes
       FROM manifest WHERE item_id = ?1 AND organisation_id = ?2 ORDER BY seq`,
      key.itemId,
      key.organisationId,
    ),
  ]);
  const rows = roots?.results ?? [];
  if (rows.length === 0) return [];
  const seqs = rows.map(({ seq }) => Number(seq));
  const needed = objectsBySeq(seqs, await listSpans(ledger, key.itemId));
  return rows.map((row) => ({
    id: String(row.id),
    seq: Number(row.seq),
    root: {
      object: String(row.root_object),
      offset: Number(row.root_offset),
      length: Number(row.root_length),
      method: row.root_method === 8 ? 8 : 0,
      hash: String(row.root_hash),
    },
    entryCount: Number(row.entry_count),
    sizeBytes: Number(row.size_bytes),
    objects: needed.get(Number(row.seq)) ?? [],
  }));
}

/**
 * Lists an item's record packs with their plain sizes. `hasCompanion` marks packs that must not be rewritten, because
 * their companions would not be found afterwards.
 */
export async function listPacks(
  ledger: LedgerDatabase,
  key: { organisationId: string; itemId: string },
): Promise<{ id: string; sizeBytes: number; hasCompanion: boolean }[]> {
  const [found] = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT id, size_bytes, EXISTS (SELECT 1 FROM companion WHERE source_object_id = object.id) AS has_companion
       FROM object WHERE item_id = ?1 AND kind = 'pack' AND organisation_id = ?2 AND status = 'stored'`,
      key.itemId,
      key.organisationId,
    ),
  ]);
  return (found?.results ?? []).map((row) => ({
    id: String(row.id),
    sizeBytes: Number(row.size_bytes),
    hasCompanion: row.has_companion === 1,
  }));
}

/** True while another run of the item is queued or running: locations must not change under it. */
export async function hasOtherOpenRun(
  ledger: LedgerDatabase,
  hold: { runId: string; itemId: string },
): Promise<boolean> {
  const [found] = await commitTogether(ledger, [
    statement(ledger, `SELECT ${OTHER_RUN_IS_OPEN("?1", "?2")} AS busy`, hold.itemId, hold.runId),
  ]);
  return found?.results[0]?.busy === 1;
}

const OTHER_RUN_IS_OPEN = (item: string, run: string) =>
  `EXISTS (SELECT 1 FROM run other WHERE other.item_id = ${item} AND other.id <> ${run}
     AND other.finished_at IS NULL)`;

/** New locations of an item's manifests. */
export type RepackCommit = {
  hold: { runId: string; epoch: number; itemId: string };
  /** Every manifest of the item as read before the repack. */
  before: readonly NumberedManifest[];
  /** The same manifests in the same order, with their new locations. */
  after: readonly ListedManifest[];
  now: number;
  bytesStored: number;
  report: Json;
};

/**
 * Points an item's manifests to their new locations and ends the run, in one D1 batch: all or nothing. Each statement
 * is guarded: the run is still ours, no other run of the item is open (its cursor may hold locations), the item has
 * exactly the manifests that were read, at the same locations, and everything they now need is stored. The old packs
 * lose their references and are pruned in two steps, so readers still have a day.
 *
 * @returns False when a guard failed: nothing has changed and the run is still open.
 */
export async function commitRepack(ledger: LedgerDatabase, commit: RepackCommit): Promise<boolean> {
  const { hold, before, after, now, bytesStored, report } = commit;
  const moved = after.filter((ref, i) => ref !== before[i]);
  const first = moved[0];
  const counts = { now, snapshotId: null, bytesRead: 0, bytesStored, report };
  if (!first) return isEnded(await commitTogether(ledger, [succeedRun(ledger, hold, counts)]));
  const present = after.map(({ objects }, i) => ({ objects, seq: before[i]!.seq }));
  const change = await planReplacement(ledger, hold.itemId, present);
  const guard = guardOf(commit, [...new Set(change.come.map(({ objectId }) => objectId))]);
  const [head, ...rest] = inParts(moved, ROOTS_PER_BIND);
  // The first roots change after everything else that checks the guard: it fails from then on. The statements after that
  // check whether the first root has moved.
  const results = await commitTogether(ledger, [
    ...replaceSpans(ledger, hold.itemId, change, guard),
    moveRoots(ledger, hold.itemId, head!, guard),
    ...rest.map((part) => moveRoots(ledger, hold.itemId, part, isMoved(hold.itemId, first))),
    endIfMoved(ledger, commit, first),
  ]);
  return isEnded(results);
}

const isEnded = (results: D1Result<unknown>[]) => (results.at(-1)?.results.length ?? 0) > 0;

/** SQL and the values of its parameters from `?1`. */
type Guard = { sql: string; values: readonly (string | number)[] };

/** Roots per bound value: about 250 bytes each. */
const ROOTS_PER_BIND = 3_000;

function guardOf({ hold, before }: RepackCommit, needed: readonly string[]): Guard {
  const seen = inParts(before, ROOTS_PER_BIND).map((part) =>
    JSON.stringify(part.map(({ id, root, seq }) => [id, root.object, root.offset, seq])),
  );
  const stored = idLists(needed);
  const values = [hold.runId, hold.epoch, hold.itemId, before.length, ...seen, ...stored];
  const areAsSeen = (list: string) =>
    `NOT EXISTS (SELECT 1 FROM json_each(${list}) seen WHERE NOT EXISTS (SELECT 1 FROM manifest known
       WHERE known.item_id = ?3 AND ${sameHash("known.id", "seen.value->>0")} AND known.root_object = seen.value->>1
         AND known.root_offset = seen.value->>2 AND known.seq = seen.value->>3))`;
  const conditions = [
    RUN_IS_MINE("?1", "?2"),
    `NOT ${OTHER_RUN_IS_OPEN("?3", "?1")}`,
    "(SELECT count(*) FROM manifest WHERE item_id = ?3) = ?4",
    ...seen.map((_, at) => areAsSeen(`?${5 + at}`)),
    ...stored.map((_, at) => ARE_STORED(`?${5 + seen.length + at}`)),
  ];
  return { sql: conditions.join(" AND "), values };
}

/** True once a manifest is at its new location. */
function isMoved(itemId: string, { id, root }: ListedManifest): Guard {
  const sql = `EXISTS (SELECT 1 FROM manifest known WHERE known.item_id = ?1 AND ${sameHash("known.id", "?2")}
     AND known.root_object = ?3 AND known.root_offset = ?4)`;
  return { sql, values: [itemId, id, root.object, root.offset] };
}

function moveRoots(
  ledger: LedgerDatabase,
  itemId: string,
  moved: readonly ListedManifest[],
  { sql, values }: Guard,
): D1PreparedStatement {
  const rows = moved.map(({ id, root }) => [
    id,
    root.object,
    root.offset,
    root.length,
    root.method,
    root.hash,
  ]);
  return statement(
    ledger,
    `UPDATE manifest_row SET root_object = moved.value->>1, root_offset = moved.value->>2,
       root_length = moved.value->>3, root_method = moved.value->>4, root_hash = ${hashBytes("moved.value->>5")}
     FROM json_each(?${values.length + 2}) moved
     WHERE manifest_row.item = ${numberOf(`?${values.length + 1}`)} AND ${sameHash("manifest_row.id", "moved.value->>0")} AND ${sql}`,
    ...values,
    itemId,
    JSON.stringify(rows),
  );
}

/** Ends the run if the first moved root is at its new location. */
function endIfMoved(
  ledger: LedgerDatabase,
  { hold, now, bytesStored, report }: RepackCommit,
  first: ListedManifest,
): D1PreparedStatement {
  return statement(
    ledger,
    `UPDATE run SET status = 'succeeded', finished_at = ?3, bytes_stored = ?4, report = ?5, lease_until = NULL,
       waiting_until = NULL, cursor = NULL, error_text = NULL
     WHERE id = ?1 AND epoch = ?2 AND status = 'running' AND EXISTS (SELECT 1 FROM manifest
       WHERE item_id = ?6 AND ${sameHash("manifest.id", "?7")} AND root_object = ?8 AND root_offset = ?9) RETURNING id`,
    hold.runId,
    hold.epoch,
    now,
    bytesStored,
    JSON.stringify(report),
    hold.itemId,
    first.id,
    first.root.object,
    first.root.offset,
  );
}
