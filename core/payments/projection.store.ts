import { eq, sql } from "drizzle-orm";
import { billingCustomer, stripeSubscription, subscription } from "#core/database/control/index.ts";
import type { ControlDatabase } from "#core/database/ledgers.ts";
import { commitTogether, statement } from "#core/database/statements.ts";
import { DAY_MS, MINUTE_MS } from "#core/kernel/clock.ts";
import { type CorrectionRow, correctionStatement } from "./correction.store.ts";

export type CustomerRow = typeof billingCustomer.$inferSelect;
export type SubscriptionRow = typeof stripeSubscription.$inferSelect;
/** What `pendingJson` holds. */
export type PendingChange = { priceKey: string | null; quantity: number; expiresAt: number };

/** The facts of a customer that a sync replaces. */
export type CustomerFacts = Pick<
  CustomerRow,
  | "name"
  | "country"
  | "addressJson"
  | "taxIdsJson"
  | "isReverseCharge"
  | "balanceCents"
  | "cardId"
  | "cardBrand"
  | "cardLast4"
  | "cardExpMonth"
  | "cardExpYear"
>;

/** The entitlement row of a platform, as a sync writes it. */
export type RightRow = { id: string; platform: string; plan: string; quantity: number; endsAt: number };

/** Everything that is known of an organisation's payments, in one round trip. */
export async function readProjection(
  control: ControlDatabase,
  organisationId: string,
): Promise<{
  customer: CustomerRow | null;
  rows: SubscriptionRow[];
  trials: { platform: string; endsAt: number }[];
  rights: { platform: string; plan: string; quantity: number; endsAt: number }[];
}> {
  const [customers, rows, rights] = await control.batch([
    control.select().from(billingCustomer).where(eq(billingCustomer.organisationId, organisationId)),
    control.select().from(stripeSubscription).where(eq(stripeSubscription.organisationId, organisationId)),
    // A trial that an earlier release started has its end only in `ends_at`.
    control
      .select({
        platform: subscription.platform,
        plan: subscription.plan,
        quantity: subscription.quantity,
        endsAt: sql<number>`coalesce(${subscription.endsAt}, 0)`,
        trialEndsAt: sql<number | null>`coalesce(${subscription.trialEndsAt},
          case when ${subscription.plan} = 'trial' then ${subscription.endsAt} end)`,
      })
      .from(subscription)
      .where(eq(subscription.organisationId, organisationId)),
  ]);
  return {
    customer: customers[0] ?? null,
    rows,
    trials: rights.flatMap(({ platform, trialEndsAt: endsAt }) =>
      endsAt === null ? [] : [{ platform, endsAt }],
    ),
    rights: rights.map(({ trialEndsAt: _, ...right }) => right),
  };
}

/** The organisation of a customer; null when there is none. */
export async function findOrganisation(control: ControlDatabase, customerId: string): Promise<string | null> {
  const row = await control
    .select({ organisationId: billingCustomer.organisationId })
    .from(billingCustomer)
    .where(eq(billingCustomer.stripeCustomerId, customerId))
    .get();
  return row?.organisationId ?? null;
}

/** Records a customer. A second one of the organisation changes nothing. */
export async function insertCustomer(
  control: ControlDatabase,
  { organisationId, customerId }: { organisationId: string; customerId: string },
): Promise<void> {
  await control
    .insert(billingCustomer)
    .values({
      organisationId,
      stripeCustomerId: customerId,
      wanted: 1,
      syncedWanted: 0,
      version: 0,
      balanceCents: 0,
    })
    .onConflictDoNothing();
}

/** Asks for a sync: whatever is read from now on is new enough. */
export async function wantSync(control: ControlDatabase, organisationId: string): Promise<void> {
  await statement(
    control,
    "UPDATE billing_customer SET wanted = wanted + 1 WHERE organisation_id = ?1",
    organisationId,
  ).run();
}

/**
 * Replaces the projection if nobody else did since `version` was read, in one batch. Subscriptions that are not given
 * stay. Returns whether it was written, and the syncs that are wanted by now.
 */
