import {
  type ChangeOrder,
  type ItemOrder,
  type ProrationBehavior,
  planChange,
  rememberDebits,
} from "./change.ts";
import { defaultMethod, dropPending, payInvoice } from "./collect.ts";
import type { PaymentBehavior } from "./create-subscription.ts";
import { draftInvoice } from "./draft-invoice.ts";
import { actionRequired, declined, refused } from "./errors.ts";
import { finalizeInvoice, issueDraft, voidInvoice } from "./invoices.ts";
import type { StripeWorld } from "./state.ts";
import { nowFor } from "./store.ts";
import type { Invoice, Subscription } from "./things/subscriptions.ts";

const PENDING_SECONDS = 23 * 3_600;

export type UpdateOrder = {
  items: readonly ItemOrder[];
  isAnchoredNow: boolean;
  proration: ProrationBehavior;
  prorationDate: number | null;
  behavior: PaymentBehavior;
  isOffSession: boolean;
};

/**
 * The change that an order means now.
 * @throws StripeFault for a date outside of the current period
 */
export function changeOrderOf(
  world: StripeWorld,
  subscription: Subscription,
  order: Pick<UpdateOrder, "items" | "isAnchoredNow" | "proration" | "prorationDate">,
): ChangeOrder {
  const now = nowFor(world, subscription.customer);
  const at = order.prorationDate ?? now;
  const starts = subscription.items.data.map(({ current_period_start }) => current_period_start);
  const ends = subscription.items.data.map(({ current_period_end }) => current_period_end);
  if (at < Math.min(...starts) || at >= Math.max(...ends)) {
    throw refused("Cannot specify `proration_date` outside of the current billing period.", {
      param: "proration_date",
    });
  }
  return { items: order.items, at, now, proration: order.proration, isAnchoredNow: order.isAnchoredNow };
}

/** Draws up the invoice of a change; the discounts are those that the subscription has. */
export function invoiceOfChange(
  world: StripeWorld,
  subscription: Subscription,
  lines: Invoice["lines"]["data"],
  reason: Invoice["billing_reason"],
): Invoice {
  return draftInvoice(world, subscription, {
    reason,
    lines: [...structuredClone(subscription.sim.pendingLines), ...lines],
    at: nowFor(world, subscription.customer),
  });
}

/**
 * Changes items or the billing cycle. What is prorated is billed at once or with the next invoice. When the payment of
 * a change fails, `payment_behavior` decides (docs.stripe.com/billing/subscriptions/pending-updates).
 */
export function changeSubscription(world: StripeWorld, subscription: Subscription, order: UpdateOrder): void {
  const change = planChange(world, subscription, changeOrderOf(world, subscription, order));
  const apply = () => {
    subscription.items.data = change.items;
    subscription.billing_cycle_anchor = change.anchor;
  };
  if (change.lines.length === 0) {
    apply();
    return;
  }
  if (!change.isBilledNow) {
    apply();
    subscription.sim.pendingLines.push(...change.lines);
    return;
  }
  // A second change replaces one that still waits for its payment.
  dropPending(world, subscription);
  const invoice = invoiceOfChange(world, subscription, change.lines, "subscription_update");
  rememberDebits(change.items, invoice.lines.data);
  const former = { latest: subscription.latest_invoice, pendingLines: subscription.sim.pendingLines };
  subscription.sim.pendingLines = [];
  issueDraft(world, subscription, invoice);
  const isPending =
    order.behavior === "pending_if_incomplete" && subscription.collection_method !== "send_invoice";
  if (isPending) invoice.auto_advance = false;
  finalizeInvoice(world, invoice, subscription);
  if (invoice.amount_due === 0 || subscription.collection_method === "send_invoice") {
    apply();
    if (invoice.amount_due === 0) payInvoice(world, invoice, { method: null, isOffSession: true });
    return;
  }
  if (isPending) {
    payPending(world, subscription, invoice, { change, apply, isOffSession: order.isOffSession });
    return;
  }
  if (order.behavior === "default_incomplete") {
    apply();
    subscription.status = "past_due";
    return;
  }
  if (order.behavior !== "error_if_incomplete") apply();
  const method = defaultMethod(world, subscription);
  const attempt = payInvoice(world, invoice, { method, isOffSession: order.isOffSession });
  if (order.behavior !== "error_if_incomplete") {
    if (attempt.kind === "challenge") subscription.status = "past_due";
    return;
  }
  if (attempt.kind === "succeeded") {
    apply();
    return;
  }
  voidInvoice(world, invoice);
  subscription.status = "active";
  subscription.latest_invoice = former.latest;
  subscription.sim.pendingLines = former.pendingLines;
  throw attempt.kind === "declined" ? declined(attempt.error, {}) : actionRequired();
}

function payPending(
  world: StripeWorld,
  subscription: Subscription,
  invoice: Invoice,
  {
    change,
    apply,
    isOffSession,
  }: { change: ReturnType<typeof planChange>; apply(): void; isOffSession: boolean },
): void {
  subscription.sim.pendingInvoice = invoice.id;
  const attempt = payInvoice(world, invoice, { method: defaultMethod(world, subscription), isOffSession });
  if (attempt.kind === "succeeded") {
    subscription.sim.pendingInvoice = null;
    apply();
    return;
  }
  subscription.pending_update = {
    expires_at: nowFor(world, subscription.customer) + PENDING_SECONDS,
    billing_cycle_anchor: change.isNewPeriod ? change.anchor : null,
    subscription_items: change.items,
    trial_end: null,
    ...{ cancel_at_period_end: null, discount: null, discounts: null, metadata: null, trial_from_plan: null },
  };
}

/** @throws StripeFault when a subscription's status or an open change forbids the update */
export function demandChangeable(
  subscription: Subscription,
  given: readonly string[],
  behavior: PaymentBehavior | undefined,
): void {
  const { status } = subscription;
  const names = given.filter((name) => name !== "expand");
  if (status === "incomplete" && names.some((name) => !["metadata", "default_source"].includes(name))) {
    throw refused("An incomplete subscription can only be updated with `metadata` and `default_source`.");
  }
  const isEnded = status === "canceled" || status === "incomplete_expired";
  if (isEnded && names.some((name) => !["metadata", "cancellation_details"].includes(name))) {
    throw refused("A canceled subscription can only update its cancellation_details and metadata.");
  }
  // billing/subscriptions/pending-updates-reference
  const allowed = [
    ...["items", "billing_cycle_anchor", "proration_behavior", "proration_date", "payment_behavior"],
    ...["trial_end", "trial_from_plan", "metadata", "off_session"],
  ];
  const odd =
    behavior === "pending_if_incomplete" ? names.find((name) => !allowed.includes(name)) : undefined;
  if (odd !== undefined) {
    throw refused(
      `You cannot pass \`${odd}\` when \`payment_behavior\` is set to \`pending_if_incomplete\`.`,
      { param: odd },
    );
  }
}
