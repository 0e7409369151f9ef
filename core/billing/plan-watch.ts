import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { PlatformId } from "#core/kernel/platform-id.ts";
import { listSubscriptionEnds } from "./subscription.store.ts";

/** What a plan has to say to a scheduled backup. `endedAt` null: there never was a plan. */
export type PlanState = { isActive: true } | { isActive: false; endedAt: number | null };

/** Answers for the plans it was told to look at. */
export type PlanWatch = {
  /** Looks up the organisations it does not know yet, in one query however many they are. */
  look: (organisationIds: readonly string[]) => Promise<void>;
  /** The plan's state at a moment. @param now Epoch ms. */
  stateOf: (organisationId: string, platform: PlatformId, now: number) => PlanState;
};

/**
 * A memory of plans for the length of one tick, so that a schedule with many items asks once for each organisation
 * and not once for each item.
 */
export function watchPlans(deps: { control: ControlDatabase }): PlanWatch {
  const known = new Set<string>();
  const ends = new Map<string, number | null>();
  const keyOf = (organisationId: string, platform: string) => `${organisationId} ${platform}`;
  return {
    look: async (organisationIds) => {
      const unknown = [...new Set(organisationIds)].filter((id) => !known.has(id));
      if (unknown.length === 0) return;
      for (const row of await listSubscriptionEnds(deps.control, unknown)) {
        ends.set(keyOf(row.organisationId, row.platform), row.endsAt);
      }
      for (const id of unknown) known.add(id);
    },
    stateOf: (organisationId, platform, now) => {
      const endsAt = ends.get(keyOf(organisationId, platform));
      if (endsAt === undefined) return { isActive: false, endedAt: null };
      return endsAt === null || now < endsAt ? { isActive: true } : { isActive: false, endedAt: endsAt };
    },
  };
}
