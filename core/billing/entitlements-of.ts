import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { Memory } from "#core/kernel/memory.ts";
import type { PlatformId } from "#core/kernel/platform-id.ts";
import { countedBy } from "./catalogue.ts";
import { entitlements } from "./entitlements.ts";
import type { Entitlements } from "./entitlements-view.ts";
import { allSubscriptions } from "./list-plans.ts";
import { findSubscription } from "./subscription.store.ts";

/**
 * What an organisation may do on one platform.
 * @param now Epoch ms. The time to evaluate, when it is not the present.
 */
export async function entitlementsOf(
  deps: { control: ControlDatabase; clock: Clock; memory?: Memory },
  organisationId: string,
  platform: PlatformId,
  now: number = deps.clock.now(),
): Promise<Entitlements> {
  if (!deps.memory)
    return entitlements(
      await findSubscription(deps.control, { organisationId, platform }),
      now,
      countedBy(platform),
    );
  const all = await allSubscriptions(deps, organisationId);
  return entitlements(all.find((each) => each.platform === platform) ?? null, now, countedBy(platform));
}
