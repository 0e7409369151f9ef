import { IS_SHOWN } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { sameHash } from "#core/database/short-hash.ts";
import { statement } from "#core/database/statements.ts";
import { ESTIMATED_FROM_RUNS, LAST_SUCCESSES, type RunKind, type RunTrigger } from "#core/runs/index.ts";
import { DRAWN_ITEMS, LOOK_BACK_MS, OPEN_RUNS } from "./limits.ts";
import type { CellState, ShownKind } from "./views.ts";

/** What a read of one ledger is about. Times are epoch ms. */
export type RoundQuery = {
  organisationId: string;
  /** The connections that the reader may see. */
  connectionIds: readonly string[];
  /** Their platforms. */
  platforms: readonly string[];
  /** Those among them whose scheduled backups take place. */
  scheduledIds: readonly string[];
  now: number;
  /** The day, in the reader's time zone. */
  start: number;
  end: number;
  done: { limit: number; offset: number };
};

/** An item of the round with the counts of the whole round. */
export type CellRow = {
  itemId: string;
  platform: string;
  name: string | null;
  runId: string | null;
  state: CellState;
  at: number;
  errorText: string | null;
};

export type CountRow = { state: CellState; count: number; lastAt: number };

export type OpenRow = {
  id: string;
  itemId: string;
  connectionId: string;
  platform: string;
  name: string | null;
  lastBackupAt: number | null;
  kind: ShownKind & RunKind;
  trigger: RunTrigger;
  status: string;
  phase: string | null;
  done: number;
  total: number | null;
  unit: string | null;
  waitingUntil: number | null;
  waitsTurn: number;
  expectedEndAt: number | null;
  attempts: number;
  errorText: string | null;
  bytesRead: number;
  createdAt: number;
  startedAt: number | null;
  leaseUntil: number | null;
  createdBy: string | null;
  isQueued: number;
  queued: number;
  /** The mean duration of the item's last runs of this kind, ms; null = there was none. */
  meanMs: number | null;
};

export type DoneRow = {
  id: string;
  itemId: string;
  platform: string;
  name: string | null;
  kind: ShownKind & RunKind;
  status: string;
  startedAt: number | null;
  finishedAt: number;
  newBytes: number | null;
  skipped: number | null;
  report: string | null;
  errorText: string | null;
  total: number;
};

export type LedgerRuns = {
  counts: CountRow[];
  cells: CellRow[];
  open: OpenRow[];
  done: DoneRow[];
  nextDueAt: number | null;
};

const IN = (parameter: string) => `IN (SELECT value FROM json_each(${parameter}))`;

/**
 * The open runs of the organisation, of any age: its items are walked by their index, and the runs of each are in the
 * small index of open runs. Parameters: 1 organisation, 2 connections.
 */
const OPEN = `SELECT r.* FROM item i CROSS JOIN run r INDEXED BY run_open
  WHERE i.organisation_id = ?1 AND i.connection_id ${IN("?2")} AND r.item_id = i.id
    AND r.finished_at IS NULL`;

/**
 * The backups that found nothing new: their runs are folded into their versions (`core/runs/fold-runs.store.ts`), which are
 * found by their items. Parameters: 1 organisation, 2 connections; earliest reading and earliest end are given.
 */
const FOLDED = (since: string, start: string) => `
  SELECT v.run_id AS id, v.item_id, i.platform, 'backup' AS kind, 'succeeded' AS status, v.run_attempts AS attempts,
    NULL AS error_text, NULL AS waiting_until, v.run_created_at AS created_at, v.run_started_at AS started_at,
    v.run_finished_at AS finished_at, NULL AS report, v.id AS snapshot_id
  FROM item i CROSS JOIN snapshot v INDEXED BY snapshot_item ON v.item_id = i.id AND v.taken_at >= ${since}
  WHERE i.organisation_id = ?1 AND i.connection_id ${IN("?2")} AND v.run_finished_at >= ${start}`;

