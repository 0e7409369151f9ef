ALTER TABLE `authorisation` ADD `sealed_choice` text;--> statement-breakpoint
ALTER TABLE `authorisation` ADD `choice_expires_at` integer;--> statement-breakpoint
ALTER TABLE `authorisation` ADD `choice_used_at` integer;--> statement-breakpoint
CREATE INDEX `authorisation_expires` ON `authorisation` (`expires_at`);--> statement-breakpoint
ALTER TABLE `connection` ADD `grant_id` text;--> statement-breakpoint
CREATE INDEX `connection_grant` ON `connection` (`grant_id`) WHERE grant_id IS NOT NULL;