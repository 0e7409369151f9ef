ALTER TABLE `host_code` ADD `sealed_grant` text;--> statement-breakpoint
CREATE INDEX `connection_external` ON `connection` (`platform`,`external_id`);