/**
 * Restores: each version is restored into a new item, journaled step by step, and ends with a report of what was
 * restored, what is missing, what changed its form and what cannot be restored.
 */
export { listRestorePoints, type RestorePointView } from "./list-restore-points.ts";
export { listRestoreTargets, type RestoreTargetsView } from "./list-restore-targets.ts";
export { planPartRestore } from "./plan-part-restore.ts";
export { type PlanCostView, planRestore, type RestorePlanView } from "./plan-restore.ts";
export { type PartWish, requestPartRestore } from "./request-part-restore.ts";
export { type RestoreWish, requestRestores } from "./request-restores.ts";
export type { RestoreOrder } from "./restore-order.ts";
export type { RestoreReport } from "./restore-report.schema.ts";
export { runRestore } from "./run-restore.ts";
