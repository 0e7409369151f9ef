/** Money: what an organisation may use of each platform, and until when. */
export { entitlementsOf } from "./entitlements-of.ts";
export type { Entitlements } from "./entitlements-view.ts";
export { type PlanWatch, watchPlans } from "./plan-watch.ts";
export type { PlanName } from "./plans.ts";
export { startTrial } from "./start-trial.ts";
