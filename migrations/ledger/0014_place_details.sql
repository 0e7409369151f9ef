ALTER TABLE `place` ADD `details` text;--> statement-breakpoint
UPDATE `place` SET `details` = json_object('nodeId', `node_id`) WHERE `node_id` IS NOT NULL;
