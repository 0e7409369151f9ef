import { recordAction } from "#core/audit/index.ts";
import { logger } from "#core/kernel/logger.ts";
import type { Member } from "#core/organisations/index.ts";
import type { PaymentServices, SyncServices } from "./deps.ts";
import { syncCustomer } from "./sync-customer.ts";

const log = logger("payments");

/**
 * Reads the new state after a write, and records who did it. A sync that fails is repeated by the cron: what was paid is
 * never lost by it.
 */
export async function afterChange(
  deps: PaymentServices,
  member: Member,
  action: { action: string; platform?: string; subject?: string; occasion?: string },
): Promise<void> {
  await recordAction(deps, {
    organisationId: member.organisationId,
    userId: member.userId,
    userName: member.name,
    ...action,
  });
  await syncQuietly(deps, member.organisationId);
}

/** A sync whose failure is only logged. */
export async function syncQuietly(deps: SyncServices, organisationId: string): Promise<void> {
  try {
    await syncCustomer(deps, organisationId);
  } catch (cause) {
    log.error("{organisationId} could not be read after a change and is read again by the cron", {
      organisationId,
      cause,
    });
  }
}
