/**
 * Restores of versions and of parts of them: each creates a new item or adds to a chosen existing one. A restore
 * journals every step and ends with a report of what was restored, what is missing, what changed and what cannot be
 * restored.
 */
export { getRestore } from "./get-restore.ts";
export { listRestorePoints, type RestorePointView } from "./list-restore-points.ts";
export { listRestoreTargets, type RestoreTargetsView } from "./list-restore-targets.ts";
export { type PlanCostView, planRestore, type RestorePlanView } from "./plan-restore.ts";
export { type RestoreWish, requestRestore, requestRestores } from "./request-restores.ts";
export { listRestoreQuestions } from "./restore-questions.ts";
export type { RestoreReport } from "./restore-report.schema.ts";
export { runRestore } from "./run-restore.ts";
export type * from "./views.ts";
