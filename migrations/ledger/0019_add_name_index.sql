CREATE TABLE `name_index` (
	`item_id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`manifest_id` text NOT NULL,
	`taken_at` integer NOT NULL,
	`object_id` text,
	`name_count` integer NOT NULL,
	`is_cut` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `name_index_newest` ON `name_index` (`organisation_id`,`taken_at`,`item_id`);