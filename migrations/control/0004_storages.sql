CREATE TABLE `storage` (
	`organisation_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`external_id` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`sealed_access_token` text,
	`access_token_expires_at` integer,
	`sealed_refresh_token` text,
	`sealed_keys` text,
	`token_version` integer DEFAULT 1 NOT NULL,
	`details` text NOT NULL,
	`platforms` text NOT NULL,
	`trouble` text,
	`trouble_text` text,
	`trouble_at` integer,
	`connected_by` text NOT NULL,
	`connected_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `storage_id_unique` ON `storage` (`id`);--> statement-breakpoint
CREATE TABLE `storage_authorisation` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`platform` text,
	`sealed_code_verifier` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
