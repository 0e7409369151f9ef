CREATE TABLE `item` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`place_id` text,
	`platform` text NOT NULL,
	`kind` text NOT NULL,
	`external_id` text NOT NULL,
	`node_id` text,
	`name` text NOT NULL,
	`full_name` text NOT NULL,
	`name_folded` text NOT NULL,
	`description` text,
	`visibility` text NOT NULL,
	`details` text NOT NULL,
	`status` text NOT NULL,
	`is_daily` integer NOT NULL,
	`backup_now_opens_at` integer,
	`last_backup_at` integer,
	`last_snapshot_id` text,
	`size_bytes` integer DEFAULT 0 NOT NULL,
	`active_run_id` text,
	`active_run_kind` text,
	`last_error` text,
	`last_error_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `item_external` ON `item` (`connection_id`,`kind`,`external_id`);--> statement-breakpoint
CREATE INDEX `item_place_name` ON `item` (`organisation_id`,`connection_id`,`kind`,`place_id`,`name_folded`,`id`);--> statement-breakpoint
CREATE INDEX `item_platform` ON `item` (`organisation_id`,`platform`,`status`);--> statement-breakpoint
CREATE TABLE `place` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`external_id` text NOT NULL,
	`node_id` text,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `place_external` ON `place` (`connection_id`,`external_id`);--> statement-breakpoint
CREATE INDEX `place_organisation` ON `place` (`organisation_id`);--> statement-breakpoint
CREATE TABLE `schedule` (
	`item_id` text PRIMARY KEY NOT NULL,
	`due_at` integer NOT NULL,
	`period_ms` integer NOT NULL,
	`organisation_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`platform` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `schedule_due` ON `schedule` (`due_at`,`item_id`,`period_ms`,`organisation_id`,`connection_id`,`platform`);--> statement-breakpoint
CREATE INDEX `schedule_connection` ON `schedule` (`connection_id`);--> statement-breakpoint
CREATE TABLE `restore_journal` (
	`run_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`run_id`, `key`)
);
--> statement-breakpoint
CREATE TABLE `run` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`item_id` text NOT NULL,
	`platform` text NOT NULL,
	`kind` text NOT NULL,
	`trigger` text NOT NULL,
	`status` text NOT NULL,
	`phase` text,
	`done` integer DEFAULT 0 NOT NULL,
	`total` integer,
	`unit` text,
	`waiting_until` integer,
	`cursor` text,
	`epoch` integer DEFAULT 0 NOT NULL,
	`lease_until` integer,
	`attempts` integer DEFAULT 0 NOT NULL,
	`error_code` text,
	`error_text` text,
	`bytes_read` integer DEFAULT 0 NOT NULL,
	`bytes_stored` integer DEFAULT 0 NOT NULL,
	`order_json` text,
	`report` text,
	`snapshot_id` text,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`created_by` text
);
--> statement-breakpoint
CREATE INDEX `run_item` ON `run` (`item_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `run_open` ON `run` (`lease_until`) WHERE status IN ('queued', 'running');--> statement-breakpoint
CREATE INDEX `run_organisation` ON `run` (`organisation_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `companion` (
	`source_object_id` text NOT NULL,
	`name` text NOT NULL,
	`object_id` text NOT NULL,
	`item_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`source_object_id`, `name`)
);
--> statement-breakpoint
CREATE INDEX `companion_object` ON `companion` (`object_id`);--> statement-breakpoint
CREATE INDEX `companion_item` ON `companion` (`item_id`);--> statement-breakpoint
CREATE TABLE `export` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`item_id` text NOT NULL,
	`platform` text NOT NULL,
	`snapshot_id` text NOT NULL,
	`manifest_id` text NOT NULL,
	`run_id` text,
	`status` text NOT NULL,
	`layout_object_id` text,
	`size_bytes` integer DEFAULT 0 NOT NULL,
	`file_name` text NOT NULL,
	`requested_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE INDEX `export_snapshot` ON `export` (`snapshot_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `export_item` ON `export` (`item_id`);--> statement-breakpoint
CREATE TABLE `manifest` (
	`item_id` text NOT NULL,
	`id` text NOT NULL,
	`organisation_id` text NOT NULL,
	`root_object` text NOT NULL,
	`root_offset` integer NOT NULL,
	`root_length` integer NOT NULL,
	`root_method` integer NOT NULL,
	`root_hash` text NOT NULL,
	`entry_count` integer NOT NULL,
	`size_bytes` integer NOT NULL,
	`completeness` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`item_id`, `id`)
);
--> statement-breakpoint
CREATE TABLE `manifest_object` (
	`item_id` text NOT NULL,
	`manifest_id` text NOT NULL,
	`object_id` text NOT NULL,
	PRIMARY KEY(`item_id`, `manifest_id`, `object_id`)
);
--> statement-breakpoint
CREATE INDEX `manifest_object_object` ON `manifest_object` (`object_id`);--> statement-breakpoint
CREATE TABLE `snapshot` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`item_id` text NOT NULL,
	`run_id` text NOT NULL,
	`taken_at` integer NOT NULL,
	`manifest_id` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`new_bytes` integer NOT NULL,
	`skipped_count` integer DEFAULT 0 NOT NULL,
	`verify_state` text NOT NULL,
	`verified_at` integer,
	`verify_text` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `snapshot_run_id_unique` ON `snapshot` (`run_id`);--> statement-breakpoint
CREATE INDEX `snapshot_item` ON `snapshot` (`item_id`,`taken_at`);--> statement-breakpoint
CREATE INDEX `snapshot_expiry` ON `snapshot` (`expires_at`);--> statement-breakpoint
CREATE INDEX `snapshot_manifest` ON `snapshot` (`item_id`,`manifest_id`);--> statement-breakpoint
CREATE TABLE `object` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`item_id` text NOT NULL,
	`run_id` text NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`status` text NOT NULL,
	`size_bytes` integer DEFAULT 0 NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	`hash` text,
	`crc32` integer DEFAULT 0 NOT NULL,
	`marked_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `object_item` ON `object` (`item_id`,`kind`,`hash`);--> statement-breakpoint
CREATE INDEX `object_marked` ON `object` (`marked_at`) WHERE marked_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `object_created` ON `object` (`created_at`);