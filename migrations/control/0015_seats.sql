ALTER TABLE `connection` ADD `seats` integer;--> statement-breakpoint
ALTER TABLE `connection` ADD `seats_read_at` integer;--> statement-breakpoint
ALTER TABLE `connection` ADD `seats_problem` text;--> statement-breakpoint
ALTER TABLE `connection` ADD `seats_due_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `connection_seats` ON `connection` (`platform`,`seats_due_at`) WHERE status = 'active' AND is_confirmed = 1;--> statement-breakpoint
CREATE INDEX `stripe_subscription_period` ON `stripe_subscription` (`status`,`period_end`);