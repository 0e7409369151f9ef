import { DAY_MS } from "#core/kernel/clock.ts";
import { GRACE_MS, LATEST_REMOVAL_MS, PLANS, type PlanName } from "./plans.ts";

/** How far a version is kept ahead while its removal is late. */
const AHEAD_MS = 7 * DAY_MS;

/**
 * Until when a version is kept by its platform's plan of today (epoch ms). A plan that keeps versions for longer keeps
 * those of a shorter one as well, as long as they are there. After the end of a plan everything stays until it is removed
 * as a whole (spec/README "Grace").
 *
 * @param takenAt When the version's reading began, epoch ms.
 */
export function keptUntil(
  { plan, endsAt }: { plan: PlanName; endsAt: number | null },
  takenAt: number,
  now: number,
): number {
  const byPlan = takenAt + PLANS[plan].retentionDays * DAY_MS;
  if (endsAt === null || now < endsAt) return byPlan;
  const graceEnd = endsAt + GRACE_MS;
  if (now < graceEnd) return Math.max(byPlan, graceEnd);
  return now < graceEnd + LATEST_REMOVAL_MS ? Math.max(byPlan, now + AHEAD_MS) : byPlan;
}
