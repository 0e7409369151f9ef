DROP INDEX `snapshot_run_id_unique`;--> statement-breakpoint
DROP INDEX `snapshot_expiry`;--> statement-breakpoint
DROP INDEX `snapshot_checked`;--> statement-breakpoint
DROP INDEX `snapshot_manifest`;--> statement-breakpoint
-- drizzle-kit splits an expression at its commas, so this line is corrected by hand.
CREATE INDEX `snapshot_due` ON `snapshot` (min(expires_at, coalesce(verified_at + 2592000000, expires_at)));
