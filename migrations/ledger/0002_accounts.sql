CREATE TABLE `seen_item` (
	`connection_id` text NOT NULL,
	`place_id` text NOT NULL,
	`kind` text NOT NULL,
	`external_id` text NOT NULL,
	`organisation_id` text NOT NULL,
	`seen_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `place_id`, `kind`, `external_id`)
);
