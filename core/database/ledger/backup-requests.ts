import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Requests to back up everything of a place or platform now, as long as items of theirs are not queued yet. The row is
 * there before the button's window closes and until the last item is queued, so that a request is carried out or was none.
 */
export const backupRequest = sqliteTable(
  "backup_request",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    connectionId: text("connection_id").notNull(),
    platform: text("platform").notNull(),
    /** Null = whatever kind. */
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
