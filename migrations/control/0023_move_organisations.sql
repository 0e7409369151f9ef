CREATE TABLE `ledger_move` (
	`organisation_id` text NOT NULL,
	`region` text NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`state` text NOT NULL,
	`epoch` integer NOT NULL,
	`beat_at` integer NOT NULL,
	PRIMARY KEY(`organisation_id`, `region`)
);
--> statement-breakpoint
CREATE INDEX `ledger_move_open` ON `ledger_move` (`beat_at`) WHERE state <> 'done';
