CREATE TABLE `item_region` (
	`item_id` text PRIMARY KEY NOT NULL,
	`region` text NOT NULL
);
