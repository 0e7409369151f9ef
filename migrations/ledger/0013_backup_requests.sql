CREATE TABLE `backup_request` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`platform` text NOT NULL,
	`kind` text,
	`place_id` text,
	`position` text DEFAULT '' NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `backup_request_created` ON `backup_request` (`created_at`);