import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Requests to back up everything of a place or platform now, while some of their items are not queued yet. The row is
 * written before the button's window closes and deleted with the last item queued, so that no accepted request is lost.
 */
export const backupRequest = sqliteTable(
  "backup_request",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    connectionId: text("connection_id").notNull(),
    platform: text("platform").notNull(),
    /** Null = any kind. */
    kind: text("kind"),
    /** Null = every place. */
    placeId: text("place_id"),
    /** Items up to this id are queued. */
    position: text("position").notNull().default(""),
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [index("backup_request_created").on(t.createdAt)],
);
