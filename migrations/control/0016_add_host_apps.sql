CREATE TABLE `host_account` (
	`platform` text NOT NULL,
	`site_id` text NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text NOT NULL,
	`linked_at` integer NOT NULL,
	PRIMARY KEY(`platform`, `site_id`, `account_id`)
);
--> statement-breakpoint
CREATE INDEX `host_account_user` ON `host_account` (`user_id`);--> statement-breakpoint
CREATE TABLE `host_code` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`platform` text NOT NULL,
	`site_id` text NOT NULL,
	`account_id` text NOT NULL,
	`site_origin` text,
	`shell_origin` text NOT NULL,
	`challenge` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `host_code_expires` ON `host_code` (`expires_at`);--> statement-breakpoint
CREATE TABLE `host_installation` (
	`platform` text NOT NULL,
	`site_id` text NOT NULL,
	`installation_id` text NOT NULL,
	`organisation_id` text,
	`status` text NOT NULL,
	`installed_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`plan` text,
	`plan_ends_at` integer,
	`is_given` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`platform`, `site_id`)
);
--> statement-breakpoint
CREATE INDEX `host_installation_seen` ON `host_installation` (`seen_at`) WHERE status = 'active';--> statement-breakpoint
ALTER TABLE `session` ADD `host_site_id` text;--> statement-breakpoint
CREATE INDEX `session_host_site` ON `session` (`host_site_id`) WHERE host_site_id IS NOT NULL;