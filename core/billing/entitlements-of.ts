import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { PlatformId } from "#core/kernel/platform-id.ts";
import { entitlements } from "./entitlements.ts";
import type { Entitlements } from "./entitlements-view.ts";
import { findSubscription } from "./subscription.store.ts";

/**
 * What an organisation may do on one platform.
 * @param now Epoch ms; the moment asked about, when it is not the present.
 */
export async function entitlementsOf(
  deps: { control: ControlDatabase; clock: Clock },
  organisationId: string,
  platform: PlatformId,
  now: number = deps.clock.now(),
): Promise<Entitlements> {
  return entitlements(await findSubscription(deps.control, { organisationId, platform }), now);
}
