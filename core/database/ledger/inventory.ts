import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A user, organisation or workspace of a platform that holds items. */
export const place = sqliteTable(
  "place",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    connectionId: text("connection_id").notNull(),
    externalId: text("external_id").notNull(),
    nodeId: text("node_id"),
    name: text("name").notNull(),
    type: text("type", { enum: ["User", "Organization"] }).notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("place_external").on(t.connectionId, t.externalId),
    index("place_organisation").on(t.organisationId),
  ],
);

/** The unit we protect: a repository, a gist, a board … What is peculiar to a platform lives in `details`. */
export const item = sqliteTable(
  "item",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    connectionId: text("connection_id").notNull(),
    placeId: text("place_id"),
    platform: text("platform").notNull(),
    kind: text("kind").notNull(),
    externalId: text("external_id").notNull(),
    nodeId: text("node_id"),
    name: text("name").notNull(),
    fullName: text("full_name").notNull(),
    /** Lower-case name: sort and search key. */
    nameFolded: text("name_folded").notNull(),
    description: text("description"),
    visibility: text("visibility", { enum: ["private", "public", "internal"] }).notNull(),
    details: text("details", { mode: "json" }).notNull(),
    /** initialized = no finished backup yet; deleted = gone at the platform (spec P-178..P-185). */
    status: text("status", { enum: ["initialized", "backuped", "deleted"] }).notNull(),
    isDaily: integer("is_daily", { mode: "boolean" }).notNull(),
    /** Hours between scheduled backups: 24, or 12 on Pro. */
    periodMs: integer("period_ms").notNull(),
    /** When the next scheduled backup is due; null = never (paused or deleted). */
    nextDueAt: integer("next_due_at"),
    /** Start of the Backup-now window that was used last. */
    manualWindowAt: integer("manual_window_at"),
    lastBackupAt: integer("last_backup_at"),
    lastSnapshotId: text("last_snapshot_id"),
    sizeBytes: integer("size_bytes").notNull().default(0),
    /** The run that works on the item now, if any: at most one (invariant I6). */
    activeRunId: text("active_run_id"),
    activeRunKind: text("active_run_kind", { enum: ["backup", "restore"] }),
    /** Last failure as a sentence, until a run succeeds. */
    lastError: text("last_error"),
    lastErrorAt: integer("last_error_at"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("item_external").on(t.connectionId, t.kind, t.externalId),
    index("item_place_name").on(t.organisationId, t.connectionId, t.kind, t.placeId, t.nameFolded, t.id),
    index("item_due").on(t.nextDueAt).where(sql`next_due_at IS NOT NULL`),
  ],
);
