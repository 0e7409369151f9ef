import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Region } from "#core/kernel/platform-id.ts";
import type { Shard, Shards } from "../shards.ts";

/**
 * People, their sessions and sign-in methods. `user`, `session`, `account` and `verification` follow the schema of an
 * identity library; some of its columns are never written.
 */
export const user = sqliteTable("user", {
  id: text("id").primaryKey(),
  /** Given name. */
  name: text("name").notNull(),
  familyName: text("family_name").notNull().default(""),
  email: text("email").notNull().unique(),
  /** False only for people from an earlier release; unconfirmed sign-ups are rows of `signUp`. */
  emailVerified: integer("email_verified", { mode: "boolean" }).notNull().default(false),
  /** Key of the photo in the avatars bucket; null without one. */
  image: text("image"),
  createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
  updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  /** `created_at` as the sign-up sent it (spec part 1 section 3). Not used in calculations. */
  statedCreatedAt: text("stated_created_at"),
  /** True for an embedded sign-up, whose e-mail address needed no confirmation. */
  isAutoConfirmed: integer("is_auto_confirmed", { mode: "boolean" }).notNull().default(false),
  isTest: integer("is_test", { mode: "boolean" }).notNull().default(false),
  /** Platforms ticked at sign-up, as JSON. */
  appsToProtect: text("apps_to_protect", { mode: "json" }).$type<string[]>(),
});

