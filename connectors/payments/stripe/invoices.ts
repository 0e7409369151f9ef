import type Stripe from "stripe";
import { z } from "zod";
import type { PaymentProvider } from "#connectors/contract/payment-provider.ts";
import { PaymentError } from "#connectors/contract/payment-provider.ts";
import type { StripeDeps } from "./client.ts";
import { asking, read, unless } from "./failures.ts";
import { chargeForm, invoiceForm } from "./forms.ts";
import { isReverseCharge, toInvoice } from "./read-subscription.ts";
import { readIntent } from "./subscriptions.ts";

type Invoices = Pick<
  PaymentProvider,
  | "preview"
  | "recurringCents"
  | "readInvoice"
  | "payInvoice"
  | "voidInvoice"
  | "listInvoices"
  | "listOpenInvoices"
  | "listCharges"
>;

const seconds = (ms: number) => Math.floor(ms / 1000);
const PAGE = 100;

/** Previews, invoices and charges (docs.stripe.com/api/invoices). */
export function invoicesOf({ stripe }: StripeDeps): Invoices {
  const readInvoice = async (id: string) =>
    read(invoiceForm, await asking(() => stripe.invoices.retrieve(id, { expand: ["payments"] })));
  return {
    preview: async ({ customerId, priceId, quantity, taxRates, promotionId, change }) => {
      const item = { price: priceId, quantity, ...(change ? { id: change.itemId } : {}) };
      const params: Stripe.InvoiceCreatePreviewParams = {
        ...(customerId === null ? {} : { customer: customerId }),
        ...(promotionId === null ? {} : { discounts: [{ promotion_code: promotionId }] }),
        ...(change ? { subscription: change.subscriptionId } : {}),
        subscription_details: {
          items: [item],
          ...(change
            ? {
                proration_behavior: "always_invoice",
                proration_date: seconds(change.prorationAt),
                ...(change.isNewPeriod ? { billing_cycle_anchor: { type: "now" } } : {}),
              }
            : { billing_mode: { type: "flexible" }, default_tax_rates: [...taxRates] }),
        },
      };
      const form = read(invoiceForm, await asking(() => stripe.invoices.createPreview(params)));
      return {
        lines: form.lines.data.map(({ description, amount, parent }) => ({
          text: description ?? "",
          cents: amount,
          isProration: parent?.proration ?? false,
        })),
        subtotalCents: form.subtotal,
        discountCents: form.total_discount_amounts,
        taxCents: form.total_taxes,
        totalCents: form.total,
        creditCents: Math.max(0, Math.min(form.total, -form.starting_balance)),
        dueCents: form.amount_due,
        isReverseCharge: isReverseCharge(form.customer_tax_exempt),
      };
    },
    recurringCents: async (customer, subscription) => {
      const answer = await unless(["invoice_upcoming_none"], () =>
        stripe.invoices.createPreview({ customer, subscription, preview_mode: "recurring" }),
      );
      if (answer === null) return null;
      const form = read(invoiceForm, answer);
      return form.total_excluding_tax ?? form.total - form.total_taxes;
    },
    readInvoice: async (id) => toInvoice(await readInvoice(id)),
    payInvoice: async (id, payment_method, idempotencyKey) => {
      try {
        const answer = await asking(() =>
          stripe.invoices.pay(id, { payment_method, expand: ["payments"] }, { idempotencyKey }),
        );
        if (read(invoiceForm, answer).status === "paid")
          return { state: "succeeded", clientSecret: null, message: null, attemptId: null };
      } catch (cause) {
        const isAnswered = cause instanceof PaymentError && cause.kind === "declined";
        if (!isAnswered) throw cause;
        const payment = await paymentOf(id);
        return payment === null ? Promise.reject(cause) : { ...payment, message: cause.message };
      }
      return (
        (await paymentOf(id)) ?? { state: "processing", clientSecret: null, message: null, attemptId: null }
      );
    },
    voidInvoice: async (id, idempotencyKey) => {
      await asking(() => stripe.invoices.voidInvoice(id, {}, { idempotencyKey }));
    },
    listInvoices: async (customer, limit) => {
      const pages = await pagesOf(limit, (page) =>
        stripe.invoices.list({ customer, expand: ["data.payments"], ...page }),
      );
      return pages.map((each) => toInvoice(read(invoiceForm, each)));
    },
    listOpenInvoices: async (customer) => {
      const answer = await asking(() =>
        stripe.invoices.list({ customer, status: "open", limit: PAGE, expand: ["data.payments"] }),
      );
      return read(z.looseObject({ data: z.array(invoiceForm) }), answer).data.map(toInvoice);
    },
    listCharges: async (customer, limit) => {
      const pages = await pagesOf(limit, (page) => stripe.charges.list({ customer, ...page }));
      return pages.map((each) => {
        const form = read(chargeForm, each);
        return {
          id: form.id,
          intentId: form.payment_intent,
          currency: form.currency,
          cents: form.amount,
          capturedCents: form.amount_captured,
          refundedCents: form.amount_refunded,
          isPaid: form.paid,
          state: form.status,
          last4: form.payment_method_details,
          receiptUrl: form.receipt_url,
          createdAt: form.created,
        };
      });
    },
  };

  async function paymentOf(invoiceId: string) {
    const [intent] = toInvoice(await readInvoice(invoiceId)).intentIds.slice(-1);
    return intent === undefined ? null : readIntent(stripe, intent);
  }
}

/** Up to `limit` objects of a list, page by page. */
async function pagesOf(
  limit: number,
  ask: (page: { limit: number; starting_after?: string }) => Promise<unknown>,
): Promise<unknown[]> {
  const form = z.looseObject({
    data: z.array(z.looseObject({ id: z.string() })),
    has_more: z.boolean(),
  });
  const all: { id: string }[] = [];
  for (;;) {
    const after = all.at(-1)?.id;
    const size = Math.min(PAGE, limit - all.length);
    const { data, has_more } = read(
      form,
      await asking(() => ask({ limit: size, ...(after === undefined ? {} : { starting_after: after }) })),
    );
    all.push(...data);
    if (!has_more || data.length === 0 || all.length >= limit) return all;
  }
}