/** True for an open run that has work to do before it starts or goes on: it is not at work. */
const IS_QUEUED = "(started_at IS NULL OR (status = 'queued' AND error_text IS NOT NULL))";

/**
 * The items of the round. Each has one row, of its newest backup. Parameters: 1 organisation, 2 connections, 3 oldest
 * creation, 4 start and 5 end of the day, 6 now, 7 connections with scheduled backups, 8 platforms.
 */
const CELLS = `
  backups AS (
    SELECT id, item_id, platform, status, attempts, error_text, waiting_until, created_at, started_at, finished_at
    FROM run INDEXED BY run_activity
    WHERE organisation_id = ?1 AND platform ${IN("?8")} AND created_at >= ?3 AND ${IS_SHOWN} AND kind = 'backup'
      AND status IN ('succeeded', 'failed') AND finished_at >= ?4 AND connection_id ${IN("?2")}
    UNION ALL
    SELECT id, item_id, platform, status, attempts, error_text, waiting_until, created_at, started_at, finished_at
    FROM (${FOLDED("?3", "?4")})
    UNION ALL
    SELECT id, item_id, platform, status, attempts, error_text, waiting_until, created_at, started_at, finished_at
    FROM (${OPEN}) WHERE kind = 'backup'
  ),
  newest AS (
    SELECT id, item_id, platform, status, attempts, error_text, waiting_until, started_at, finished_at,
      max(created_at) AS created_at, sum(status = 'failed') AS failures
    FROM backups GROUP BY item_id
  ),
  cells AS (
    SELECT item_id, platform, id AS run_id,
      CASE
        WHEN status = 'failed' THEN 'failed'
        WHEN status = 'succeeded' THEN CASE WHEN attempts > 1 OR failures > 0 THEN 'retried' ELSE 'good' END
        WHEN ${IS_QUEUED} THEN 'queued'
        WHEN status = 'queued' AND waiting_until > ?6 THEN 'waiting'
        ELSE 'running'
      END AS state,
      coalesce(finished_at, started_at, created_at) AS at,
      CASE WHEN status = 'failed' THEN error_text END AS error_text
    FROM newest
    UNION ALL
    SELECT item_id, platform, NULL, 'due', due_at, NULL FROM schedule INDEXED BY schedule_connection
    WHERE connection_id ${IN("?7")} AND due_at < ?5 AND item_id NOT IN (SELECT item_id FROM newest)
  )`;

/** How many items are in each state. */
const COUNTS = `WITH ${CELLS} SELECT state, count(*) AS count, max(at) AS lastAt FROM cells GROUP BY state`;

/** The items themselves: first those that are still to come. One more than can be drawn. */
const DRAWN = `WITH ${CELLS}
  SELECT c.item_id AS itemId, c.platform, i.name, c.run_id AS runId, c.state, c.at, c.error_text AS errorText
  FROM (SELECT * FROM cells
    ORDER BY CASE state WHEN 'running' THEN 0 WHEN 'waiting' THEN 0 WHEN 'queued' THEN 1 WHEN 'due' THEN 2 ELSE 3 END, at
    LIMIT ?9) c
  LEFT JOIN item i ON i.id = c.item_id`;

/** The open runs: those at work, then the queue. Parameters: 1 organisation, 2 connections, 3 how many. */
const OPEN_LIST = `
  SELECT o.id, o.item_id AS itemId, o.connection_id AS connectionId, o.platform, i.name, i.last_backup_at AS lastBackupAt,
    o.kind, o.trigger, o.status, o.phase, o.done, o.total, o.unit, o.waiting_until AS waitingUntil,
    o.waits_turn AS waitsTurn, o.expected_end_at AS expectedEndAt, o.attempts, o.error_text AS errorText,
    o.bytes_read AS bytesRead, o.created_at AS createdAt, o.started_at AS startedAt, o.lease_until AS leaseUntil,
    o.created_by AS createdBy,
    o.is_queued AS isQueued, o.queued,
    (SELECT avg(finished_at - started_at) FROM (${LAST_SUCCESSES("o.item_id", "o.kind", ESTIMATED_FROM_RUNS)})) AS meanMs
  FROM (
    SELECT *, ${IS_QUEUED} AS is_queued, sum(${IS_QUEUED}) OVER () AS queued
    FROM (${OPEN}) WHERE ${IS_SHOWN}
    ORDER BY is_queued, CASE WHEN ${IS_QUEUED} THEN max(created_at, coalesce(waiting_until, 0)) ELSE started_at END, id
    LIMIT ?3
  ) o
  LEFT JOIN item i ON i.id = o.item_id`;