/** A sign-up whose e-mail address is not confirmed; at most one per address. It is not a person yet. */
export const signUp = sqliteTable(
  "sign_up",
  {
    /** New for every sign-up; becomes the person's id. */
    id: text("id").primaryKey(),
    email: text("email").notNull().unique(),
    name: text("name").notNull(),
    familyName: text("family_name").notNull(),
    passwordHash: text("password_hash").notNull(),
    /** SHA-256 of the secret in the cookie of the browser that signed up. */
    browserHash: text("browser_hash"),
    statedCreatedAt: text("stated_created_at"),
    /** Platforms ticked at sign-up, as JSON. */
    appsToProtect: text("apps_to_protect", { mode: "json" }).$type<string[]>(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("sign_up_expires").on(t.expiresAt)],
);

export const session = sqliteTable(
  "session",
  {
    id: text("id").primaryKey(),
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
    token: text("token").notNull().unique(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    userId: text("user_id")
      .notNull()
      .references(() => user.id),
    /** The site in whose frame the session was opened; null for our own site. */
    hostSiteId: text("host_site_id"),
  },
  (t) => [
    index("session_user").on(t.userId),
    index("session_expires").on(t.expiresAt),
    index("session_host_site").on(t.hostSiteId).where(sql`host_site_id IS NOT NULL`),
  ],
);

export const account = sqliteTable(
  "account",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: integer("access_token_expires_at", { mode: "timestamp_ms" }),
    refreshTokenExpiresAt: integer("refresh_token_expires_at", { mode: "timestamp_ms" }),
    scope: text("scope"),
    password: text("password"),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (t) => [index("account_user").on(t.userId), index("account_identity").on(t.providerId, t.accountId)],
);

export const verification = sqliteTable(
  "verification",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: integer("expires_at", { mode: "timestamp_ms" }).notNull(),
    createdAt: integer("created_at", { mode: "timestamp_ms" }).notNull(),
    updatedAt: integer("updated_at", { mode: "timestamp_ms" }).notNull(),
  },
  (t) => [index("verification_identifier").on(t.identifier), index("verification_expires").on(t.expiresAt)],
);

/** A person's second factor. It is in effect once `enabledAt` is set. */
export const twoFactor = sqliteTable(
  "two_factor",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => user.id),
    /** The TOTP secret, sealed under the organisation's key. */
    sealedSecret: text("sealed_secret").notNull(),
    /** The newest time step whose code was accepted, so that no code is accepted twice. */
    lastUsedStep: integer("last_used_step").notNull().default(0),
    /** When and in which session a valid code was last given; that session may then change the factor. */
    provedAt: integer("proved_at"),
    provedSessionId: text("proved_session_id"),
    enabledAt: integer("enabled_at"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [index("two_factor_proved").on(t.provedSessionId).where(sql`proved_session_id IS NOT NULL`)],
);

/** Single-use codes for signing in when the authenticator is lost. */
export const recoveryCode = sqliteTable(
  "recovery_code",
  {
    /** SHA-256 of person and code. */
    codeHash: text("code_hash").primaryKey(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id),
    usedAt: integer("used_at"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [index("recovery_code_user").on(t.userId)],
);

/** A sign-in that awaits its second factor. */
export const signInChallenge = sqliteTable(
  "sign_in_challenge",
  {
    /** SHA-256 of the token that the browser holds. */
    tokenHash: text("token_hash").primaryKey(),
    userId: text("user_id").notNull(),
    isRemembered: integer("is_remembered", { mode: "boolean" }).notNull(),
    attempts: integer("attempts").notNull().default(0),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("sign_in_challenge_expires").on(t.expiresAt)],
);

/** The code for replacing a forgotten password; one per person, the newest. */
export const passwordReset = sqliteTable(
  "password_reset",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => user.id),
    codeHash: text("code_hash").notNull(),
    attempts: integer("attempts").notNull().default(0),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("password_reset_expires").on(t.expiresAt)],
);

/** Sealed links that were used. Each link opens once. */
export const usedLink = sqliteTable(
  "used_link",
  {
    linkHash: text("link_hash").primaryKey(),
    purpose: text("purpose").notNull(),
    usedAt: integer("used_at").notNull(),
    /** When the link expires; the row can then be deleted. */
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [index("used_link_expires").on(t.expiresAt)],
);

/** A pending sign-in through another identity provider. */
export const federationAttempt = sqliteTable(
  "federation_attempt",
  {
    /** SHA-256 of `state`. */
    stateHash: text("state_hash").primaryKey(),
    provider: text("provider").notNull(),
    /** SHA-256 of the secret in the cookie of the browser that began the sign-in. */
    browserHash: text("browser_hash").notNull(),
    /** Issuer, nonce, PKCE verifier and the path to open afterwards, sealed. */
    sealedDetails: text("sealed_details").notNull(),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
  },
  (t) => [index("federation_attempt_expires").on(t.expiresAt)],
);

/** The tenant: an account holder and everything they own. All customer data carries its id. */
export const organisation = sqliteTable(
  "organisation",
  {
    id: text("id").primaryKey(),
    /** Empty until the owner sets it. */
    name: text("name").notNull(),
    accountType: text("account_type", { enum: ["User", "Organization"] })
      .notNull()
      .default("User"),
    ownerUserId: text("owner_user_id")
      .notNull()
      .references(() => user.id),
    /** The organisation's vault key, wrapped by a master key; null = shredded. */
    wrappedKey: text("wrapped_key"),
    timeZone: text("time_zone").notNull().default("UTC"),
    createdAt: integer("created_at").notNull(),
    /** When its owner closed the account; null while it is open. Nobody has access to a closed one. */
    closedAt: integer("closed_at"),
    /** The ledger that holds its rows in each region; null, or without a region = the region's first. */
    shards: text("shards", { mode: "json" }).$type<Shards>(),
  },
  (t) => [uniqueIndex("organisation_owner").on(t.ownerUserId)],
);

/** The ledgers of regions that have several, as `measureShards` has last found them. */
export const ledgerShard = sqliteTable("ledger_shard", {
  name: text("name").$type<Shard>().primaryKey(),
  region: text("region").$type<Region>().notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  /** When it was first found. */
  since: integer("since").notNull(),
  measuredAt: integer("measured_at").notNull(),
});

/**
 * The last move of an organisation between two ledgers of a region. Rows stay, so that epochs only grow: each ledger
 * refuses what an earlier epoch asks for.
 */
export const ledgerMove = sqliteTable(
  "ledger_move",
  {
    organisationId: text("organisation_id").notNull(),
    region: text("region").$type<Region>().notNull(),
    source: text("source").$type<Shard>().notNull(),
    target: text("target").$type<Shard>().notNull(),
    /** `switched` and `undone` are decided: only the ledgers have to learn it. `done`: they have. */
    state: text("state", { enum: ["copying", "switched", "undone", "done"] }).notNull(),
    /** Grows with each command that begins the move or takes it up, and when it is undone. */
    epoch: integer("epoch").notNull(),
    /** When its command last reported, epoch ms. */
    beatAt: integer("beat_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.organisationId, t.region] }),
    index("ledger_move_open").on(t.beatAt).where(sql`state <> 'done'`),
  ],
);

/**
 * The closing of an account: announced, carried out after the days of grace, and kept as the record that there was one. It
 * holds no personal data.
 */
export const closure = sqliteTable(
  "closure",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    /** `closed`: the account can be reopened. `removing`: it cannot any more. */
    state: text("state", { enum: ["closed", "reopened", "removing", "removed"] }).notNull(),
    closedAt: integer("closed_at").notNull(),
    /** Nothing is removed before this time. */
    removalAt: integer("removal_at").notNull(),
    /** The warnings fourteen and two days ahead; null until they are written. */
    warnedAt: integer("warned_at"),
    warnedAgainAt: integer("warned_again_at"),
    /** When its removal was last tried, so that one that must wait does not hold up the others. */
    lookedAt: integer("looked_at").notNull(),
    finishedAt: integer("finished_at"),
    /** The customer at the payment provider, which keeps the invoices; null when there was none. */
    stripeCustomerId: text("stripe_customer_id"),
  },
  (t) => [
    uniqueIndex("closure_open").on(t.organisationId).where(sql`state IN ('closed', 'removing')`),
    index("closure_organisation").on(t.organisationId),
    index("closure_due").on(t.removalAt).where(sql`state IN ('closed', 'removing')`),
  ],
);

/** A person in an organisation: its owner, or a member with rights per platform. */
export const member = sqliteTable(
  "member",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id")
      .notNull()
      .references(() => organisation.id),
    userId: text("user_id")
      .notNull()
      .references(() => user.id),
    role: text("role", { enum: ["owner", "member"] }).notNull(),
    /** `{ platform: "admin" | "user" }` as JSON; empty for the owner, who may do everything. */
    platformRoles: text("platform_roles", { mode: "json" })
      .$type<Record<string, "admin" | "user">>()
      .notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [uniqueIndex("member_user").on(t.userId), index("member_organisation").on(t.organisationId)],
);

/** A colleague who is invited and has not joined yet. Until then, its id is the invitee's `sub`. */
export const invitation = sqliteTable(
  "invitation",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id")
      .notNull()
      .references(() => organisation.id),
    email: text("email").notNull(),
    /** SHA-256 of id and code. Only the e-mail contains the code. */
    codeHash: text("code_hash").notNull(),
    attempts: integer("attempts").notNull().default(0),
    platformRoles: text("platform_roles", { mode: "json" })
      .$type<Record<string, "admin" | "user">>()
      .notNull(),
    invitedBy: text("invited_by").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [
    uniqueIndex("invitation_email").on(t.organisationId, t.email),
    index("invitation_by_email").on(t.email),
  ],
);

/** A person's report settings. Without a row: daily, all results, in UTC. */
export const reportPreference = sqliteTable(
  "report_preference",
  {
    userId: text("user_id")
      .primaryKey()
      .references(() => user.id),
    /** `isSubscribedToMail` on the wire. */
    isActive: integer("is_active", { mode: "boolean" }).notNull(),
    frequency: text("frequency", { enum: ["daily", "weekly"] }).notNull(),
    reportType: text("report_type", { enum: ["all", "succeeded", "failed"] }),
    reportDay: text("report_day", {
      enum: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
    }),
    timeZone: text("time_zone").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (t) => [index("report_preference_active").on(t.isActive, t.userId)],
);
