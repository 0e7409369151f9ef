CREATE TABLE `replica` (
	`snapshot_id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`storage_id` text NOT NULL,
	`kind` text NOT NULL,
	`item_id` text NOT NULL,
	`platform` text NOT NULL,
	`status` text NOT NULL,
	`run_id` text,
	`path` text,
	`mark` text,
	`size_bytes` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`error_text` text,
	`next_try_at` integer,
	`stored_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `replica_due` ON `replica` (`next_try_at`) WHERE next_try_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `replica_storage` ON `replica` (`storage_id`,`status`);--> statement-breakpoint
CREATE INDEX `replica_item` ON `replica` (`item_id`);--> statement-breakpoint
CREATE TRIGGER snapshot_gone AFTER DELETE ON snapshot BEGIN
  DELETE FROM replica WHERE snapshot_id = old.id AND status <> 'stored';
  UPDATE replica SET status = 'expired', next_try_at = 0 WHERE snapshot_id = old.id;
END;
