CREATE TABLE `removal` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`platform` text NOT NULL,
	`ended_at` integer NOT NULL,
	`state` text NOT NULL,
	`removal_at` integer NOT NULL,
	`warned_at` integer NOT NULL,
	`warned_again_at` integer,
	`looked_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`items` integer NOT NULL,
	`versions` integer NOT NULL,
	`items_left` integer NOT NULL,
	`versions_left` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `removal_end` ON `removal` (`organisation_id`,`platform`,`ended_at`);--> statement-breakpoint
CREATE INDEX `removal_due` ON `removal` (`removal_at`) WHERE state IN ('ahead', 'running');--> statement-breakpoint
ALTER TABLE `subscription` ADD `fitted_quantity` integer;--> statement-breakpoint
CREATE INDEX `subscription_unfitted` ON `subscription` (`organisation_id`) WHERE fitted_quantity IS NOT quantity;