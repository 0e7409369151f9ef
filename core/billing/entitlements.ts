import type { Entitlements } from "./entitlements-view.ts";
import { MOST_ITEMS, PLANS, type PlanName } from "./plans.ts";

/** The facts of a subscription row. Times in epoch ms; `endsAt` null = until cancelled. */
export type SubscriptionFacts = { plan: PlanName; quantity: number; endsAt: number | null };

/**
 * What the subscription allows at `now`. After it ends, everything stays for the days of grace (`keptUntil`), but no
 * backup is due and no item can be added.
 */
export function entitlements(
  subscription: SubscriptionFacts | null,
  now: number,
  /** What the quantity counts. Whose plan counts people protects any number of items. */
  counts: "items" | "people" = "items",
): Entitlements {
  if (!subscription) {
    const { retentionDays, periodMs } = PLANS.essential;
    return {
      plan: "none",
      isActive: false,
      endsAt: null,
      quantity: 0,
      itemLimit: 0,
      retentionDays,
      periodMs,
      hasProFeatures: false,
    };
  }
  const plan = PLANS[subscription.plan];
  const isActive = subscription.endsAt === null || now < subscription.endsAt;
  return {
    plan: subscription.plan,
    isActive,
    endsAt: subscription.endsAt,
    quantity: subscription.quantity,
    itemLimit: counts === "people" ? MOST_ITEMS : subscription.quantity,
    retentionDays: plan.retentionDays,
    periodMs: plan.periodMs,
    hasProFeatures: isActive && plan.hasProFeatures,
  };
}
