CREATE TABLE `sweep_position` (
	`sweep` text PRIMARY KEY NOT NULL,
	`item_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `item_silent` ON `item` (`last_backup_at`,`id`) WHERE status = 'backuped' AND is_daily = 1;--> statement-breakpoint
CREATE INDEX `run_open_item` ON `run` (`item_id`) WHERE status IN ('queued', 'running');--> statement-breakpoint
CREATE INDEX `export_live` ON `export` (`expires_at`) WHERE status IN ('ready', 'pending');--> statement-breakpoint
CREATE INDEX `snapshot_checked` ON `snapshot` (`verified_at`);--> statement-breakpoint
CREATE INDEX `snapshot_unchecked` ON `snapshot` (`taken_at`) WHERE verify_state = 'queued';