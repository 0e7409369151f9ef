import { listConnectionsOfAccounts } from "#core/connections/index.ts";
import { hastenItem } from "#core/schedules/index.ts";
import type { Uses } from "#core/services.ts";

/**
 * Records that a platform reported a change. It is only a hint: the item's next backup comes sooner, and reads the platform
 * itself. An event about an account or an item that is not protected changes nothing.
 */
export async function noteChange(
  s: Uses<"control" | "ledger" | "clock">,
  platform: string,
  { accountIds, itemExternalId }: { accountIds: readonly string[]; itemExternalId: string },
): Promise<void> {
  const connections = await listConnectionsOfAccounts(s.control, platform, accountIds);
  for (const { id, organisationId, region } of connections)
    await hastenItem(s.ledger(region, organisationId), {
      organisationId,
      connectionId: id,
      externalId: itemExternalId,
      now: s.clock.now(),
    });
}
