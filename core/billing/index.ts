/** Money: what an organisation may use of each platform, and until when. */
export { entitlements } from "./entitlements.ts";
export { entitlementsOf } from "./entitlements-of.ts";
export type { Entitlements } from "./entitlements-view.ts";
export { PLANS, type PlanName, TRIAL_ITEMS, TRIAL_MS } from "./plans.ts";
export { startTrial } from "./start-trial.ts";
