import type { Entitlements } from "./entitlements-view.ts";
import { PLANS, type PlanName } from "./plans.ts";

/** What a subscription row says. Times in epoch ms; `endsAt` null = until cancelled. */
export type SubscriptionFacts = { plan: PlanName; quantity: number; endsAt: number | null };

/**
 * What the subscription allows at a moment. After its end the versions stay as long as the plan kept them (spec:
 * backups paused during a grace period), but nothing is due and nothing can be added.
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
