import { numberOf } from "#core/database/ledger/index.ts";
import type { ControlDatabase, LedgerDatabase } from "#core/database/ledgers.ts";
import { hashBytes } from "#core/database/short-hash.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import type { ObjectKind, ObjectScope } from "#core/vault/index.ts";
import type { SameState } from "./erasure-marks.ts";
import type { ItemState } from "./state-object.ts";
import type { ProvedManifest, ShownVersion } from "./types.ts";

/** Ids of organisations in order. */
export async function listHolders(control: ControlDatabase, after: string, limit: number): Promise<string[]> {
  const { results } = await statement(
    control,
    "SELECT id FROM organisation WHERE id > ?1 ORDER BY id LIMIT ?2",
    after,
    limit,
  ).all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** The accounts of an organisation, by id. */
export async function listConnections(
  control: ControlDatabase,
  organisationId: string,
): Promise<Map<string, "active" | "revoked">> {
  const { results } = await statement(
    control,
    "SELECT id, status FROM connection WHERE organisation_id = ?1",
    organisationId,
  ).all<{ id: string; status: "active" | "revoked" }>();
  return new Map(results.map(({ id, status }) => [id, status]));
}

/** Which of these items the ledger has. */
export async function listPresentItems(ledger: LedgerDatabase, ids: readonly string[]): Promise<Set<string>> {
  const { results } = await statement(
    ledger,
    "SELECT id FROM item WHERE id IN (SELECT value FROM json_each(?1))",
    JSON.stringify(ids),
  ).all<{ id: string }>();
  return new Set(results.map(({ id }) => id));
}

/** The place of an item, as its state keeps it; null when it has none. */
export async function findPlaceFacts(
  ledger: LedgerDatabase,
  placeId: string | null,
): Promise<ItemState["place"]> {
  if (placeId === null) return null;
  const row = await statement(
    ledger,
    `SELECT external_id AS externalId, name, type, details, created_at AS createdAt FROM place WHERE id = ?1`,
    placeId,
  ).first<Omit<NonNullable<ItemState["place"]>, "details"> & { details: string | null }>();
  return row && { ...row, details: row.details === null ? null : JSON.parse(row.details) };
}

/** Whether an object describes the state of this manifest. */
export async function isStateDescribed(
  ledger: LedgerDatabase,
  key: { itemId: string; manifestId: string },
): Promise<boolean> {
  const row = await statement(
    ledger,
    `SELECT 1 AS found FROM object
     WHERE item_id = ?1 AND kind = 'state' AND manifest_id = ?2 AND status = 'stored' LIMIT 1`,
    key.itemId,
    key.manifestId,
  ).first();
  return row !== null;
}

/** The next later version with the same state as this one. */
export async function findSameState(
  ledger: LedgerDatabase,
  version: { id: string; itemId: string; manifestId: string; takenAt: number },
): Promise<SameState | null> {
  return statement(
    ledger,
    `SELECT id, run_id AS runId, taken_at AS takenAt, expires_at AS expiresAt FROM snapshot
     WHERE item_id = ?1 AND manifest_id = ?2 AND taken_at > ?3 AND id <> ?4 ORDER BY taken_at LIMIT 1`,
    version.itemId,
    version.manifestId,
    version.takenAt,
    version.id,
  ).first<SameState>();
}

/** An object's row. */
export type ObjectRow = {
  id: string;
  kind: ObjectKind;
  runId: string;
  sizeBytes: number;
  storedBytes: number;
  hash: string | null;
  crc32: number;
  manifestId: string | null;
  createdAt: number;
};

/** Rows per statement: a row is less than 400 bytes of JSON, and D1 binds two megabytes. */
const ROWS_AT_ONCE = 2_000;

/** Adds rows of stored objects of an item, and its number. Existing ones stay unchanged. */
export async function insertObjects(
  ledger: LedgerDatabase,
  { organisationId, itemId }: ObjectScope,
  rows: readonly ObjectRow[],
): Promise<void> {
  await statement(
    ledger,
    "INSERT INTO numbered_item (item_id, organisation_id) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
    itemId,
    organisationId,
  ).run();
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await statement(
      ledger,
      `INSERT INTO object_row (id, item, run_id, kind, status, size_bytes, stored_bytes, hash, crc32, manifest_id,
         created_at)
       SELECT value->>'id', ${numberOf("?2")}, value->>'runId', value->>'kind', 'stored', value->>'sizeBytes',
         value->>'storedBytes', ${hashBytes("value->>'hash'")}, value->>'crc32', ${hashBytes("value->>'manifestId'")},
         value->>'createdAt'
       FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`,
      JSON.stringify(rows.slice(at, at + ROWS_AT_ONCE)),
      itemId,
    ).run();
  }
}

/** Versions per batch, two statements each. */
const VERSIONS_AT_ONCE = 50;

