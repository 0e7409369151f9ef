CREATE TABLE `item_count` (
	`connection_id` text NOT NULL,
	`kind` text NOT NULL,
	`place_id` text NOT NULL,
	`organisation_id` text NOT NULL,
	`platform` text NOT NULL,
	`total` integer NOT NULL,
	`failed` integer NOT NULL,
	`never` integer NOT NULL,
	`paused` integer NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `kind`, `place_id`)
);
--> statement-breakpoint
CREATE INDEX `item_count_organisation` ON `item_count` (`organisation_id`);--> statement-breakpoint
CREATE INDEX `item_name` ON `item` (`organisation_id`,`connection_id`,`kind`,`name_folded`,`id`);--> statement-breakpoint
CREATE INDEX `item_stale` ON `item` (`organisation_id`,`connection_id`,`kind`,`last_backup_at`) WHERE status = 'backuped' AND is_daily = 1;--> statement-breakpoint
INSERT INTO item_count (connection_id, kind, place_id, organisation_id, platform, total, failed, never, paused, deleted)
SELECT connection_id, kind, coalesce(place_id, ''), min(organisation_id), min(platform), count(*),
  sum(last_error IS NOT NULL), sum(status = 'initialized'), sum(is_daily = 0 AND status <> 'deleted'), sum(status = 'deleted')
FROM item GROUP BY 1, 2, 3;--> statement-breakpoint
CREATE TRIGGER item_added AFTER INSERT ON item BEGIN
  INSERT INTO item_count (connection_id, kind, place_id, organisation_id, platform, total, failed, never, paused, deleted)
  VALUES (new.connection_id, new.kind, coalesce(new.place_id, ''), new.organisation_id, new.platform, 1,
    new.last_error IS NOT NULL, new.status = 'initialized', new.is_daily = 0 AND new.status <> 'deleted', new.status = 'deleted')
  ON CONFLICT (connection_id, kind, place_id) DO UPDATE SET total = total + 1, failed = failed + excluded.failed,
    never = never + excluded.never, paused = paused + excluded.paused, deleted = deleted + excluded.deleted;
END;--> statement-breakpoint
CREATE TRIGGER item_removed AFTER DELETE ON item BEGIN
  UPDATE item_count SET total = total - 1, failed = failed - (old.last_error IS NOT NULL),
    never = never - (old.status = 'initialized'), paused = paused - (old.is_daily = 0 AND old.status <> 'deleted'),
    deleted = deleted - (old.status = 'deleted')
  WHERE connection_id = old.connection_id AND kind = old.kind AND place_id = coalesce(old.place_id, '');
END;--> statement-breakpoint
CREATE TRIGGER item_changed AFTER UPDATE OF status, last_error, is_daily ON item
WHEN old.status <> new.status OR old.is_daily <> new.is_daily OR (old.last_error IS NULL) <> (new.last_error IS NULL) BEGIN
  UPDATE item_count SET failed = failed + (new.last_error IS NOT NULL) - (old.last_error IS NOT NULL),
    never = never + (new.status = 'initialized') - (old.status = 'initialized'),
    paused = paused + (new.is_daily = 0 AND new.status <> 'deleted') - (old.is_daily = 0 AND old.status <> 'deleted'),
    deleted = deleted + (new.status = 'deleted') - (old.status = 'deleted')
  WHERE connection_id = new.connection_id AND kind = new.kind AND place_id = coalesce(new.place_id, '');
END;
