import type { ControlDatabase } from "#core/database/ledgers.ts";
import { statement } from "#core/database/statements.ts";
import type { CorrectionRow } from "./correction.store.ts";

/** A trial that is about to end, with its owner's address. Times in epoch ms. */
export type EndingTrial = {
  organisationId: string;
  platform: string;
  endsAt: number;
  email: string;
  timeZone: string;
};

const OWNER = `JOIN organisation o ON o.id = t.organisation_id AND o.closed_at IS NULL JOIN user u ON u.id = o.owner_user_id`;
const WHOM = "t.organisation_id AS organisationId, u.email AS email, o.time_zone AS timeZone";

/** Trials that end in a range of time. */
export async function listEndingTrials(
  control: ControlDatabase,
  { from, to, after }: { from: number; to: number; after: string },
): Promise<(EndingTrial & { id: string })[]> {
  const { results } = await statement(
    control,
    `SELECT ${WHOM}, t.id AS id, t.platform AS platform, t.ends_at AS endsAt
     FROM subscription t ${OWNER} WHERE t.ends_at >= ?1 AND t.ends_at < ?2 AND t.plan = 'trial' AND t.id > ?3
     ORDER BY t.id LIMIT 200`,
    from,
    to,
    after,
  ).all<EndingTrial & { id: string }>();
  return results;
}

/** A subscription that needs its owner's attention. */
export type NoticedSubscription = {
  id: string;
  organisationId: string;
  platform: string;
  status: string;
  cancelAt: number | null;
  pastDueSince: number | null;
  nextAttemptAt: number | null;
  attempts: number;
  invoiceId: string | null;
  cardLast4: string | null;
  email: string;
  timeZone: string;
};

/** Subscriptions with a failed payment, and those that are cancelled before `cancelledBefore`. */
export async function listNoticedSubscriptions(
  control: ControlDatabase,
  { now, cancelledBefore, after }: { now: number; cancelledBefore: number; after: string },
): Promise<NoticedSubscription[]> {
  const { results } = await statement(
    control,
    `SELECT ${WHOM}, t.id AS id, t.platform AS platform, t.status AS status, t.cancel_at AS cancelAt,
       t.past_due_since AS pastDueSince, t.next_attempt_at AS nextAttemptAt, t.attempts AS attempts,
       t.latest_invoice_id AS invoiceId, c.card_last4 AS cardLast4
     FROM stripe_subscription t ${OWNER} JOIN billing_customer c ON c.organisation_id = t.organisation_id
     WHERE t.id > ?3 AND (t.status = 'past_due'
       OR (t.status = 'active' AND t.cancel_at >= ?1 AND t.cancel_at < ?2))
     ORDER BY t.id LIMIT 200`,
    now,
    cancelledBefore,
    after,
  ).all<NoticedSubscription>();
  return results;
}

/** A card that ends this month or the next, of a customer whose subscription is renewed. */
export type EndingCard = {
  id: string;
  organisationId: string;
  cardId: string;
  brand: string;
  last4: string;
  month: number;
  year: number;
  email: string;
};

/** Cards that end in one of these months. */
export async function listEndingCards(
  control: ControlDatabase,
  { months, after }: { months: readonly (readonly [year: number, month: number])[]; after: string },
): Promise<EndingCard[]> {
  const { results } = await statement(
    control,
    `SELECT t.organisation_id AS id, ${WHOM}, t.card_id AS cardId, t.card_brand AS brand, t.card_last4 AS last4,
       t.card_exp_month AS month, t.card_exp_year AS year
     FROM billing_customer t ${OWNER}
     WHERE (t.card_exp_year, t.card_exp_month) IN (SELECT value->>0, value->>1 FROM json_each(?1))
       AND t.organisation_id > ?2
       AND EXISTS (SELECT 1 FROM stripe_subscription s WHERE s.organisation_id = t.organisation_id
         AND s.status IN ('active', 'past_due') AND s.cancel_at IS NULL)
     ORDER BY t.organisation_id LIMIT 200`,
    JSON.stringify(months),
    after,
  ).all<EndingCard>();
  return results;
}

/** A refund, a dispute or a credit note that is new, or whose state is. */
export type NoticedCorrection = {
  id: string;
  organisationId: string;
  kind: CorrectionRow["kind"];
  state: CorrectionRow["state"];
  cents: number;
  refundedCents: number;
  platform: string | null;
  /** When all that was paid for the platform's running period had gone back. */
  moneyBackAt: number | null;
  email: string;
  timeZone: string;
};

/** Corrections whose state was seen first at or after `since`. */
export async function listNoticedCorrections(
  control: ControlDatabase,
  { since, after }: { since: number; after: string },
): Promise<NoticedCorrection[]> {
  const { results } = await statement(
    control,
    `SELECT ${WHOM}, t.id AS id, t.kind AS kind, t.state AS state, t.cents AS cents,
       t.refunded_cents AS refundedCents, t.platform AS platform,
       (SELECT MAX(s.money_back_at) FROM stripe_subscription s
         WHERE s.organisation_id = t.organisation_id AND s.platform = t.platform) AS moneyBackAt
     FROM billing_correction t ${OWNER} WHERE t.changed_at >= ?1 AND t.id > ?2
     ORDER BY t.id LIMIT 200`,
    since,
    after,
  ).all<NoticedCorrection>();
  return results;
}

/** Of these occasions, those for which no e-mail was written yet. */
export async function listUnwritten(
  control: ControlDatabase,
  occasions: readonly string[],
): Promise<Set<string>> {
  const { results } = await statement(
    control,
    `SELECT value AS occasion FROM json_each(?1)
     WHERE NOT EXISTS (SELECT 1 FROM mail_outbox WHERE mail_outbox.occasion = value)`,
    JSON.stringify(occasions),
  ).all<{ occasion: string }>();
  return new Set(results.map(({ occasion }) => occasion));
}
