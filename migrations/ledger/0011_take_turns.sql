ALTER TABLE `run` ADD `waits_turn` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `run_working` ON `run` (`connection_id`) WHERE status = 'running';--> statement-breakpoint
CREATE INDEX `run_waiting_turn` ON `run` (`connection_id`,`kind`,`created_at`) WHERE waits_turn = 1;