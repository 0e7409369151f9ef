import { AppError } from "#core/kernel/app-error.ts";
import type { SyncServices } from "./deps.ts";
import { countRefresh } from "./limits.ts";
import { syncQuietly } from "./sync-customer.ts";

/**
 * Reads the customer anew for a member who waits for a change. Above the limit nothing is read: the provider's events
 * bring the change as well, so the answer is what is known, and no error.
 */
export async function refreshPayments(deps: SyncServices, organisationId: string): Promise<void> {
  try {
    await countRefresh(deps, organisationId);
  } catch (cause) {
    if (cause instanceof AppError) return;
    throw cause;
  }
  await syncQuietly(deps, organisationId);
}
