-- An earlier release that still runs must not add to a list that has been converted: its commit fails and is repeated.
CREATE TRIGGER manifest_object_is_closed BEFORE INSERT ON manifest_object BEGIN
  SELECT RAISE(ABORT, 'the lists of objects are spans now');
END;--> statement-breakpoint
-- Without a second tree for the key, which is nearly the whole row.
CREATE TABLE `object_span` (
	`item_id` text NOT NULL,
	`object_id` text NOT NULL,
	`from_seq` integer NOT NULL,
	`to_seq` integer,
	PRIMARY KEY(`item_id`, `object_id`, `from_seq`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `object_span_closed` ON `object_span` (`item_id`,`to_seq`) WHERE to_seq IS NOT NULL;--> statement-breakpoint
ALTER TABLE `item` ADD `manifest_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `manifest` ADD `seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE manifest SET seq = numbered.seq
FROM (SELECT item_id, id, row_number() OVER (PARTITION BY item_id ORDER BY created_at, id) AS seq FROM manifest) numbered
WHERE numbered.item_id = manifest.item_id AND numbered.id = manifest.id;--> statement-breakpoint
CREATE UNIQUE INDEX `manifest_seq` ON `manifest` (`item_id`,`seq`);--> statement-breakpoint
UPDATE item SET manifest_seq = (SELECT max(seq) FROM manifest WHERE manifest.item_id = item.id)
WHERE id IN (SELECT item_id FROM manifest);--> statement-breakpoint
-- Successive manifests that need an object share a span: along them, `seq` minus the row's number is constant.
INSERT INTO object_span (item_id, object_id, from_seq, to_seq)
SELECT item_id, object_id, min(seq),
  nullif(max(seq), (SELECT max(newest.seq) FROM manifest newest WHERE newest.item_id = needed.item_id))
FROM (SELECT manifest.item_id, object_id, seq,
    seq - row_number() OVER (PARTITION BY manifest.item_id, object_id ORDER BY seq) AS stretch
  FROM manifest_object JOIN manifest ON manifest.item_id = manifest_object.item_id AND manifest.id = manifest_id) needed
GROUP BY item_id, object_id, stretch;--> statement-breakpoint
DROP TABLE `manifest_object`;--> statement-breakpoint
-- The earlier release still reads the lists by this name. Its `prune` must see what is needed.
CREATE VIEW manifest_object AS
SELECT manifest.item_id AS item_id, manifest.id AS manifest_id, object_span.object_id AS object_id
FROM manifest JOIN object_span ON object_span.item_id = manifest.item_id
  AND object_span.from_seq <= manifest.seq AND (object_span.to_seq IS NULL OR object_span.to_seq >= manifest.seq);--> statement-breakpoint
-- When a manifest goes, the spans go that no other one is in: they lie between its neighbours.
CREATE TRIGGER manifest_is_gone AFTER DELETE ON manifest BEGIN
  DELETE FROM object_span WHERE item_id = old.item_id AND to_seq >= old.seq
    AND to_seq < coalesce((SELECT min(seq) FROM manifest WHERE item_id = old.item_id AND seq > old.seq), to_seq + 1)
    AND from_seq > coalesce((SELECT max(seq) FROM manifest WHERE item_id = old.item_id AND seq < old.seq), 0);
END;--> statement-breakpoint
CREATE TRIGGER newest_manifest_is_gone AFTER DELETE ON manifest
WHEN NOT EXISTS (SELECT 1 FROM manifest WHERE item_id = old.item_id AND seq > old.seq) BEGIN
  DELETE FROM object_span WHERE item_id = old.item_id AND to_seq IS NULL
    AND from_seq > coalesce((SELECT max(seq) FROM manifest WHERE item_id = old.item_id AND seq < old.seq), 0);
END;--> statement-breakpoint
-- A damaged manifest that is written again gets the next number.
CREATE TRIGGER manifest_is_renumbered AFTER UPDATE OF seq ON manifest BEGIN
  DELETE FROM object_span WHERE item_id = old.item_id AND to_seq >= old.seq
    AND to_seq < coalesce((SELECT min(seq) FROM manifest WHERE item_id = old.item_id AND seq > old.seq), to_seq + 1)
    AND from_seq > coalesce((SELECT max(seq) FROM manifest WHERE item_id = old.item_id AND seq < old.seq), 0);
END;--> statement-breakpoint
CREATE TRIGGER newest_manifest_is_renumbered AFTER UPDATE OF seq ON manifest
WHEN NOT EXISTS (SELECT 1 FROM manifest WHERE item_id = old.item_id AND seq > old.seq) BEGIN
  DELETE FROM object_span WHERE item_id = old.item_id AND to_seq IS NULL
    AND from_seq > coalesce((SELECT max(seq) FROM manifest WHERE item_id = old.item_id AND seq < old.seq), 0);
END;--> statement-breakpoint
-- What is needed is not marked for deletion.
CREATE TRIGGER object_is_needed AFTER INSERT ON object_span BEGIN
  UPDATE object SET marked_at = NULL WHERE id = new.object_id AND marked_at IS NOT NULL;
END;
