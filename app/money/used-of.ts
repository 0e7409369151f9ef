import type { PlatformStatus } from "./billing-queries.ts";

/**
 * How much of what the plan counts there is: protected items, or users of the connected accounts. Null = the users are not
 * known yet.
 */
export function usedOf(status: PlatformStatus | undefined): number | null {
  if (status === undefined) return 0;
  return status.domainUsersNumber === undefined ? status.addedItemsQuantity : status.domainUsersNumber;
}