/**
 * One page of what has ended. Parameters: 1 organisation, 2 connections, 3 oldest creation, 4 start of the day, 5 platforms,
 * 6 limit, 7 offset.
 */
const DONE_LIST = `
  SELECT e.id, e.item_id AS itemId, e.platform, i.name, e.kind, e.status, e.started_at AS startedAt,
    e.finished_at AS finishedAt, s.new_bytes AS newBytes, (SELECT json_extract(m.completeness, '$.skippedCount')
      FROM manifest m WHERE m.item_id = s.item_id AND ${sameHash("m.id", "s.manifest_id")}) AS skipped,
    CASE WHEN e.kind = 'restore' THEN e.report END AS report, e.error_text AS errorText, e.total_ended AS total
  FROM (
    SELECT *, count(*) OVER () AS total_ended FROM (
      SELECT id, item_id, platform, kind, status, started_at, finished_at, report, error_text, snapshot_id
      FROM run INDEXED BY run_activity
      WHERE organisation_id = ?1 AND platform ${IN("?5")} AND created_at >= ?3 AND connection_id ${IN("?2")}
        AND ${IS_SHOWN} AND status IN ('succeeded', 'failed') AND finished_at >= ?4
      UNION ALL
      SELECT id, item_id, platform, kind, status, started_at, finished_at, report, error_text, snapshot_id
      FROM (${FOLDED("?3", "?4")})
    )
    ORDER BY finished_at DESC, id DESC LIMIT ?6 OFFSET ?7
  ) e
  LEFT JOIN item i ON i.id = e.item_id
  LEFT JOIN snapshot s ON s.id = e.snapshot_id AND s.run_id = e.id
  ORDER BY e.finished_at DESC, e.id DESC`;

const NEXT_DUE = `SELECT min(due_at) AS at FROM schedule INDEXED BY schedule_connection WHERE connection_id ${IN("?1")}`;

/** The statements of `readRuns`, in its order. Each is bounded by the organisation's own rows. Exported for its test. */
export function runStatements(ledger: LedgerDatabase, query: RoundQuery): D1PreparedStatement[] {
  const { organisationId, now, start, end, done } = query;
  const seen = JSON.stringify(query.connectionIds);
  const scheduled = JSON.stringify(query.scheduledIds);
  const platforms = JSON.stringify(query.platforms);
  const since = start - LOOK_BACK_MS;
  const round = [organisationId, seen, since, start, end, now, scheduled, platforms] as const;
  return [
    statement(ledger, COUNTS, ...round),
    statement(ledger, DRAWN, ...round, DRAWN_ITEMS + 1),
    statement(ledger, OPEN_LIST, organisationId, seen, OPEN_RUNS),
    statement(ledger, DONE_LIST, organisationId, seen, since, start, platforms, done.limit, done.offset),
    statement(ledger, NEXT_DUE, scheduled),
  ];
}

/** Reads the round, the open runs and a page of the ended ones from one ledger, in one round trip. */
export async function readRuns(ledger: LedgerDatabase, query: RoundQuery): Promise<LedgerRuns> {
  const answers = await ledger.$client.batch<Record<string, unknown>>(runStatements(ledger, query));
  const [counts, cells, open, done, next] = answers.map(({ results }) => results as unknown[]);
  return {
    counts: counts as CountRow[],
    cells: cells as CellRow[],
    open: open as OpenRow[],
    done: done as DoneRow[],
    nextDueAt: (next as { at: number | null }[])[0]?.at ?? null,
  };
}
