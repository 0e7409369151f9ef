CREATE TABLE `moving_organisation` (
	`organisation_id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`is_closed` integer NOT NULL,
	`epoch` integer NOT NULL,
	`since` integer NOT NULL,
	`has_rows` integer DEFAULT true NOT NULL
);
--> statement-breakpoint
-- Where an organisation does not live, or is copied for the last time, nobody writes its rows: a writer that has an old place
-- in mind fails instead of losing what it writes. Nothing is read while no organisation moves.
CREATE TRIGGER alarm_closed_to_insert BEFORE INSERT ON alarm
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER alarm_closed_to_update BEFORE UPDATE ON alarm
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER alarm_closed_to_delete BEFORE DELETE ON alarm
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER backup_request_closed_to_insert BEFORE INSERT ON backup_request
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER backup_request_closed_to_update BEFORE UPDATE ON backup_request
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER backup_request_closed_to_delete BEFORE DELETE ON backup_request
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER backup_tally_closed_to_insert BEFORE INSERT ON backup_tally
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER backup_tally_closed_to_update BEFORE UPDATE ON backup_tally
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER backup_tally_closed_to_delete BEFORE DELETE ON backup_tally
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER export_closed_to_insert BEFORE INSERT ON export
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER export_closed_to_update BEFORE UPDATE ON export
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER export_closed_to_delete BEFORE DELETE ON export
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER item_closed_to_insert BEFORE INSERT ON item
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER item_closed_to_update BEFORE UPDATE ON item
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER item_closed_to_delete BEFORE DELETE ON item
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER item_count_closed_to_insert BEFORE INSERT ON item_count
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER item_count_closed_to_update BEFORE UPDATE ON item_count
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER item_count_closed_to_delete BEFORE DELETE ON item_count
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER manifest_closed_to_insert BEFORE INSERT ON manifest
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER manifest_closed_to_update BEFORE UPDATE ON manifest
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER manifest_closed_to_delete BEFORE DELETE ON manifest
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER name_index_closed_to_insert BEFORE INSERT ON name_index
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER name_index_closed_to_update BEFORE UPDATE ON name_index
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER name_index_closed_to_delete BEFORE DELETE ON name_index
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER object_closed_to_insert BEFORE INSERT ON object
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER object_closed_to_update BEFORE UPDATE ON object
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER object_closed_to_delete BEFORE DELETE ON object
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER place_closed_to_insert BEFORE INSERT ON place
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER place_closed_to_update BEFORE UPDATE ON place
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER place_closed_to_delete BEFORE DELETE ON place
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER replica_closed_to_insert BEFORE INSERT ON replica
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER replica_closed_to_update BEFORE UPDATE ON replica
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER replica_closed_to_delete BEFORE DELETE ON replica
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER run_closed_to_insert BEFORE INSERT ON run
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER run_closed_to_update BEFORE UPDATE ON run
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER run_closed_to_delete BEFORE DELETE ON run
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER schedule_closed_to_insert BEFORE INSERT ON schedule
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER schedule_closed_to_update BEFORE UPDATE ON schedule
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER schedule_closed_to_delete BEFORE DELETE ON schedule
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER seen_item_closed_to_insert BEFORE INSERT ON seen_item
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER seen_item_closed_to_update BEFORE UPDATE ON seen_item
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER seen_item_closed_to_delete BEFORE DELETE ON seen_item
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER snapshot_closed_to_insert BEFORE INSERT ON snapshot
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER snapshot_closed_to_update BEFORE UPDATE ON snapshot
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER snapshot_closed_to_delete BEFORE DELETE ON snapshot
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER storage_tally_closed_to_insert BEFORE INSERT ON storage_tally
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER storage_tally_closed_to_update BEFORE UPDATE ON storage_tally
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER storage_tally_closed_to_delete BEFORE DELETE ON storage_tally
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER storage_total_closed_to_insert BEFORE INSERT ON storage_total
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = new.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER storage_total_closed_to_update BEFORE UPDATE ON storage_total
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER storage_total_closed_to_delete BEFORE DELETE ON storage_total
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER companion_closed_to_insert BEFORE INSERT ON companion
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM item WHERE item.id = new.item_id)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER companion_closed_to_update BEFORE UPDATE ON companion
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM item WHERE item.id = old.item_id)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER companion_closed_to_delete BEFORE DELETE ON companion
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM item WHERE item.id = old.item_id)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER object_span_closed_to_insert BEFORE INSERT ON object_span
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM item WHERE item.id = new.item_id)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER object_span_closed_to_update BEFORE UPDATE ON object_span
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM item WHERE item.id = old.item_id)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER object_span_closed_to_delete BEFORE DELETE ON object_span
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM item WHERE item.id = old.item_id)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER restore_journal_closed_to_insert BEFORE INSERT ON restore_journal
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM run WHERE run.id = new.run_id)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER restore_journal_closed_to_update BEFORE UPDATE ON restore_journal
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM run WHERE run.id = old.run_id)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER restore_journal_closed_to_delete BEFORE DELETE ON restore_journal
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM run WHERE run.id = old.run_id)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;
