CREATE INDEX `restore_journal_created` ON `restore_journal` (`created_at`);--> statement-breakpoint
CREATE INDEX `run_unshown` ON `run` (`created_at`) WHERE status IN ('succeeded', 'superseded') AND (kind IN ('verify', 'delete', 'repack', 'replicate')
        OR status = 'superseded');--> statement-breakpoint
-- The dashboard shows thirty days. An organisation's older hours go as new ones come.
CREATE TRIGGER backup_tally_ends AFTER INSERT ON backup_tally BEGIN
  DELETE FROM backup_tally WHERE organisation_id = new.organisation_id AND hour < new.hour - 960;
END;--> statement-breakpoint
CREATE TRIGGER storage_tally_ends AFTER INSERT ON storage_tally BEGIN
  DELETE FROM storage_tally WHERE organisation_id = new.organisation_id AND hour < new.hour - 960;
END;
