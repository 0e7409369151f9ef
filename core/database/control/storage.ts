import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The customer's own storage, to which the organisation's versions are copied; one at a time (spec P-292). */
export const storage = sqliteTable("storage", {
  organisationId: text("organisation_id").primaryKey(),
  id: text("id").notNull().unique(),
  /** The connector's tag on the wire, e.g. `google_drive`. */
  kind: text("kind").notNull(),
  externalId: text("external_id").notNull(),
  name: text("name").notNull(),
  /** Revoked = the owner must connect it again. */
  status: text("status", { enum: ["active", "revoked"] }).notNull(),
  sealedAccessToken: text("sealed_access_token"),
  accessTokenExpiresAt: integer("access_token_expires_at"),
  sealedRefreshToken: text("sealed_refresh_token"),
  /** The credentials that were typed in, as JSON, sealed. */
  sealedKeys: text("sealed_keys"),
  /** Increases with every token refresh, so that a slower refresh never overwrites a newer token. */
  tokenVersion: integer("token_version").notNull().default(1),
  /** Data that the connector stored when it was connected. */
  details: text("details", { mode: "json" }).notNull(),
  /** Platforms whose versions are copied, as JSON. */
  platforms: text("platforms", { mode: "json" }).$type<string[]>().notNull(),
  /** Why copies fail, until one succeeds. */
  trouble: text("trouble", { enum: ["unauthorized", "forbidden", "gone", "full", "unsupported"] }),
  troubleText: text("trouble_text"),
  troubleAt: integer("trouble_at"),
  connectedBy: text("connected_by").notNull(),
  connectedAt: integer("connected_at").notNull(),
});

/** A pending authorisation of a storage: single use, bound to the person's session. */
export const storageAuthorisation = sqliteTable("storage_authorisation", {
  /** SHA-256 of the state parameter. */
  stateHash: text("state_hash").primaryKey(),
  organisationId: text("organisation_id").notNull(),
  userId: text("user_id").notNull(),
  kind: text("kind").notNull(),
  /** The platform whose versions are copied first, if one was named. */
  platform: text("platform"),
  sealedCodeVerifier: text("sealed_code_verifier").notNull(),
  expiresAt: integer("expires_at").notNull(),
  usedAt: integer("used_at"),
});
