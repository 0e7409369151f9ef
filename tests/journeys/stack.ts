import { resolve } from "node:path";
import { executeLocally } from "#workers/commands/local-databases.ts";

/** Port of the product; the simulators follow it, as `npm start` arranges them. */
export const PORT = Number(process.env.JOURNEY_PORT ?? 8791);
/** Folder of everything the product keeps while the journeys run. */
export const FOLDER = resolve(process.env.JOURNEY_DIR ?? "tests/.output/journeys-data");

export const APP_URL = `http://localhost:${PORT}`;
export const GITHUB_URL = `http://127.0.0.1:${PORT + 1}`;
export const MAIL_URL = `http://127.0.0.1:${PORT + 2}`;

/** What a subscription is changed to, as the seller would. */
export type Subscription = { plan: "trial" | "essential" | "pro"; quantity: number };

/**
 * Sells an organisation another subscription. There is no checkout yet, so its row is written where a payment would
 * write it.
 */
export function sell(email: string, { plan, quantity }: Subscription): void {
  const who = email.replaceAll("'", "''");
  const organisation = `(SELECT organisation_id FROM member JOIN user ON user.id = member.user_id WHERE user.email = '${who}')`;
  const sql = `UPDATE subscription SET plan = '${plan}', quantity = ${quantity} WHERE organisation_id IN ${organisation}`;
  executeLocally(resolve(FOLDER, "state"), "DB", sql);
}

const RUN_COLUMNS =
  "organisation_id, connection_id, item_id, platform, kind, trigger, bytes_read, bytes_stored, started_at, created_by";

/** Gives an item of the European ledger a past: backups that failed on so many earlier days. */
export function addFailedDays(itemId: string, days: number): void {
  const earlier = "i * 86400000";
  const sql = `WITH RECURSIVE past(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM past WHERE i < ${days})
    INSERT INTO run (id, created_at, finished_at, status, error_text, ${RUN_COLUMNS})
    SELECT id || '_' || i, created_at - ${earlier}, finished_at - ${earlier}, 'failed', 'GitHub answered 502.', ${RUN_COLUMNS}
    FROM run, past WHERE item_id = '${itemId}' AND kind = 'backup'`;
  executeLocally(resolve(FOLDER, "state"), "LEDGER_DE", sql.replace(/\s+/g, " "));
}
