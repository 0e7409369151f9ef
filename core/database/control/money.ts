import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** What an organisation may use of one platform, and until when (spec part 3). */
export const subscription = sqliteTable(
  "subscription",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    platform: text("platform").notNull(),
    plan: text("plan", { enum: ["trial", "essential", "pro"] }).notNull(),
    /** Items included. */
    quantity: integer("quantity").notNull(),
    startedAt: integer("started_at").notNull(),
    endsAt: integer("ends_at"),
  },
  (t) => [uniqueIndex("subscription_platform").on(t.organisationId, t.platform)],
);