export async function writeProjection(
  control: ControlDatabase,
  {
    organisationId,
    version,
    wanted,
    facts,
    rows,
    rights,
    commands,
    corrections = [],
    now,
  }: {
    organisationId: string;
    version: number;
    wanted: number;
    facts: CustomerFacts;
    rows: readonly SubscriptionRow[];
    rights: readonly RightRow[];
    /** The new states of commands, by id. */
    commands: readonly { id: string; state: string }[];
    /** Refunds, disputes and credit notes. */
    corrections?: readonly CorrectionRow[];
    now: number;
  },
): Promise<{ isWritten: boolean; wanted: number }> {
  const guard = "EXISTS (SELECT 1 FROM billing_customer WHERE organisation_id = ?1 AND version = ?2)";
  const columns = Object.entries(COLUMNS);
  const results = await commitTogether(control, [
    statement(
      control,
      `INSERT INTO stripe_subscription (${columns.map(([, column]) => column).join(", ")})
       SELECT ${columns.map(([field]) => `value->>'${field}'`).join(", ")} FROM json_each(?3) WHERE ${guard}
       ON CONFLICT (id) DO UPDATE SET ${columns
         .filter(([field]) => field !== "id")
         .map(([, column]) => `${column} = excluded.${column}`)
         .join(", ")}`,
      organisationId,
      version,
      JSON.stringify(rows),
    ),
    statement(
      control,
      // The trial's end stays beside the subscription that replaces it.
      `INSERT INTO subscription (id, organisation_id, platform, plan, quantity, started_at, ends_at)
       SELECT value->>'id', ?1, value->>'platform', value->>'plan', value->>'quantity', ?4, value->>'endsAt'
       FROM json_each(?3) WHERE ${guard}
       ON CONFLICT (organisation_id, platform) DO UPDATE SET
         trial_ends_at = COALESCE(trial_ends_at, CASE WHEN subscription.plan = 'trial' THEN subscription.ends_at END),
         plan = excluded.plan, quantity = excluded.quantity, ends_at = excluded.ends_at`,
      organisationId,
      version,
      JSON.stringify(rights),
      now,
    ),
    statement(
      control,
      `UPDATE billing_command SET state =
         (SELECT value->>'state' FROM json_each(?3) WHERE value->>'id' = billing_command.id)
       WHERE organisation_id = ?1 AND state IN ('open', 'waiting')
         AND id IN (SELECT value->>'id' FROM json_each(?3)) AND ${guard}`,
      organisationId,
      version,
      JSON.stringify(commands),
    ),
    correctionStatement(control, guard, { organisationId, version, rows: corrections }),
    statement(
      control,
      `UPDATE billing_customer SET version = version + 1, synced_wanted = MAX(synced_wanted, ?3), synced_at = ?4,
         failed_syncs = 0, retry_at = NULL, name = ?5->>'name', country = ?5->>'country', address_json = ?5->>'addressJson',
         tax_ids_json = ?5->>'taxIdsJson', is_reverse_charge = ?5->>'isReverseCharge', balance_cents = ?5->>'balanceCents', card_id = ?5->>'cardId',
         card_brand = ?5->>'cardBrand', card_last4 = ?5->>'cardLast4', card_exp_month = ?5->>'cardExpMonth',
         card_exp_year = ?5->>'cardExpYear'
       WHERE organisation_id = ?1 AND version = ?2`,
      organisationId,
      version,
      wanted,
      now,
      JSON.stringify(facts),
    ),
    statement(control, "SELECT wanted FROM billing_customer WHERE organisation_id = ?1", organisationId),
  ]);
  const left = results[5]?.results[0]?.wanted;
  return { isWritten: results[4]?.meta.changes === 1, wanted: typeof left === "number" ? left : wanted };
}

/** The columns of a subscription row, by field. */
const COLUMNS = {
  id: "id",
  organisationId: "organisation_id",
  platform: "platform",
  itemId: "item_id",
  priceKey: "price_key",
  plan: "plan",
  period: "period",
  quantity: "quantity",
  boughtQuantity: "bought_quantity",
  status: "status",
  periodStart: "period_start",
  periodEnd: "period_end",
  cancelAt: "cancel_at",
  isCancelledByDate: "is_cancelled_by_date",
  endedAt: "ended_at",
  collectionMethod: "collection_method",
  latestInvoiceId: "latest_invoice_id",
  latestInvoiceStatus: "latest_invoice_status",
  pastDueSince: "past_due_since",
  dueAt: "due_at",
  nextAttemptAt: "next_attempt_at",
  attempts: "attempts",
  pendingJson: "pending_json",
  nextInvoiceCents: "next_invoice_cents",
  created: "created",
  moneyBackAt: "money_back_at",
  isDisputed: "is_disputed",
} as const satisfies Record<keyof SubscriptionRow, string>;

/**
 * Customers to sync: those with reasons that no sync has served, then those with a live subscription that was not read
 * since `before`, then those with a command that began before `stuck` and has not ended. Those that could not be read
 * wait for their time, so that they never keep the others from being read.
 */
export async function listDueCustomers(
  control: ControlDatabase,
  { before, stuck, now, limit }: { before: number; stuck: number; now: number; limit: number },
): Promise<string[]> {
  const { results } = await statement(
    control,
    `SELECT organisation_id AS id FROM (
       SELECT organisation_id, 0 AS rank, COALESCE(synced_at, 0) AS at FROM billing_customer
         WHERE wanted > synced_wanted
       UNION ALL
       SELECT organisation_id, 1, created_at FROM billing_command
         WHERE state IN ('open', 'waiting') AND created_at < ?2
           AND EXISTS (SELECT 1 FROM billing_customer c
             WHERE c.organisation_id = billing_command.organisation_id AND c.synced_at < ?2)
       UNION ALL
       SELECT organisation_id, 2, synced_at FROM billing_customer
         WHERE synced_at < ?1 AND EXISTS (SELECT 1 FROM stripe_subscription s
           WHERE s.organisation_id = billing_customer.organisation_id
             AND s.status NOT IN ('canceled', 'incomplete_expired'))
     ) JOIN billing_customer USING (organisation_id)
     WHERE retry_at IS NULL OR retry_at <= ?4
     GROUP BY organisation_id ORDER BY MIN(rank), MIN(at) LIMIT ?3`,
    before,
    stuck,
    limit,
    now,
  ).all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** The first wait of a customer that could not be read; each further failure doubles it, up to a day. */
const FIRST_RETRY_MS = 10 * MINUTE_MS;

/** Lets the cron wait before it reads a customer again. */
export async function postponeSync(
  control: ControlDatabase,
  { organisationId, now }: { organisationId: string; now: number },
): Promise<void> {
  await statement(
    control,
    `UPDATE billing_customer SET failed_syncs = failed_syncs + 1, retry_at = ?2 + MIN(?4, ?3 << MIN(failed_syncs, 8))
     WHERE organisation_id = ?1`,
    organisationId,
    now,
    FIRST_RETRY_MS,
    DAY_MS,
  ).run();
}
