import { recordAction } from "#core/audit/index.ts";
import type { Member } from "#core/organisations/index.ts";
import type { PaymentServices } from "./deps.ts";
import { syncQuietly } from "./sync-customer.ts";

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
