CREATE TABLE `sign_up` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`family_name` text NOT NULL,
	`password_hash` text NOT NULL,
	`browser_hash` text,
	`stated_created_at` text,
	`apps_to_protect` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_up_email_unique` ON `sign_up` (`email`);--> statement-breakpoint
CREATE INDEX `sign_up_expires` ON `sign_up` (`expires_at`);--> statement-breakpoint
-- Whoever had not confirmed their address becomes a sign-up that waits; links that were sent go on opening.
INSERT INTO `sign_up` (`id`, `email`, `name`, `family_name`, `password_hash`, `stated_created_at`, `apps_to_protect`, `created_at`, `expires_at`)
SELECT `user`.`id`, `email`, `name`, `family_name`, `password`, `stated_created_at`, `apps_to_protect`, `user`.`created_at`, `user`.`created_at` + 604800000
FROM `user` JOIN `account` ON `account`.`user_id` = `user`.`id` AND `provider_id` = 'credential'
WHERE `email_verified` = 0 AND `password` IS NOT NULL;
--> statement-breakpoint
DELETE FROM `session` WHERE `user_id` IN (SELECT `id` FROM `sign_up`);
--> statement-breakpoint
DELETE FROM `password_reset` WHERE `user_id` IN (SELECT `id` FROM `sign_up`);
--> statement-breakpoint
DELETE FROM `account` WHERE `user_id` IN (SELECT `id` FROM `sign_up`);
--> statement-breakpoint
DELETE FROM `member` WHERE `user_id` IN (SELECT `id` FROM `sign_up`);
--> statement-breakpoint
DELETE FROM `organisation` WHERE `owner_user_id` IN (SELECT `id` FROM `sign_up`);
--> statement-breakpoint
DELETE FROM `user` WHERE `id` IN (SELECT `id` FROM `sign_up`);
