/**
 * What happens after the grace period: the owner is warned twice, then what the platform held is removed in slices, and a
 * record of it stays.
 */
export { FIRST_WARNING_MS, SECOND_WARNING_MS } from "./limits.ts";
export { listRemovedHoldings, type RemovedHoldings } from "./list-removed-holdings.ts";
export { queueRemovals, removeLapsed } from "./remove-lapsed.ts";
export { warnOfRemovals } from "./warn-of-removals.ts";
