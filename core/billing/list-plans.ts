import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { Memory } from "#core/kernel/memory.ts";
import type { PlatformId } from "#core/kernel/platform-id.ts";
import { entitlements } from "./entitlements.ts";
import type { Entitlements } from "./entitlements-view.ts";
import { listSubscriptions } from "./subscription.store.ts";

/**
 * Every platform for which the organisation ever had a trial or a subscription, with what it may do there now; in one
 * query. A platform that is not among them was never started.
 */
export async function listPlans(
  deps: { control: ControlDatabase; clock: Clock; memory?: Memory },
  organisationId: string,
): Promise<ReadonlyMap<PlatformId, Entitlements>> {
  const now = deps.clock.now();
  const rows = await allSubscriptions(deps, organisationId);
  return new Map(rows.map(({ platform, ...facts }) => [platform, entitlements(facts, now)]));
}

/** Every subscription that the organisation ever had; read once in a request that only reads. */
export function allSubscriptions(
  deps: { control: ControlDatabase; memory?: Memory },
  organisationId: string,
): ReturnType<typeof listSubscriptions> {
  const read = () => listSubscriptions(deps.control, organisationId);
  return deps.memory ? deps.memory(`subscriptions:${organisationId}`, read) : read();
}
