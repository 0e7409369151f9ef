import type { ControlDatabase } from "#core/database/ledgers.ts";
import type { PlatformId } from "#core/kernel/platform-id.ts";
import { keptUntil } from "./kept-until.ts";
import { PLANS, type PlanName } from "./plans.ts";
import { listSubscriptionEnds } from "./subscription.store.ts";

/**
 * The plan's state for a scheduled backup, and the time between two of them. `endedAt` null: there never was a plan.
 */
export type PlanState = { isActive: true; periodMs: number } | { isActive: false; endedAt: number | null };

/** Holds the plans that `look` has read. */
export type PlanWatch = {
  /** Reads the plans of the organisations that are not known yet, in one query. */
  look: (organisationIds: readonly string[]) => Promise<void>;
  /** The plan's state at `now` (epoch ms). */
  stateOf: (organisationId: string, platform: PlatformId, now: number) => PlanState;
  /** Until when a version of `takenAt` is kept by the plan of today; epoch ms. Null: there never was a plan. */
  keptUntil: (
    version: { organisationId: string; platform: PlatformId; takenAt: number },
    now: number,
  ) => number | null;
};

/** Caches plans during one tick, so that a schedule with many items queries each organisation once, not each item. */
export function watchPlans(deps: { control: ControlDatabase }): PlanWatch {
  const known = new Set<string>();
  const plans = new Map<string, { plan: PlanName; endsAt: number | null }>();
  const keyOf = (organisationId: string, platform: string) => `${organisationId} ${platform}`;
  return {
    look: async (organisationIds) => {
      const unknown = [...new Set(organisationIds)].filter((id) => !known.has(id));
      if (unknown.length === 0) return;
      for (const row of await listSubscriptionEnds(deps.control, unknown)) {
        plans.set(keyOf(row.organisationId, row.platform), row);
      }
      for (const id of unknown) known.add(id);
    },
    stateOf: (organisationId, platform, now) => {
      const found = plans.get(keyOf(organisationId, platform));
      if (!found) return { isActive: false, endedAt: null };
      const { plan, endsAt } = found;
      return endsAt === null || now < endsAt
        ? { isActive: true, periodMs: PLANS[plan].periodMs }
        : { isActive: false, endedAt: endsAt };
    },
    keptUntil: ({ organisationId, platform, takenAt }, now) => {
      const found = plans.get(keyOf(organisationId, platform));
      return found ? keptUntil(found, takenAt, now) : null;
    },
  };
}
