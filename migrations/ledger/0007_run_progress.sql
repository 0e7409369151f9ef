ALTER TABLE `run` ADD `advanced_at` integer;--> statement-breakpoint
ALTER TABLE `run` ADD `advanced_attempt` integer DEFAULT 0 NOT NULL;