import type { StripeWorld } from "./state.ts";
import { find, get, newId } from "./store.ts";
import type { Customer } from "./things/payments.ts";
import type { Invoice, InvoiceLine, Subscription } from "./things/subscriptions.ts";
import { computeTotals } from "./totals.ts";

/**
 * A draft for a subscription, not stored: a preview ends here.
 * @param order.lines for nothing else than a whole period, only discounts that are still open apply
 */
export function draftInvoice(
  world: StripeWorld,
  subscription: Subscription,
  order: { reason: Invoice["billing_reason"]; lines: InvoiceLine[]; at: number; discounts?: string[] },
): Invoice {
  const { reason, lines, at } = order;
  const customer = get(world, "customer", subscription.customer);
  const id = newId(reason === "upcoming" ? "upcoming_in" : "in");
  const periods = lines.map(({ period }) => period);
  const invoice: Invoice = {
    id,
    object: "invoice",
    ...INVOICE_REST,
    ...addressee(world, customer),
    amount_due: 0,
    amount_paid: 0,
    amount_remaining: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: subscription.collection_method,
    created: at,
    currency: subscription.currency,
    customer: customer.id,
    discounts: order.discounts ?? openDiscounts(world, subscription, at),
    due_date: null,
    ending_balance: null,
    lines: { object: "list", data: lines, has_more: false, url: `/v1/invoices/${id}/lines` },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: null,
    parent: {
      type: "subscription_details",
      ...{ quote_details: null },
      subscription_details: {
        subscription: subscription.id,
        ...{ metadata: { ...subscription.metadata } },
      },
    },
    // The period of usage before the invoice, which is another one than its lines' (api/invoices/object).
    period_start: Math.min(at, ...periods.map(({ start }) => start)),
    period_end: at,
    starting_balance: 0,
    status: "draft",
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: 0,
    test_clock: subscription.test_clock,
    total: 0,
    total_discount_amounts: [],
    total_taxes: [],
    sim: { payments: [], applied: 0, subscription: subscription.id, retries: 0 },
    ...{
      default_tax_rates: subscription.default_tax_rates,
      payment_settings: {
        default_mandate: null,
        payment_method_options: null,
        payment_method_types: subscription.payment_settings.payment_method_types,
      },
    },
  };
  const rates = subscription.default_tax_rates.map((rate) => get(world, "tax_rate", rate));
  computeTotals(world, invoice, rates);
  return invoice;
}

const INVOICE_REST = {
  account_country: "GB",
  account_name: "Holdfast",
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  custom_fields: null,
  customer_account: null,
  customer_shipping: null,
  default_payment_method: null,
  default_source: null,
  description: null,
  effective_at: null,
  footer: null,
  from_invoice: null,
  issuer: { type: "self" },
  last_finalization_error: null,
  latest_revision: null,
  on_behalf_of: null,
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  statement_descriptor: null,
  total_pretax_credit_amounts: [],
  webhooks_delivered_at: null,
};

/** Whom an invoice is for, as the customer is now. */
export function addressee(world: StripeWorld, customer: Customer): Record<string, unknown> {
  const taxIds = Object.values(world.state.tables.tax_id).filter((each) => each.customer === customer.id);
  return {
    customer_address: customer.address,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_tax_exempt: customer.tax_exempt,
    customer_tax_ids: taxIds.map(({ type, value }) => ({ type, value })),
  };
}

/** The discounts of a subscription that have not ended. */
export function openDiscounts(world: StripeWorld, { discounts }: Subscription, at: number): string[] {
  return discounts.filter((id) => {
    const discount = find(world, "discount", id);
    return discount !== null && (discount.end === null || discount.end > at);
  });
}
