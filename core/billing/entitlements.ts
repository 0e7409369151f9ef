import type { Entitlements } from "./entitlements-view.ts";
import { PLANS, type PlanName } from "./plans.ts";

/** The facts of a subscription row. Times in epoch ms; `endsAt` null = until cancelled. */
export type SubscriptionFacts = { plan: PlanName; quantity: number; endsAt: number | null };

/**
 * What the subscription allows at `now`. After it ends, everything stays for the days of grace (`keptUntil`), but no
 * backup is due and no item can be added.
 */
export function entitlements(subscription: SubscriptionFacts | null, now: number): Entitlements {
  if (!subscription) {
    const { retentionDays, periodMs } = PLANS.essential;
    return {
      plan: "none",
      isActive: false,
      endsAt: null,
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
    itemLimit: subscription.quantity,
    retentionDays: plan.retentionDays,
    periodMs: plan.periodMs,
    hasProFeatures: isActive && plan.hasProFeatures,
  };
}
