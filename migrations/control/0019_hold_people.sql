CREATE TABLE `held_person` (
	`connection_id` text NOT NULL,
	`external_id` text NOT NULL,
	`organisation_id` text NOT NULL,
	`held_since` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`state` text,
	`told_at` integer,
	PRIMARY KEY(`connection_id`, `external_id`)
);
--> statement-breakpoint
ALTER TABLE `connection` ADD `people_due_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `connection` ADD `people_gathered_at` integer;--> statement-breakpoint
ALTER TABLE `connection` ADD `people_told_up_to` text;--> statement-breakpoint
ALTER TABLE `connection` ADD `people_problem` text;--> statement-breakpoint
CREATE INDEX `connection_people` ON `connection` (`platform`,`people_due_at`) WHERE status = 'active' AND is_confirmed = 1;