import type { Invoice, ProviderSubscription } from "#connectors/contract/payment-provider.ts";
import type { InvoiceForm, SubscriptionForm } from "./forms.ts";

/**
 * A subscription in our words. The period is that of the item: an invoice's own period is the time in which its lines were
 * collected (docs.stripe.com/api/invoices/object).
 */
export function toSubscription(
  form: SubscriptionForm,
  /** The latest invoice, or the one since which it is not paid. */
  invoice: InvoiceForm | null,
): ProviderSubscription | null {
  const item = form.items.data[0];
  if (!item) return null;
  const pendingItem = form.pending_update?.subscription_items?.[0];
  return {
    id: form.id,
    commandId: form.metadata.command_id ?? null,
    itemId: item.id,
    priceKey: item.price.key,
    quantity: item.quantity,
    paidQuantity: paidQuantity(item, invoice),
    state: form.status,
    periodStart: item.current_period_start,
    periodEnd: item.current_period_end,
    // The portal sets only the date (stripe-node#2470), so either of the two is a cancellation.
    cancelAt: form.cancel_at ?? (form.cancel_at_period_end ? item.current_period_end : null),
    isCancelledByDate: form.cancel_at !== null && !form.cancel_at_period_end,
    endedAt: form.ended_at,
    createdAt: form.created,
    isInvoiced: form.collection_method === "send_invoice",
    latestInvoice:
      invoice === null || invoice.id === null
        ? null
        : {
            id: invoice.id,
            state: invoice.status,
            finalizedAt: invoice.status_transitions,
            dueAt: invoice.due_date,
            nextAttemptAt: invoice.next_payment_attempt,
            attempts: invoice.attempt_count,
            isRenewal: invoice.billing_reason === "subscription_cycle",
          },
    pending: form.pending_update && {
      priceKey: pendingItem?.price.key ?? null,
      quantity: pendingItem?.quantity ?? item.quantity,
      expiresAt: form.pending_update.expires_at,
    },
  };
}

/**
 * The quantity that was charged last for this item, when its invoice is paid. A quantity may be raised unbilled. A
 * graduated price has a line for each of its brackets, with the units in it (docs.stripe.com/products-prices/pricing-models).
 */
function paidQuantity(item: SubscriptionForm["items"]["data"][number], invoice: InvoiceForm | null): number {
  if (invoice?.status !== "paid") return item.quantity;
  const charged = invoice.lines.data.filter(
    ({ parent, amount }) => parent?.subscription_item === item.id && amount >= 0,
  );
  const last = charged.toSorted((a, b) => (a.period?.end ?? 0) - (b.period?.end ?? 0)).at(-1);
  if (!last || !item.price.isGraduated) return last?.quantity ?? item.quantity;
  return charged
    .filter(({ period }) => period?.start === last.period?.start && period?.end === last.period?.end)
    .reduce((sum, { quantity }) => sum + (quantity ?? 0), 0);
}

/** Who owes the tax is a setting of the customer (docs.stripe.com/tax/zero-tax#reverse-charges). */
export const isReverseCharge = (taxExempt: string | null): boolean => taxExempt === "reverse";

/** An invoice in our words. */
export function toInvoice(form: InvoiceForm): Invoice {
  return {
    id: form.id ?? "",
    customerId: form.customer ?? "",
    subscriptionId: form.parent,
    number: form.number,
    state: form.status,
    currency: form.currency,
    totalCents: form.total,
    taxCents: form.total_taxes,
    dueCents: form.amount_due,
    paidCents: form.amount_paid,
    createdAt: form.created,
    dueAt: form.due_date,
    hostedUrl: form.hosted_invoice_url,
    pdfUrl: form.invoice_pdf,
    lines: form.lines.data.map(({ description, amount, pricing }) => ({
      text: description ?? "",
      cents: amount,
      productId: pricing,
    })),
    isReverseCharge: isReverseCharge(form.customer_tax_exempt),
    intentIds: (form.payments?.data ?? []).flatMap(({ payment: { payment_intent } }) =>
      payment_intent === null ? [] : [payment_intent],
    ),
  };
}
