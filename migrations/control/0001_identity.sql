CREATE TABLE `audit_entry` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`user_id` text,
	`user_name` text NOT NULL,
	`action` text NOT NULL,
	`platform` text,
	`subject` text,
	`occasion` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_entry_organisation` ON `audit_entry` (`organisation_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entry_occasion` ON `audit_entry` (`organisation_id`,`occasion`);--> statement-breakpoint
CREATE TABLE `federation_attempt` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL,
	`browser_hash` text NOT NULL,
	`sealed_details` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `federation_attempt_expires` ON `federation_attempt` (`expires_at`);--> statement-breakpoint
CREATE TABLE `invitation` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`email` text NOT NULL,
	`code_hash` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`platform_roles` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`organisation_id`) REFERENCES `organisation`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitation_email` ON `invitation` (`organisation_id`,`email`);--> statement-breakpoint
CREATE INDEX `invitation_by_email` ON `invitation` (`email`);--> statement-breakpoint
CREATE TABLE `password_reset` (
	`user_id` text PRIMARY KEY NOT NULL,
	`code_hash` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `recovery_code` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`used_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `recovery_code_user` ON `recovery_code` (`user_id`);--> statement-breakpoint
CREATE TABLE `report_preference` (
	`user_id` text PRIMARY KEY NOT NULL,
	`is_active` integer NOT NULL,
	`frequency` text NOT NULL,
	`report_type` text,
	`report_day` text,
	`time_zone` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `report_preference_active` ON `report_preference` (`is_active`,`user_id`);--> statement-breakpoint
CREATE TABLE `sign_in_challenge` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`is_remembered` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sign_in_challenge_expires` ON `sign_in_challenge` (`expires_at`);--> statement-breakpoint
CREATE TABLE `two_factor` (
	`user_id` text PRIMARY KEY NOT NULL,
	`sealed_secret` text NOT NULL,
	`last_used_step` integer DEFAULT 0 NOT NULL,
	`proved_at` integer,
	`proved_session_id` text,
	`enabled_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `used_link` (
	`link_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`used_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_link_expires` ON `used_link` (`expires_at`);--> statement-breakpoint
ALTER TABLE `organisation` ADD `account_type` text DEFAULT 'User' NOT NULL;--> statement-breakpoint
ALTER TABLE `user` ADD `family_name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `user` ADD `stated_created_at` text;--> statement-breakpoint
ALTER TABLE `user` ADD `is_auto_confirmed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `user` ADD `is_test` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `user` ADD `apps_to_protect` text;