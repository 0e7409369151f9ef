CREATE TABLE `ledger_shard` (
	`name` text PRIMARY KEY NOT NULL,
	`region` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`since` integer NOT NULL,
	`measured_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `organisation` ADD `shards` text;