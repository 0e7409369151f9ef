import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** An audit entry: who did what. Written once and never changed. */
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
  },
  (t) => [
    index("audit_entry_organisation").on(t.organisationId, t.createdAt, t.id),
    uniqueIndex("audit_entry_occasion").on(t.organisationId, t.occasion),
  ],
);
