import { z } from "zod";
import type { ItemOrder } from "../change.ts";
import { endSubscription, expireIncomplete } from "../collect.ts";
import { createSubscription } from "../create-subscription.ts";
import { endpoint } from "../endpoint.ts";
import { refused } from "../errors.ts";
import { emitUpdate } from "../events.ts";
import { page } from "../lists.ts";
import { bool, id, int, listParams, params, text } from "../params.ts";
import { plain } from "../render.ts";
import { all, get, nowFor } from "../store.ts";
import type { Subscription } from "../things/subscriptions.ts";
import { changeSubscription, demandChangeable } from "../update-subscription.ts";
import { living } from "./customers.ts";
import { editSubscription, ownMethod } from "./edit-subscription.ts";
import { fields, items, method } from "./subscription-fields.ts";

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
      editSubscription(world, subscription, params);
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
