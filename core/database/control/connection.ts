import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A customer's authorised link to one platform account. It has exactly one region, for life. */
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
    isAutoAdd: integer("is_auto_add", { mode: "boolean" }).notNull().default(false),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("connection_account").on(t.organisationId, t.platform, t.externalId),
    index("connection_organisation").on(t.organisationId, t.platform),
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
});
