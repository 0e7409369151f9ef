-- Every entry of an index costs a backup a row. Fewer indexes serve the same readers.
-- A run that has ended says when. If one of an early release does not, it must not count as open.
UPDATE run SET finished_at = coalesce(started_at, created_at)
WHERE finished_at IS NULL AND status NOT IN ('queued', 'running');--> statement-breakpoint
DROP INDEX `item_last_backup`;--> statement-breakpoint
DROP INDEX `item_silent_since`;--> statement-breakpoint
DROP INDEX `item_stale`;--> statement-breakpoint
CREATE INDEX `item_stale` ON `item` (`organisation_id`,`connection_id`,`kind`,`status`,`is_daily`,CASE WHEN last_backup_at IS NULL THEN created_at ELSE last_backup_at END);--> statement-breakpoint
DROP INDEX `run_open_item`;--> statement-breakpoint
DROP INDEX `run_open_backup`;--> statement-breakpoint
DROP INDEX `run_organisation`;--> statement-breakpoint
DROP INDEX `run_open`;--> statement-breakpoint
CREATE INDEX `run_lease` ON `run` (`lease_until`) WHERE finished_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `run_open` ON `run` (`item_id`,CASE kind WHEN 'backup' THEN '' ELSE id END) WHERE finished_at IS NULL;--> statement-breakpoint
DROP INDEX `snapshot_run_id_unique`;--> statement-breakpoint
DROP INDEX `snapshot_expiry`;--> statement-breakpoint
DROP INDEX `snapshot_checked`;--> statement-breakpoint
DROP INDEX `snapshot_unfolded`;--> statement-breakpoint
DROP INDEX `snapshot_manifest`;--> statement-breakpoint
-- drizzle-kit splits an expression at its commas, so this line is corrected by hand.
CREATE INDEX `snapshot_due` ON `snapshot` (min(expires_at, coalesce(verified_at + 2592000000, expires_at)));
