import { type ItemOrder, newItem, rememberDebits } from "./change.ts";
import { defaultMethod, payInvoice } from "./collect.ts";
import { type DiscountOrder, redeem } from "./discounts.ts";
import { draftInvoice } from "./draft-invoice.ts";
import { actionRequired, declined, refused } from "./errors.ts";
import { emit, emitUpdate } from "./events.ts";
import { finalizeInvoice, issueDraft, voidInvoice } from "./invoices.ts";
import { periodLines } from "./lines.ts";
import { plain } from "./render.ts";
import { attemptSetup, createSetupIntent } from "./setup-intents.ts";
import type { StripeWorld } from "./state.ts";
import { get, newId, nowFor, put } from "./store.ts";
import type { Metadata } from "./things/base.ts";
import type { Invoice, InvoiceLine, Subscription } from "./things/subscriptions.ts";

export type PaymentBehavior =
  | "allow_incomplete"
  | "default_incomplete"
  | "error_if_incomplete"
  | "pending_if_incomplete";
/** What a call to create a subscription, or its preview, asks for. */
export type SubscriptionOrder = {
  customer: string;
  items: readonly ItemOrder[];
  discounts: readonly DiscountOrder[];
  taxRates: readonly string[];
  collectionMethod: Subscription["collection_method"];
  daysUntilDue: number | null;
  defaultMethod: string | null;
  methodTypes: string[] | null;
  trialEnd: number | null;
  cancelAt: number | null;
  isCancelledAtPeriodEnd: boolean;
  description: string | null;
  metadata: Metadata;
};

/** Builds a subscription and the lines of its first period. Nothing is stored. */
export function buildSubscription(
  world: StripeWorld,
  order: SubscriptionOrder,
): { subscription: Subscription; lines: InvoiceLine[] } {
  const customer = get(world, "customer", order.customer);
  const at = nowFor(world, customer.id);
  const first = get(world, "price", order.items[0]?.price ?? "", "items[0][price]");
  const isTrial = order.trialEnd !== null && order.trialEnd > at;
  const id = newId("sub");
  const subscription: Subscription = {
    id,
    object: "subscription",
    ...SUBSCRIPTION_REST,
    billing_cycle_anchor: isTrial ? (order.trialEnd ?? at) : at,
    cancel_at: order.cancelAt,
    cancel_at_period_end: order.isCancelledAtPeriodEnd,
    canceled_at: null,
    cancellation_details: { reason: null, comment: null, feedback: null, ...{ feedback_option: null } },
    collection_method: order.collectionMethod,
    created: at,
    currency: first.currency,
    customer: customer.id,
    days_until_due: order.daysUntilDue,
    default_payment_method: order.defaultMethod,
    default_tax_rates: [...order.taxRates],
    description: order.description,
    discounts: [],
    ended_at: null,
    items: { object: "list", data: [], has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    livemode: false,
    metadata: order.metadata,
    payment_settings: {
      payment_method_types: order.methodTypes,
      ...{ payment_method_options: null, save_default_payment_method: "off" },
    },
    pending_setup_intent: null,
    pending_update: null,
    start_date: at,
    status: isTrial ? "trialing" : "incomplete",
    test_clock: customer.test_clock,
    trial_start: isTrial ? at : null,
    trial_end: order.trialEnd,
    sim: { pendingLines: [], pendingInvoice: null, upcomingFor: null },
  };
  for (const rate of order.taxRates) get(world, "tax_rate", rate, "default_tax_rates");
  subscription.items.data = order.items.map((item) => newItem(world, subscription, item, at));
  if (isTrial) for (const item of subscription.items.data) item.current_period_end = order.trialEnd ?? at;
  if (order.isCancelledAtPeriodEnd) subscription.cancel_at = periodEndOf(subscription);
  const lines = subscription.items.data.flatMap((item) => firstLines(world, subscription, item, isTrial));
  return { subscription, lines };
}

const SUBSCRIPTION_REST = {
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: { proration_discounts: "included" }, type: "flexible" },
  billing_schedules: [],
  billing_thresholds: null,
  customer_account: null,
  default_source: null,
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: "self" },
  },
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  pending_invoice_item_interval: null,
  schedule: null,
  transfer_data: null,
  trial_settings: {
    end_behavior: { billing_cycle_anchor: "unchanged", missing_payment_method: "create_invoice" },
  },
};

