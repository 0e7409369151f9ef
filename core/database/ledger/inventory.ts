import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Json } from "#core/kernel/canonical-json.ts";

/** A space of a platform that holds items: a user's, an organisation's, a workspace. */
export const place = sqliteTable(
  "place",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    connectionId: text("connection_id").notNull(),
    externalId: text("external_id").notNull(),
    /** Read by earlier releases only. Replaced by `details`. */
    nodeId: text("node_id"),
    name: text("name").notNull(),
    /** The platform's own type. */
    type: text("type").notNull(),
    details: text("details", { mode: "json" }).$type<Json>(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("place_external").on(t.connectionId, t.externalId),
    index("place_organisation").on(t.organisationId),
  ],
);

/** SQL of when an item's last version began, or when the item was added. The text in the index `item_stale`. */
export const SILENT_SINCE = (item: string) =>
  `CASE WHEN ${item}last_backup_at IS NULL THEN ${item}created_at ELSE ${item}last_backup_at END`;

/** The unit we protect: a repository, a gist, a board … Platform-specific data is in `details`. */
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
    /** Read by earlier releases only. Replaced by `details`. */
    nodeId: text("node_id"),
    name: text("name").notNull(),
    fullName: text("full_name").notNull(),
    /** Lower-case name: sort and search key. */
    nameFolded: text("name_folded").notNull(),
    description: text("description"),
    /** Read by earlier releases only. The column requires a value; connectors derive the visibility from `details`. */
    visibility: text("visibility").notNull(),
    details: text("details", { mode: "json" }).notNull(),
    /** initialized = no finished backup yet; deleted = removed at the platform (spec P-178..P-185). */
    status: text("status", { enum: ["initialized", "backuped", "deleted"] }).notNull(),
    isDaily: integer("is_daily", { mode: "boolean" }).notNull(),
    /**
     * Times at which daily backups were turned off and on in turn, oldest first. `isDaily` is the state since the last.
     */
    dailyChanges: text("daily_changes", { mode: "json" }).$type<readonly number[]>().notNull().default([]),
    /** Daily backups are off because the plan includes fewer items, not because somebody switched them off. */
    isPausedByPlan: integer("is_paused_by_plan", { mode: "boolean" }).notNull().default(false),
    /** The loss that raises an alarm, as this item's owner chose it. Null = the default of `core/alarms/limits.ts`. */
    alarmLostPercent: integer("alarm_lost_percent"),
    alarmLostCount: integer("alarm_lost_count"),
    /** The next backup builds on no version, because one was erased. */
    startsOver: integer("starts_over", { mode: "boolean" }).notNull().default(false),
    /** End of the last Backup-now window used. Enforces the limit in addition to the account's Durable Object. */
    backupNowOpensAt: integer("backup_now_opens_at"),
    lastBackupAt: integer("last_backup_at"),
    lastSnapshotId: text("last_snapshot_id"),
    sizeBytes: integer("size_bytes").notNull().default(0),
    /** The `seq` of the item's newest manifest, which may be gone since. 0 = there was none yet. */
    manifestSeq: integer("manifest_seq").notNull().default(0),
    /** The run that is working on the item, if any: at most one (invariant I6). */
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
    index("item_platform").on(t.organisationId, t.platform, t.status),
    index("item_name").on(t.organisationId, t.connectionId, t.kind, t.nameFolded, t.id),
    // The only index with the time of the last version, because each would be written for every version: what is stale or
    // newest is read list by list.
    index("item_stale").on(
      t.organisationId,
      t.connectionId,
      t.kind,
      t.status,
      t.isDaily,
      sql.raw(SILENT_SINCE("")),
    ),
    index("item_failed").on(t.organisationId, t.lastErrorAt).where(sql`last_error IS NOT NULL`),
  ],
);

/**
 * The number of items by place and list filter, so that no list counts rows. Triggers on `item` maintain it on every
 * write. What only time decides (stale) is not included.
 */
export const itemCount = sqliteTable(
  "item_count",
  {
    connectionId: text("connection_id").notNull(),
    kind: text("kind").notNull(),
    /** Empty for items without a place. */
    placeId: text("place_id").notNull(),
    organisationId: text("organisation_id").notNull(),
    platform: text("platform").notNull(),
    total: integer("total").notNull(),
    failed: integer("failed").notNull(),
    never: integer("never").notNull(),
    paused: integer("paused").notNull(),
    deleted: integer("deleted").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.connectionId, t.kind, t.placeId] }),
    index("item_count_organisation").on(t.organisationId),
  ],
);

/** Items already seen in a connection's places, so that the search for new items can tell which are new. */
export const seenItem = sqliteTable(
  "seen_item",
  {
    connectionId: text("connection_id").notNull(),
    placeId: text("place_id").notNull(),
    kind: text("kind").notNull(),
    externalId: text("external_id").notNull(),
    organisationId: text("organisation_id").notNull(),
    seenAt: integer("seen_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.connectionId, t.placeId, t.kind, t.externalId] })],
);

/**
 * When each item's next scheduled backup is due; no row = never (paused or deleted). Separate from `item` and read
 * through a covering index, so that finding and moving a due item reads one row, however many items there are.
 */
export const schedule = sqliteTable(
  "schedule",
  {
    itemId: text("item_id").primaryKey(),
    dueAt: integer("due_at").notNull(),
    /** 24 h, or 12 h on Pro. */
    periodMs: integer("period_ms").notNull(),
    organisationId: text("organisation_id").notNull(),
    connectionId: text("connection_id").notNull(),
    platform: text("platform").notNull(),
  },
  (t) => [
    index("schedule_due").on(t.dueAt, t.itemId, t.periodMs, t.organisationId, t.connectionId, t.platform),
    index("schedule_connection").on(t.connectionId),
  ],
);
