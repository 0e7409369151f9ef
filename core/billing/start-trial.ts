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
 *
 * @param record - The entry of the audit trail, written only when this call starts the trial
 */
export async function startTrial(
  deps: { control: ControlDatabase; clock: Clock; ids: IdSource },
  organisationId: string,
  platform: PlatformId,
  record?: Parameters<typeof insertSubscription>[2],
): Promise<void> {
  const startedAt = deps.clock.now();
  const row = {
    id: deps.ids.next("subscription"),
    organisationId,
    platform,
    plan: "trial" as const,
    quantity: trialItemsOf(platform),
    startedAt,
    endsAt: startedAt + TRIAL_MS,
    trialEndsAt: startedAt + TRIAL_MS,
  };
  await insertSubscription(deps.control, row, record);
}
