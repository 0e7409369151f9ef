import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A change in an item's backups that a person should look at, until someone acknowledges it. */
export const alarm = sqliteTable(
  "alarm",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    itemId: text("item_id").notNull(),
    kind: text("kind", { enum: ["mass-deletion", "history-rewrite", "size-cliff", "stale"] }).notNull(),
    /** The version that raised it. For `stale`: the last version, empty when there never was one. */
    snapshotId: text("snapshot_id").notNull(),
    /** The previous version, kept past its expiry until the alarm is acknowledged. */
    keptSnapshotId: text("kept_snapshot_id"),
    /** A sentence for people. */
    message: text("message").notNull(),
    createdAt: integer("created_at").notNull(),
    acknowledgedAt: integer("acknowledged_at"),
    acknowledgedBy: text("acknowledged_by"),
  },
  (t) => [
    uniqueIndex("alarm_cause").on(t.itemId, t.kind, t.snapshotId),
    index("alarm_open").on(t.organisationId, t.itemId).where(sql`acknowledged_at IS NULL`),
    index("alarm_kept").on(t.keptSnapshotId).where(sql`acknowledged_at IS NULL`),
  ],
);
