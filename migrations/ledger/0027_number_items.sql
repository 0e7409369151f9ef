CREATE TABLE `numbered_item` (
	`number` integer PRIMARY KEY NOT NULL,
	`item_id` text NOT NULL,
	`organisation_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `numbered_item_item_id_unique` ON `numbered_item` (`item_id`);--> statement-breakpoint
INSERT INTO numbered_item (item_id, organisation_id)
SELECT id, organisation_id FROM item UNION SELECT item_id, organisation_id FROM object
UNION SELECT item_id, organisation_id FROM manifest ORDER BY 1;--> statement-breakpoint
CREATE TABLE `object_row` (
	`id` text PRIMARY KEY NOT NULL,
	`item` integer NOT NULL,
	`run_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`size_bytes` integer DEFAULT 0 NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	`hash` blob,
	`crc32` integer DEFAULT 0 NOT NULL,
	`manifest_id` blob,
	`marked_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO object_row (id, item, run_id, kind, status, size_bytes, stored_bytes, hash, crc32, manifest_id, marked_at, created_at)
SELECT id, number, run_id, kind, status, size_bytes, stored_bytes, coalesce(unhex(hash), hash), crc32,
  coalesce(unhex(manifest_id), manifest_id), marked_at, created_at
FROM object JOIN numbered_item ON numbered_item.item_id = object.item_id;--> statement-breakpoint
CREATE INDEX `object_row_item` ON `object_row` (`item`,`kind`,substr(hash, 1, 4));--> statement-breakpoint
CREATE INDEX `object_row_marked` ON `object_row` (`marked_at`) WHERE marked_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `object_row_packed` ON `object_row` (`created_at`) WHERE kind = 'pack';--> statement-breakpoint
-- With row ids: a search by the key of a table without them reads each row that it meets, up to half a megabyte.
CREATE TABLE `manifest_row` (
	`item` integer NOT NULL,
	`seq` integer NOT NULL,
	`id` text NOT NULL,
	`root_object` text NOT NULL,
	`root_offset` integer NOT NULL,
	`root_length` integer NOT NULL,
	`root_method` integer NOT NULL,
	`root_hash` blob NOT NULL,
	`entry_count` integer NOT NULL,
	`size_bytes` integer NOT NULL,
	`completeness` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`item`, `seq`)
);
--> statement-breakpoint
INSERT INTO manifest_row (item, seq, id, root_object, root_offset, root_length, root_method, root_hash, entry_count,
  size_bytes, completeness, created_at)
SELECT number, seq, id, root_object, root_offset, root_length, root_method, coalesce(unhex(root_hash), root_hash), entry_count,
  size_bytes, completeness, created_at
FROM manifest JOIN numbered_item ON numbered_item.item_id = manifest.item_id;--> statement-breakpoint
CREATE INDEX `manifest_row_id` ON `manifest_row` (`item`,substr(id, 1, 8));--> statement-breakpoint
CREATE TABLE `span_row` (
	`item` integer NOT NULL,
	`object_id` text NOT NULL,
	`from_seq` integer NOT NULL,
	`to_seq` integer,
	PRIMARY KEY(`item`, `object_id`, `from_seq`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO span_row (item, object_id, from_seq, to_seq)
SELECT number, object_id, from_seq, to_seq
FROM object_span JOIN numbered_item ON numbered_item.item_id = object_span.item_id;--> statement-breakpoint
CREATE INDEX `span_row_closed` ON `span_row` (`item`,`to_seq`) WHERE to_seq IS NOT NULL;--> statement-breakpoint
DROP VIEW manifest_object;--> statement-breakpoint
DROP TABLE `object_span`;--> statement-breakpoint
DROP TABLE `manifest`;--> statement-breakpoint
DROP TABLE `object`;--> statement-breakpoint
-- The earlier release still reads by these names. It cannot write to a view: its commit fails and is repeated.
CREATE VIEW object AS
SELECT object_row.id AS id, object_row.item AS item, organisation_id, item_id, run_id, kind,
  organisation_id || '/' || item_id || '/' || object_row.id AS key, status, size_bytes, stored_bytes,
  iif(typeof(hash) = 'blob', lower(hex(hash)), hash) AS hash, crc32,
  iif(typeof(manifest_id) = 'blob', lower(hex(manifest_id)), manifest_id) AS manifest_id, marked_at, created_at
FROM object_row JOIN numbered_item ON numbered_item.number = object_row.item;--> statement-breakpoint
CREATE VIEW manifest AS
SELECT manifest_row.item AS item, item_id, organisation_id, seq, manifest_row.id AS id, root_object, root_offset, root_length,
  root_method, iif(typeof(root_hash) = 'blob', lower(hex(root_hash)), root_hash) AS root_hash, entry_count, size_bytes,
  completeness, created_at
FROM manifest_row JOIN numbered_item ON numbered_item.number = manifest_row.item;--> statement-breakpoint
CREATE VIEW object_span AS
SELECT span_row.item AS item, item_id, organisation_id, object_id, from_seq, to_seq
FROM span_row JOIN numbered_item ON numbered_item.number = span_row.item;--> statement-breakpoint
CREATE VIEW manifest_object AS
SELECT item_id, manifest_row.id AS manifest_id, span_row.object_id AS object_id
FROM numbered_item JOIN manifest_row ON manifest_row.item = number JOIN span_row ON span_row.item = number
  AND span_row.from_seq <= manifest_row.seq AND (span_row.to_seq IS NULL OR span_row.to_seq >= manifest_row.seq);--> statement-breakpoint
-- An item has a number as long as it, an object or a manifest of it has a row.
CREATE TRIGGER item_is_numbered AFTER INSERT ON item
WHEN NOT EXISTS (SELECT 1 FROM numbered_item WHERE item_id = new.id) BEGIN
  INSERT INTO numbered_item (item_id, organisation_id) VALUES (new.id, new.organisation_id);
END;--> statement-breakpoint
CREATE TRIGGER numbered_item_is_gone AFTER DELETE ON item BEGIN
  DELETE FROM numbered_item WHERE item_id = old.id AND NOT EXISTS (SELECT 1 FROM object_row WHERE item = number)
    AND NOT EXISTS (SELECT 1 FROM manifest_row WHERE item = number);
END;--> statement-breakpoint
CREATE TRIGGER object_is_gone AFTER DELETE ON object_row BEGIN
  INSERT INTO storage_tally (organisation_id, hour, bytes)
  SELECT organisation_id, coalesce(old.marked_at + 86400000, old.created_at) / 3600000, -old.stored_bytes
  FROM numbered_item WHERE number = old.item AND old.status <> 'reserved' AND old.stored_bytes <> 0
  ON CONFLICT (organisation_id, hour) DO UPDATE SET bytes = bytes + excluded.bytes;
  INSERT INTO storage_total (organisation_id, bytes)
  SELECT organisation_id, -old.stored_bytes FROM numbered_item
  WHERE number = old.item AND old.status <> 'reserved' AND old.stored_bytes <> 0
  ON CONFLICT (organisation_id) DO UPDATE SET bytes = bytes + excluded.bytes;
  DELETE FROM numbered_item WHERE number = old.item AND NOT EXISTS (SELECT 1 FROM object_row WHERE item = old.item)
    AND NOT EXISTS (SELECT 1 FROM manifest_row WHERE item = old.item)
    AND NOT EXISTS (SELECT 1 FROM item WHERE item.id = item_id);
END;--> statement-breakpoint
CREATE TRIGGER tally_stored AFTER UPDATE OF status, stored_bytes ON object_row
WHEN (new.status <> 'reserved') * new.stored_bytes
  <> (old.status <> 'reserved') * old.stored_bytes BEGIN
  INSERT INTO storage_tally (organisation_id, hour, bytes)
  SELECT organisation_id, new.created_at / 3600000, (new.status <> 'reserved') * new.stored_bytes
    - (old.status <> 'reserved') * old.stored_bytes FROM numbered_item WHERE number = new.item
  ON CONFLICT (organisation_id, hour) DO UPDATE SET bytes = bytes + excluded.bytes;
  INSERT INTO storage_total (organisation_id, bytes)
  SELECT organisation_id, (new.status <> 'reserved') * new.stored_bytes
    - (old.status <> 'reserved') * old.stored_bytes FROM numbered_item WHERE number = new.item
  ON CONFLICT (organisation_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;--> statement-breakpoint
CREATE TRIGGER tally_stored_at_once AFTER INSERT ON object_row WHEN new.status <> 'reserved' AND new.stored_bytes <> 0 BEGIN
  INSERT INTO storage_tally (organisation_id, hour, bytes)
  SELECT organisation_id, new.created_at / 3600000, new.stored_bytes FROM numbered_item WHERE number = new.item
  ON CONFLICT (organisation_id, hour) DO UPDATE SET bytes = bytes + excluded.bytes;
  INSERT INTO storage_total (organisation_id, bytes)
  SELECT organisation_id, new.stored_bytes FROM numbered_item WHERE number = new.item
  ON CONFLICT (organisation_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;--> statement-breakpoint
-- When a manifest goes, the spans go that no other one is in: they lie between its neighbours.
CREATE TRIGGER manifest_is_gone AFTER DELETE ON manifest_row BEGIN
  DELETE FROM span_row WHERE item = old.item AND to_seq >= old.seq
    AND to_seq < coalesce((SELECT min(seq) FROM manifest_row WHERE item = old.item AND seq > old.seq), to_seq + 1)
    AND from_seq > coalesce((SELECT max(seq) FROM manifest_row WHERE item = old.item AND seq < old.seq), 0);
END;--> statement-breakpoint
CREATE TRIGGER newest_manifest_is_gone AFTER DELETE ON manifest_row
WHEN NOT EXISTS (SELECT 1 FROM manifest_row WHERE item = old.item AND seq > old.seq) BEGIN
  DELETE FROM span_row WHERE item = old.item AND to_seq IS NULL
    AND from_seq > coalesce((SELECT max(seq) FROM manifest_row WHERE item = old.item AND seq < old.seq), 0);
END;--> statement-breakpoint
CREATE TRIGGER last_manifest_is_gone AFTER DELETE ON manifest_row
WHEN NOT EXISTS (SELECT 1 FROM manifest_row WHERE item = old.item) BEGIN
  DELETE FROM numbered_item WHERE number = old.item AND NOT EXISTS (SELECT 1 FROM object_row WHERE item = old.item)
    AND NOT EXISTS (SELECT 1 FROM item WHERE item.id = item_id);
END;--> statement-breakpoint
-- A damaged manifest that is written again gets the next number.
CREATE TRIGGER manifest_is_renumbered AFTER UPDATE OF seq ON manifest_row BEGIN
  DELETE FROM span_row WHERE item = old.item AND to_seq >= old.seq
    AND to_seq < coalesce((SELECT min(seq) FROM manifest_row WHERE item = old.item AND seq > old.seq), to_seq + 1)
    AND from_seq > coalesce((SELECT max(seq) FROM manifest_row WHERE item = old.item AND seq < old.seq), 0);
END;--> statement-breakpoint
CREATE TRIGGER newest_manifest_is_renumbered AFTER UPDATE OF seq ON manifest_row
WHEN NOT EXISTS (SELECT 1 FROM manifest_row WHERE item = old.item AND seq > old.seq) BEGIN
  DELETE FROM span_row WHERE item = old.item AND to_seq IS NULL
    AND from_seq > coalesce((SELECT max(seq) FROM manifest_row WHERE item = old.item AND seq < old.seq), 0);
END;--> statement-breakpoint
-- What is needed is not marked for deletion.
CREATE TRIGGER object_is_needed AFTER INSERT ON span_row BEGIN
  UPDATE object_row SET marked_at = NULL WHERE id = new.object_id AND marked_at IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER manifest_row_closed_to_insert BEFORE INSERT ON manifest_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = new.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER manifest_row_closed_to_update BEFORE UPDATE ON manifest_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = old.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER manifest_row_closed_to_delete BEFORE DELETE ON manifest_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = old.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER object_row_closed_to_insert BEFORE INSERT ON object_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = new.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER object_row_closed_to_update BEFORE UPDATE ON object_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = old.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER object_row_closed_to_delete BEFORE DELETE ON object_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = old.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER span_row_closed_to_insert BEFORE INSERT ON span_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = new.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER span_row_closed_to_update BEFORE UPDATE ON span_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = old.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
CREATE TRIGGER span_row_closed_to_delete BEFORE DELETE ON span_row
WHEN EXISTS (SELECT 1 FROM moving_organisation) AND EXISTS (SELECT 1 FROM moving_organisation WHERE is_closed = 1
  AND organisation_id = (SELECT organisation_id FROM numbered_item WHERE number = old.item)) BEGIN
  SELECT RAISE(ABORT, 'the organisation is moving to another ledger');
END;--> statement-breakpoint
DROP INDEX `run_unshown`;--> statement-breakpoint
CREATE INDEX `run_unneeded` ON `run` (`created_at`) WHERE status IN ('succeeded', 'superseded') AND (kind IN ('verify', 'replicate')
        OR status = 'superseded');--> statement-breakpoint
CREATE INDEX `run_needed` ON `run` (`created_at`) WHERE kind IN ('delete', 'repack') AND status = 'succeeded';
