import type { Entitlements } from "#core/billing/entitlements-view.ts";

/**
 * Whether the plan includes the switches of daily backups (spec P-305). With more items than it includes, any running plan
 * lets people choose which of them are backed up.
 */
export const maySwitchDaily = (
  { hasProFeatures, isActive }: Pick<Entitlements, "hasProFeatures" | "isActive">,
  { used, limit }: { used: number; limit: number },
): boolean => hasProFeatures || (isActive && used > limit);
