CREATE TABLE `account_code` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`sealed_code` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	`sent` integer DEFAULT 1 NOT NULL,
	`window_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `removed_connection` (
	`connection_id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`platform` text NOT NULL,
	`region` text NOT NULL,
	`name` text NOT NULL,
	`removed_by` text NOT NULL,
	`removed_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `authorisation` ADD `replaces_id` text;--> statement-breakpoint
ALTER TABLE `authorisation` ADD `account_name` text;--> statement-breakpoint
ALTER TABLE `authorisation` ADD `is_auto_add` integer;--> statement-breakpoint
ALTER TABLE `connection` ADD `auto_add_due_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `connection` ADD `is_confirmed` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `connection` ADD `grant_name` text;--> statement-breakpoint
ALTER TABLE `connection` ADD `lost_reason` text;--> statement-breakpoint
CREATE INDEX `connection_auto_add` ON `connection` (`auto_add_due_at`) WHERE is_auto_add = 1;