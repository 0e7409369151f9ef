import { z } from "zod";
import type { Payment, PaymentProvider, Purchase } from "#connectors/contract/payment-provider.ts";
import { PaymentError } from "#connectors/contract/payment-provider.ts";
import type { StripeDeps } from "./client.ts";
import { asking, read, unless } from "./failures.ts";
import {
  type InvoiceForm,
  intentForm,
  invoiceForm,
  type SubscriptionForm,
  subscriptionForm,
} from "./forms.ts";
import { toSubscription } from "./read-subscription.ts";

type Subscriptions = Pick<
  PaymentProvider,
  | "listSubscriptions"
  | "subscribe"
  | "readPurchase"
  | "confirmPayment"
  | "changeSubscription"
  | "setQuantity"
  | "setCancelling"
  | "setTaxRates"
  | "endSubscription"
>;

const PURCHASE = ["latest_invoice.confirmation_secret", "latest_invoice.payments", "pending_setup_intent"];
const PAGE = 100;
const seconds = (ms: number) => Math.floor(ms / 1000);

/** Subscriptions and their payments (docs.stripe.com/api/subscriptions). */
export function subscriptionsOf({ stripe }: StripeDeps): Subscriptions {
  const toPurchase = async (form: SubscriptionForm, asksIntent: boolean): Promise<Purchase> => {
    const invoice = form.latest_invoice;
    const intentId = (invoice?.payments?.data ?? []).find(({ payment }) => payment.payment_intent !== null)
      ?.payment.payment_intent;
    let payment: Payment | null = null;
    if (invoice?.status === "open" && intentId)
      payment = asksIntent
        ? await readIntent(stripe, intentId)
        : {
            state: "requires_payment_method",
            clientSecret: invoice.confirmation_secret,
            message: null,
            attemptId: null,
          };
    else if (invoice?.status === "paid" && intentId)
      payment = { state: "succeeded", clientSecret: null, message: null, attemptId: null };
    const setup = form.pending_setup_intent;
    return {
      subscriptionId: form.id,
      state: form.status,
      invoiceId: invoice?.id ?? null,
      isInvoiceOpen: invoice?.status === "open",
      intentId: intentId ?? null,
      payment,
      setupSecret: setup !== null && setup.status !== "succeeded" ? setup.client_secret : null,
      isChangePending: form.pending_update !== null,
      priceKey: form.items.data[0]?.price.key ?? null,
      quantity: form.items.data[0]?.quantity ?? 0,
    };
  };
  return {
    listSubscriptions: async (customer) => {
      const list = { subscriptions: [], unreadable: [] } as Awaited<
        ReturnType<PaymentProvider["listSubscriptions"]>
      >;
      let after: string | undefined;
      for (;;) {
        const page = await asking(() =>
          stripe.subscriptions.list({
            customer,
            // Without a status, ended ones are left out.
            status: "all",
            limit: PAGE,
            expand: ["data.latest_invoice"],
            ...(after === undefined ? {} : { starting_after: after }),
          }),
        );
        const { data, has_more } = read(
          z.looseObject({ data: z.array(z.looseObject({ id: z.string() })), has_more: z.boolean() }),
          page,
        );
        for (const each of data) {
          const parsed = subscriptionForm.safeParse(each);
          const found = parsed.success
            ? toSubscription(parsed.data, await owedInvoice(stripe, parsed.data))
            : null;
          if (found) list.subscriptions.push(found);
          else {
            const reason = parsed.success ? "it has no item" : z.prettifyError(parsed.error).slice(0, 300);
            list.unreadable.push({ id: each.id, reason });
          }
        }
        after = data.at(-1)?.id;
        if (!has_more || after === undefined) return list;
      }
    },
    subscribe: async (order, idempotencyKey) => {
      const answer = await asking(() =>
        stripe.subscriptions.create(
          {
            customer: order.customerId,
            items: [{ price: order.priceId, quantity: order.quantity }],
            // It waits for its first payment, which the server confirms.
            payment_behavior: "default_incomplete",
            billing_mode: { type: "flexible" },
            default_tax_rates: [...order.taxRates],
            ...(order.promotionId === null ? {} : { discounts: [{ promotion_code: order.promotionId }] }),
            payment_settings: { payment_method_types: ["card"] },
            metadata: {
              organisation_id: order.organisationId,
              platform: order.platform,
              command_id: order.commandId,
            },
            expand: PURCHASE,
          },
          { idempotencyKey },
        ),
      );
      return toPurchase(read(subscriptionForm, answer), false);
    },
    readPurchase: async (id) => {
      const answer = await asking(() => stripe.subscriptions.retrieve(id, { expand: PURCHASE }));
      return toPurchase(read(subscriptionForm, answer), true);
    },
    confirmPayment: async (intentId, cardId, idempotencyKey) => {
      try {
        const answer = await asking(() =>
          stripe.paymentIntents.confirm(intentId, { payment_method: cardId }, { idempotencyKey }),
        );
        return toPayment(read(intentForm, answer));
      } catch (cause) {
        const isAnswered =
          cause instanceof PaymentError &&
          (cause.kind === "declined" || cause.providerCode === "payment_intent_unexpected_state");
        if (!isAnswered) throw cause;
        const now = await readIntent(stripe, intentId);
        return cause.kind === "declined" ? { ...now, message: cause.message } : now;
      }
    },
    changeSubscription: async (order, idempotencyKey) => {
      const answer = await asking(() =>
        stripe.subscriptions.update(
          order.subscriptionId,
          {
            items: [{ id: order.itemId, price: order.priceId, quantity: order.quantity }],
            proration_behavior: "always_invoice",
            proration_date: seconds(order.prorationAt),
            // Until it is paid, the old plan stays (docs.stripe.com/billing/subscriptions/pending-updates).
            payment_behavior: "pending_if_incomplete",
            ...(order.isNewPeriod ? { billing_cycle_anchor: { type: "now" as const } } : {}),
            expand: PURCHASE,
          },
          { idempotencyKey },
        ),
      );
      return toPurchase(read(subscriptionForm, answer), true);
    },
    setQuantity: async ({ subscriptionId, itemId, quantity }, idempotencyKey) => {
      // The price stays, and without prorations the next invoice is the renewal
      // (docs.stripe.com/billing/subscriptions/prorations).
      const change = { items: [{ id: itemId, quantity }], proration_behavior: "none" as const };
      await asking(() => stripe.subscriptions.update(subscriptionId, change, { idempotencyKey }));
    },
    setCancelling: async (order, idempotencyKey) => {
      const change = order.isCancelling
        ? { cancel_at_period_end: true }
        : order.byDate
          ? { cancel_at: "" as const }
          : { cancel_at_period_end: false };
      await asking(() => stripe.subscriptions.update(order.subscriptionId, change, { idempotencyKey }));
    },
    setTaxRates: async (id, taxRates, idempotencyKey) => {
      const change = { default_tax_rates: taxRates.length === 0 ? ("" as const) : [...taxRates] };
      await asking(() => stripe.subscriptions.update(id, change, { idempotencyKey }));
    },
    endSubscription: async (id) => {
      // A DELETE has no key, so when its answer is lost the subscription is ended and missing at the next try.
      await unless(["resource_missing"], () => stripe.subscriptions.cancel(id));
    },
  };
}

