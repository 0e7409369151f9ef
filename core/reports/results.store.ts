import { IS_SHOWN } from "#core/database/ledger/index.ts";
import type { LedgerDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import type { PlatformId } from "#core/kernel/platform-id.ts";

/** How backups or restores ended; `open`: not yet. A partial one left something out. */
type Result = "succeeded" | "partial" | "failed" | "open";

/** How many backups or restores of a platform ended so, and of how many items. */
export type ResultCount = {
  platform: PlatformId;
  kind: "backup" | "restore";
  result: Result;
  count: number;
  items: number;
};

/** Failed or partial backups or restores of an item, once or several times. */
export type Incident = {
  platform: PlatformId;
  kind: "backup" | "restore";
  result: "failed" | "partial";
  itemId: string;
  /** Null when the item was removed since. */
  itemName: string | null;
  count: number;
  /** When the newest one ended, epoch ms. */
  at: number;
  /** Why the newest one failed. */
  errorText: string | null;
  /** Number of parts that the newest backup left out, or of lines in a restore's report that name something missing. */
  leftOutCount: number;
};

/** How long before a period a run that ends in it may have been created: quotas make very large runs take days. */
const LONGEST_RUN_MS = 7 * DAY_MS;

/**
 * The results of the period: runs, and the backups whose run was folded into its version (`core/runs/fold-runs.store.ts`),
 * which are found by their items. Parameters: 1 organisation, 2 earliest creation, 3 start and 4 end of the period, 5
 * platforms.
 */
const RESULTS = `
  found AS (
    SELECT run.platform, run.kind, run.item_id, run.status, run.finished_at, run.error_text,
      CASE WHEN run.kind = 'backup' THEN coalesce(version.skipped_count, 0)
        ELSE coalesce(json_array_length(CASE WHEN json_valid(run.report) THEN run.report END, '$.missing'), 0)
        END AS left_out
    FROM run INDEXED BY run_activity LEFT JOIN snapshot version ON version.id = run.snapshot_id AND version.run_id = run.id
    WHERE run.organisation_id = ?1 AND run.platform IN (SELECT value FROM json_each(?5))
      AND run.created_at >= ?2 AND run.created_at < ?4 AND ${IS_SHOWN} AND run.kind IN ('backup', 'restore')
      AND (run.finished_at IS NULL
        OR (run.status IN ('succeeded', 'failed') AND run.finished_at >= ?3 AND run.finished_at < ?4))
    UNION ALL
    SELECT item.platform, 'backup', item.id, 'succeeded', version.run_finished_at, NULL, version.skipped_count
    FROM item CROSS JOIN snapshot version INDEXED BY snapshot_item
      ON version.item_id = item.id AND version.taken_at >= ?2 AND version.taken_at < ?4
    WHERE item.organisation_id = ?1 AND version.run_finished_at >= ?3 AND version.run_finished_at < ?4
  ),
  results AS (
    SELECT *, CASE WHEN finished_at IS NULL THEN 'open' WHEN status = 'failed' THEN 'failed'
      WHEN left_out > 0 THEN 'partial' ELSE 'succeeded' END AS result
    FROM found WHERE platform IN (SELECT value FROM json_each(?5))
  )`;

const COUNTS = `WITH ${RESULTS}
  SELECT platform, kind, result, count(*) AS count, count(DISTINCT item_id) AS items
  FROM results GROUP BY platform, kind, result`;

/** The newest incidents of each result. The columns without an aggregate are those of the newest (SQLite, `max`). */
const INCIDENTS = `WITH ${RESULTS},
  incidents AS (
    SELECT platform, kind, result, item_id, count(*) AS count, max(finished_at) AS at, error_text, left_out
    FROM results WHERE result IN ('failed', 'partial') GROUP BY platform, kind, result, item_id
  )
  SELECT placed.platform, placed.kind, placed.result, placed.item_id AS itemId, item.name AS itemName, placed.count,
    placed.at, placed.error_text AS errorText, placed.left_out AS leftOutCount
  FROM (SELECT *, row_number() OVER (PARTITION BY result ORDER BY at DESC, item_id) AS place FROM incidents) placed
  LEFT JOIN item ON item.id = placed.item_id
  WHERE placed.place <= ?6`;

/** Counts an organisation's backups and restores that ended in a period, or that are open, and lists the newest incidents. */
export async function readResults(
  ledger: LedgerDatabase,
  query: {
    organisationId: string;
    period: { from: number; to: number };
    platforms: readonly PlatformId[];
    /** How many incidents of each result to list. */
    listed: number;
  },
): Promise<{ counts: ResultCount[]; incidents: Incident[] }> {
  const { from, to } = query.period;
  const values = [query.organisationId, from - LONGEST_RUN_MS, from, to, JSON.stringify(query.platforms)];
  const [counts, incidents] = await commitTogether(ledger, [
    statement(ledger, COUNTS, ...values),
    statement(ledger, INCIDENTS, ...values, query.listed),
  ]);
  return {
    counts: (counts?.results ?? []) as ResultCount[],
    incidents: (incidents?.results ?? []) as Incident[],
  };
}
