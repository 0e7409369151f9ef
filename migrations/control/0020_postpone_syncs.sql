ALTER TABLE `billing_customer` ADD `failed_syncs` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `billing_customer` ADD `retry_at` integer;