function firstLines(
  world: StripeWorld,
  subscription: Subscription,
  item: Subscription["items"]["data"][number],
  isTrial: boolean,
): InvoiceLine[] {
  const lines = periodLines(world, subscription, item, {
    start: item.current_period_start,
    end: item.current_period_end,
  });
  if (!isTrial) return lines;
  return lines.slice(0, 1).map((line) => ({ ...line, amount: 0, subtotal: 0, description: "Trial period" }));
}

/** The end of the current period, which every item has. */
export function periodEndOf({ items }: Subscription): number {
  return Math.min(...items.data.map(({ current_period_end }) => current_period_end));
}

/**
 * Creates a subscription with its first invoice. With `default_incomplete` nothing is paid: the payment is confirmed on
 * its own (docs.stripe.com/billing/subscriptions/overview). Invoiced subscriptions are active at once.
 * @throws StripeFault 402 with `error_if_incomplete` when the payment fails
 */
export function createSubscription(
  world: StripeWorld,
  order: SubscriptionOrder,
  { behavior, isOffSession }: { behavior: PaymentBehavior; isOffSession: boolean },
): Subscription {
  const { subscription, lines } = buildSubscription(world, order);
  const customer = get(world, "customer", order.customer);
  const method = defaultMethod(world, subscription);
  const isInvoiced = order.collectionMethod === "send_invoice";
  if (isInvoiced && order.daysUntilDue === null) {
    throw refused("Missing required param: days_until_due.", {
      code: "parameter_missing",
      param: "days_until_due",
    });
  }
  subscription.discounts = redeem(world, order.discounts, {
    customer: customer.id,
    subscription: subscription.id,
    isPreview: false,
    subtotal: lines.reduce((sum, { amount }) => sum + amount, 0),
  });
  const draft = draftInvoice(world, subscription, {
    reason: "subscription_create",
    lines,
    at: subscription.created,
  });
  if (behavior !== "default_incomplete" && !isInvoiced && draft.amount_due > 0 && method === null) {
    throw refused(
      "This customer has no attached payment source or default payment method. Please consider adding a default payment method.",
      { code: "resource_missing" },
    );
  }
  customer.currency ??= subscription.currency;
  put(world, "subscription", subscription);
  rememberDebits(subscription.items.data, draft.lines.data);
  const isTrial = subscription.status === "trialing";
  if (!isTrial && (isInvoiced || draft.amount_due === 0)) subscription.status = "active";
  subscription.latest_invoice = draft.id;
  emit(world, "customer.subscription.created", subscription);
  issueDraft(world, subscription, draft);
  if (isInvoiced && !isTrial) {
    draft.automatically_finalizes_at = draft.created + 3_600;
    return subscription;
  }
  finalizeInvoice(world, draft, subscription);
  if (draft.amount_due === 0) {
    payInvoice(world, draft, { method, isOffSession });
    if (!isInvoiced) askForCard(world, subscription);
  } else if (behavior !== "default_incomplete") {
    payFirst(world, subscription, draft, { behavior, isOffSession });
  }
  return subscription;
}

function payFirst(
  world: StripeWorld,
  subscription: Subscription,
  invoice: Invoice,
  { behavior, isOffSession }: { behavior: PaymentBehavior; isOffSession: boolean },
): void {
  const attempt = payInvoice(world, invoice, { method: defaultMethod(world, subscription), isOffSession });
  if (attempt.kind === "succeeded" || behavior !== "error_if_incomplete") return;
  voidInvoice(world, invoice);
  delete world.state.tables.subscription[subscription.id];
  throw attempt.kind === "declined" ? declined(attempt.error, {}) : actionRequired();
}

/** Nothing was due now, so the card for later payments is asked for on its own (api/subscriptions/object). */
function askForCard(world: StripeWorld, subscription: Subscription): void {
  const before = plain(world, subscription);
  const method = defaultMethod(world, subscription);
  const isReady = method !== null && method.sim.behaviour !== "challenge-until-set-up";
  if (isReady || method?.sim.isSetUp) return;
  const intent = createSetupIntent(world, {
    customer: subscription.customer,
    method: null,
    usage: "off_session",
    subscription: subscription.id,
  });
  if (method) attemptSetup(world, intent, method);
  subscription.pending_setup_intent = intent.id;
  emitUpdate(world, "customer.subscription.updated", subscription, before);
}
