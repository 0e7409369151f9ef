import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { PlatformId } from "#core/kernel/platform-id.ts";
import { listSubscriptionEnds } from "./subscription.store.ts";

/** The plan's state for a scheduled backup. `endedAt` null: there never was a plan. */
export type PlanState = { isActive: true } | { isActive: false; endedAt: number | null };

/** Holds the plans that `look` has read. */
export type PlanWatch = {
  /** Reads the plans of the organisations that are not known yet, in one query. */
  look: (organisationIds: readonly string[]) => Promise<void>;
  /** The plan's state at `now` (epoch ms). */
  stateOf: (organisationId: string, platform: PlatformId, now: number) => PlanState;
};

/** Caches plans during one tick, so that a schedule with many items queries each organisation once, not each item. */
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
