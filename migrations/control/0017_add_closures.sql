CREATE TABLE `closure` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`state` text NOT NULL,
	`closed_at` integer NOT NULL,
	`removal_at` integer NOT NULL,
	`warned_at` integer,
	`warned_again_at` integer,
	`looked_at` integer NOT NULL,
	`finished_at` integer,
	`stripe_customer_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `closure_open` ON `closure` (`organisation_id`) WHERE state IN ('closed', 'removing');--> statement-breakpoint
CREATE INDEX `closure_due` ON `closure` (`removal_at`) WHERE state IN ('closed', 'removing');--> statement-breakpoint
ALTER TABLE `organisation` ADD `closed_at` integer;--> statement-breakpoint
CREATE INDEX `mail_outbox_organisation` ON `mail_outbox` (`organisation_id`) WHERE organisation_id IS NOT NULL;