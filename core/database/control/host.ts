import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A customer's site at which our app is installed: at most one row per site, also when the app is installed again. */
export const hostInstallation = sqliteTable(
  "host_installation",
  {
    platform: text("platform").notNull(),
    siteId: text("site_id").notNull(),
    /** Another one after the app was installed again. */
    installationId: text("installation_id").notNull(),
    /** The organisation that the marketplace's licence of this site is for; null before anybody signed in. */
    organisationId: text("organisation_id"),
    /** `silent`: the host's hourly call stopped. The host reports no removal of the app. */
    status: text("status", { enum: ["active", "silent"] }).notNull(),
    installedAt: integer("installed_at").notNull(),
    /** The last signed call. */
    seenAt: integer("seen_at").notNull(),
    /** What the active licence stands for, as it was stated last; null without one. */
    plan: text("plan", { enum: ["trial", "essential", "pro"] }),
    /** Until when it is paid. */
    planEndsAt: integer("plan_ends_at"),
    /** The organisation's entitlement is the one that this licence gave. */
    isGiven: integer("is_given", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.platform, t.siteId] }),
    index("host_installation_organisation").on(t.organisationId),
    index("host_installation_seen").on(t.seenAt).where(sql`status = 'active'`),
  ],
);

/** Which of our people an account at a site is. */
export const hostAccount = sqliteTable(
  "host_account",
  {
    platform: text("platform").notNull(),
    siteId: text("site_id").notNull(),
    accountId: text("account_id").notNull(),
    userId: text("user_id").notNull(),
    linkedAt: integer("linked_at").notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.platform, t.siteId, t.accountId] }),
    index("host_account_user").on(t.userId),
  ],
);

/** A one-time code that the app's page hands to our site in its frame. */
export const hostCode = sqliteTable(
  "host_code",
  {
    /** SHA-256 of the code. */
    codeHash: text("code_hash").primaryKey(),
    platform: text("platform").notNull(),
    siteId: text("site_id").notNull(),
    accountId: text("account_id").notNull(),
    /** The site's own origin; null when the host does not name it. */
    siteOrigin: text("site_origin"),
    /** The origin of the page that asked, and the only one that may hand the code over. */
    shellOrigin: text("shell_origin").notNull(),
    /** SHA-256 of the secret of the frame that asked, and the only one that may use the code. */
    challenge: text("challenge").notNull(),
    expiresAt: integer("expires_at").notNull(),
    usedAt: integer("used_at"),
    /** The access to the site that the code connects, sealed under a key that only the code yields; null = it opens a session. */
    sealedGrant: text("sealed_grant"),
  },
  (t) => [index("host_code_expires").on(t.expiresAt)],
);
