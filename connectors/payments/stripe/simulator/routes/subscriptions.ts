import { z } from "zod";
import type { ItemOrder } from "../change.ts";
import { endSubscription, expireIncomplete } from "../collect.ts";
import { createSubscription, periodEndOf } from "../create-subscription.ts";
import { redeem } from "../discounts.ts";
import { endpoint } from "../endpoint.ts";
import { refused } from "../errors.ts";
import { emitUpdate } from "../events.ts";
import { page } from "../lists.ts";
import { bool, clearable, id, int, listParams, metadata, params, strings, text } from "../params.ts";
import { plain } from "../render.ts";
import type { StripeWorld } from "../state.ts";
import { all, get, nowFor } from "../store.ts";
import type { Subscription } from "../things/subscriptions.ts";
import { changeSubscription, demandChangeable } from "../update-subscription.ts";
import { living, merged } from "./customers.ts";

/** Discounts by coupon, promotion code or an existing discount; an empty text removes all. */
export const discounts = clearable(
  z.array(z.strictObject({ coupon: id.optional(), promotion_code: id.optional(), discount: id.optional() })),
);
/** The items of a subscription in a call. */
export const items = z.array(
  z.strictObject({
    id: id.optional(),
    price: id.optional(),
    quantity: int.pipe(z.number().min(0)).optional(),
    deleted: bool.optional(),
    metadata: metadata.optional(),
  }),
);
export const proration = z.enum(["always_invoice", "create_prorations", "none"]);
const behavior = z.enum([
  "allow_incomplete",
  "default_incomplete",
  "error_if_incomplete",
  "pending_if_incomplete",
]);
const method = z.enum(["charge_automatically", "send_invoice"]);
const settings = z.strictObject({
  payment_method_types: clearable(strings).optional(),
  save_default_payment_method: z.enum(["off", "on_subscription"]).optional(),
});

const fields = {
  cancel_at: clearable(int).optional(),
  cancel_at_period_end: bool.optional(),
  collection_method: method.optional(),
  days_until_due: int.optional(),
  default_payment_method: clearable(id).optional(),
  default_tax_rates: clearable(strings).optional(),
  description: text.optional(),
  discounts: discounts.optional(),
  items: items.optional(),
  metadata: metadata.optional(),
  off_session: bool.optional(),
  payment_behavior: behavior.optional(),
  payment_settings: settings.optional(),
  proration_behavior: proration.optional(),
  trial_end: z.union([z.literal("now"), int]).optional(),
};

export const subscriptionRoutes = [
  endpoint(
    "POST /v1/subscriptions",
    params({
      ...fields,
      customer: id,
      items: items.min(1),
      billing_mode: z
        .strictObject({
          type: z.literal("flexible"),
          flexible: z.strictObject({ proration_discounts: z.enum(["included", "itemized"]) }).optional(),
        })
        .optional(),
      currency: z.string().length(3).optional(),
      trial_period_days: int.optional(),
    }),
    ({ world, params }) => {
      const customer = living(world, params.customer);
      const now = nowFor(world, customer.id);
      const trialEnd = trialEndOf(params, now);
      return createSubscription(
        world,
        {
          customer: customer.id,
          items: params.items,
          discounts: params.discounts ?? [],
          taxRates: params.default_tax_rates ?? [],
          collectionMethod: params.collection_method ?? "charge_automatically",
          daysUntilDue: params.days_until_due ?? null,
          defaultMethod: ownMethod(world, customer.id, params.default_payment_method ?? null),
          methodTypes: params.payment_settings?.payment_method_types ?? null,
          trialEnd,
          cancelAt: params.cancel_at ?? null,
          isCancelledAtPeriodEnd: params.cancel_at_period_end ?? false,
          description: params.description ?? null,
          metadata: params.metadata ?? {},
        },
        {
          behavior: params.payment_behavior ?? "allow_incomplete",
          isOffSession: params.off_session ?? false,
        },
      );
    },
  ),
  endpoint("GET /v1/subscriptions/{id}", params({}), ({ world, id }) => get(world, "subscription", id, "id")),
  endpoint(
    "POST /v1/subscriptions/{id}",
    params({
      ...fields,
      // The string `now` of earlier versions is gone (changelog/endive, polymorphic billing_cycle_anchor).
      billing_cycle_anchor: z.strictObject({ type: z.enum(["now", "unchanged"]) }).optional(),
      cancellation_details: z
        .strictObject({ comment: text.optional(), feedback: text.optional() })
        .optional(),
      proration_date: int.optional(),
    }),
    ({ world, id, params, given }) => {
      const subscription = get(world, "subscription", id, "id");
      demandChangeable(subscription, given, params.payment_behavior);
      const before = plain(world, subscription);
      edit(world, subscription, params);
      const isAnchoredNow = params.billing_cycle_anchor?.type === "now";
      const asked: readonly ItemOrder[] = params.items ?? [];
      if (asked.length > 0 || isAnchoredNow) {
        changeSubscription(world, subscription, {
          items: asked,
          isAnchoredNow,
          proration: params.proration_behavior ?? "create_prorations",
          prorationDate: params.proration_date ?? null,
          behavior: params.payment_behavior ?? "allow_incomplete",
          isOffSession: params.off_session ?? false,
        });
      }
      emitUpdate(world, "customer.subscription.updated", subscription, before);
      return subscription;
    },
  ),
  endpoint(
    "GET /v1/subscriptions",
    listParams({
      customer: id.optional(),
      price: id.optional(),
      status: z
        .enum([
          ...(["all", "ended", "active", "canceled", "incomplete", "incomplete_expired"] as const),
          ...(["past_due", "paused", "trialing", "unpaid"] as const),
        ])
        .optional(),
      collection_method: method.optional(),
      test_clock: id.optional(),
    }),
    (call) => {
      const { customer, price, status, collection_method: how, test_clock: clock } = call.params;
      const found = all(call.world, "subscription").filter(
        (each) =>
          (customer ?? each.customer) === each.customer &&
          (how ?? each.collection_method) === each.collection_method &&
          (clock ?? each.test_clock) === each.test_clock &&
          (price === undefined || each.items.data.some((item) => item.price === price)) &&
          isOfStatus(each, status),
      );
      return page(found, call.params, call.url);
    },
  ),
  endpoint(
    "DELETE /v1/subscriptions/{id}",
    params({
      cancellation_details: z
        .strictObject({ comment: text.optional(), feedback: text.optional() })
        .optional(),
      invoice_now: bool.optional(),
      prorate: bool.optional(),
    }),
    ({ world, id, params }) => {
      const subscription = get(world, "subscription", id, "id");
      const { status } = subscription;
      if (status === "canceled" || status === "incomplete_expired") {
        throw refused(`No such subscription: '${id}'`, { code: "resource_missing", param: "id" });
      }
      Object.assign(subscription.cancellation_details, params.cancellation_details);
      if (status === "incomplete") expireIncomplete(world, subscription);
      else endSubscription(world, subscription, "cancellation_requested");
      return subscription;
    },
  ),
];

