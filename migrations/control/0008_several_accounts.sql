ALTER TABLE `authorisation` ADD `renews_id` text;--> statement-breakpoint
ALTER TABLE `removed_connection` ADD `removal_id` text;