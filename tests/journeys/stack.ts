import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { randomIds } from "#core/kernel/ids.ts";
import { readDevVars } from "#workers/commands/dev-vars.ts";
import { executeLocally } from "#workers/commands/local-databases.ts";

/**
 * The product's port, outside the range of a running demo. The simulators use the following ports, as `npm start`
 * arranges them.
 */
export const PORT = Number(process.env.JOURNEY_PORT ?? 8801);

/** How long a backup, a check, a restore or a mail may take on a busy machine, in ms. */
export const JOB_MS = 150_000;

export const APP_URL = `http://localhost:${PORT}`;
export const GITHUB_URL = `http://127.0.0.1:${PORT + 1}`;
export const MAIL_URL = `http://127.0.0.1:${PORT + 2}`;
export const OIDC_URL = `http://127.0.0.1:${PORT + 3}`;
export const GITLAB_URL = `http://127.0.0.1:${PORT + 4}`;
export const TRELLO_URL = `http://127.0.0.1:${PORT + 5}`;
export const DROPBOX_URL = `http://127.0.0.1:${PORT + 8}`;
export const GOOGLE_DRIVE_URL = `http://127.0.0.1:${PORT + 9}`;
export const STRIPE_URL = `http://127.0.0.1:${PORT + 10}`;
export const NOTION_URL = `http://127.0.0.1:${PORT + 13}`;
export const JIRA_URL = `http://127.0.0.1:${PORT + 11}`;
/** A Jira site and, of another origin, the page of the app in it. */
export const JIRA_SITE_URL = `http://127.0.0.1:${PORT + 17}`;
export const FORGE_SHELL_URL = `http://127.0.0.1:${PORT + 18}`;

/**
 * The product's settings for signing links, for links with dates that no journey can wait for. @throws Error before the
 * first `npm start`
 */
export async function linkSettings(): Promise<{ PUBLIC_URL: string; LINK_KEYS: string }> {
  const keys = readDevVars(await readFile(resolve(".dev.vars"), "utf8")).get("LINK_KEYS");
  if (!keys) throw new Error("npm start has written no keys that sign links.");
  return { PUBLIC_URL: APP_URL, LINK_KEYS: keys };
}

/**
 * Confirms an address as its link does, without the second or more that an e-mail takes. The organisation is created at
 * the first sign-in, as for a person from an earlier release without one.
 */
export async function confirmPast(email: string): Promise<void> {
  const which = `FROM sign_up WHERE email = ${quote(email)}`;
  await executeLocally(
    APP_URL,
    "DB",
    ...personRows(`id, name, family_name, email, password_hash ${which}`),
    `DELETE ${which}`,
  );
}

/** What a sign-up states, and the hash of its password. */
export type Confirmed = { email: string; name: string; familyName: string; passwordHash: string };

/** Creates a person whose address is confirmed, without the sign-up and its e-mail. */
export async function createPast({ email, name, familyName, passwordHash }: Confirmed): Promise<void> {
  const values = [randomIds.next("user"), name, familyName, email, passwordHash].map(quote);
  const names = ["id", "name", "family_name", "email", "password_hash"];
  await executeLocally(
    APP_URL,
    "DB",
    ...personRows(values.map((value, at) => `${value} AS ${names[at]}`).join(", ")),
  );
}

/** The statements that add the rows of a confirmed person; `of` selects id, names, address and hash. */
function personRows(of: string): [string, string] {
  const now = Date.now();
  return [
    `INSERT INTO user (id, name, family_name, email, email_verified, created_at, updated_at)
      SELECT id, name, family_name, email, 1, ${now}, ${now} FROM (SELECT ${of})`,
    `INSERT INTO account (id, account_id, provider_id, user_id, password, created_at, updated_at)
      SELECT 'credential:' || id, id, 'credential', id, password_hash, ${now}, ${now} FROM (SELECT ${of})`,
  ];
}

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** A person who is signed in, and whose organisation's rows a journey changes. */
type Owner = { email: string; call(method: "POST", path: string, input: object): Promise<unknown> };

/**
 * The organisation's hub copies sessions and rights for a minute, and every write of the product ends that. These changes
 * do not pass the product, so a request that may write follows them.
 */
const endCopies = (owner: Owner) => owner.call("POST", "user/user-action", { action: "login" });

