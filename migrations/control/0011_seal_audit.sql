CREATE TABLE `audit_seal` (
	`seq` integer PRIMARY KEY NOT NULL,
	`entry_id` text NOT NULL,
	`salt` text,
	`personal_hash` text NOT NULL,
	`payload_hash` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_seal_entry` ON `audit_seal` (`entry_id`);--> statement-breakpoint
CREATE TABLE `audit_waiting` (
	`position` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`entry_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_waiting_entry` ON `audit_waiting` (`entry_id`);--> statement-breakpoint
ALTER TABLE `audit_entry` ADD `outcome` text DEFAULT 'success' NOT NULL;--> statement-breakpoint
ALTER TABLE `audit_entry` ADD `ip` text;--> statement-breakpoint
ALTER TABLE `audit_entry` ADD `version_id` text;--> statement-breakpoint
-- Entries of earlier releases join the chain in the order of their time.
INSERT INTO audit_waiting (entry_id) SELECT id FROM audit_entry ORDER BY created_at, id;--> statement-breakpoint
-- Every writer, of any release, hands its entry to the chain in its own transaction.
CREATE TRIGGER audit_entry_added AFTER INSERT ON audit_entry BEGIN
  INSERT INTO audit_waiting (entry_id) VALUES (NEW.id);
END;
