CREATE TABLE `backup_tally` (
	`organisation_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`hour` integer NOT NULL,
	`succeeded` integer NOT NULL,
	`failed` integer NOT NULL,
	`broke` integer NOT NULL,
	`recovered` integer NOT NULL,
	PRIMARY KEY(`organisation_id`, `hour`, `connection_id`)
);
--> statement-breakpoint
CREATE TABLE `storage_tally` (
	`organisation_id` text NOT NULL,
	`hour` integer NOT NULL,
	`bytes` integer NOT NULL,
	PRIMARY KEY(`organisation_id`, `hour`)
);
--> statement-breakpoint
CREATE TABLE `storage_total` (
	`organisation_id` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `item_failed` ON `item` (`organisation_id`,`last_error_at`) WHERE last_error IS NOT NULL;--> statement-breakpoint
CREATE INDEX `item_last_backup` ON `item` (`organisation_id`,`platform`,`last_backup_at`) WHERE last_backup_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `run_activity` ON `run` (`organisation_id`,`platform`,`created_at`) WHERE kind IN ('backup', 'restore', 'export');--> statement-breakpoint
INSERT INTO backup_tally (organisation_id, connection_id, hour, succeeded, failed, broke, recovered)
SELECT snapshot.organisation_id, item.connection_id, snapshot.taken_at / 3600000, count(*), 0, 0, 0
FROM snapshot JOIN item ON item.id = snapshot.item_id GROUP BY 1, 2, 3;--> statement-breakpoint
INSERT INTO backup_tally (organisation_id, connection_id, hour, succeeded, failed, broke, recovered)
SELECT organisation_id, connection_id, coalesce(last_error_at, created_at) / 3600000, 0, count(*), count(*), 0
FROM item WHERE last_error IS NOT NULL GROUP BY 1, 2, 3
ON CONFLICT (organisation_id, hour, connection_id) DO UPDATE SET failed = failed + excluded.failed,
  broke = broke + excluded.broke;--> statement-breakpoint
INSERT INTO storage_tally (organisation_id, hour, bytes)
SELECT organisation_id, created_at / 3600000, sum(stored_bytes) FROM object WHERE status <> 'reserved' GROUP BY 1, 2;--> statement-breakpoint
INSERT INTO storage_total (organisation_id, bytes)
SELECT organisation_id, sum(stored_bytes) FROM object WHERE status <> 'reserved' GROUP BY 1;--> statement-breakpoint
CREATE TRIGGER tally_version AFTER UPDATE OF last_backup_at ON item
WHEN new.last_backup_at IS NOT NULL AND new.last_backup_at > coalesce(old.last_backup_at, -1) BEGIN
  INSERT INTO backup_tally (organisation_id, connection_id, hour, succeeded, failed, broke, recovered)
  VALUES (new.organisation_id, new.connection_id, new.last_backup_at / 3600000, 1, 0, 0, 0)
  ON CONFLICT (organisation_id, hour, connection_id) DO UPDATE SET succeeded = succeeded + 1;
END;--> statement-breakpoint
CREATE TRIGGER tally_failure AFTER UPDATE OF last_error, last_error_at ON item
WHEN new.last_error IS NOT NULL AND (old.last_error IS NULL OR new.last_error_at IS NOT old.last_error_at) BEGIN
  INSERT INTO backup_tally (organisation_id, connection_id, hour, succeeded, failed, broke, recovered)
  VALUES (new.organisation_id, new.connection_id, coalesce(new.last_error_at, new.created_at) / 3600000, 0, 1,
    old.last_error IS NULL, 0)
  ON CONFLICT (organisation_id, hour, connection_id) DO UPDATE SET failed = failed + 1, broke = broke + excluded.broke;
END;--> statement-breakpoint
CREATE TRIGGER tally_recovery AFTER UPDATE OF last_error ON item
WHEN old.last_error IS NOT NULL AND new.last_error IS NULL BEGIN
  INSERT INTO backup_tally (organisation_id, connection_id, hour, succeeded, failed, broke, recovered)
  VALUES (new.organisation_id, new.connection_id,
    max(coalesce(new.last_backup_at, 0), coalesce(old.last_error_at, old.created_at)) / 3600000, 0, 0, 0, 1)
  ON CONFLICT (organisation_id, hour, connection_id) DO UPDATE SET recovered = recovered + 1;
END;--> statement-breakpoint
-- As if the item had never failed: its days no longer count.
CREATE TRIGGER tally_removed AFTER DELETE ON item WHEN old.last_error IS NOT NULL BEGIN
  INSERT INTO backup_tally (organisation_id, connection_id, hour, succeeded, failed, broke, recovered)
  VALUES (old.organisation_id, old.connection_id, coalesce(old.last_error_at, old.created_at) / 3600000, 0, 0, 0, 1)
  ON CONFLICT (organisation_id, hour, connection_id) DO UPDATE SET recovered = recovered + 1;
END;--> statement-breakpoint
CREATE TRIGGER tally_stored AFTER UPDATE OF status, stored_bytes ON object
WHEN (new.status <> 'reserved') * new.stored_bytes
  <> (old.status <> 'reserved') * old.stored_bytes BEGIN
  INSERT INTO storage_tally (organisation_id, hour, bytes)
  VALUES (new.organisation_id, new.created_at / 3600000,
    (new.status <> 'reserved') * new.stored_bytes
      - (old.status <> 'reserved') * old.stored_bytes)
  ON CONFLICT (organisation_id, hour) DO UPDATE SET bytes = bytes + excluded.bytes;
  INSERT INTO storage_total (organisation_id, bytes)
  VALUES (new.organisation_id, (new.status <> 'reserved') * new.stored_bytes
    - (old.status <> 'reserved') * old.stored_bytes)
  ON CONFLICT (organisation_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;--> statement-breakpoint
CREATE TRIGGER tally_stored_at_once AFTER INSERT ON object WHEN new.status <> 'reserved' AND new.stored_bytes <> 0 BEGIN
  INSERT INTO storage_tally (organisation_id, hour, bytes)
  VALUES (new.organisation_id, new.created_at / 3600000, new.stored_bytes)
  ON CONFLICT (organisation_id, hour) DO UPDATE SET bytes = bytes + excluded.bytes;
  INSERT INTO storage_total (organisation_id, bytes) VALUES (new.organisation_id, new.stored_bytes)
  ON CONFLICT (organisation_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;--> statement-breakpoint
-- An object is deleted at least a day after it was found unreferenced.
CREATE TRIGGER tally_deleted AFTER DELETE ON object WHEN old.status <> 'reserved' AND old.stored_bytes <> 0 BEGIN
  INSERT INTO storage_tally (organisation_id, hour, bytes)
  VALUES (old.organisation_id, coalesce(old.marked_at + 86400000, old.created_at) / 3600000, -old.stored_bytes)
  ON CONFLICT (organisation_id, hour) DO UPDATE SET bytes = bytes + excluded.bytes;
  INSERT INTO storage_total (organisation_id, bytes) VALUES (old.organisation_id, -old.stored_bytes)
  ON CONFLICT (organisation_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
