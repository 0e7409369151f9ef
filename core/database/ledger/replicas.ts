import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The copy of one version in the organisation's own storage. A failed copy does not affect the version. When a version
 * is deleted, a trigger on `snapshot` deletes copies that were not made and marks the others `expired`.
 */
export const replica = sqliteTable(
  "replica",
  {
    snapshotId: text("snapshot_id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    storageId: text("storage_id").notNull(),
    /** Kind of the storage, shown on screens. */
    kind: text("kind").notNull(),
    itemId: text("item_id").notNull(),
    platform: text("platform").notNull(),
    /** Expired = the version is gone, and its file in the storage must be deleted. */
    status: text("status", { enum: ["waiting", "stored", "failed", "expired"] }).notNull(),
    /** The run that is copying it. */
    runId: text("run_id"),
    /** Path below the Holdfast folder. Fixed before the first byte is sent. */
    path: text("path"),
    /** The storage's mark of the stored file. The file is deleted only if it still has this mark. */
    mark: text("mark"),
    sizeBytes: integer("size_bytes"),
    attempts: integer("attempts").notNull().default(0),
    errorText: text("error_text"),
    /** When it is next tried; null = a run has it, it is done, or the storage must be connected again. */
    nextTryAt: integer("next_try_at"),
    storedAt: integer("stored_at"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    index("replica_due").on(t.nextTryAt).where(sql`next_try_at IS NOT NULL`),
    index("replica_storage").on(t.storageId, t.status),
    index("replica_item").on(t.itemId),
    index("replica_run").on(t.runId).where(sql`run_id IS NOT NULL`),
  ],
);
