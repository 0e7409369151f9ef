import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Results of backups by account and hour, so that the dashboard reads days without counting runs or versions. Triggers
 * on `item` maintain it. Hours fit into the days of every time zone with whole hours. Rows stay for forty days of work.
 */
export const backupTally = sqliteTable(
  "backup_tally",
  {
    organisationId: text("organisation_id").notNull(),
    connectionId: text("connection_id").notNull(),
    /** Epoch hours. */
    hour: integer("hour").notNull(),
    /** Backups that made a version. */
    succeeded: integer("succeeded").notNull(),
    /** Runs that failed. */
    failed: integer("failed").notNull(),
    /** Items that began to fail, and items that no longer do. */
    broke: integer("broke").notNull(),
    recovered: integer("recovered").notNull(),
  },
  (t) => [primaryKey({ columns: [t.organisationId, t.hour, t.connectionId] })],
);

/** Change of the bytes in the vault by hour. Triggers on `object` maintain it and `storage_total`. */
export const storageTally = sqliteTable(
  "storage_tally",
  {
    organisationId: text("organisation_id").notNull(),
    /** Epoch hours. */
    hour: integer("hour").notNull(),
    bytes: integer("bytes").notNull(),
  },
  (t) => [primaryKey({ columns: [t.organisationId, t.hour] })],
);

/** Bytes that an organisation has in the vault of this region. */
export const storageTotal = sqliteTable("storage_total", {
  organisationId: text("organisation_id").primaryKey(),
  bytes: integer("bytes").notNull(),
});

export type BackupTallyRow = typeof backupTally.$inferSelect;
export type StorageTallyRow = typeof storageTally.$inferSelect;
export type StorageTotalRow = typeof storageTotal.$inferSelect;
