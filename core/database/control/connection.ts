import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** The regions found for items whose ids do not contain one. New ids contain it. */
export const itemRegion = sqliteTable("item_region", {
  itemId: text("item_id").primaryKey(),
  region: text("region", { enum: ["US", "DE", "UK", "AP"] }).notNull(),
});

/**
 * A customer's authorised link to one platform account. Its region never changes: another region is another connection.
 */
export const connection = sqliteTable(
  "connection",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    platform: text("platform").notNull(),
    region: text("region", { enum: ["US", "DE", "UK", "AP"] }).notNull(),
    externalId: text("external_id").notNull(),
    /** Read by earlier releases only. */
    nodeId: text("node_id"),
    name: text("name").notNull(),
    /** The platform's own type. */
    accountType: text("account_type").notNull(),
    status: text("status", { enum: ["active", "revoked"] }).notNull(),
    /** Used by earlier releases only, as the next three. A trigger copies what they write to `credential`. */
    sealedAccessToken: text("sealed_access_token"),
    accessTokenExpiresAt: integer("access_token_expires_at"),
    sealedRefreshToken: text("sealed_refresh_token"),
    tokenVersion: integer("token_version").notNull().default(0),
    /** Data that the connector stored at authorisation, parsed with its own schema. */
    details: text("details", { mode: "json" }).notNull(),
    /** Whether items that appear at the platform are protected automatically. */
    isAutoAdd: integer("is_auto_add", { mode: "boolean" }).notNull().default(false),
    /** When the platform is next searched for new items. */
    autoAddDueAt: integer("auto_add_due_at").notNull().default(0),
    /** False until the confirmation code is entered, for an account that was connected by name. */
    isConfirmed: integer("is_confirmed", { mode: "boolean" }).notNull().default(true),
    /** The account whose grant is used, if it is not the connected one. */
    grantName: text("grant_name"),
    /** Used by earlier releases only. */
    grantId: text("grant_id"),
    /** Why the status is `revoked`: the token is refused, or the platform's app was removed. */
    lostReason: text("lost_reason", { enum: ["token", "app"] }),
    /** How many people of the account the platform's plan counts, as it was read last; null = it never was. */
    seats: integer("seats"),
    seatsReadAt: integer("seats_read_at"),
    /** Why the last reading failed; null = it did not. */
    seatsProblem: text("seats_problem"),
    /** When they are read next. */
    seatsDueAt: integer("seats_due_at").notNull().default(0),
    /** When the platform is next told whose names we hold. */
    peopleDueAt: integer("people_due_at").notNull().default(0),
    /** When the gathering of the last report's people began; null = there was none, or some could not be read. */
    peopleGatheredAt: integer("people_gathered_at"),
    /** The last person of an unfinished report whom the platform was told; null = the report is finished. */
    peopleToldUpTo: text("people_told_up_to"),
    /** Why the last report was refused; null = it was not. If it was, the next consent reports at once. */
    peopleProblem: text("people_problem"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("connection_account").on(t.organisationId, t.platform, t.externalId),
    index("connection_organisation").on(t.organisationId, t.platform),
    index("connection_external").on(t.platform, t.externalId),
    index("connection_grant").on(t.grantId).where(sql`grant_id IS NOT NULL`),
    index("connection_auto_add").on(t.autoAddDueAt).where(sql`is_auto_add = 1`),
    index("connection_seats").on(t.platform, t.seatsDueAt).where(sql`status = 'active' AND is_confirmed = 1`),
    index("connection_people")
      .on(t.platform, t.peopleDueAt)
      .where(sql`status = 'active' AND is_confirmed = 1`),
  ],
);

