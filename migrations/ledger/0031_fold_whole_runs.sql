-- Who asked for a run and what it read stays known when the run is folded into its version.
ALTER TABLE `snapshot` ADD `run_created_by` text;--> statement-breakpoint
ALTER TABLE `snapshot` ADD `run_bytes_read` integer;--> statement-breakpoint
DROP VIEW known_run;--> statement-breakpoint
-- Each column has one affinity, or SQLite would read both tables whole before it applies a condition.
CREATE VIEW known_run AS
SELECT
  id, organisation_id, connection_id, item_id, platform, kind, "trigger", status, phase, done, total, unit,
  waiting_until, waits_turn, expected_end_at, cursor, restarts, epoch, lease_until, attempts, advanced_at,
  advanced_attempt, error_code, error_text, bytes_read, bytes_stored, order_json, report, snapshot_id, created_at,
  started_at, began_at, finished_at, erased_at, created_by
FROM run
UNION ALL SELECT
  snapshot.run_id, item.organisation_id, item.connection_id, item.id, item.platform,
  CAST('backup' AS TEXT), snapshot.run_trigger, CAST('succeeded' AS TEXT),
  CAST(NULL AS TEXT), CAST(0 AS INTEGER), CAST(NULL AS INTEGER), CAST(NULL AS TEXT), -- phase to unit
  CAST(NULL AS INTEGER), CAST(0 AS INTEGER), CAST(NULL AS INTEGER), -- waiting_until to expected_end_at
  CAST(NULL AS TEXT), CAST(0 AS INTEGER), CAST(0 AS INTEGER), CAST(NULL AS INTEGER), -- cursor to lease_until
  snapshot.run_attempts,
  CAST(NULL AS INTEGER), CAST(0 AS INTEGER), CAST(NULL AS TEXT), CAST(NULL AS TEXT), -- advanced_at to error_text
  CAST(coalesce(snapshot.run_bytes_read, 0) AS INTEGER), snapshot.new_bytes, CAST(NULL AS TEXT), CAST(NULL AS TEXT), -- bytes_read to report
  snapshot.id, snapshot.run_created_at, snapshot.run_started_at, snapshot.taken_at, snapshot.run_finished_at,
  CAST(NULL AS INTEGER), snapshot.run_created_by -- erased_at, created_by
FROM snapshot JOIN item ON item.id = snapshot.item_id
WHERE snapshot.run_created_at IS NOT NULL;