/** Moves the last use of a person's sessions into the past. */
export async function ageSessions(owner: Owner, byMs: number): Promise<void> {
  // A request afterwards would be a use.
  await endCopies(owner);
  const who = `SELECT id FROM user WHERE email = ${quote(owner.email)}`;
  const sql = `UPDATE session SET updated_at = updated_at - ${byMs} WHERE user_id IN (${who})`;
  await executeLocally(APP_URL, "DB", sql);
}

const organisationOf = ({ email }: Owner) =>
  `(SELECT organisation_id FROM member JOIN user ON user.id = member.user_id WHERE user.email = ${quote(email)})`;

/** The plan and quantity that a purchase sets. */
export type Subscription = { plan: "trial" | "essential" | "pro"; quantity: number };

/**
 * Sells an organisation another subscription. There is no checkout yet, so this writes the row that a payment would
 * write.
 */
export async function sell(owner: Owner, { plan, quantity }: Subscription): Promise<void> {
  const sql = `UPDATE subscription SET plan = '${plan}', quantity = ${quantity} WHERE organisation_id IN ${organisationOf(owner)}`;
  await executeLocally(APP_URL, "DB", sql);
  await endCopies(owner);
}

/** Starts or replaces a platform's plan, as time or a payment would. `endsAt` in epoch ms; null = until cancelled. */
export async function startPlan(
  owner: Owner,
  {
    platform = "github",
    plan,
    quantity,
    endsAt,
  }: Subscription & { platform?: string; endsAt: number | null },
): Promise<void> {
  const sql = `INSERT INTO subscription (id, organisation_id, platform, plan, quantity, started_at, ends_at)
    SELECT 'sub_' || lower(hex(randomblob(12))), organisation_id, '${platform}', '${plan}', ${quantity}, ${Date.now()}, ${endsAt ?? "NULL"}
    FROM member JOIN user ON user.id = member.user_id WHERE user.email = ${quote(owner.email)}
    ON CONFLICT (organisation_id, platform) DO UPDATE SET plan = excluded.plan, quantity = excluded.quantity, ends_at = excluded.ends_at`;
  await executeLocally(APP_URL, "DB", sql.replace(/\s+/g, " "));
  await endCopies(owner);
}

/** Adds entries to the audit trail, a minute apart, the newest now. */
export async function addAuditEntries(
  owner: Owner,
  {
    count,
    action,
    platform = null,
    subject,
  }: { count: number; action: string; platform?: string | null; subject: string },
): Promise<void> {
  const sql = `WITH RECURSIVE past(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM past WHERE i < ${count})
    INSERT INTO audit_entry (id, organisation_id, user_id, user_name, action, platform, subject, created_at)
    SELECT 'aud_' || lower(hex(randomblob(12))), organisation_id, user.id, 'Runa Holm', '${action}',
      ${platform === null ? "NULL" : quote(platform)}, ${quote(subject)} || ' ' || i, ${Date.now()} - i * 60000
    FROM past JOIN member JOIN user ON user.id = member.user_id WHERE user.email = ${quote(owner.email)}`;
  await executeLocally(APP_URL, "DB", sql.replace(/\s+/g, " "));
  await endCopies(owner);
}

/** Revokes a person's connections, as when the platform no longer accepts our access. */
export async function loseConnection(owner: Owner): Promise<void> {
  const sql = `UPDATE connection SET status = 'revoked' WHERE organisation_id IN ${organisationOf(owner)}`;
  await executeLocally(APP_URL, "DB", sql);
  await endCopies(owner);
}

const RUN_COLUMNS =
  "organisation_id, connection_id, item_id, platform, kind, trigger, bytes_read, bytes_stored, started_at, created_by";

/** Adds failed backups on earlier days to an item of the European ledger. */
export async function addFailedDays(itemId: string, days: number): Promise<void> {
  const earlier = "i * 86400000";
  const sql = `WITH RECURSIVE past(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM past WHERE i < ${days})
    INSERT INTO run (id, created_at, finished_at, status, error_text, ${RUN_COLUMNS})
    SELECT id || '_' || i, created_at - ${earlier}, finished_at - ${earlier}, 'failed', 'GitHub answered 502.', ${RUN_COLUMNS}
    FROM run, past WHERE item_id = '${itemId}' AND kind = 'backup'`;
  await executeLocally(APP_URL, "LEDGER_DE", sql.replace(/\s+/g, " "));
}
