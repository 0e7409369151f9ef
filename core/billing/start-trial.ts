import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { Clock } from "#core/kernel/clock.ts";
import type { IdSource } from "#core/kernel/ids.ts";
import type { PlatformId } from "#core/kernel/platform-id.ts";
import { trialItemsOf } from "./catalogue.ts";
import { TRIAL_MS } from "./plans.ts";
import { insertSubscription } from "./subscription.store.ts";

/**
 * Starts the platform's free trial. An organisation that ever had a trial or subscription of the platform gets no
 * second trial, so connecting again changes nothing.
 */
export async function startTrial(
  deps: { control: ControlDatabase; clock: Clock; ids: IdSource },
  organisationId: string,
  platform: PlatformId,
): Promise<void> {
  const startedAt = deps.clock.now();
  await insertSubscription(deps.control, {
    id: deps.ids.next("subscription"),
    organisationId,
    platform,
    plan: "trial",
    quantity: trialItemsOf(platform),
    startedAt,
    endsAt: startedAt + TRIAL_MS,
    trialEndsAt: startedAt + TRIAL_MS,
  });
}
