import { addressee, openDiscounts } from "./draft-invoice.ts";
import { emit, emitUpdate } from "./events.ts";
import { cancelPaymentIntent, createPaymentIntent } from "./intents.ts";
import { plain } from "./render.ts";
import type { StripeWorld } from "./state.ts";
import { find, get, newId, nowFor, put } from "./store.ts";
import type { Customer } from "./things/payments.ts";
import type { Invoice, Subscription } from "./things/subscriptions.ts";
import { computeTotals } from "./totals.ts";

/** How long a renewal's draft stays one (docs.stripe.com/invoicing/integration/workflow-transitions). */
const DRAFT_SECONDS = 3_600;

/** Stores a draft and makes it the subscription's latest invoice. */
export function issueDraft(world: StripeWorld, subscription: Subscription, invoice: Invoice): void {
  put(world, "invoice", invoice);
  subscription.latest_invoice = invoice.id;
  if (invoice.billing_reason === "subscription_cycle") {
    invoice.automatically_finalizes_at = invoice.created + DRAFT_SECONDS;
    if (invoice.collection_method !== "send_invoice") {
      invoice.next_payment_attempt = invoice.created + DRAFT_SECONDS;
    }
  }
  emit(world, "invoice.created", invoice);
}

/**
 * Finalises a draft: it gets its number, takes from the customer's balance or adds to it, and a payment intent when
 * something is due (docs.stripe.com/invoicing/integration/workflow-transitions). Nothing is paid yet, except nothing.
 */
export function finalizeInvoice(world: StripeWorld, invoice: Invoice, subscription: Subscription): void {
  const at = nowFor(world, invoice.customer);
  const customer = get(world, "customer", invoice.customer);
  const before = plain(world, invoice);
  const rates = subscription.default_tax_rates.map((rate) => get(world, "tax_rate", rate));
  computeTotals(
    world,
    invoice,
    invoice.billing_reason === "subscription_cycle" ? rates : ratesOf(world, invoice),
  );
  Object.assign(invoice, addressee(world, customer), { effective_at: at });
  invoice.status = "open";
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, "0")}`;
  customer.next_invoice_sequence += 1;
  invoice.automatically_finalizes_at = null;
  invoice.status_transitions.finalized_at = at;
  Object.assign(invoice, {
    hosted_invoice_url: `${world.url}/i/${invoice.id}`,
    invoice_pdf: `${world.url}/i/${invoice.id}/pdf`,
  });
  moveBalance(world, customer, invoice, invoice.sim.applied);
  invoice.ending_balance = customer.balance;
  if (invoice.collection_method === "send_invoice") {
    invoice.due_date = at + (subscription.days_until_due ?? 30) * 86_400;
  }
  if (invoice.amount_due > 0) addPayment(world, invoice, customer, subscription);
  endOnceDiscounts(world, subscription, invoice, at);
  emitUpdate(world, "invoice.updated", invoice, before);
  emit(world, "invoice.finalized", invoice);
}

function ratesOf(world: StripeWorld, invoice: Invoice) {
  const { default_tax_rates: ids } = invoice as unknown as { default_tax_rates: string[] };
  return ids.map((id) => get(world, "tax_rate", id));
}

function addPayment(
  world: StripeWorld,
  invoice: Invoice,
  customer: Customer,
  subscription: Subscription,
): void {
  const method = subscription.default_payment_method ?? customer.invoice_settings.default_payment_method;
  const intent = createPaymentIntent(world, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: customer.id,
    invoice: invoice.id,
    method,
  });
  invoice.sim.payments.push({
    id: newId("inpay"),
    object: "invoice_payment",
    amount_paid: null,
    amount_requested: invoice.amount_due,
    created: nowFor(world, customer.id),
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: "payment_intent" },
    status: "open",
    status_transitions: { canceled_at: null, paid_at: null },
  });
}

/** A coupon with `once` is over after the first invoice (docs.stripe.com/billing/subscriptions/coupons). */
function endOnceDiscounts(
  world: StripeWorld,
  subscription: Subscription,
  invoice: Invoice,
  at: number,
): void {
  for (const id of invoice.discounts) {
    const discount = find(world, "discount", id);
    if (discount && find(world, "coupon", discount.source.coupon)?.duration === "once") discount.end = at;
  }
  subscription.discounts = openDiscounts(world, subscription, at);
}

/** Moves a customer's balance and records it. */
export function moveBalance(
  world: StripeWorld,
  customer: Customer,
  invoice: Invoice | null,
  amount: number,
): void {
  if (amount === 0) return;
  const before = plain(world, customer);
  customer.balance += amount;
  put(world, "customer_balance_transaction", {
    id: newId("cbtxn"),
    object: "customer_balance_transaction",
    amount,
    created: nowFor(world, customer.id),
    customer: customer.id,
    ending_balance: customer.balance,
    invoice: invoice?.id ?? null,
    livemode: false,
    type: typeOfMove(invoice, amount),
    ...{
      checkout_session: null,
      credit_note: null,
      currency: invoice?.currency ?? customer.currency ?? "usd",
    },
    ...{ customer_account: null, description: null, metadata: {} },
  });
  emitUpdate(world, "customer.updated", customer, before);
}

function typeOfMove(invoice: Invoice | null, amount: number): string {
  if (invoice === null) return "adjustment";
  if (invoice.status === "void") return "unapplied_from_invoice";
  return amount > 0 && invoice.starting_balance >= 0 ? "invoice_too_small" : "applied_to_invoice";
}

/** Voids an open invoice: what it took from the balance comes back (docs.stripe.com/invoicing/overview#void). */
export function voidInvoice(world: StripeWorld, invoice: Invoice): void {
  const before = plain(world, invoice);
  const at = nowFor(world, invoice.customer);
  invoice.status = "void";
  invoice.next_payment_attempt = null;
  invoice.auto_advance = false;
  invoice.status_transitions.voided_at = at;
  for (const payment of invoice.sim.payments) {
    if (payment.status !== "open") continue;
    payment.status = "canceled";
    payment.status_transitions.canceled_at = at;
    cancelPaymentIntent(world, get(world, "payment_intent", payment.payment.payment_intent), "void_invoice");
  }
  moveBalance(world, get(world, "customer", invoice.customer), invoice, -invoice.sim.applied);
  emitUpdate(world, "invoice.updated", invoice, before);
  emit(world, "invoice.voided", invoice);
}
