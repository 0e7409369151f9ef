ALTER TABLE `item` ADD `alarm_lost_percent` integer;--> statement-breakpoint
ALTER TABLE `item` ADD `alarm_lost_count` integer;--> statement-breakpoint
ALTER TABLE `item` ADD `starts_over` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `run` ADD `erased_at` integer;--> statement-breakpoint
ALTER TABLE `snapshot` ADD `restore_obstacle` text;--> statement-breakpoint
ALTER TABLE `snapshot` ADD `unreachable_objects` integer;--> statement-breakpoint
ALTER TABLE `snapshot` ADD `unreachable_bytes` integer;--> statement-breakpoint
UPDATE `item` SET `last_error` = NULL, `last_error_at` = NULL WHERE `status` = 'deleted' AND `last_error` IS NOT NULL;
