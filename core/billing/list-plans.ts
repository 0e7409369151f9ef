import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { Memory } from "#core/kernel/memory.ts";
import type { PlatformId } from "#core/kernel/platform-id.ts";
import { countedBy } from "./catalogue.ts";
import { entitlements } from "./entitlements.ts";
import type { Entitlements } from "./entitlements-view.ts";
import { listSubscriptions } from "./subscription.store.ts";

/** The entitlements of every platform for which the organisation ever had a trial or a subscription, in one query. */
export async function listPlans(
  deps: { control: ControlDatabase; clock: Clock; memory?: Memory },
  organisationId: string,
): Promise<ReadonlyMap<PlatformId, Entitlements>> {
  const now = deps.clock.now();
  const rows = await allSubscriptions(deps, organisationId);
  return new Map(
    rows.map(({ platform, ...facts }) => [platform, entitlements(facts, now, countedBy(platform))]),
  );
}

/** The key of an organisation's subscriptions in a request's memory. */
export const subscriptionsKey = (organisationId: string) => `subscriptions:${organisationId}`;

/** Every subscription that the organisation has or had. A read-only request reads it once. */
export function allSubscriptions(
  deps: { control: ControlDatabase; memory?: Memory },
  organisationId: string,
): ReturnType<typeof listSubscriptions> {
  const read = () => listSubscriptions(deps.control, organisationId);
  return deps.memory ? deps.memory(subscriptionsKey(organisationId), read) : read();
}
