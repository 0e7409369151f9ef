import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** An e-mail to send. It is written in the same batch as its cause; the mail queue sends it once. */
export const mailOutbox = sqliteTable(
  "mail_outbox",
  {
    id: text("id").primaryKey(),
    /** Unique name of the occasion, e.g. `zip-ready:exp_…:ann@example.com`. A second insert changes nothing. */
    occasion: text("occasion").notNull().unique(),
    organisationId: text("organisation_id"),
    recipient: text("recipient").notNull(),
    message: text("message").notNull(),
    data: text("data", { mode: "json" }).notNull(),
    status: text("status", { enum: ["queued", "sent", "failed"] }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    sentAt: integer("sent_at"),
  },
  (t) => [
    index("mail_outbox_queued").on(t.status, t.createdAt),
    index("mail_outbox_organisation").on(t.organisationId).where(sql`organisation_id IS NOT NULL`),
  ],
);