/**
 * The invoice since which a subscription is not paid. While nobody pays, each new period has a draft that is never
 * collected, and the latest invoice says nothing of the debt (docs.stripe.com/billing/subscriptions/overview).
 */
async function owedInvoice(
  stripe: StripeDeps["stripe"],
  { id, status, latest_invoice: latest }: SubscriptionForm,
): Promise<InvoiceForm | null> {
  const isOpen = latest?.status === "open" || latest?.status === "uncollectible";
  if (status !== "unpaid" && (status !== "past_due" || isOpen)) return latest;
  const answer = await asking(() => stripe.invoices.list({ subscription: id, status: "open", limit: PAGE }));
  return read(z.looseObject({ data: z.array(invoiceForm) }), answer).data.at(-1) ?? latest;
}

/** The state of a payment intent. */
export async function readIntent(stripe: StripeDeps["stripe"], id: string): Promise<Payment> {
  return toPayment(read(intentForm, await asking(() => stripe.paymentIntents.retrieve(id))));
}

function toPayment({ status, latest_charge, ...intent }: z.output<typeof intentForm>): Payment {
  const error = intent.last_payment_error;
  return {
    state: status,
    clientSecret: intent.client_secret,
    message: error?.message ?? null,
    // No charge is made for a confirmation that failed: the latest one belongs to an earlier attempt.
    attemptId: error?.code === "payment_intent_authentication_failure" ? null : latest_charge,
  };
}
