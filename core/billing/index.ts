/** Billing: what an organisation may use of each platform, and until when. */
export {
  boughtQuantity,
  capacityOf,
  costCents,
  findPrice,
  limitsItems,
  type OfferedPrice,
  PAID_PLANS,
  type PaidPlan,
  PERIODS,
  type Period,
  PRICES,
  type Price,
  pricesOf,
  seatRanges,
  trialItemsOf,
} from "./catalogue.ts";
export { entitlementsOf } from "./entitlements-of.ts";
export type { Entitlements } from "./entitlements-view.ts";
export { endLicensedRight, giveLicensedRight } from "./licence.store.ts";
export { type LicensedRight, rightOfLicence } from "./licence.ts";
export { listPlans, subscriptionsKey } from "./list-plans.ts";
export { LOCAL_PLANS } from "./local-plans.ts";
export { type PlanWatch, watchPlans } from "./plan-watch.ts";
export { GRACE_MS, LATEST_REMOVAL_MS, LONGEST_RETENTION_DAYS, MOST_ITEMS, type PlanName } from "./plans.ts";
export { startTrial } from "./start-trial.ts";
export {
  listUnfitted,
  markFitted,
  type SubscriptionRow,
  subscriptionsOf,
  unfit,
} from "./subscription.store.ts";
export { listTrialStatuses, type TrialStatus } from "./trial-status.ts";
