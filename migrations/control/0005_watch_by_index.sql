CREATE INDEX `password_reset_expires` ON `password_reset` (`expires_at`);--> statement-breakpoint
CREATE INDEX `session_expires` ON `session` (`expires_at`);--> statement-breakpoint
CREATE INDEX `verification_expires` ON `verification` (`expires_at`);