/** Somebody whose name the newest versions of a connection hold, on a platform that wants to be told. No names here. */
export const heldPerson = sqliteTable(
  "held_person",
  {
    connectionId: text("connection_id").notNull(),
    /** The platform's id of the person. */
    externalId: text("external_id").notNull(),
    organisationId: text("organisation_id").notNull(),
    /** No copy of the name was read before this time. */
    heldSince: integer("held_since").notNull(),
    /** When a report last found the person in a version. */
    seenAt: integer("seen_at").notNull(),
    /** What the platform told last: the account was closed, or its profile changed; null = nothing. */
    state: text("state", { enum: ["closed", "changed"] }),
    toldAt: integer("told_at"),
  },
  (t) => [
    primaryKey({ columns: [t.connectionId, t.externalId] }),
    index("held_person_organisation").on(t.organisationId),
  ],
);

/** The tokens that one way of granting access gave a connection. */
export const credential = sqliteTable(
  "credential",
  {
    connectionId: text("connection_id").notNull(),
    /** One of the platform's methods. */
    authMethod: text("auth_method").notNull(),
    organisationId: text("organisation_id").notNull(),
    sealedAccessToken: text("sealed_access_token").notNull(),
    accessTokenExpiresAt: integer("access_token_expires_at"),
    sealedRefreshToken: text("sealed_refresh_token"),
    /** Increases with every token refresh, so that a slower refresh never overwrites a newer token. */
    tokenVersion: integer("token_version").notNull(),
    /** Shared by connections that one authorisation opened: they have the same tokens, which are renewed together. */
    grantId: text("grant_id"),
    status: text("status", { enum: ["active", "revoked"] }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.connectionId, t.authMethod] }),
    index("credential_organisation").on(t.organisationId),
    index("credential_grant").on(t.grantId).where(sql`grant_id IS NOT NULL`),
  ],
);

/** A pending authorisation: single use, bound to the person's session. */
export const authorisation = sqliteTable(
  "authorisation",
  {
    /** SHA-256 of the state parameter. */
    stateHash: text("state_hash").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    userId: text("user_id").notNull(),
    platform: text("platform").notNull(),
    region: text("region", { enum: ["US", "DE", "UK", "AP"] }).notNull(),
    sealedCodeVerifier: text("sealed_code_verifier").notNull(),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
    /**
     * The connection whose account is being changed. It is deleted with all its backups when another account consents.
     */
    replacesId: text("replaces_id"),
    /** The connection that is being renewed; another account is refused. Null = any account may consent. */
    renewsId: text("renews_id"),
    /** One of the platform's methods. Null = written by an earlier release: the preferred one. */
    authMethod: text("auth_method"),
    /** The account to connect, if one was named. */
    accountName: text("account_name"),
    isAutoAdd: integer("is_auto_add", { mode: "boolean" }),
    /** Accounts to choose from and their tokens, sealed, until the choice is made. */
    sealedChoice: text("sealed_choice"),
    choiceExpiresAt: integer("choice_expires_at"),
    choiceUsedAt: integer("choice_used_at"),
  },
  (t) => [index("authorisation_expires").on(t.expiresAt)],
);

/** The region chosen for a platform before one of its accounts is connected. */
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

/** The code that confirms a connection; at most one per connection. */
export const accountCode = sqliteTable(
  "account_code",
  {
    connectionId: text("connection_id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    /** The code, sealed under the organisation's key. */
    sealedCode: text("sealed_code").notNull(),
    attempts: integer("attempts").notNull().default(0),
    expiresAt: integer("expires_at").notNull(),
    /** Codes sent in the window that began at `windowAt`, to limit e-mails to one mailbox. */
    sent: integer("sent").notNull().default(1),
    windowAt: integer("window_at").notNull(),
  },
  (t) => [index("account_code_organisation").on(t.organisationId)],
);

/** A connection that was removed or replaced: its items and backups are still to be deleted. */
export const removedConnection = sqliteTable("removed_connection", {
  connectionId: text("connection_id").primaryKey(),
  organisationId: text("organisation_id").notNull(),
  platform: text("platform").notNull(),
  region: text("region", { enum: ["US", "DE", "UK", "AP"] }).notNull(),
  name: text("name").notNull(),
  removedBy: text("removed_by").notNull(),
  /** The attempt that took the connection. */
  removalId: text("removal_id"),
  removedAt: integer("removed_at").notNull(),
});
