CREATE TABLE `chosen_region` (
	`organisation_id` text NOT NULL,
	`platform` text NOT NULL,
	`region` text NOT NULL,
	`chosen_at` integer NOT NULL,
	PRIMARY KEY(`organisation_id`, `platform`)
);