/** Without a status, ended subscriptions are left out (api/subscriptions/list). */
function isOfStatus({ status }: Subscription, wanted: string | undefined): boolean {
  const isEnded = status === "canceled" || status === "incomplete_expired";
  if (wanted === undefined) return status !== "canceled";
  return wanted === "all" || (wanted === "ended" ? isEnded : status === wanted);
}

type TrialOrder = { trial_end?: number | "now" | undefined; trial_period_days?: number | undefined };

function trialEndOf({ trial_end: end, trial_period_days: days }: TrialOrder, now: number): number | null {
  if (typeof end === "number") return end;
  return days === undefined ? null : now + days * 86_400;
}

function ownMethod(world: StripeWorld, customer: string, id: string | null): string | null {
  if (id === null) return null;
  const method = get(world, "payment_method", id, "default_payment_method");
  if (method.customer !== customer) {
    throw refused(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      { code: "resource_missing", param: "default_payment_method" },
    );
  }
  return id;
}

type Edit = z.output<z.ZodObject<typeof fields>> & {
  cancellation_details?:
    | { comment?: string | null | undefined; feedback?: string | null | undefined }
    | undefined;
};

/** What changes without prorations. */
function edit(world: StripeWorld, subscription: Subscription, order: Edit): void {
  subscription.metadata = merged(subscription.metadata, order.metadata);
  Object.assign(subscription.cancellation_details, order.cancellation_details);
  if (order.description !== undefined) subscription.description = order.description;
  if (order.default_payment_method !== undefined) {
    subscription.default_payment_method = ownMethod(
      world,
      subscription.customer,
      order.default_payment_method,
    );
  }
  if (order.default_tax_rates !== undefined) {
    for (const rate of order.default_tax_rates ?? []) get(world, "tax_rate", rate, "default_tax_rates");
    subscription.default_tax_rates = order.default_tax_rates ?? [];
  }
  if (order.discounts !== undefined) {
    subscription.discounts = redeem(world, order.discounts ?? [], {
      customer: subscription.customer,
      subscription: subscription.id,
      isPreview: false,
    });
  }
  if (order.payment_settings?.payment_method_types !== undefined) {
    subscription.payment_settings.payment_method_types = order.payment_settings.payment_method_types;
  }
  editCollection(subscription, order);
  editEnd(world, subscription, order);
  if (order.trial_end !== undefined && subscription.status === "trialing") {
    const end = order.trial_end === "now" ? nowFor(world, subscription.customer) : order.trial_end;
    subscription.trial_end = end;
    subscription.billing_cycle_anchor = end;
    for (const item of subscription.items.data) item.current_period_end = end;
  }
}

function editCollection(subscription: Subscription, order: Edit): void {
  subscription.collection_method = order.collection_method ?? subscription.collection_method;
  if (order.days_until_due !== undefined) subscription.days_until_due = order.days_until_due;
  if (subscription.collection_method === "charge_automatically") subscription.days_until_due = null;
  else if (subscription.days_until_due === null) {
    throw refused("Missing required param: days_until_due.", {
      code: "parameter_missing",
      param: "days_until_due",
    });
  }
}

/** Cancelling at the period's end sets `cancel_at` as well; the portal sets only `cancel_at`. */
function editEnd(world: StripeWorld, subscription: Subscription, order: Edit): void {
  if (order.cancel_at !== undefined && order.cancel_at_period_end !== undefined) {
    throw refused("You cannot set both `cancel_at` and `cancel_at_period_end`.");
  }
  if (order.cancel_at_period_end !== undefined) {
    subscription.cancel_at_period_end = order.cancel_at_period_end;
    subscription.cancel_at = order.cancel_at_period_end ? periodEndOf(subscription) : null;
  } else if (order.cancel_at !== undefined) {
    subscription.cancel_at = order.cancel_at;
    subscription.cancel_at_period_end = false;
  } else return;
  const isEnding = subscription.cancel_at !== null;
  subscription.canceled_at = isEnding ? nowFor(world, subscription.customer) : null;
  subscription.cancellation_details.reason = isEnding ? "cancellation_requested" : null;
}
