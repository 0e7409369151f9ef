DROP INDEX `snapshot_manifest`;--> statement-breakpoint
-- drizzle-kit splits an expression at its commas, so these two lines are corrected by hand.
CREATE INDEX `snapshot_manifest` ON `snapshot` (`item_id`,substr(manifest_id, 1, 8));--> statement-breakpoint
DROP INDEX `object_item`;--> statement-breakpoint
CREATE INDEX `object_item` ON `object` (`item_id`,`kind`,substr(hash, 1, 8));
