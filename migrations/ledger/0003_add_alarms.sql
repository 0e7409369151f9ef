CREATE TABLE `alarm` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`item_id` text NOT NULL,
	`kind` text NOT NULL,
	`snapshot_id` text NOT NULL,
	`kept_snapshot_id` text,
	`message` text NOT NULL,
	`created_at` integer NOT NULL,
	`acknowledged_at` integer,
	`acknowledged_by` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alarm_cause` ON `alarm` (`item_id`,`kind`,`snapshot_id`);--> statement-breakpoint
CREATE INDEX `alarm_open` ON `alarm` (`organisation_id`,`item_id`) WHERE acknowledged_at IS NULL;--> statement-breakpoint
CREATE INDEX `alarm_kept` ON `alarm` (`kept_snapshot_id`) WHERE acknowledged_at IS NULL;