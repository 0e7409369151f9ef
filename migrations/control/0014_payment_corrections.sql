CREATE TABLE `billing_correction` (
	`id` text PRIMARY KEY NOT NULL,
	`organisation_id` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`cents` integer NOT NULL,
	`refunded_cents` integer NOT NULL,
	`platform` text,
	`created_at` integer NOT NULL,
	`changed_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `billing_correction_organisation` ON `billing_correction` (`organisation_id`);--> statement-breakpoint
CREATE INDEX `billing_correction_changed` ON `billing_correction` (`changed_at`);--> statement-breakpoint
ALTER TABLE `billing_customer` ADD `is_reverse_charge` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `stripe_subscription` ADD `money_back_at` integer;--> statement-breakpoint
ALTER TABLE `stripe_subscription` ADD `is_disputed` integer DEFAULT false NOT NULL;