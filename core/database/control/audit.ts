import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** An audit entry: who did what. Written once and never changed; only its personal fields may be erased later. */
export const auditEntry = sqliteTable(
  "audit_entry",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    /** The person; null for the product itself. The name is stored because people leave. */
    userId: text("user_id"),
    userName: text("user_name").notNull(),
    /** e.g. `login`, `logout`, `invite-user`. */
    action: text("action").notNull(),
    platform: text("platform"),
    /** What the action was applied to, by a name that the reader knows (an e-mail address, an item's name). */
    subject: text("subject"),
    /** Identifies an event that may be reported twice, e.g. `login:ses_…`; a second report changes nothing. */
    occasion: text("occasion"),
    createdAt: integer("created_at").notNull(),
    outcome: text("outcome", { enum: ["success", "failed"] })
      .notNull()
      .default("success"),
    /** The address that the request came from; null for what no request caused. */
    ip: text("ip"),
    /** The version that the action was applied to; null when it was not about one. */
    versionId: text("version_id"),
    /** As of when that version shows its item, epoch ms. Stored because the version stands in another database. */
    versionTakenAt: integer("version_taken_at"),
  },
  (t) => [
    index("audit_entry_organisation").on(t.organisationId, t.createdAt, t.id),
    uniqueIndex("audit_entry_occasion").on(t.organisationId, t.occasion),
  ],
);

/**
 * Entries that are not in the chain yet. A trigger adds a row with each entry, in the writer's own transaction, so the
 * order is that of the commits.
 */
export const auditWaiting = sqliteTable(
  "audit_waiting",
  {
    position: integer("position").primaryKey({ autoIncrement: true }),
    entryId: text("entry_id").notNull(),
  },
  (t) => [uniqueIndex("audit_waiting_entry").on(t.entryId)],
);

/** A link of the audit chain. Each link's hash covers the one before and its entry. Appended by one ordered step. */
export const auditSeal = sqliteTable(
  "audit_seal",
  {
    /** 1, 2, 3 … without gaps. */
    seq: integer("seq").primaryKey(),
    entryId: text("entry_id").notNull(),
    /** Random text hashed with the personal fields, so that their hash says nothing once both are erased. */
    salt: text("salt"),
    /** Hash of the salt and the personal fields. It stays when they are erased. */
    personalHash: text("personal_hash").notNull(),
    /** Hash of the other fields and of `personalHash`. */
    payloadHash: text("payload_hash").notNull(),
    /** Hash of the previous link's hash, `seq` and `payloadHash`. */
    hash: text("hash").notNull(),
  },
  (t) => [uniqueIndex("audit_seal_entry").on(t.entryId)],
);
