ALTER TABLE `run` ADD `began_at` integer;--> statement-breakpoint
-- Of several open backups of an item the one that got furthest stays; the others would only read the same again.
UPDATE `run` SET status = 'superseded', epoch = epoch + 1, lease_until = NULL, waiting_until = NULL, cursor = NULL,
  finished_at = created_at
WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY item_id
    ORDER BY status = 'running' DESC, cursor IS NOT NULL DESC, created_at, id) AS place
  FROM run WHERE kind = 'backup' AND status IN ('queued', 'running')) WHERE place > 1);--> statement-breakpoint
CREATE UNIQUE INDEX `run_open_backup` ON `run` (`item_id`) WHERE kind = 'backup' AND status IN ('queued', 'running');
