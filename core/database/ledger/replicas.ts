import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * The copy of one version in the organisation's own storage. It stands apart from the version: that one is good whatever
 * becomes of its copy. A trigger on `snapshot` lets go of copies that were not made and marks the others `expired`.
 */
export const replica = sqliteTable(
  "replica",
  {
    snapshotId: text("snapshot_id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    storageId: text("storage_id").notNull(),
    /** Kind of the storage, for the words of screens. */
    kind: text("kind").notNull(),
    itemId: text("item_id").notNull(),
    platform: text("platform").notNull(),
    /** Expired = the version is gone, and the file in the storage is to go as well. */
    status: text("status", { enum: ["waiting", "stored", "failed", "expired"] }).notNull(),
    /** The run that makes it now. */
    runId: text("run_id"),
    /** Below the Holdfast folder; settled before the first byte is sent and kept. */
    path: text("path"),
    /** The storage's mark of the file: only what still bears it is deleted. */
    mark: text("mark"),
    sizeBytes: integer("size_bytes"),
    attempts: integer("attempts").notNull().default(0),
    errorText: text("error_text"),
    /** When it is tried (again); null = a run has it, it is done, or the storage must be connected again. */
    nextTryAt: integer("next_try_at"),
    storedAt: integer("stored_at"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    index("replica_due").on(t.nextTryAt).where(sql`next_try_at IS NOT NULL`),
    index("replica_storage").on(t.storageId, t.status),
    index("replica_item").on(t.itemId),
  ],
);