/** Adds versions, unchecked as new ones are, and the runs that took them. */
export async function insertVersions(
  ledger: LedgerDatabase,
  { organisationId, itemId }: ObjectScope,
  versions: readonly (ShownVersion & { manifest: ProvedManifest })[],
): Promise<void> {
  const statements = versions.map(({ manifest, state, ...version }) => {
    const isFirst = version.id === state.snapshot.id;
    return [
      statement(
        ledger,
        `INSERT INTO run (id, organisation_id, connection_id, item_id, platform, kind, trigger, status, epoch, attempts,
           bytes_read, bytes_stored, snapshot_id, created_at, started_at, began_at, finished_at, created_by)
         VALUES (?1, ?2, ?3, ?4, ?5, 'backup', ?6, 'succeeded', 1, 1, ?7, ?8, ?9, ?10, ?11, ?11, ?12, ?13)
         ON CONFLICT DO NOTHING`,
        version.runId,
        organisationId,
        state.item.connectionId,
        itemId,
        state.item.platform,
        state.run.trigger,
        isFirst ? state.run.bytesRead : 0,
        version.newBytes,
        version.id,
        isFirst ? state.run.createdAt : version.takenAt,
        version.takenAt,
        isFirst ? state.run.committedAt : version.takenAt,
        state.run.createdBy,
      ),
      statement(
        ledger,
        `INSERT INTO snapshot (id, organisation_id, item_id, run_id, taken_at, manifest_id, size_bytes, new_bytes,
           skipped_count, verify_state, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 'queued', ?10) ON CONFLICT DO NOTHING`,
        version.id,
        organisationId,
        itemId,
        version.runId,
        version.takenAt,
        version.manifestId,
        manifest.sizeBytes,
        version.newBytes,
        manifest.completeness.skippedCount,
        version.expiresAt,
      ),
    ];
  });
  for (let at = 0; at < statements.length; at += VERSIONS_AT_ONCE)
    await commitTogether(ledger, statements.slice(at, at + VERSIONS_AT_ONCE).flat());
}

/** An item as its newest state describes it. */
export type RebuiltItem = {
  scope: ObjectScope;
  state: ItemState;
  /** Null = every version was erased, or none could be rebuilt. */
  newest: Pick<ShownVersion, "id" | "takenAt"> | null;
  sizeBytes: number;
  startsOver: boolean;
  /** Null while its account is lost; connecting it again resumes the schedule. */
  schedule: { dueAt: number; periodMs: number } | null;
};

/** Adds an item, last of all that belongs to it, with its place and schedule. */
export async function insertItem(ledger: LedgerDatabase, rebuilt: RebuiltItem): Promise<void> {
  const { organisationId, itemId } = rebuilt.scope;
  const { item, place } = rebuilt.state;
  const { newest, schedule } = rebuilt;
  const statements: D1PreparedStatement[] = [];
  if (place && item.placeId !== null)
    statements.push(
      statement(
        ledger,
        `INSERT INTO place (id, organisation_id, connection_id, external_id, name, type, details, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING`,
        item.placeId,
        organisationId,
        item.connectionId,
        place.externalId,
        place.name,
        place.type,
        JSON.stringify(place.details),
        place.createdAt,
      ),
    );
  if (schedule && item.isDaily)
    statements.push(
      statement(
        ledger,
        `INSERT INTO schedule (item_id, due_at, period_ms, organisation_id, connection_id, platform)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING`,
        itemId,
        schedule.dueAt,
        schedule.periodMs,
        organisationId,
        item.connectionId,
        item.platform,
      ),
    );
  statements.push(
    statement(
      ledger,
      `INSERT INTO item (id, organisation_id, connection_id, place_id, platform, kind, external_id, name, full_name,
         name_folded, description, visibility, details, status, is_daily, daily_changes, is_paused_by_plan,
         alarm_lost_percent, alarm_lost_count, starts_over, last_backup_at, last_snapshot_id, size_bytes, created_at,
         manifest_seq)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 'private', ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
         ?22, ?23, coalesce((SELECT max(seq) FROM manifest WHERE manifest.item_id = ?1), 0)) ON CONFLICT DO NOTHING`,
      itemId,
      organisationId,
      item.connectionId,
      item.placeId,
      item.platform,
      item.kind,
      item.externalId,
      item.name,
      item.fullName,
      item.name.toLowerCase(),
      item.description,
      JSON.stringify(item.details),
      newest ? "backuped" : "initialized",
      item.isDaily,
      JSON.stringify(item.dailyChanges),
      item.isPausedByPlan,
      item.alarmLostPercent,
      item.alarmLostCount,
      rebuilt.startsOver,
      newest?.takenAt ?? null,
      newest?.id ?? null,
      rebuilt.sizeBytes,
      item.createdAt,
    ),
  );
  await commitTogether(ledger, statements);
}
