import {
  IS_SHOWN,
  SILENT_SINCE,
  type StorageTallyRow,
  type StorageTotalRow,
} from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { STALE_AFTER_MS, STALE_COUNTED } from "#core/inventory/index.ts";
import type { DayHours, DayTally } from "./day-cells.ts";
import type { ActivityView, AttentionView } from "./views.ts";

/** Rows of a platform's recent activity. */
const ACTIVITY_ROWS = 5;

/** SQL of a platform's latest runs. Parameter: 1 organisation; `asked` is the platform. */
const LATEST_RUNS = `SELECT latest.id FROM run latest INDEXED BY run_activity
  WHERE latest.organisation_id = ?1 AND latest.platform = asked.value AND ${IS_SHOWN} AND latest.status <> 'superseded'
  ORDER BY latest.created_at DESC LIMIT ${ACTIVITY_ROWS}`;

/**
 * SQL of the items of a platform that were backed up last, from the index of each list by status. Parameters: 1 organisation,
 * 2 lists; `asked` is the platform.
 */
const LAST_BACKED_UP = (limit: number) => `SELECT newest.id
  FROM json_each(?2) list CROSS JOIN (VALUES ('backuped'), ('deleted')) status CROSS JOIN (VALUES (0), (1)) daily
  CROSS JOIN item newest ON newest.id IN (SELECT one.id FROM item one INDEXED BY item_stale
    WHERE one.organisation_id = ?1 AND one.connection_id = list.value->>0 AND one.kind = list.value->>1
      AND one.status = status.column1 AND one.is_daily = daily.column1 AND one.last_backup_at IS NOT NULL
    ORDER BY ${SILENT_SINCE("one.")} DESC LIMIT ${limit})
  WHERE list.value->>2 = asked.value ORDER BY newest.last_backup_at DESC LIMIT ${limit}`;

/**
 * SQL of the latest versions with folded runs: those of the items that were backed up last. Parameters: 1 organisation, 2
 * lists.
 */
const LATEST_FOLDED = `SELECT version.id
  FROM (${LAST_BACKED_UP(ACTIVITY_ROWS)}) active CROSS JOIN snapshot version ON version.id IN (
    SELECT one.id FROM snapshot one INDEXED BY snapshot_item
    WHERE one.item_id = active.id AND one.run_created_at IS NOT NULL ORDER BY one.taken_at DESC LIMIT ${ACTIVITY_ROWS})
  ORDER BY version.taken_at DESC LIMIT ${ACTIVITY_ROWS}`;

/** What one ledger is asked for: these accounts and kinds of an organisation. */
export type OverviewQuery = {
  organisationId: string;
  platforms: readonly string[];
  lists: readonly { connectionId: string; kind: string; platform: string }[];
  days: readonly DayHours[];
  now: number;
  attention: number;
};

export type KindCountRow = {
  connectionId: string;
  platform: string;
  kind: string;
  all: number;
  failed: number;
  never: number;
  paused: number;
  deleted: number;
};

/** The answers of one ledger. */
export type OverviewRows = {
  counts: KindCountRow[];
  /** By account; capped. */
  stale: Map<string, number>;
  /** Items that are paused and have no version, by platform. */
  pausedNever: Map<string, number>;
  /** By account and day. */
  tallies: { connectionId: string; date: string; tally: DayTally }[];
  attention: AttentionView[];
  activity: ActivityView[];
  lastBackups: { platform: string; name: string; at: number }[];
  storedBytes: number;
  storedChanges: Map<string, number>;
};

/**
 * Reads a dashboard's part of one ledger in one round trip. Every statement reads counters, or a fixed number of rows
 * from an index: the cost does not grow with versions, and with items only by the counters of their places.
 */
