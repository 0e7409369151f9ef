import type { z } from "zod";
import { periodEndOf } from "../create-subscription.ts";
import { redeem } from "../discounts.ts";
import { refused } from "../errors.ts";
import type { StripeWorld } from "../state.ts";
import { get, nowFor } from "../store.ts";
import type { Subscription } from "../things/subscriptions.ts";
import { merged } from "./customers.ts";
import type { fields } from "./subscription-fields.ts";

/** @throws StripeFault for a card that is not of this customer */
export function ownMethod(world: StripeWorld, customer: string, id: string | null): string | null {
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
export function editSubscription(world: StripeWorld, subscription: Subscription, order: Edit): void {
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
    const isPast = order.cancel_at !== null && order.cancel_at <= nowFor(world, subscription.customer);
    if (isPast) throw refused("`cancel_at` must be in the future.", { param: "cancel_at" });
    subscription.cancel_at = order.cancel_at;
    subscription.cancel_at_period_end = false;
  } else return;
  const isEnding = subscription.cancel_at !== null;
  subscription.canceled_at = isEnding ? nowFor(world, subscription.customer) : null;
  subscription.cancellation_details.reason = isEnding ? "cancellation_requested" : null;
}
