import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  CORRECTION_KINDS,
  CORRECTION_STATES,
  SUBSCRIPTION_STATES,
} from "#connectors/contract/payment-provider.ts";

/** What an organisation may use of one platform, and until when (spec part 3). */
export const subscription = sqliteTable(
  "subscription",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    platform: text("platform").notNull(),
    plan: text("plan", { enum: ["trial", "essential", "pro"] }).notNull(),
    /** Items included. */
    quantity: integer("quantity").notNull(),
    startedAt: integer("started_at").notNull(),
    endsAt: integer("ends_at"),
    /** The end of the platform's trial, which may come after that of a subscription; null when there was none. */
    trialEndsAt: integer("trial_ends_at"),
    /** The quantity to which the platform's items were fitted; null = they are to be fitted. */
    fittedQuantity: integer("fitted_quantity"),
  },
  (t) => [
    uniqueIndex("subscription_platform").on(t.organisationId, t.platform),
    index("subscription_unfitted").on(t.organisationId).where(sql`fitted_quantity IS NOT quantity`),
    index("subscription_ends").on(t.endsAt),
  ],
);

/**
 * An organisation's customer at the payment provider. `version` guards the projection: a sync writes only if it is still
 * the one that was read before the provider was asked. `wanted` counts the reasons to sync, `syncedWanted` those that are
 * done. The rest is what the provider said last.
 */
export const billingCustomer = sqliteTable(
  "billing_customer",
  {
    organisationId: text("organisation_id").primaryKey(),
    stripeCustomerId: text("stripe_customer_id").notNull().unique(),
    wanted: integer("wanted").notNull(),
    syncedWanted: integer("synced_wanted").notNull(),
    version: integer("version").notNull(),
    /** Null before the first sync. */
    syncedAt: integer("synced_at"),
    /** How often the cron failed to read the customer since then. */
    failedSyncs: integer("failed_syncs").notNull().default(0),
    /** The cron leaves the customer alone until then. */
    retryAt: integer("retry_at"),
    name: text("name"),
    country: text("country"),
    addressJson: text("address_json"),
    /** The tax ids, the oldest first. */
    taxIdsJson: text("tax_ids_json"),
    /** The customer owes the tax of its invoices itself. */
    isReverseCharge: integer("is_reverse_charge", { mode: "boolean" }).notNull().default(false),
    /** Credit; a debt is negative. */
    balanceCents: integer("balance_cents").notNull(),
    cardId: text("card_id"),
    cardBrand: text("card_brand"),
    cardLast4: text("card_last4"),
    cardExpMonth: integer("card_exp_month"),
    cardExpYear: integer("card_exp_year"),
  },
  (t) => [
    index("billing_customer_wanted").on(t.organisationId).where(sql`wanted > synced_wanted`),
    index("billing_customer_synced").on(t.syncedAt),
    index("billing_customer_card").on(t.cardExpYear, t.cardExpMonth),
  ],
);

/** A subscription at the payment provider, as it was read last. Two live ones of a platform are an alarm, not an error. */
export const stripeSubscription = sqliteTable(
  "stripe_subscription",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    platform: text("platform").notNull(),
    itemId: text("item_id").notNull(),
    priceKey: text("price_key").notNull(),
    plan: text("plan", { enum: ["essential", "pro"] }).notNull(),
    period: text("period", { enum: ["month", "year"] }).notNull(),
    quantity: integer("quantity").notNull(),
    /** The quantity that was paid for last; what may be used. */
    boughtQuantity: integer("bought_quantity").notNull(),
    status: text("status", { enum: SUBSCRIPTION_STATES }).notNull(),
    periodStart: integer("period_start").notNull(),
    periodEnd: integer("period_end").notNull(),
    cancelAt: integer("cancel_at"),
    /** True when only the date of the end was set, which is undone in another way. */
    isCancelledByDate: integer("is_cancelled_by_date", { mode: "boolean" }).notNull(),
    endedAt: integer("ended_at"),
    collectionMethod: text("collection_method", { enum: ["charge", "invoice"] }).notNull(),
    latestInvoiceId: text("latest_invoice_id"),
    latestInvoiceStatus: text("latest_invoice_status"),
    /**
     * When the invoice that is not paid was finalised; null when nothing is owed. Of an ended subscription: a renewal that
     * was never paid.
     */
    pastDueSince: integer("past_due_since"),
    /** When an invoice that is paid by bank transfer is due; null when nothing is owed. */
    dueAt: integer("due_at"),
    nextAttemptAt: integer("next_attempt_at"),
    attempts: integer("attempts").notNull(),
    /** A change that waits for its payment. */
    pendingJson: text("pending_json"),
    nextInvoiceCents: integer("next_invoice_cents"),
    created: integer("created").notNull(),
    /** When all that was paid for the running period had gone back; null while it has not. */
    moneyBackAt: integer("money_back_at"),
    /** The bank decides about a payment of the running period. */
    isDisputed: integer("is_disputed", { mode: "boolean" }).notNull().default(false),
  },
  (t) => [
    index("stripe_subscription_organisation").on(t.organisationId, t.platform),
    index("stripe_subscription_status").on(t.status, t.cancelAt),
    index("stripe_subscription_period").on(t.status, t.periodEnd),
  ],
);

