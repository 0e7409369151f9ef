CREATE INDEX `export_run` ON `export` (`run_id`);--> statement-breakpoint
CREATE INDEX `replica_run` ON `replica` (`run_id`) WHERE run_id IS NOT NULL;