CREATE TABLE `billing_command` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`platform` text,
	`kind` text NOT NULL,
	`params_json` text NOT NULL,
	`state` text NOT NULL,
	`stripe_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_command_lock` ON `billing_command` (`organisation_id`,`platform`) WHERE state IN ('open', 'waiting');--> statement-breakpoint
CREATE INDEX `billing_command_open` ON `billing_command` (`state`,`created_at`);--> statement-breakpoint
CREATE TABLE `billing_customer` (
	`organisation_id` text PRIMARY KEY NOT NULL,
	`stripe_customer_id` text NOT NULL,
	`wanted` integer NOT NULL,
	`synced_wanted` integer NOT NULL,
	`version` integer NOT NULL,
	`synced_at` integer,
	`name` text,
	`country` text,
	`address_json` text,
	`tax_ids_json` text,
	`balance_cents` integer NOT NULL,
	`card_id` text,
	`card_brand` text,
	`card_last4` text,
	`card_exp_month` integer,
	`card_exp_year` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_customer_stripe_customer_id_unique` ON `billing_customer` (`stripe_customer_id`);--> statement-breakpoint
CREATE INDEX `billing_customer_wanted` ON `billing_customer` (`organisation_id`) WHERE wanted > synced_wanted;--> statement-breakpoint
CREATE INDEX `billing_customer_synced` ON `billing_customer` (`synced_at`);--> statement-breakpoint
CREATE INDEX `billing_customer_card` ON `billing_customer` (`card_exp_year`,`card_exp_month`);--> statement-breakpoint
CREATE TABLE `stripe_event` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`received_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `stripe_event_received` ON `stripe_event` (`received_at`);--> statement-breakpoint
CREATE TABLE `stripe_subscription` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`platform` text NOT NULL,
	`item_id` text NOT NULL,
	`price_key` text NOT NULL,
	`plan` text NOT NULL,
	`period` text NOT NULL,
	`quantity` integer NOT NULL,
	`bought_quantity` integer NOT NULL,
	`status` text NOT NULL,
	`period_start` integer NOT NULL,
	`period_end` integer NOT NULL,
	`cancel_at` integer,
	`is_cancelled_by_date` integer NOT NULL,
	`ended_at` integer,
	`collection_method` text NOT NULL,
	`latest_invoice_id` text,
	`latest_invoice_status` text,
	`past_due_since` integer,
	`due_at` integer,
	`next_attempt_at` integer,
	`attempts` integer NOT NULL,
	`pending_json` text,
	`next_invoice_cents` integer,
	`created` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `stripe_subscription_organisation` ON `stripe_subscription` (`organisation_id`,`platform`);--> statement-breakpoint
CREATE INDEX `stripe_subscription_status` ON `stripe_subscription` (`status`,`cancel_at`);--> statement-breakpoint
ALTER TABLE `subscription` ADD `trial_ends_at` integer;--> statement-breakpoint
CREATE INDEX `subscription_ends` ON `subscription` (`ends_at`);--> statement-breakpoint
-- A trial that an earlier release started has its end only in ends_at.
UPDATE subscription SET trial_ends_at = ends_at WHERE plan = 'trial';
