import { refused } from "./errors.ts";
import { emit, emitUpdate } from "./events.ts";
import { type Attempt, attemptPayment } from "./intents.ts";
import { voidInvoice } from "./invoices.ts";
import { plain } from "./render.ts";
import type { StripeWorld } from "./state.ts";
import { find, get, nowFor } from "./store.ts";
import type { PaymentIntent, PaymentMethod } from "./things/payments.ts";
import type { Invoice, Subscription } from "./things/subscriptions.ts";

const DAY = 86_400;
/** Days after the first attempt of a renewal: eight in two weeks (docs.stripe.com/billing/revenue-recovery/smart-retries). */
const RETRY_DAYS = [1, 2, 4, 6, 8, 10, 12, 14];

/** The open payment intent of an invoice, or null. */
export function intentOf(world: StripeWorld, invoice: Invoice): PaymentIntent | null {
  const payment = invoice.sim.payments.find(({ is_default }) => is_default);
  return payment ? find(world, "payment_intent", payment.payment.payment_intent) : null;
}

/** The card that pays a subscription's invoices without anyone choosing: its own before the customer's. */
export function defaultMethod(world: StripeWorld, subscription: Subscription): PaymentMethod | null {
  const customer = get(world, "customer", subscription.customer);
  const id = subscription.default_payment_method ?? customer.invoice_settings.default_payment_method;
  return find(world, "payment_method", id);
}

/**
 * Tries to pay an open invoice and draws the consequences for its subscription. Without a card the attempt fails as
 * well, and the payment intent waits for one.
 */
export function payInvoice(
  world: StripeWorld,
  invoice: Invoice,
  { method, isOffSession }: { method: PaymentMethod | null; isOffSession: boolean },
): Attempt {
  if (invoice.amount_due === 0) {
    markPaid(world, invoice);
    return { kind: "succeeded" };
  }
  const intent = intentOf(world, invoice);
  if (intent === null) throw refused("This invoice has no payment to confirm.");
  if (method === null) {
    const attempt: Attempt = {
      kind: "declined",
      error: {
        type: "card_error",
        code: "missing",
        message: "This customer has no attached payment source or default payment method.",
      },
    };
    followAttempt(world, intent, attempt);
    return attempt;
  }
  const attempt = attemptPayment(world, intent, method, isOffSession);
  followAttempt(world, intent, attempt);
  return attempt;
}

/** What an attempt to pay an intent means for its invoice and the subscription. */
export function followAttempt(world: StripeWorld, intent: PaymentIntent, attempt: Attempt): void {
  const invoice = find(world, "invoice", intent.sim.invoice);
  if (invoice === null || invoice.status !== "open") return;
  if (attempt.kind === "succeeded") {
    markPaid(world, invoice);
    return;
  }
  if (attempt.kind === "challenge") {
    emit(world, "invoice.payment_action_required", invoice);
    // A renewal that waits for its holder has failed as well; a purchase at the screen has not.
    if (!intent.sim.isOffSession) return;
  }
  invoice.attempted = true;
  invoice.attempt_count += 1;
  scheduleRetry(world, invoice);
  emit(world, "invoice.payment_failed", invoice);
  const subscription = get(world, "subscription", invoice.sim.subscription);
  if (subscription.sim.pendingInvoice === invoice.id) return;
  const before = plain(world, subscription);
  const isOver = invoice.sim.retries > RETRY_DAYS.length;
  if (subscription.status === "active") subscription.status = "past_due";
  if (isOver && subscription.status === "past_due") giveUp(world, subscription);
  emitUpdate(world, "customer.subscription.updated", subscription, before);
}

/** The next of the retries, when the one that was due has failed. Attempts on order do not count. */
function scheduleRetry(world: StripeWorld, invoice: Invoice): void {
  const { next_payment_attempt: due } = invoice;
  if (due === null || nowFor(world, invoice.customer) < due) return;
  const days = RETRY_DAYS[invoice.sim.retries];
  invoice.sim.retries += 1;
  const first = invoice.status_transitions.finalized_at ?? invoice.created;
  invoice.next_payment_attempt = days === undefined ? null : first + days * DAY;
}

function giveUp(world: StripeWorld, subscription: Subscription): void {
  if (world.settings.afterRetries === "unpaid") subscription.status = "unpaid";
  else endSubscription(world, subscription, "payment_failed");
}