/** Money that went back, or is claimed back: a refund, a dispute or a credit note, as it was read last. */
export const billingCorrection = sqliteTable(
  "billing_correction",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    kind: text("kind", { enum: CORRECTION_KINDS }).notNull(),
    state: text("state", { enum: CORRECTION_STATES }).notNull(),
    cents: integer("cents").notNull(),
    /** The part of a credit note that is a refund of its own. */
    refundedCents: integer("refunded_cents").notNull(),
    /** The platform that was paid for; null when it is not known. */
    platform: text("platform"),
    createdAt: integer("created_at").notNull(),
    /** When its state was seen first. */
    changedAt: integer("changed_at").notNull(),
  },
  (t) => [
    index("billing_correction_organisation").on(t.organisationId),
    index("billing_correction_changed").on(t.changedAt),
  ],
);

/**
 * A write to the payment provider, stored with its idempotency key (the id) and its parameters before it is sent. An open
 * purchase locks its platform, so that two tabs cannot buy it twice.
 */
export const billingCommand = sqliteTable(
  "billing_command",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    /** The platform that the command locks; null when it locks none. */
    platform: text("platform"),
    kind: text("kind").notNull(),
    paramsJson: text("params_json").notNull(),
    /** `open`: may not have arrived. `waiting`: arrived, waits for its payment. */
    state: text("state", { enum: ["open", "waiting", "done", "failed"] }).notNull(),
    stripeId: text("stripe_id"),
    createdAt: integer("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("billing_command_lock")
      .on(t.organisationId, t.platform)
      .where(sql`state IN ('open', 'waiting')`),
    index("billing_command_organisation").on(t.organisationId),
    index("billing_command_open").on(t.state, t.createdAt),
  ],
);

/** An event of the payment provider that was taken. A repeated one changes nothing. */
export const stripeEvent = sqliteTable(
  "stripe_event",
  {
    id: text("id").primaryKey(),
    type: text("type").notNull(),
    receivedAt: integer("received_at").notNull(),
  },
  (t) => [index("stripe_event_received").on(t.receivedAt)],
);

/**
 * The removal of what a platform held whose plan has ended: announced twice, carried out in slices, and kept as the record
 * of what was removed and when.
 */
export const removal = sqliteTable(
  "removal",
  {
    id: text("id").primaryKey(),
    organisationId: text("organisation_id").notNull(),
    platform: text("platform").notNull(),
    /** The end of the right that leads here. */
    endedAt: integer("ended_at").notNull(),
    /** `stopped`: the right came back, before or between two slices. */
    state: text("state", { enum: ["ahead", "running", "done", "stopped"] }).notNull(),
    /** Nothing is removed before this time. */
    removalAt: integer("removal_at").notNull(),
    warnedAt: integer("warned_at").notNull(),
    /** Null until the second warning is written. */
    warnedAgainAt: integer("warned_again_at"),
    /** When it was last tried, so that one that must wait does not hold up the others. */
    lookedAt: integer("looked_at").notNull(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
    /** What there was when it began, and what is left. */
    items: integer("items").notNull(),
    versions: integer("versions").notNull(),
    itemsLeft: integer("items_left").notNull(),
    versionsLeft: integer("versions_left").notNull(),
  },
  (t) => [
    uniqueIndex("removal_end").on(t.organisationId, t.platform, t.endedAt),
    index("removal_due").on(t.removalAt).where(sql`state IN ('ahead', 'running')`),
  ],
);
