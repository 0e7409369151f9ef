import type { ControlDatabase } from "#core/database/ledgers.ts";
import { type Clock, HOUR_MS } from "#core/kernel/clock.ts";
import type { PlatformId } from "#core/kernel/platform-id.ts";
import type { Entitlements } from "./entitlements-view.ts";
import { listPlans } from "./list-plans.ts";

/** Trial and subscription of one platform (spec part 3 sections 3 and 4). */
export type TrialStatus = {
  trialStatus: "not started" | "active" | "expired";
  /** Hours until the running trial ends, rounded up; 0 without one. */
  trialHoursLeft: number;
  subscriptionType: "pro_plan" | "essential" | null;
  subscriptionStatus: "active" | "inactive" | null;
  /** Items included, or users. */
  planQuantity: number;
};

/** The trial status of each platform. A platform without a plan is "not started". */
export async function listTrialStatuses(
  deps: { control: ControlDatabase; clock: Clock },
  organisationId: string,
  platforms: readonly PlatformId[],
): Promise<Map<PlatformId, TrialStatus>> {
  const plans = await listPlans(deps, organisationId);
  const now = deps.clock.now();
  return new Map(platforms.map((platform) => [platform, toStatus(plans.get(platform), now)]));
}

function toStatus(plan: Entitlements | undefined, now: number): TrialStatus {
  const none = { subscriptionType: null, subscriptionStatus: null, trialHoursLeft: 0 } as const;
  if (!plan) return { ...none, trialStatus: "not started", planQuantity: 0 };
  const planQuantity = plan.quantity;
  if (plan.plan !== "trial") {
    // A subscription replaces the trial, which is then over.
    return {
      ...none,
      trialStatus: "expired",
      subscriptionType: plan.plan === "pro" ? "pro_plan" : "essential",
      subscriptionStatus: plan.isActive ? "active" : "inactive",
      planQuantity,
    };
  }
  if (!plan.isActive) return { ...none, trialStatus: "expired", planQuantity };
  const leftMs = (plan.endsAt ?? now) - now;
  return { ...none, trialStatus: "active", trialHoursLeft: Math.ceil(leftMs / HOUR_MS), planQuantity };
}