/** Marks an invoice as paid: by its payment, by the balance or by a transfer. */
export function markPaid(world: StripeWorld, invoice: Invoice): void {
  const at = nowFor(world, invoice.customer);
  const before = plain(world, invoice);
  invoice.status = "paid";
  invoice.attempted = true;
  if (invoice.amount_due > 0) invoice.attempt_count += 1;
  invoice.amount_paid = invoice.amount_due;
  invoice.amount_remaining = 0;
  invoice.auto_advance = false;
  invoice.next_payment_attempt = null;
  invoice.status_transitions.paid_at = at;
  for (const payment of invoice.sim.payments) {
    if (payment.status !== "open") continue;
    payment.status = "paid";
    payment.amount_paid = payment.amount_requested;
    payment.status_transitions.paid_at = at;
    emit(world, "invoice_payment.paid", payment);
  }
  emitUpdate(world, "invoice.updated", invoice, before);
  emit(world, "invoice.paid", invoice);
  emit(world, "invoice.payment_succeeded", invoice);
  const subscription = get(world, "subscription", invoice.sim.subscription);
  if (subscription.sim.pendingInvoice === invoice.id) applyPending(world, subscription);
  const then = plain(world, subscription);
  const revives = ["incomplete", "past_due", "unpaid"].includes(subscription.status);
  if (revives && subscription.latest_invoice === invoice.id) subscription.status = "active";
  emitUpdate(world, "customer.subscription.updated", subscription, then);
}

/** A past due subscription whose latest invoice is given up is active again (billing/subscriptions/overview). */
export function forgiveDebt(world: StripeWorld, invoice: Invoice): void {
  const subscription = get(world, "subscription", invoice.sim.subscription);
  if (subscription.status !== "past_due" || subscription.latest_invoice !== invoice.id) return;
  const before = plain(world, subscription);
  subscription.status = "active";
  emitUpdate(world, "customer.subscription.updated", subscription, before);
}

/** Cancels as the portal does: it sets only this date, and not `cancel_at_period_end`. */
export function cancelInPortal(world: StripeWorld, subscription: Subscription): void {
  const before = plain(world, subscription);
  subscription.cancel_at = Math.min(...subscription.items.data.map((item) => item.current_period_end));
  subscription.canceled_at = nowFor(world, subscription.customer);
  subscription.cancellation_details.reason = "cancellation_requested";
  emitUpdate(world, "customer.subscription.updated", subscription, before);
}

/** The change whose payment arrived (docs.stripe.com/billing/subscriptions/pending-updates). */
function applyPending(world: StripeWorld, subscription: Subscription): void {
  const pending = subscription.pending_update;
  if (pending === null) return;
  const before = plain(world, subscription);
  subscription.items.data = pending.subscription_items;
  subscription.billing_cycle_anchor = pending.billing_cycle_anchor ?? subscription.billing_cycle_anchor;
  subscription.pending_update = null;
  subscription.sim.pendingInvoice = null;
  emit(world, "customer.subscription.pending_update_applied", subscription);
  emitUpdate(world, "customer.subscription.updated", subscription, before);
}

/** A change that was not paid in time, or whose invoice was voided. */
export function dropPending(world: StripeWorld, subscription: Subscription): void {
  if (subscription.pending_update === null) return;
  const invoice = find(world, "invoice", subscription.sim.pendingInvoice);
  subscription.pending_update = null;
  subscription.sim.pendingInvoice = null;
  emit(world, "customer.subscription.pending_update_expired", subscription);
  if (invoice?.status === "open") voidInvoice(world, invoice);
}

/** Voids an invoice on order: a first one ends its subscription, a change's ends the change. */
export function voidOnOrder(world: StripeWorld, invoice: Invoice): void {
  voidInvoice(world, invoice);
  const subscription = get(world, "subscription", invoice.sim.subscription);
  if (subscription.sim.pendingInvoice === invoice.id) dropPending(world, subscription);
  else if (subscription.status === "incomplete") expireIncomplete(world, subscription);
}

/** The first payment did not come within 23 hours (docs.stripe.com/billing/subscriptions/overview). */
export function expireIncomplete(world: StripeWorld, subscription: Subscription): void {
  const before = plain(world, subscription);
  const at = nowFor(world, subscription.customer);
  const invoice = find(world, "invoice", subscription.latest_invoice);
  if (invoice?.status === "open") voidInvoice(world, invoice);
  subscription.status = "incomplete_expired";
  subscription.ended_at = at;
  emitUpdate(world, "customer.subscription.updated", subscription, before);
}

/** Ends a subscription. Its open invoices stay, and are no longer collected by themselves. */
export function endSubscription(world: StripeWorld, subscription: Subscription, reason: string): void {
  const at = nowFor(world, subscription.customer);
  subscription.status = "canceled";
  subscription.canceled_at ??= at;
  subscription.ended_at = at;
  subscription.cancellation_details.reason ??= reason;
  dropPending(world, subscription);
  for (const invoice of Object.values(world.state.tables.invoice)) {
    if (invoice.sim.subscription !== subscription.id || !["draft", "open"].includes(invoice.status)) continue;
    invoice.auto_advance = false;
    invoice.automatically_finalizes_at = null;
    invoice.next_payment_attempt = null;
  }
  emit(world, "customer.subscription.deleted", subscription);
}
