-- A guard that runs before an update makes SQLite look for the row again afterwards, which counts as one more row read.
-- One that runs after it refuses the same writes. Deletions keep theirs: other triggers then take away what tells the owner.
DROP TRIGGER alarm_closed_to_update;--> statement-breakpoint
CREATE TRIGGER alarm_closed_to_update AFTER UPDATE ON alarm
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER backup_request_closed_to_update;--> statement-breakpoint
CREATE TRIGGER backup_request_closed_to_update AFTER UPDATE ON backup_request
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER backup_tally_closed_to_update;--> statement-breakpoint
CREATE TRIGGER backup_tally_closed_to_update AFTER UPDATE ON backup_tally
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER companion_closed_to_update;--> statement-breakpoint
CREATE TRIGGER companion_closed_to_update AFTER UPDATE ON companion
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM item WHERE item.id = old.item_id)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER export_closed_to_update;--> statement-breakpoint
CREATE TRIGGER export_closed_to_update AFTER UPDATE ON export
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER item_closed_to_update;--> statement-breakpoint
CREATE TRIGGER item_closed_to_update AFTER UPDATE ON item
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER item_count_closed_to_update;--> statement-breakpoint
CREATE TRIGGER item_count_closed_to_update AFTER UPDATE ON item_count
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER manifest_row_closed_to_update;--> statement-breakpoint
CREATE TRIGGER manifest_row_closed_to_update AFTER UPDATE ON manifest_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = old.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER name_index_closed_to_update;--> statement-breakpoint
CREATE TRIGGER name_index_closed_to_update AFTER UPDATE ON name_index
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER object_row_closed_to_update;--> statement-breakpoint
CREATE TRIGGER object_row_closed_to_update AFTER UPDATE ON object_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = old.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER place_closed_to_update;--> statement-breakpoint
CREATE TRIGGER place_closed_to_update AFTER UPDATE ON place
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER replica_closed_to_update;--> statement-breakpoint
CREATE TRIGGER replica_closed_to_update AFTER UPDATE ON replica
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER restore_journal_closed_to_update;--> statement-breakpoint
CREATE TRIGGER restore_journal_closed_to_update AFTER UPDATE ON restore_journal
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM run WHERE run.id = old.run_id)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER run_closed_to_update;--> statement-breakpoint
CREATE TRIGGER run_closed_to_update AFTER UPDATE ON run
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER schedule_closed_to_update;--> statement-breakpoint
CREATE TRIGGER schedule_closed_to_update AFTER UPDATE ON schedule
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER seen_item_closed_to_update;--> statement-breakpoint
CREATE TRIGGER seen_item_closed_to_update AFTER UPDATE ON seen_item
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER snapshot_closed_to_update;--> statement-breakpoint
CREATE TRIGGER snapshot_closed_to_update AFTER UPDATE ON snapshot
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER span_row_closed_to_update;--> statement-breakpoint
CREATE TRIGGER span_row_closed_to_update AFTER UPDATE ON span_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = old.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER storage_tally_closed_to_update;--> statement-breakpoint
CREATE TRIGGER storage_tally_closed_to_update AFTER UPDATE ON storage_tally
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP TRIGGER storage_total_closed_to_update;--> statement-breakpoint
CREATE TRIGGER storage_total_closed_to_update AFTER UPDATE ON storage_total
WHEN EXISTS (SELECT 1 FROM moving_organisation WHERE organisation_id = old.organisation_id AND is_closed = 1) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;