export async function readOverview(ledger: LedgerDatabase, query: OverviewQuery): Promise<OverviewRows> {
  const { organisationId, now } = query;
  const connections = JSON.stringify([...new Set(query.lists.map(({ connectionId }) => connectionId))]);
  const lists = JSON.stringify(
    query.lists.map(({ connectionId, kind, platform }) => [connectionId, kind, platform]),
  );
  const platforms = JSON.stringify(query.platforms);
  const days = JSON.stringify(query.days.map(({ date, from, until }) => [date, from, until]));
  const staleBefore = now - STALE_AFTER_MS;
  const answers = await commitTogether(ledger, [
    statement(
      ledger,
      `SELECT connection_id AS connectionId, platform, kind, sum(total) AS "all", sum(failed) AS failed,
         sum(never) AS never, sum(paused) AS paused, sum(deleted) AS deleted
       FROM item_count WHERE organisation_id = ?1 AND connection_id IN (SELECT value FROM json_each(?2))
       GROUP BY connection_id, platform, kind`,
      organisationId,
      connections,
    ),
    statement(
      ledger,
      `SELECT list.value->>0 AS connectionId, sum((SELECT count(*) FROM (SELECT 1 FROM item INDEXED BY item_stale
         WHERE organisation_id = ?1 AND connection_id = list.value->>0 AND kind = list.value->>1
           AND status = 'backuped' AND is_daily = 1 AND ${SILENT_SINCE("")} < ?3 LIMIT ${STALE_COUNTED}))) AS count
       FROM json_each(?2) list GROUP BY 1`,
      organisationId,
      lists,
      staleBefore,
    ),
    statement(
      ledger,
      `SELECT asked.value AS platform, (SELECT count(*) FROM item INDEXED BY item_platform WHERE organisation_id = ?1
         AND platform = asked.value AND status = 'initialized' AND is_daily = 0) AS count FROM json_each(?2) asked`,
      organisationId,
      platforms,
    ),
    statement(
      ledger,
      `SELECT tally.connection_id AS connectionId, day.value->>0 AS date, sum(succeeded) AS succeeded,
         sum(failed) AS failed, sum(broke) AS broke, sum(recovered) AS recovered
       FROM json_each(?2) day CROSS JOIN backup_tally tally ON tally.organisation_id = ?1
         AND tally.hour >= day.value->>1 AND tally.hour < day.value->>2
       WHERE tally.connection_id IN (SELECT value FROM json_each(?3)) GROUP BY 1, 2`,
      organisationId,
      days,
      connections,
    ),
    statement(
      ledger,
      `SELECT id, platform, connection_id AS connectionId, name, 'failed' AS kind, last_error AS reason,
         last_backup_at AS lastBackupAt
       FROM item INDEXED BY item_failed WHERE organisation_id = ?1 AND last_error IS NOT NULL
         AND connection_id IN (SELECT value FROM json_each(?2)) ORDER BY last_error_at DESC LIMIT ?3`,
      organisationId,
      connections,
      query.attention,
    ),
    statement(
      ledger,
      `SELECT item.id, item.platform, item.connection_id AS connectionId, item.name, 'stale' AS kind, NULL AS reason,
         item.last_backup_at AS lastBackupAt
       FROM json_each(?2) list CROSS JOIN item ON item.id IN (SELECT old.id FROM item old INDEXED BY item_stale
         WHERE old.organisation_id = ?1 AND old.connection_id = list.value->>0 AND old.kind = list.value->>1
           AND old.status = 'backuped' AND old.is_daily = 1 AND ${SILENT_SINCE("old.")} < ?3
         ORDER BY ${SILENT_SINCE("old.")} LIMIT ?4)
       WHERE item.last_error IS NULL ORDER BY item.last_backup_at LIMIT ?4`,
      organisationId,
      lists,
      staleBefore,
      query.attention,
    ),
    statement(
      ledger,
      `SELECT item.id, item.platform, item.connection_id AS connectionId, item.name, 'deleted' AS kind, NULL AS reason,
         item.last_backup_at AS lastBackupAt
       FROM json_each(?2) asked CROSS JOIN item ON item.id IN (SELECT gone.id FROM item gone INDEXED BY item_platform
         WHERE gone.organisation_id = ?1 AND gone.platform = asked.value AND gone.status = 'deleted' LIMIT ?3)
       WHERE item.last_error IS NULL LIMIT ?3`,
      organisationId,
      platforms,
      query.attention,
    ),
    statement(
      ledger,
      `SELECT id, itemId, name, platform, type, status, date FROM (
         SELECT *, row_number() OVER (PARTITION BY platform ORDER BY created_at DESC) AS place FROM (
         SELECT run.id, run.item_id AS itemId, item.name, run.platform, run.kind AS type, run.status,
           coalesce(run.finished_at, run.started_at, run.created_at) AS date, run.created_at
         FROM json_each(?3) asked CROSS JOIN run ON run.id IN (${LATEST_RUNS})
         LEFT JOIN item ON item.id = run.item_id
         UNION ALL
         SELECT folded.run_id, item.id, item.name, item.platform, 'backup', 'succeeded', folded.run_finished_at,
           folded.run_created_at
         FROM json_each(?3) asked CROSS JOIN snapshot folded ON folded.id IN (${LATEST_FOLDED})
         JOIN item ON item.id = folded.item_id
       )) WHERE place <= ${ACTIVITY_ROWS} ORDER BY created_at DESC`,
      organisationId,
      lists,
      platforms,
    ),
    statement(
      ledger,
      `SELECT item.platform, item.name, item.last_backup_at AS at
       FROM json_each(?3) asked CROSS JOIN item ON item.id = (${LAST_BACKED_UP(1)})`,
      organisationId,
      lists,
      platforms,
    ),
    statement(ledger, "SELECT bytes FROM storage_total WHERE organisation_id = ?1", organisationId),
    statement(
      ledger,
      `SELECT day.value->>0 AS date, sum(bytes) AS bytes FROM json_each(?2) day CROSS JOIN storage_tally tally
         ON tally.organisation_id = ?1 AND tally.hour >= day.value->>1 AND tally.hour < day.value->>2 GROUP BY 1`,
      organisationId,
      days,
    ),
  ]);
  const rows = <Row>(at: number) => (answers[at]?.results ?? []) as Row[];
  type Tally = DayTally & { connectionId: string; date: string };
  return {
    counts: rows<KindCountRow>(0),
    stale: new Map(
      rows<{ connectionId: string; count: number }>(1).map((row) => [row.connectionId, row.count]),
    ),
    pausedNever: new Map(
      rows<{ platform: string; count: number }>(2).map((row) => [row.platform, row.count]),
    ),
    tallies: rows<Tally>(3).map(({ connectionId, date, ...tally }) => ({ connectionId, date, tally })),
    attention: [4, 5, 6].flatMap((at) => rows<AttentionView>(at)),
    activity: rows<ActivityView>(7),
    lastBackups: rows<{ platform: string; name: string; at: number }>(8),
    storedBytes: rows<Pick<StorageTotalRow, "bytes">>(9)[0]?.bytes ?? 0,
    storedChanges: new Map(
      rows<Pick<StorageTallyRow, "bytes"> & { date: string }>(10).map((row) => [row.date, row.bytes]),
    ),
  };
}
