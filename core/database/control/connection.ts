import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Regions of items whose ids tell none, as they were found; ids that are made today tell it themselves. */
export const itemRegion = sqliteTable("item_region", {
  itemId: text("item_id").primaryKey(),
  region: text("region", { enum: ["US", "DE", "UK", "AP"] }).notNull(),
});

/** A customer's authorised link to one platform account. It has exactly one region, for life: another region is another link. */
export const connection = sqliteTable(
  "connection",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    platform: text("platform").notNull(),
    region: text("region", { enum: ["US", "DE", "UK", "AP"] }).notNull(),
    externalId: text("external_id").notNull(),
    nodeId: text("node_id"),
    name: text("name").notNull(),
    accountType: text("account_type", { enum: ["User", "Organization"] }).notNull(),
    status: text("status", { enum: ["active", "revoked"] }).notNull(),
    sealedAccessToken: text("sealed_access_token"),
    accessTokenExpiresAt: integer("access_token_expires_at"),
    sealedRefreshToken: text("sealed_refresh_token"),
    /** Rises with every renewal, so that a slower flight never overwrites a newer token. */
    tokenVersion: integer("token_version").notNull().default(0),
    /** What the connector stored at authorisation; its own schema reads it. */
    details: text("details", { mode: "json" }).notNull(),
    /** Items that appear at the platform are protected by themselves. */
    isAutoAdd: integer("is_auto_add", { mode: "boolean" }).notNull().default(false),
    /** When the platform is looked at next for new items. */
    autoAddDueAt: integer("auto_add_due_at").notNull().default(0),
    /** False while the code for an account that was reached by its name has not been entered. */
    isConfirmed: integer("is_confirmed", { mode: "boolean" }).notNull().default(true),
    /** The account whose grant is used, where it is another one than the connected. */
    grantName: text("grant_name"),
    /** Why the status is `revoked`: the token is refused, or the platform's app was removed. */
    lostReason: text("lost_reason", { enum: ["token", "app"] }),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("connection_account").on(t.organisationId, t.platform, t.externalId),
    index("connection_organisation").on(t.organisationId, t.platform),
    index("connection_auto_add").on(t.autoAddDueAt).where(sql`is_auto_add = 1`),
  ],
);

/** An authorisation under way: single use, bound to the person's session. */
export const authorisation = sqliteTable("authorisation", {
  /** SHA-256 of the state parameter. */
  stateHash: text("state_hash").primaryKey(),
  organisationId: text("organisation_id").notNull(),
  userId: text("user_id").notNull(),
  platform: text("platform").notNull(),
  region: text("region", { enum: ["US", "DE", "UK", "AP"] }).notNull(),
  sealedCodeVerifier: text("sealed_code_verifier").notNull(),
  expiresAt: integer("expires_at").notNull(),
  usedAt: integer("used_at"),
  /** The connection whose account is being changed; it goes with all its backups when another account consents. */
  replacesId: text("replaces_id"),
  /** The account that is meant to be connected, where one was named. */
  accountName: text("account_name"),
  isAutoAdd: integer("is_auto_add", { mode: "boolean" }),
});

/** The region that was chosen for a platform before an account of it was connected. */
export const chosenRegion = sqliteTable(
  "chosen_region",
  {
    organisationId: text("organisation_id").notNull(),
    platform: text("platform").notNull(),
    region: text("region", { enum: ["US", "DE", "UK", "AP"] }).notNull(),
    chosenAt: integer("chosen_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.organisationId, t.platform] })],
);

/** The code that confirms a connection; at most one of each. */
export const accountCode = sqliteTable("account_code", {
  connectionId: text("connection_id").primaryKey(),
  organisationId: text("organisation_id").notNull(),
  /** The code, sealed under the organisation's key. */
  sealedCode: text("sealed_code").notNull(),
  attempts: integer("attempts").notNull().default(0),
  expiresAt: integer("expires_at").notNull(),
  /** Codes sent in the window that began at `windowAt`, so that nobody's mailbox is flooded. */
  sent: integer("sent").notNull().default(1),
  windowAt: integer("window_at").notNull(),
});

/** A connection that was replaced: its items and backups are still to be deleted. */
export const removedConnection = sqliteTable("removed_connection", {
  connectionId: text("connection_id").primaryKey(),
  organisationId: text("organisation_id").notNull(),
  platform: text("platform").notNull(),
  region: text("region", { enum: ["US", "DE", "UK", "AP"] }).notNull(),
  name: text("name").notNull(),
  removedBy: text("removed_by").notNull(),
  removedAt: integer("removed_at").notNull(),
});
