import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { RUN_IS_MINE, succeedRun } from "#core/runs/index.ts";
import type { ManifestRef } from "#core/vault/index.ts";
import { IDS_PER_ROW } from "./registry.store.ts";

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
       FROM (SELECT DISTINCT item_id FROM object INDEXED BY object_created
         WHERE created_at >= ?1 AND created_at < ?2 AND kind = 'pack' AND status = 'stored') written
       JOIN item ON item.id = written.item_id AND item.status <> 'deleted'
       WHERE NOT EXISTS (SELECT 1 FROM run WHERE run.item_id = item.id AND run.created_at >= ?3 AND run.kind = 'repack')
         AND (SELECT count(*) >= 2 AND (count(*) >= ?4 OR coalesce(sum(pack.stored_bytes), 0) >= ?5)
           FROM object pack WHERE pack.item_id = item.id AND pack.kind = 'pack' AND pack.status = 'stored')
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
): Promise<ManifestRef[]> {
  const [roots, objects] = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT id, root_object, root_offset, root_length, root_method, root_hash, entry_count, size_bytes
       FROM manifest WHERE item_id = ?1 AND organisation_id = ?2 ORDER BY created_at, id`,
      key.itemId,
      key.organisationId,
    ),
    statement(
      ledger,
      `SELECT manifest_id, json_group_array(object_id) AS ids FROM
         (SELECT manifest_id, object_id, (row_number() OVER (ORDER BY manifest_id, object_id) - 1) / ?2 AS part
          FROM manifest_object WHERE item_id = ?1) GROUP BY manifest_id, part`,
      key.itemId,
      IDS_PER_ROW,
    ),
  ]);
  const needed = new Map<string, string[]>();
  for (const { manifest_id, ids } of objects?.results ?? []) {
    const known = needed.get(String(manifest_id)) ?? [];
    needed.set(String(manifest_id), [...known, ...(JSON.parse(String(ids)) as string[])]);
  }
  return (roots?.results ?? []).map((row) => ({
    id: String(row.id),
    root: {
      object: String(row.root_object),
      offset: Number(row.root_offset),
      length: Number(row.root_length),
      method: row.root_method === 8 ? 8 : 0,
      hash: String(row.root_hash),
    },
    entryCount: Number(row.entry_count),
    sizeBytes: Number(row.size_bytes),
    objects: needed.get(String(row.id)) ?? [],
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
     AND other.status IN ('queued', 'running'))`;

/** New locations of an item's manifests. */
export type RepackCommit = {
  hold: { runId: string; epoch: number; itemId: string };
  /** Every manifest of the item as read before the repack. */
  before: readonly ManifestRef[];
  /** The same manifests in the same order, with their new locations. */
  after: readonly ManifestRef[];
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
  const { hold, before, after } = commit;
  const seen = JSON.stringify(before.map(({ id, root }) => [id, root.object, root.offset]));
  const gone: [string, string][] = [];
  const come: [string, string][] = [];
  for (const [i, old] of before.entries()) {
    const present = after[i]!;
    const [had, has] = [new Set(old.objects), new Set(present.objects)];
    for (const id of had) if (!has.has(id)) gone.push([old.id, id]);
    for (const id of has) if (!had.has(id)) come.push([old.id, id]);
  }
  const moved = after.filter((ref, i) => ref !== before[i]);
  const roots = moved.map(({ id, root }) => [
    id,
    root.object,
    root.offset,
    root.length,
    root.method,
    root.hash,
  ]);
  const needed = JSON.stringify([...new Set(come.map(([, object]) => object))]);
  const guarded = `${RUN_IS_MINE("?1", "?2")} AND NOT ${OTHER_RUN_IS_OPEN("?3", "?1")}
     AND (SELECT count(*) FROM manifest WHERE item_id = ?3) = json_array_length(?4)
     AND NOT EXISTS (SELECT 1 FROM json_each(?4) seen LEFT JOIN manifest known
       ON known.item_id = ?3 AND known.id = seen.value->>0
       WHERE known.id IS NULL OR known.root_object <> seen.value->>1 OR known.root_offset <> seen.value->>2)
     AND NOT EXISTS (SELECT 1 FROM json_each(?5) needed LEFT JOIN object ON object.id = needed.value
       WHERE object.id IS NULL OR object.status <> 'stored')`;
  const bind = [hold.runId, hold.epoch, hold.itemId, seen, needed] as const;
  // The roots change last of what the guard checks: the guard fails once they have changed.
  const results = await commitTogether(ledger, [
    ...inBinds(gone).map((pairs) =>
      statement(
        ledger,
        `DELETE FROM manifest_object WHERE item_id = ?3 AND (manifest_id, object_id) IN
           (SELECT value->>0, value->>1 FROM json_each(?6)) AND ${guarded}`,
        ...bind,
        pairs,
      ),
    ),
    ...inBinds(come).map((pairs) =>
      statement(
        ledger,
        `INSERT INTO manifest_object (item_id, manifest_id, object_id)
         SELECT ?3, value->>0, value->>1 FROM json_each(?6) WHERE ${guarded} ON CONFLICT DO NOTHING`,
        ...bind,
        pairs,
      ),
    ),
    statement(
      ledger,
      `UPDATE manifest SET root_object = moved.value->>1, root_offset = moved.value->>2,
         root_length = moved.value->>3, root_method = moved.value->>4, root_hash = moved.value->>5
       FROM json_each(?6) moved WHERE manifest.item_id = ?3 AND manifest.id = moved.value->>0 AND ${guarded}
       RETURNING manifest.id`,
      ...bind,
      JSON.stringify(roots),
    ),
    endIfMoved(ledger, commit, moved[0] ?? null),
  ]);
  return (results.at(-1)?.results.length ?? 0) > 0;
}

/** Pairs per bound value: about 100 bytes each, and D1 allows two megabytes. */
const PAIRS_PER_BIND = 10_000;

function inBinds(pairs: readonly [string, string][]): string[] {
  const binds: string[] = [];
  for (let at = 0; at < pairs.length; at += PAIRS_PER_BIND)
    binds.push(JSON.stringify(pairs.slice(at, at + PAIRS_PER_BIND)));
  return binds;
}

/** Ends the run if the first moved root is at its new location. A run that moves nothing ends without that check. */
function endIfMoved(
  ledger: LedgerDatabase,
  commit: RepackCommit,
  first: ManifestRef | null,
): D1PreparedStatement {
  const { hold, now, bytesStored, report } = commit;
  if (!first) return succeedRun(ledger, hold, { now, snapshotId: null, bytesRead: 0, bytesStored, report });
  return statement(
    ledger,
    `UPDATE run SET status = 'succeeded', finished_at = ?3, bytes_stored = ?4, report = ?5, lease_until = NULL,
       waiting_until = NULL, cursor = NULL, error_text = NULL
     WHERE id = ?1 AND epoch = ?2 AND status = 'running' AND EXISTS (SELECT 1 FROM manifest
       WHERE item_id = ?6 AND id = ?7 AND root_object = ?8 AND root_offset = ?9) RETURNING id`,
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
