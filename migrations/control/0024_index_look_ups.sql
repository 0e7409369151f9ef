CREATE INDEX `account_code_organisation` ON `account_code` (`organisation_id`);--> statement-breakpoint
CREATE INDEX `credential_organisation` ON `credential` (`organisation_id`);--> statement-breakpoint
CREATE INDEX `held_person_organisation` ON `held_person` (`organisation_id`);--> statement-breakpoint
CREATE INDEX `host_installation_organisation` ON `host_installation` (`organisation_id`);--> statement-breakpoint
CREATE INDEX `billing_command_organisation` ON `billing_command` (`organisation_id`);--> statement-breakpoint
CREATE INDEX `account_identity` ON `account` (`provider_id`,`account_id`);--> statement-breakpoint
CREATE INDEX `closure_organisation` ON `closure` (`organisation_id`);--> statement-breakpoint
CREATE INDEX `two_factor_proved` ON `two_factor` (`proved_session_id`) WHERE proved_session_id IS NOT NULL;