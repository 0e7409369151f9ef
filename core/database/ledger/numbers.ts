import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * A number for each item, in place of its id and its organisation's in the rows of its objects, manifests and spans. Most
 * bytes of a ledger would be these ids. Numbers belong to one ledger: whatever leaves it has the ids, by views.
 *
 * A trigger numbers an item with its row. The number goes when neither that row nor an object or a manifest is left.
 */
export const numberedItem = sqliteTable("numbered_item", {
  number: integer("number").primaryKey(),
  itemId: text("item_id").notNull().unique(),
  organisationId: text("organisation_id").notNull(),
});

/** SQL of an item's number. Null when it has none. */
export const numberOf = (itemId: string) => `(SELECT number FROM numbered_item WHERE item_id = ${itemId})`;
